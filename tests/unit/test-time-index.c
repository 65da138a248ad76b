// SPDX-License-Identifier: MIT
/* With an index of times a source delivers what it delivers without one, and leaves the rest
 * unread. */
#include "unit.h"

#include "data/extension/time_index.h"
#include "data/sink.h"

#include <string.h>

struct small_sample {
	struct record_header h;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time, id;
};

struct comm {
	struct record_header h;
	uint32_t pid, tid;
	char name[8];
	uint32_t trailer_pid, trailer_tid;
	uint64_t time, id;
};

struct window {
	uint64_t from, to;
};

static bool in_window(const void *ctx, uint64_t from, uint64_t to)
{
	const struct window *w = ctx;

	return from <= w->to && to >= w->from;
}

static void one_event(struct event_set *set)
{
	struct event *ev = event_set_add(set, "cpu-clock");

	ev->attr = (struct attr){.type = TYPE_SOFTWARE,
				 .size = ATTR_SIZE_6_1,
				 .sample_period = 1000,
				 .sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID,
				 .flags = ATTR_SAMPLE_ID_ALL};
	event_set_add_id(set, ev, 40);
}

static void put(struct sink *sink, const void *p, size_t n)
{
	struct err e = {0};

	if (sink_put(sink, p, n / 16 * 8, (const char *)p + n / 16 * 8, n - n / 16 * 8, &e))
		fail_msg("%s", e.text);
}

/* A ring's contents: n samples from a time on, gap apart; each has its own address. */
static void put_ring(struct sink *sink, uint32_t cpu, uint64_t time, uint64_t gap, uint64_t n)
{
	struct small_sample *s = mem_alloc(n * sizeof(*s));

	for (uint64_t i = 0; i < n; i++)
		s[i] = (struct small_sample){{RECORD_SAMPLE, MISC_USER, sizeof(*s)},
					     cpu << 28 | (time + i),
					     1,
					     1 + cpu,
					     time + i * gap,
					     40};
	put(sink, s, n * sizeof(*s));
	free(s);
}

static void put_comm(struct sink *sink, uint64_t time)
{
	struct comm c = {{RECORD_COMM, 0, sizeof(c)}, 1, 1, "name", 1, 1, time, 40};

	put(sink, &c, sizeof(c));
}

static void put_empty(struct sink *sink, uint32_t type)
{
	struct record_header h = {type, 0, sizeof(h)};

	put(sink, &h, sizeof(h));
}

/* Rounds of two rings, long and short ones, one of which comes too late; 1000 a round. */
static void write_rounds(struct buf *out)
{
	struct event_set set = {0};
	struct err e = {0};
	AUTO(sink) *sink = sink_open_memory(false, out);

	one_event(&set);
	assert_int_equal(sink_begin(sink, &set, &e), 0);
	for (uint64_t round = 1; round <= 40; round++) {
		if (round % 11 == 1)
			put_comm(sink, round * 1000 + 500);
		put_ring(sink, 0, round * 1000, 1, round % 5 ? 1000 : 7);
		if (round % 3)
			put_ring(sink, 1, round * 1000 - 300, 2, 400);
		if (round == 20)
			put_ring(sink, 2, 15000, 1, 200);
		if (round ==
		    25) /* too early, so that the next round doesn't wait for its records */
			put_ring(sink, 2, 60000, 1, 200);
		if (round == 27)
			put_ring(sink, 3, 25900, 1, 200);
		if (round == 21)
			put_ring(sink, 2, 0, 0, 3); /* without a time */
		put_empty(sink, RECORD_FINISHED_ROUND);
		if (round % 8 == 0)
			assert_int_equal(sink_sync(sink, &e), 0);
	}
	put_ring(sink, 0, 41000, 1, 20000);
	assert_int_equal(sink_end(sink, &e), 0);
	event_set_release(&set);
}

/* Where the index stands, at the end of the file: its bytes, u64 how many, "PERF", u32 which
 * feature. NULL: nowhere. */
static char *index_of(const struct buf *file, uint64_t *size)
{
	const uint64_t which = (uint64_t)FEATURE_TIME_INDEX << 32 | 0x46524550;
	uint64_t word;

	for (size_t at = file->n - 8; at > file->n / 2; at--) {
		memcpy(&word, file->at + at, 8);
		if (word != which)
			continue;
		memcpy(size, file->at + at - 8, 8);
		return file->at + at - 8 - *size;
	}
	return NULL;
}

/* The same file, but that what is the index is something that nobody knows. */
static void without_index(struct buf *file)
{
	uint64_t size = 0;
	char *p = index_of(file, &size);

	assert_non_null(p);
	p[size + 12]++;
	assert_null(index_of(file, &size));
}

/* Everything delivered but the ends of rounds, where they are passed; in order, and what was lost.
 * Returns how many rounds were delivered. */
