// SPDX-License-Identifier: MIT
/* Records in the order of time leave little of a mapped file in memory, also where a round is
 * larger than what a reader keeps, and made of runs too short to be given back one by one. */
#include "unit.h"

#include "data/recording.h"
#include "data/sink.h"
#include "data/source/source_ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RAW_SIZE    12000 /* bytes of a sample, more than half of a run */
#define RUNS	    500	  /* of a round: 6 MB */
#define ROUNDS	    6
#define MEMORY_MOST 24000 /* KiB: three rounds, and large pages */

struct large_sample {
	struct record_header h;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t raw_size;
	char raw[RAW_SIZE];
};

/* Rounds of samples whose times rise and fall in turns. */
static void write_rounds(struct buf *out)
{
	static struct large_sample s;
	const struct record_header round = {RECORD_FINISHED_ROUND, 0, sizeof(round)};
	struct event_set set = {0};
	struct err e = {0};
	AUTO(sink) *sink = sink_open_memory(false, out);

	event_set_add(&set, "cpu-clock")->attr =
		(struct attr){.type = TYPE_SOFTWARE,
			      .size = ATTR_SIZE_6_1,
			      .sample_period = 1000,
			      .sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_RAW,
			      .flags = ATTR_SAMPLE_ID_ALL};
	assert_int_equal(sink_begin(sink, &set, &e), 0);
	for (uint64_t i = 0; i < ROUNDS * RUNS; i++) {
		s.h = (struct record_header){RECORD_SAMPLE, MISC_USER, sizeof(s)};
		s.time = 1000 + (i ^ 1);
		s.raw_size = sizeof(s) - offsetof(struct large_sample, raw);
		assert_int_equal(sink_put(sink, &s, sizeof(s), NULL, 0, &e), 0);
		if (i % RUNS == RUNS - 1)
			assert_int_equal(sink_put(sink, &round, sizeof(round), NULL, 0, &e), 0);
	}
	assert_int_equal(sink_end(sink, &e), 0);
	event_set_release(&set);
}

static void write_file(char *path)
{
	struct buf bytes = {0};
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	write_rounds(&bytes);
	assert_int_equal(write(fd, bytes.at, bytes.n), bytes.n);
	close(fd);
	buf_release(&bytes);
}

/* KiB of the mapped file that are in the memory of this process. */
static unsigned memory_of(const char *path)
{
	FILE *maps = fopen("/proc/self/smaps", "r");
	unsigned all = 0, size;
	unsigned long from, to;
	bool ours = false;
	char line[4200];

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			ours = strstr(line, path);
		else if (ours && sscanf(line, "Rss: %u kB", &size) == 1)
			all += size;
	}
	fclose(maps);
	return all;
}

static void taken_rounds_leave_the_memory(void **state)
{
	char path[] = "/tmp/test-round-memory-XXXXXX";
	const struct source_options reading = {.mode = SOURCE_ORDERED};
	uint64_t samples = 0, last = 0;
	struct err e = {0};
	struct record r;

	(void)state;
	write_file(path);
	{
		AUTO(recording) *rec = recording_open(path, NULL, &e);
		AUTO(source) *src = rec ? source_open(rec, &reading, &e) : NULL;

		assert_non_null(src);
		while (source_next(src, &r, &e) > 0) {
			if (r.header.type != RECORD_SAMPLE)
				continue;
			assert_true(r.sample.time > last);
			last = r.sample.time;
			if (++samples % RUNS == 0)
				assert_in_range(memory_of(path), 1, MEMORY_MOST);
		}
	}
	assert_int_equal(samples, ROUNDS * RUNS);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(taken_rounds_leave_the_memory)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
