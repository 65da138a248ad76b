// SPDX-License-Identifier: MIT
/* What a sink writes, a recording reads: at the end, at each sync, and when the disk is full. */
#include "unit.h"

#include "data/feature/feature.h"
#include "data/sink.h"
#include "data/sink/sink_queue.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void two_events(struct event_set *set)
{
	for (int i = 0; i < 2; i++) {
		struct event *ev = event_set_add(set, i ? "page-faults" : "cpu-clock");

		ev->attr = (struct attr){.type = TYPE_SOFTWARE,
					 .size = ATTR_SIZE_6_1,
					 .config = i ? 2 : 0,
					 .sample_period = 1000,
					 .sample_type =
						 SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID,
					 .flags = ATTR_SAMPLE_ID_ALL};
		event_set_add_id(set, ev, 40 + (uint64_t)i);
		event_set_add_id(set, ev, 50 + (uint64_t)i);
	}
}

struct small_sample {
	struct record_header h;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time, id;
};

static void put_samples(struct sink *sink, uint64_t from, uint64_t n)
{
	struct err e = {0};

	for (uint64_t i = from; i < from + n; i++) {
		struct small_sample s = {{RECORD_SAMPLE, MISC_USER, sizeof(s)}, 0x1000 + i, 1, 1,
					 i + 1, 40 + (i & 1)};

		/* In two pieces, as a ring wraps. */
		if (sink_put(sink, &s, 16, (char *)&s + 16, sizeof(s) - 16, &e))
			fail_msg("%s", e.text);
	}
}

/* How many samples there are; checks that they are the first ones, in order. */
static uint64_t count_samples(struct recording *rec)
{
	struct err e = {0};
	AUTO(source) *src =
		source_open(rec, &(struct source_options){.mode = SOURCE_FILE_ORDER}, &e);
	struct record r;
	uint64_t n = 0;
	int got;

	while ((got = source_next(src, &r, &e)) > 0) {
		if (r.header.type != RECORD_SAMPLE)
			continue;
		assert_int_equal(r.sample.ip, 0x1000 + n);
		assert_ptr_equal(r.event, rec->m.events.events.at[n & 1]);
		n++;
	}
	assert_int_equal(got, 0);
	return n;
}

static void host_name(struct sink *sink)
{
	char payload[4 + 64] = {64, 0, 0, 0, 'h', 'o', 's', 't'};
	struct err e = {0};

	assert_int_equal(sink_feature(sink, FEATURE_HOSTNAME, payload, sizeof(payload), &e), 0);
}

static void a_file_reads_back(void **state)
{
	struct event_set set = {0};
	struct buf out = {0};
	struct err e = {0};
	uint64_t times[2] = {1, 10};

	(void)state;
	two_events(&set);
	{
		AUTO(sink) *sink = sink_open_memory(false, &out);

		assert_int_equal(sink_begin(sink, &set, &e), 0);
		host_name(sink);
		put_samples(sink, 0, 10);
		assert_int_equal(sink_feature(sink, FEATURE_SAMPLE_TIME, times, 16, &e), 0);
		assert_int_equal(sink_end(sink, &e), 0);
	}
	AUTO(recording) *rec = recording_open_memory(out.at, out.n, &e);
	assert_non_null(rec);
	assert_int_equal(rec->m.events.events.n, 2);
	assert_int_equal(rec->m.events.events.at[1]->attr.config, 2);
	assert_int_equal(rec->m.events.events.at[1]->ids.n, 2);
	assert_string_equal(rec->hostname, "host");
	assert_int_equal(rec->last_sample_time, 10);
	assert_int_equal(count_samples(rec), 10);
	assert_false(losses_any(&rec->m.losses));
	event_set_release(&set);
	buf_release(&out);
}

/* The header knows nothing of them, and where they are cut or damaged they are as if
 * never written. */