static size_t deliver_all(const struct buf *file, struct window *w, bool pass_rounds,
			  struct buf *out)
{
	size_t rounds = 0;

	struct err e = {0};
	AUTO(recording) *rec = recording_open_memory(file->at, file->n, &e);
	const struct source_options reading = {
		.mode = SOURCE_ORDERED, .without_rounds = pass_rounds, .times = {in_window, w}};
	AUTO(source) *src = source_open(rec, &reading, &e);
	struct record r;

	buf_clear(out);
	while (source_next(src, &r, &e) > 0) {
		bool round = r.header.type == RECORD_FINISHED_ROUND;

		rounds += round;
		if (!round || !pass_rounds) {
			buf_add(out, r.bytes, r.header.size);
			buf_add(out, &r.seq, sizeof(r.seq));
		}
	}
	buf_add(out, &rec->m.losses.kind[LOSS_ORDER].times, sizeof(uint64_t));
	return rounds;
}

static void deliver(const struct buf *file, struct window *w, struct buf *out)
{
	deliver_all(file, w, false, out);
}

/* The samples in the window as spans have them. */
static size_t deliver_spans(const struct buf *file, struct window *w, struct buf *out)
{
	struct err e = {0};
	AUTO(recording) *rec = recording_open_memory(file->at, file->n, &e);
	const struct source_options reading = {.mode = SOURCE_SAMPLES, .times = {in_window, w}};
	AUTO(source) *src = source_open(rec, &reading, &e);
	struct span span;
	size_t bytes = 0;

	buf_clear(out);
	assert_true(source_has_spans(src));
	while (source_next_span(src, &span, &e) > 0) {
		struct record_header h;
		const uint8_t *p;
		size_t pos = 0;

		bytes += span.n;
		while (span_step(&span, false, &pos, &p, &h)) {
			struct small_sample s;
			uint64_t seq = span.seq++, offset = span.offset + (uint64_t)(p - span.p);

			if (h.type != RECORD_SAMPLE)
				continue;
			memcpy(&s, p, sizeof(s));
			if (in_window(w, s.time, s.time)) {
				buf_add(out, &s, sizeof(s));
				buf_add(out, &seq, sizeof(seq));
				buf_add(out, &offset, sizeof(offset));
			}
		}
		span_release(&span);
	}
	return bytes;
}

static void everything_wanted_comes_in_its_order(void **state)
{
	struct buf file = {0}, plain = {0}, with = {0}, without = {0};
	size_t all = 0, read = 0, all_rounds = 0, rounds = 0;

	(void)state;
	write_rounds(&file);
	buf_add(&plain, file.at, file.n);
	without_index(&plain);
	for (uint64_t from = 0; from < 62000; from += 2130)
		for (uint64_t length = 1; length < 40000; length *= 6) {
			struct window w = {from, from + length};

			deliver(&file, &w, &with);
			deliver(&plain, &w, &without);
			assert_int_equal(with.n, without.n);
			assert_memory_equal(with.at, without.at, with.n);
			rounds += deliver_all(&file, &w, true, &with);
			all_rounds += deliver_all(&plain, &w, true, &without);
			assert_int_equal(with.n, without.n);
			assert_memory_equal(with.at, without.at, with.n);
			read += deliver_spans(&file, &w, &with);
			all += deliver_spans(&plain, &w, &without);
			assert_int_equal(with.n, without.n);
			assert_true(!with.n || !memcmp(with.at, without.at, with.n));
		}
	assert_true(read < all / 3);
	assert_true(rounds < all_rounds * 2 / 3);
	buf_release(&file);
	buf_release(&plain);
	buf_release(&with);
	buf_release(&without);
}

static void a_damaged_index_is_told_and_not_used(void **state)
{
	struct buf file = {0}, sound = {0}, damaged = {0};
	struct window w = {20000, 20400};
	uint64_t size = 0;
	char *p;

	(void)state;
	write_rounds(&file);
	p = index_of(&file, &size);
	assert_int_equal((size - 32) % 40, 0);
	deliver(&file, &w, &sound);
	/* all of its head and of an entry; of the others, which one sum covers, some */
	for (uint64_t i = 0; i < size; i += i < 72 ? 1 : 37) {
		struct err e = {0};

		p[i] ^= (char)(1 << i % 8);
		AUTO(recording) *rec = recording_open_memory(file.at, file.n, &e);
		assert_int_equal(rec->m.losses.kind[LOSS_FEATURE].times, 1);
		if (i % 37 ==
		    0) { /* each byte of an entry in some entry: all of them take seconds */
			deliver(&file, &w, &damaged);
			assert_int_equal(damaged.n, sound.n);
			assert_memory_equal(damaged.at, sound.at, sound.n);
		}
		p[i] ^= (char)(1 << i % 8);
	}
	buf_release(&file);
	buf_release(&sound);
	buf_release(&damaged);
}

