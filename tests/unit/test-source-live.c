// SPDX-License-Identifier: MIT
/* Records of a live session, pulled like a file's. */
#include "unit.h"

#include "capture/session/source_live.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Of a line of shell; ring_size: 0 as usual. NULL where a user may not measure itself. */
static struct live_source *source_of(struct session_options *opts, char *line, uint64_t frequency,
				     size_t ring_size)
{
	static char shell[] = "sh", flag[] = "-c";
	static char *command[4];
	struct live_source *src = live_source_new();
	struct event *ev = event_set_add(&src->m.events, "cpu-clock:u");
	struct err err = {0};

	ev->attr = (struct attr){.type = TYPE_SOFTWARE};
	ev->attr.flags = ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV;
	*opts = (struct session_options){
		.sampling = {.frequency = frequency,
			     .inherit = true,
			     .all_user = true,
			     .starts_command = true},
		.rings.ring_size = ring_size,
		.synth = {.tasks = true, .maps = true, .proc_root = "/proc", .sys_root = "/sys"},
	};
	memcpy(command, (char *[]){shell, flag, line, NULL}, sizeof(command));
	opts->command = command;
	if (!live_source_open(src, opts, NULL, NULL, &err))
		return src;
	printf("%s\n", err.text);
	live_source_free(src);
	return NULL;
}

struct seen {
	uint64_t last_time;
	unsigned int earlier;	/* records that are older than the one before */
	unsigned int samples, before_exec;
	uint32_t pid;
	bool exec, exited;
};

static void see(struct seen *s, const struct record *r)
{
	uint64_t time = r->header.type == RECORD_SAMPLE ? r->sample.time : r->id.time;

	if (time) {
		s->earlier += time < s->last_time;
		s->last_time = time;
	}
	switch (r->header.type) {
	case RECORD_COMM:
		if (r->header.misc & MISC_COMM_EXEC && !strcmp(r->comm.comm, "sh"))
			s->exec = true;
		break;
	case RECORD_SAMPLE:
		s->samples++;
		s->before_exec += !s->exec;
		assert_non_null(r->event);
		break;
	case RECORD_EXIT:
		if (r->task.pid == s->pid && r->task.tid == s->pid)
			s->exited = true;
	}
}

/* All of a command, from its exec to its exit, in the order of time; then 0 for good. */
static void a_command_comes_whole_and_in_order(void **state)
{
	char counts[] = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
	struct session_options opts;
	struct live_source *src = source_of(&opts, counts, 1000, 0);
	struct seen seen = {0};
	struct err err = {0};
	struct record r;
	int got;

	(void)state;
	if (!src)
		skip();
	seen.pid = (uint32_t)src->session.command.pid;
	/* as code does that pulls from any source */
	while ((got = source_next(&src->source, &r, &err)) > 0)
		see(&seen, &r);
	assert_int_equal(got, 0);
	assert_true(src->session.stop);
	assert_int_equal(live_source_next(src, UINT64_MAX, &r, &err), 0);
	assert_true(seen.exec);
	assert_true(seen.exited);
	assert_int_equal(seen.earlier, 0);
	assert_int_not_equal(seen.samples, 0);
	assert_int_equal(seen.before_exec, 0);
	assert_int_equal(src->session.capture.samples, seen.samples);
	live_source_free(src);
}

/* It ends by itself, also when an assertion leaves it behind. */
#define SPINS "ulimit -t 20; while :; do :; done"

/* At the time that the caller named everything has been delivered that the rings held. */
static void nothing_stays_behind_when_time_is_up(void **state)
{
	char spins[] = SPINS;
	struct session_options opts;
	struct live_source *src = source_of(&opts, spins, 1000, 0);
	struct err err = {0};
	uint64_t samples = 0, taken = 0; /* taken: out of the rings, when the source last paused */
	struct record r;
	int got;

	(void)state;
	if (!src)
		skip();
	/* The watermark of the rings is far away: only the end of the wait can bring
	 * the samples. */
	for (int i = 0; i < 500 && samples < 20; i++) {
		const uint64_t until_ms = session_now_ms() + 20; /* of all that the pause brings */

		while ((got = live_source_next(src, until_ms, &r, &err)) > 0)
			samples += r.header.type == RECORD_SAMPLE;
		assert_int_equal(got, 0);
		assert_false(src->session.stop);
		assert_true(samples >= taken);
		taken = src->session.capture.samples;
	}
	assert_true(samples >= 20);
	live_source_free(src);
}

#define BUSY_RING 8192
/* Samples hold an address, ids and a time at least. */
#define BUSY_HELD (BUSY_RING / (sizeof(struct record_header) + 3 * sizeof(uint64_t)))

/* A caller that is busy for long finds what came meanwhile, many times what the ring holds. */
static void a_busy_caller_loses_nothing(void **state)
{
	char spins[] = SPINS;
	struct session_options opts;
	struct live_source *src = source_of(&opts, spins, 10000, BUSY_RING);
	struct err err = {0};
	uint64_t samples = 0;
	struct record r;

	(void)state;
	if (!src)
		skip();
	/* A loaded machine gives the program little time: the caller is busy for longer then. */
	for (int i = 0; i < 6 && samples < 4 * BUSY_HELD; i++) {
		samples = 0;
		usleep(200000U << i);
		while (live_source_next(src, 0, &r, &err) > 0)
			samples += r.header.type == RECORD_SAMPLE;
	}
	assert_true(samples >= 4 * BUSY_HELD);
	live_source_free(src);
}

/* Takes all samples that there are now. */
static uint64_t drain(struct live_source *src)
{
	struct record r;
	struct err err = {0};
	uint64_t samples = 0;

	while (live_source_next(src, 0, &r, &err) > 0)
		samples += r.header.type == RECORD_SAMPLE;
	return samples;
}

/* Processor time of the command so far, in ns. */
static uint64_t worked_ns(const struct live_source *src)
{
	struct timespec t = {0};
	clockid_t clock;

	assert_int_equal(clock_getcpuclockid(src->session.command.pid, &clock), 0);
	assert_int_equal(clock_gettime(clock, &t), 0);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A busy caller finds many small pieces, one for each 4 ms: it gets all of them at once. */
static void a_busy_caller_gets_all_at_once(void **state)
{
	char works[] = "i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done; exec sleep 30";
	struct session_options opts;
	struct live_source *src = source_of(&opts, works, 2000, BUSY_RING);
	uint64_t worked, rest;

	(void)state;
	if (!src)
		skip();
	drain(src); /* from here on the rings are emptied for the caller */
	do {
		usleep(1500000);
		worked = worked_ns(src);
		drain(src);
		usleep(50000);
		rest = drain(src);
	} while (worked_ns(src) != worked);
	assert_int_equal(rest, 0);
	live_source_free(src);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_comes_whole_and_in_order),
		cmocka_unit_test(nothing_stays_behind_when_time_is_up),
		cmocka_unit_test(a_busy_caller_loses_nothing),
		cmocka_unit_test(a_busy_caller_gets_all_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