static void our_own_features_stand_at_the_end(void **state)
{
	static const uint32_t chains[] = {1, 2, 5, 0, 3, 0}; /* version, number, two of 64 bits */
	const enum feature other = FEATURE_EXTENSION + 5;
	struct event_set set = {0};
	struct buf out = {0};
	struct err e = {0};
	const uint8_t *p;
	uint64_t bits[4];
	size_t n;

	(void)state;
	two_events(&set);
	{
		AUTO(sink) *sink = sink_open_memory(false, &out);

		assert_int_equal(sink_begin(sink, &set, &e), 0);
		assert_int_equal(sink_feature(sink, FEATURE_CHAINS, chains, sizeof(chains), &e), 0);
		put_samples(sink, 0, 3);
		assert_int_equal(sink_feature(sink, other, "later", 5, &e), 0);
		host_name(sink);
		assert_int_equal(sink_end(sink, &e), 0);
	}
	memcpy(bits, out.at + 72, sizeof(bits));
	assert_int_equal(bits[0], 1ull << FEATURE_HOSTNAME);
	assert_false(bits[1] | bits[2] | bits[3]);
	{
		AUTO(recording) *rec = recording_open_memory(out.at, out.n, &e);

		assert_non_null(rec);
		assert_true(recording_has(rec, FEATURE_CHAINS));
		p = feature_payload(rec, other, &n);
		assert_int_equal(n, 5);
		assert_memory_equal(p, "later", 5);
		assert_int_equal(rec->chain_ends[0], 5);
		assert_int_equal(rec->chain_ends[1], 3);
		assert_int_equal(count_samples(rec), 3);
		assert_false(losses_any(&rec->m.losses));
	}
	/* without the last byte there is no end to begin at */
	{
		AUTO(recording) *rec = recording_open_memory(out.at, out.n - 1, &e);

		assert_non_null(rec);
		assert_false(recording_has(rec, FEATURE_CHAINS));
		assert_int_equal(count_samples(rec), 3);
	}
	/* a size that reaches into the data: what stands before it cannot be found */
	memset(out.at + out.n - 16, 0x7f, 8);
	{
		AUTO(recording) *rec = recording_open_memory(out.at, out.n, &e);

		assert_non_null(rec);
		assert_false(recording_has(rec, FEATURE_CHAINS));
		assert_int_equal(count_samples(rec), 3);
	}
	event_set_release(&set);
	buf_release(&out);
}

/* Whenever the writer dies: what the last sync said is there, features and all. */
static void every_sync_leaves_a_whole_file(void **state)
{
	struct event_set set = {0};
	struct buf out = {0};
	struct err e = {0};
	uint64_t synced = 0;

	(void)state;
	two_events(&set);
	AUTO(sink) *sink = sink_open_memory(false, &out);
	assert_int_equal(sink_begin(sink, &set, &e), 0);
	host_name(sink);
	for (uint64_t n = 0; n < 60; n += 3) {
		put_samples(sink, n, 3);
		if (n % 4 == 0) {
			assert_int_equal(sink_sync(sink, &e), 0);
			synced = n + 3;
		}
		AUTO(recording) *rec = recording_open_memory(out.at, out.n, &e);
		assert_non_null(rec);
		assert_string_equal(rec->hostname, "host");
		assert_true(count_samples(rec) >= synced);
		assert_int_equal(rec->m.losses.kind[LOSS_CORRUPT].times, 0);
		assert_int_equal(rec->m.losses.kind[LOSS_FEATURE].times, 0);
	}
	assert_int_equal(sink_end(sink, &e), 0);
	AUTO(recording) *rec = recording_open_memory(out.at, out.n, &e);
	assert_int_equal(count_samples(rec), 60);
	assert_false(losses_any(&rec->m.losses));
	event_set_release(&set);
	buf_release(&out);
}

/* A file of two chunks and a half; its end was synced, so that the last checkpoint was
 * taken back. */
static void write_chunks(struct buf *out)
{
	struct event_set set = {0};
	struct err e = {0};
	AUTO(sink) *sink = sink_open_memory(false, out);

	two_events(&set);
	assert_int_equal(sink_begin(sink, &set, &e), 0);
	host_name(sink);
	for (uint64_t n = 0; n < 14000; n += 1000) {
		put_samples(sink, n, 1000);
		if (n % 3000 == 0 || n == 13000)
			assert_int_equal(sink_sync(sink, &e), 0);
	}
	assert_int_equal(sink_end(sink, &e), 0);
	event_set_release(&set);
}