/* Data in which one bit is not what was written: told when it stands near what was wanted. */
static void damage_is_told_of_what_was_read(void **state)
{
	struct buf file = {0}, got = {0};
	uint64_t offset, size;
	int told[2] = {0};

	(void)state;
	write_rounds(&file);
	memcpy(&offset, file.at + 40, 8);
	memcpy(&size, file.at + 48, 8);
	for (int far = 0; far < 2; far++) {
		/* the last 20000 samples are of 41000 to 61000 */
		struct window w = {far ? 45000 : 60800, far ? 45100 : 60900};
		struct err e = {0};
		struct record r;

		file.at[offset + size - 150 * 40 + 9] ^= 4;
		AUTO(recording) *rec = recording_open_memory(file.at, file.n, &e);
		const struct source_options reading = {.mode = SOURCE_ORDERED,
						       .times = {in_window, &w}};
		AUTO(source) *src = source_open(rec, &reading, &e);
		while (source_next(src, &r, &e) > 0)
			;
		told[far] = (int)rec->m.losses.kind[LOSS_CHECKSUM].times;
		file.at[offset + size - 150 * 40 + 9] ^= 4;
	}
	assert_int_equal(told[0], 1);
	assert_int_equal(told[1], 0);
	buf_release(&file);
	buf_release(&got);
}

static void what_is_no_record_has_no_index(void **state)
{
	struct {
		struct record_header h;
		uint64_t size, rest[4];
		uint8_t follows[4096];
	} trace = {.h = {RECORD_AUXTRACE, 0, 48}, .size = sizeof(trace.follows)};
	struct time_index x = {0};
	struct event_set set = {0};
	struct small_sample s[200] = {0};
	struct buf out = {0};

	(void)state;
	one_event(&set);
	for (size_t i = 0; i < ARRAY_SIZE(s); i++)
		s[i] = (struct small_sample){{RECORD_SAMPLE, 0, sizeof(s[0])}, 0, 1, 1, 9 + i, 40};
	time_index_begin(&x, &set, 1000);
	time_index_add(&x, &trace, 48, trace.follows, sizeof(trace.follows));
	time_index_add(&x, s, sizeof(s), NULL, 0);
	assert_true(time_index_put(&x, 1000, 1000000, &out));
	assert_int_equal(x.runs.n, 1);
	assert_int_equal(x.runs.at[0].offset, 1000 + 48 + 4096);
	assert_int_equal(x.runs.at[0].size, sizeof(s));
	assert_int_equal(x.runs.at[0].samples, 200);
	assert_int_equal(x.runs.at[0].least, 9);
	assert_int_equal(x.runs.at[0].last, 208);
	time_index_add(&x, s, sizeof(s), &trace, 60); /* cut off */
	assert_false(time_index_put(&x, 1000, 1000000, &out));
	time_index_release(&x);
	/* another event holds the time elsewhere */
	event_set_add(&set, "page-faults")->attr.sample_type = SAMPLE_TIME;
	time_index_begin(&x, &set, 0);
	time_index_add(&x, s, sizeof(s), NULL, 0);
	assert_false(time_index_put(&x, 0, sizeof(s), &out));
	time_index_release(&x);
	event_set_release(&set);
	buf_release(&out);
}

/* Long runs with a short one between them, alone between two ends of rounds, and more short ones
 * behind it. */
static void short_runs_stand_where_they_are_alone(void **state)
{
	const struct record_header round = {RECORD_FINISHED_ROUND, 0, sizeof(round)};
	const size_t lengths[] = {3, 2000, 2, 2000, 3, 4, 2000},
		     entries[] = {2000, 2, 2000, 3, 2000};
	struct small_sample *s = mem_zero(2000 * sizeof(*s));
	struct time_index x = {0};
	struct event_set set = {0};
	struct buf out = {0};

	(void)state;
	one_event(&set);
	for (size_t i = 0; i < 2000; i++)
		s[i] = (struct small_sample){{RECORD_SAMPLE, 0, sizeof(s[0])}, 0, 1, 1, 9 + i, 40};
	time_index_begin(&x, &set, 1000);
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		time_index_add(&x, s, lengths[i] * sizeof(*s), NULL, 0);
		time_index_add(&x, &round, sizeof(round), NULL, 0);
	}
	assert_true(time_index_put(&x, 1000, 1000000, &out));
	assert_int_equal(x.runs.n, ARRAY_SIZE(entries));
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		assert_int_equal(x.runs.at[i].samples, entries[i]);
	time_index_release(&x);
	event_set_release(&set);
	buf_release(&out);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_wanted_comes_in_its_order),
		cmocka_unit_test(short_runs_stand_where_they_are_alone),
		cmocka_unit_test(a_damaged_index_is_told_and_not_used),
		cmocka_unit_test(damage_is_told_of_what_was_read),
		cmocka_unit_test(what_is_no_record_has_no_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