static void flipped_bits_are_told(void **state)
{
	struct buf out = {0};
	struct err e = {0};
	uint64_t offset, size;

	(void)state;
	write_chunks(&out);
	memcpy(&offset, out.at + 40, 8);
	memcpy(&size, out.at + 48, 8);
	assert_true(size > 2 << 18);
	{
		AUTO(recording) *rec = recording_open_memory(out.at, out.n, &e);

		assert_int_equal(count_samples(rec), 14000);
		assert_false(losses_any(&rec->m.losses));
	}
	for (uint64_t at = offset + 27; at < offset + size; at += size / 50) {
		out.at[at] ^= 4;
		AUTO(recording) *rec = recording_open_memory(out.at, out.n, &e);
		AUTO(source) *src =
			source_open(rec, &(struct source_options){.mode = SOURCE_FILE_ORDER}, &e);
		struct record r;

		while (source_next(src, &r, &e) > 0)
			;
		assert_int_equal(rec->m.losses.kind[LOSS_CHECKSUM].times, 1);
		assert_int_equal(rec->m.losses.kind[LOSS_CHECKSUM].offset,
				 offset + ((at - offset) >> 18 << 18));
		assert_true(losses_damage(&rec->m.losses));
		out.at[at] ^= 4;
	}
	buf_release(&out);
}

static void a_pipe_reads_back(void **state)
{
	struct event_set set = {0};
	struct buf out = {0};
	struct err e = {0};

	(void)state;
	two_events(&set);
	{
		AUTO(sink) *sink = sink_open_memory(true, &out);

		assert_int_equal(sink_begin(sink, &set, &e), 0);
		host_name(sink);
		assert_int_equal(sink_features_done(sink, &e), 0);
		put_samples(sink, 0, 100);
		assert_int_equal(sink_end(sink, &e), 0);
	}
	AUTO(recording) *rec = recording_open_memory(out.at, out.n, &e);
	assert_non_null(rec);
	assert_true(rec->is_pipe);
	assert_int_equal(count_samples(rec), 100);
	assert_string_equal(rec->hostname, "host");
	assert_string_equal(rec->m.events.events.at[1]->name, "page-faults");
	event_set_release(&set);
	buf_release(&out);
}

static void compressed_records_read_back(void **state)
{
	char path[] = "/tmp/test-sink-XXXXXX";
	struct event_set set = {0};
	struct err e = {0};
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	two_events(&set);
	{
		AUTO(sink) *sink =
			sink_open(&(struct sink_options){.path = path, .compress = 1}, &e);

		assert_non_null(sink);
		assert_int_equal(sink_begin(sink, &set, &e), 0);
		put_samples(sink, 0, 20000);
		assert_int_equal(sink_end(sink, &e), 0);
		assert_int_equal(sink_bytes_plain(sink), 20000 * sizeof(struct small_sample));
		assert_true(sink_bytes_packed(sink) < sink_bytes_plain(sink));
	}
	AUTO(recording) *rec = recording_open(path, NULL, &e);
	assert_non_null(rec);
	assert_int_equal(count_samples(rec), 20000);
	assert_int_equal(rec->compress_level, 1);
	assert_true(rec->compress_mmap_len > 0);
	unlink(path);
	event_set_release(&set);
}

static uint64_t size_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return (uint64_t)st.st_size;
}

static bool is_new(const char *path, const struct stat *before)
{
	struct err e = {0};
	struct event_set set = {0};
	struct stat st;

	two_events(&set);
	{
		AUTO(sink) *sink = sink_open(&(struct sink_options){.path = path}, &e);

		assert_non_null(sink);
		assert_int_equal(sink_begin(sink, &set, &e), 0);
		assert_int_equal(sink_end(sink, &e), 0);
	}
	event_set_release(&set);
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode) && st.st_size > 104);
	assert_int_equal(st.st_mode & 0777, 0600);
	return st.st_ino != before->st_ino;
}

/* An empty file stays when nobody else can write to it: whoever made it may have it open. */
static void nothing_that_was_planted_is_written_to(void **state)
{
	char dir[] = "/tmp/test-sink-XXXXXX", path[64], other[64], old[64];
	struct stat st;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/data", dir);
	snprintf(other, sizeof(other), "%s/other", dir);
	snprintf(old, sizeof(old), "%s/data.old", dir);
	for (int i = 0; i < 5; i++) {
		fd = open(path, O_CREAT | O_RDWR, 0600);
		assert_true(fd >= 0);
		if (i == 1)
			assert_int_equal(fchmod(fd, 0666), 0);
		if (i == 2)
			assert_int_equal(link(path, other), 0);
		if (i == 3)
			assert_int_equal(write(fd, "precious", 8), 8);
		if (i == 4)
			assert_true(!unlink(path) && !symlink(other, path));
		assert_int_equal(fstat(fd, &st), 0);
		assert_int_equal(is_new(path, &st), i != 0);
		/* the file that was there is as it was, under its other name or none */
		assert_int_equal(fstat(fd, &st), 0);
		assert_int_equal(st.st_size > 8, i == 0);
		assert_int_equal(access(old, F_OK), i == 3 ? 0 : -1);
		close(fd);
		unlink(path);
		unlink(old);
		unlink(other);
	}
	assert_int_equal(rmdir(dir), 0);
}

static void records_wait_for_a_block(void **state)
{
	char path[] = "/tmp/test-sink-XXXXXX";
	struct event_set set = {0};
	struct err e = {0};
	int fd = mkstemp(path);
	uint64_t begun;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	two_events(&set);
	{
		AUTO(sink) *sink = sink_open(&(struct sink_options){.path = path}, &e);

		assert_non_null(sink);
		assert_int_equal(sink_begin(sink, &set, &e), 0);
		/* who looks at the file now must not take it for an empty one */
		begun = size_of(path);
		assert_true(begun > 104);
		put_samples(sink, 0, 100);
		assert_int_equal(size_of(path), begun);
		put_samples(sink, 100, 20000);
		assert_in_range(size_of(path),
				20100 * sizeof(struct small_sample) + begun - (256 << 10),
				20100 * sizeof(struct small_sample) + begun - 1);
		assert_int_equal(sink_sync(sink, &e), 0);
		assert_true(size_of(path) >= 20100 * sizeof(struct small_sample) + begun);
		put_samples(sink, 20100, 7);
		assert_int_equal(sink_end(sink, &e), 0);
	}
	AUTO(recording) *rec = recording_open(path, NULL, &e);
	assert_non_null(rec);
	assert_int_equal(count_samples(rec), 20107);
	unlink(path);
	event_set_release(&set);
}

static uint64_t fill(const char *path, uint64_t max_size, struct sink_queue *queue, int *last,
		     uint64_t *missing, struct err *e)
{
	/* nine were lost before */
	const struct {
		struct record_header h;
		uint64_t lost;
		uint32_t pid, tid;
		uint64_t time, id;
	} lost = {{RECORD_LOST_SAMPLES, 0, sizeof(lost)}, 9, 0, 0, 0, 40};
	struct event_set set = {0};
	AUTO(sink) *sink = sink_open(
		&(struct sink_options){.path = path, .max_size = max_size, .queue = queue}, e);
	uint64_t n = 0;

	two_events(&set);
	assert_int_equal(sink_begin(sink, &set, e), 0);
	host_name(sink);
	for (*last = 0; !*last; n++) {
		struct small_sample s = {{RECORD_SAMPLE, MISC_USER, sizeof(s)}, 0x1000 + n, 1, 1,
					 n + 1, 40 + (n & 1)};

		*last = sink_put(sink, &s, sizeof(s), NULL, 0, e);
		sink_samples(sink, n + 1);
		if (!*last && n % 1000 == 500)
			*last = sink_sync(sink, e);
	}
	sink_lost_record(sink, &lost, sizeof(lost));
	sink_end(sink, NULL);
	*missing = sink_samples_missing(sink);
	event_set_release(&set);
	return n;
}

/* With a queue what does not fit is told late, after more was put and synced. */
static void full_disk(struct sink_queue *queue)
{
	char path[] = "/tmp/test-sink-XXXXXX";
	struct rlimit before, small;
	struct err e = {0};
	uint64_t n, read_back, missing;
	int fd = mkstemp(path), last;

	assert_true(fd >= 0);
	close(fd);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 100000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	n = fill(path, 0, queue, &last, &missing, &e);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(last, -1);
	AUTO(recording) *rec = recording_open(path, NULL, &e);
	assert_non_null(rec);
	read_back = count_samples(rec);
	assert_int_equal(read_back + missing, n);
	assert_int_equal(rec->m.losses.kind[LOSS_SAMPLES].amount, 9 + missing);
	if (!queue)
		assert_true(missing < 50);
	assert_true(read_back * sizeof(struct small_sample) > 95000);
	assert_string_equal(rec->hostname, "host");
	unlink(path);
}

static void a_full_disk_leaves_what_was_written(void **state)
{
	(void)state;
	full_disk(NULL);
}

static void so_it_does_with_a_queue(void **state)
{
	struct err e = {0};
	struct sink_queue *queue = sink_queue_new(1 << 20, &e);

	(void)state;
	assert_non_null(queue);
	/* one after the other: a failure stays with its file */
	for (int i = 0; i < 3; i++)
		full_disk(queue);
	sink_queue_free(queue);
}

struct reader {
	int fd;
	struct buf got;
};

static void *read_all(void *v)
{
	struct reader *r = v;
	char block[4096];
	ssize_t n;

	while ((n = read(r->fd, block, sizeof(block))) > 0)
		buf_add(&r->got, block, (size_t)n);
	return NULL;
}

/* More than the pipe holds, while nobody reads: nothing waits until the end. */
static void a_stalled_reader_stops_nothing(void **state)
{
	struct event_set set = {0};
	struct err e = {0};
	struct sink_queue *queue = sink_queue_new(8 << 20, &e);
	struct reader reader = {0};
	char path[32];
	pthread_t thread;
	int fds[2];

	(void)state;
	assert_non_null(queue);
	assert_int_equal(pipe(fds), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", fds[1]);
	two_events(&set);
	alarm(60);
	{
		AUTO(sink) *sink = sink_open(
			&(struct sink_options){.path = path, .as_pipe = true, .queue = queue}, &e);

		assert_non_null(sink);
		close(fds[1]);
		assert_int_equal(sink_begin(sink, &set, &e), 0);
		put_samples(sink, 0, 100000);
		reader.fd = fds[0];
		assert_int_equal(pthread_create(&thread, NULL, read_all, &reader), 0);
		put_samples(sink, 100000, 1000);
		assert_int_equal(sink_end(sink, &e), 0);
	}
	pthread_join(thread, NULL);
	alarm(0);
	AUTO(recording) *rec = recording_open_memory(reader.got.at, reader.got.n, &e);
	assert_non_null(rec);
	assert_int_equal(count_samples(rec), 101000);
	close(fds[0]);
	buf_release(&reader.got);
	event_set_release(&set);
	sink_queue_free(queue);
}

/* The queue of the next test, put into from another thread. */
struct putter {
	struct sink_queue *queue;
	int through; /* puts that came back */
};

static void *put_twice(void *v)
{
	struct putter *p = v;
	struct buf b = {0};

	for (int i = 0; i < 2; i++) {
		buf_fill(&b, 'a' + (char)i, 150000);
		sink_queue_put(p->queue, (uint64_t)i * 150000, &b);
		__atomic_fetch_add(&p->through, 1, __ATOMIC_RELEASE);
	}
	buf_release(&b);
	return NULL;
}

static void a_queue_is_bounded(void **state)
{
	struct err e = {0};
	struct putter p = {.queue = sink_queue_new(200000, &e)};
	pthread_t thread;
	char got[1000];
	size_t n = 0;
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	sink_queue_begin(p.queue, fds[1], true, 0);
	alarm(60);
	assert_int_equal(pthread_create(&thread, NULL, put_twice, &p), 0);
	usleep(50000);
	assert_true(__atomic_load_n(&p.through, __ATOMIC_ACQUIRE) < 2);
	while (n < 300000) {
		ssize_t some = read(fds[0], got, sizeof(got));

		assert_true(some > 0);
		for (ssize_t i = 0; i < some; i++, n++)
			assert_int_equal(got[i], n < 150000 ? 'a' : 'b');
	}
	pthread_join(thread, NULL);
	assert_int_equal(sink_queue_wait(p.queue), 0);
	assert_int_equal(sink_queue_written(p.queue), 300000);
	alarm(0);
	sink_queue_free(p.queue);
	close(fds[0]);
	close(fds[1]);
}

static void a_limit_is_kept(void **state)
{
	char path[] = "/tmp/test-sink-XXXXXX";
	struct err e = {0};
	uint64_t n, missing;
	int fd = mkstemp(path), last;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	n = fill(path, 50000, NULL, &last, &missing, &e);
	assert_int_equal(last, SINK_FULL);
	AUTO(recording) *rec = recording_open(path, NULL, &e);
	assert_non_null(rec);
	assert_int_equal(missing, 1);
	assert_int_equal(count_samples(rec), n - 1);
	assert_int_equal(rec->m.losses.kind[LOSS_SAMPLES].amount, 10);
	assert_true(n > 1000 && n * sizeof(struct small_sample) <= 50000);
	unlink(path);
}

/* Events get more ids (their CPU went offline and came back): samples with these belong to them, in
 * a file that was ended and in one that was not. */
static void more_ids(void **state)
{
	char path[] = "/tmp/test-sink-XXXXXX";
	struct event_set events = {0};
	struct err e = {0};
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	two_events(&events);
	{
		AUTO(sink) *sink =
			sink_open(&(struct sink_options){.path = path, .spare_ids = 3}, &e);

		assert_non_null(sink);
		assert_int_equal(sink_begin(sink, &events, &e), 0);
		assert_int_equal(sink_id_room(sink, &events), 3);
		put_samples(sink, 0, 10);
		event_set_add_id(&events, events.events.at[0], 60);
		event_set_add_id(&events, events.events.at[1], 61);
		event_set_add_id(&events, events.events.at[1], 71);
		assert_int_equal(sink_id_room(sink, &events), 1);
		assert_int_equal(sink_ids(sink, &events, &e), 0);
		put_samples(sink, 10, 10);
		assert_int_equal(sink_sync(sink, &e), 0);
		for (int ended = 0; ended < 2; ended++) {
			if (ended)
				assert_int_equal(sink_end(sink, &e), 0);
			AUTO(recording) *rec = recording_open(path, NULL, &e);

			assert_non_null(rec);
			assert_int_equal(rec->m.events.events.n, 2);
			for (size_t i = 0; i < 2; i++) {
				const struct event *ev = events.events.at[i],
						   *read = rec->m.events.events.at[i];

				assert_int_equal(read->ids.n, ev->ids.n);
				assert_memory_equal(read->ids.at, ev->ids.at, 8 * ev->ids.n);
			}
			assert_int_equal(count_samples(rec), 20);
		}
	}
	event_set_release(&events);
	unlink(path);
}

/* Without room, and in a stream. */
static void no_room_for_ids(void **state)
{
	struct event_set events = {0};
	struct buf out = {0};
	struct err e = {0};

	(void)state;
	two_events(&events);
	for (int pipe = 0; pipe < 2; pipe++) {
		AUTO(sink) *sink = sink_open_memory(pipe, &out);

		assert_int_equal(sink_begin(sink, &events, &e), 0);
		assert_int_equal(sink_id_room(sink, &events), 0);
	}
	buf_release(&out);
	event_set_release(&events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_reads_back),
		cmocka_unit_test(our_own_features_stand_at_the_end),
		cmocka_unit_test(every_sync_leaves_a_whole_file),
		cmocka_unit_test(flipped_bits_are_told),
		cmocka_unit_test(a_pipe_reads_back),
		cmocka_unit_test(compressed_records_read_back),
		cmocka_unit_test(nothing_that_was_planted_is_written_to),
		cmocka_unit_test(records_wait_for_a_block),
		cmocka_unit_test(a_full_disk_leaves_what_was_written),
		cmocka_unit_test(so_it_does_with_a_queue),
		cmocka_unit_test(a_stalled_reader_stops_nothing),
		cmocka_unit_test(a_queue_is_bounded),
		cmocka_unit_test(a_limit_is_kept),
		cmocka_unit_test(more_ids),
		cmocka_unit_test(no_room_for_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
