// SPDX-License-Identifier: MIT
/* What is taken in bulk from the bytes of samples, and what must be decoded. (That both ways come
 * to the same is in test-report.c.) */
#include "unit.h"

#include "profile/samples/reading/bulk.h"
#include "profile/table/table.h"

#include <stdio.h>

struct fixture {
	struct recording rec;
	struct sample_layout layout;
	struct event *first, *second;
};

static struct event *add_event(struct fixture *f, const char *name, uint64_t sample_type)
{
	struct event *ev = event_set_add(&f->rec.m.events, name);

	ev->attr = (struct attr){.type = TYPE_SOFTWARE,
				 .size = ATTR_SIZE_6_1,
				 .sample_period = 1000,
				 .sample_type = sample_type};
	event_set_add_id(&f->rec.m.events, ev, 40 + ev->index);
	return ev;
}

#define TYPE (SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_CPU | SAMPLE_PERIOD)

static void begin(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	f->first = add_event(f, "cpu-clock", TYPE | SAMPLE_CALLCHAIN);
	f->second = add_event(f, "sched:sched_switch", TYPE | SAMPLE_CALLCHAIN | SAMPLE_RAW);
	assert_true(sample_layout_init(&f->layout, &f->rec.m));
}

static void fields_stand_where_the_kernel_puts_them(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	assert_int_equal(f.layout.id_at, 8);
	assert_int_equal(f.layout.ip_at, 16);
	assert_int_equal(f.layout.ids_at, 24);
	assert_int_equal(f.layout.period_at, 48);
	assert_int_equal(f.layout.fixed, 56);
	/* one event needs no id; an address stands between time and id, and no period
	 * is recorded */
	event_set_release(&f.rec.m.events);
	memset(&f.rec.m.events, 0, sizeof(f.rec.m.events));
	add_event(&f, "page-faults",
		  SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_ID);
	assert_true(sample_layout_init(&f.layout, &f.rec.m));
	assert_int_equal(f.layout.id_at, 0);
	assert_int_equal(f.layout.ip_at, 8);
	assert_int_equal(f.layout.ids_at, 16);
	assert_int_equal(f.layout.period_at, 0);
	assert_int_equal(f.layout.fixed, 48);
	/* a second one with other fields */
	add_event(&f, "cpu-clock", SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID);
	assert_false(sample_layout_init(&f.layout, &f.rec.m));
	event_set_release(&f.rec.m.events);
}

/* Tracepoints come with a dummy event, which has no period and no samples. */
static void a_dummy_event_changes_nothing(void **state)
{
	uint8_t record[64] = {0};
	struct event *dummy;
	struct fixture f;
	uint64_t id = 42;

	(void)state;
	begin(&f);
	dummy = add_event(&f, "dummy:HG", TYPE & ~(uint64_t)SAMPLE_PERIOD);
	dummy->attr.config = 9;
	assert_true(sample_layout_init(&f.layout, &f.rec.m));
	assert_int_equal(f.layout.period_at, 48);
	/* a damaged record may say that it is a sample of it */
	memcpy(record + f.layout.id_at, &id, sizeof(id));
	assert_null(sample_layout_event(&f.layout, record));
	id = 41;
	memcpy(record + f.layout.id_at, &id, sizeof(id));
	assert_ptr_equal(sample_layout_event(&f.layout, record), f.second);
	/* one that has its time elsewhere */
	dummy->attr.sample_type &= ~(uint64_t)SAMPLE_IP;
	assert_false(sample_layout_init(&f.layout, &f.rec.m));
	event_set_release(&f.rec.m.events);
}

/* A sample of n words of chain and as many bytes of raw data, and that many bytes in all. */
static bool whole(const struct fixture *f, const struct event *ev, uint64_t n, uint32_t raw,
		  size_t size, uint64_t *found)
{
	uint8_t record[256] = {0};
	struct sample_chain chain;
	bool good;

	memcpy(record + f->layout.fixed, &n, sizeof(n));
	if (n < 20)
		memcpy(record + f->layout.fixed + 8 + 8 * n, &raw, sizeof(raw));
	good = sample_is_whole(&f->layout, ev, record, size, &chain);
	*found = good ? chain.n : 0;
	assert_true(!good || !n || chain.words == record + f->layout.fixed + 8);
	return good;
}

static void samples_have_just_what_their_events_say(void **state)
{
	struct fixture f;
	uint64_t n;

	(void)state;
	begin(&f);
	assert_true(whole(&f, f.first, 3, 0, 56 + 8 + 24, &n));
	assert_int_equal(n, 3);
	assert_true(whole(&f, f.first, 0, 0, 56 + 8, &n));
	assert_false(whole(&f, f.first, 0, 0, 56, &n));	     /* no chain at all */
	assert_false(whole(&f, f.first, 3, 0, 56 + 8 + 16, &n)); /* not all of it */
	assert_false(whole(&f, f.first, 3, 0, 56 + 8 + 32, &n)); /* and something more */
	assert_false(whole(&f, f.first, UINT64_MAX / 8, 0, 200, &n));
	assert_false(whole(&f, f.first, UINT64_MAX, 0, 200, &n));
	assert_true(whole(&f, f.second, 2, 12, 56 + 8 + 16 + 16, &n));
	assert_int_equal(n, 2);
	assert_true(whole(&f, f.second, 2, 8, 56 + 8 + 16 + 16,
			  &n)); /* and what it is filled up with */
	assert_false(whole(&f, f.second, 2, 20, 56 + 8 + 16 + 16, &n));
	assert_false(whole(&f, f.second, 2, UINT32_MAX, 56 + 8 + 16 + 16, &n));
	assert_false(whole(&f, f.second, 2, 12, 56 + 8 + 16 + 2, &n));
	event_set_release(&f.rec.m.events);
}

/* What most reports ask for is taken in bulk; what needs more of a sample, or of its order,
 * is not. */
static void most_reports_are_read_in_bulk(void **state)
{
	static const struct {
		const char *keys;
		bool bulk;
	} cases[] = {{"comm,dso,sym", true}, {"sym", true},   {"pid,sym", true},
		     {"cpu,sym", false},     {"time", false}, {"comm", false}};
	struct table_options o = {.filter.socket = -1, .layout.default_sort = "comm,dso,symbol"};
	static const struct symbol_options symbols = {.no_live = true};
	struct sample_layout layout;
	struct err e = {0};
	struct fixture f;

	(void)state;
	begin(&f);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct world *w = world_of_recording(&f.rec, &symbols);
		struct samples_options wanted = {.max_stack = 127};
		struct samples *samples;
		struct table *table;

		o.layout.sort = cases[i].keys;
		table = table_new(&o, &e);
		if (!table)
			fail_msg("%s", e.text);
		table_ask(table, &wanted);
		samples = samples_new(&f.rec.m, w, &wanted);
		assert_int_equal(bulk_can(samples, &f.rec.m, &layout), cases[i].bulk);
		samples_free(samples);
		table_free(table);
		world_free(w);
	}
	event_set_release(&f.rec.m.events);
}

/* A sample of the event with that id, whose fields are numbers that tell their places. Returns its
 * size. */
static uint16_t write_sample(uint64_t *record, uint64_t type, uint64_t id)
{
	struct record_header h = {.type = RECORD_SAMPLE, .misc = 2};
	const size_t fixed = (size_t)__builtin_popcountll(type & SAMPLE_LAYOUT_FIXED);
	const uint32_t raw = 12;
	size_t n = 1 + fixed;

	for (size_t i = 1; i <= fixed; i++)
		record[i] = 0x0101010101010101ull * i;
	if (type & SAMPLE_IDENTIFIER)
		record[1] = id;
	if (type & SAMPLE_ID)
		record[1 + __builtin_popcountll(type & (SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID |
							SAMPLE_TIME | SAMPLE_ADDR))] = id;
	if (type & SAMPLE_CALLCHAIN) {
		record[n++] = 2;
		record[n++] = 0x1111;
		record[n++] = 0x2222;
	}
	if (type & SAMPLE_RAW) {
		memcpy(record + n, &raw, sizeof(raw));
		memset((char *)(record + n) + 4, 7, raw);
		n += 2;
	}
	h.size = (uint16_t)(8 * n);
	memcpy(record, &h, sizeof(h));
	return h.size;
}

/* Into one record, as replay does: nothing is left of the sample before. */
static void layouts_decode_what_records_decode(void **state)
{
	static const uint64_t fields[] = {SAMPLE_IDENTIFIER, SAMPLE_IP,	 SAMPLE_ADDR,  SAMPLE_ID,
					  SAMPLE_STREAM_ID,  SAMPLE_CPU, SAMPLE_PERIOD};
	struct buf scratch = {0};
	size_t compared = 0;

	(void)state;
	for (unsigned int bits = 0; bits < 1u << ARRAY_SIZE(fields); bits++) {
		uint64_t type = SAMPLE_TID | SAMPLE_TIME, words[64];
		struct record fast = {0}, slow;
		struct fixture f = {0};

		for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
			type |= bits >> i & 1 ? fields[i] : 0;
		if (!(type & (SAMPLE_IDENTIFIER | SAMPLE_ID)))
			continue;
		add_event(&f, "a", type | SAMPLE_CALLCHAIN | SAMPLE_RAW);
		add_event(&f, "b", type);
		add_event(&f, "c", type | SAMPLE_RAW);
		assert_true(sample_layout_init(&f.layout, &f.rec.m));
		for (uint64_t i = 0; i < 5; i++) {
			const struct record_decode how = measurement_decode(&f.rec.m, &scratch);
			struct event *ev = f.rec.m.events.events.at[i % 3];
			const uint8_t *record = (const uint8_t *)words;
			uint16_t size = write_sample(words, ev->attr.sample_type, 40 + i % 3);
			struct sample_chain chain;

			memset(&slow, 0, sizeof(slow));
			assert_int_equal(record_decode(&how, words, size, &slow), 0);
			assert_ptr_equal(sample_layout_event(&f.layout, record), ev);
			assert_true(sample_is_whole(&f.layout, ev, record, size, &chain));
			assert_true(sample_layout_decode(&f.layout, ev, record, &chain, &fast));
			assert_memory_equal(&fast, &slow, sizeof(slow));
			compared++;
		}
		event_set_release(&f.rec.m.events);
	}
	assert_int_equal(compared, 96 * 5);
	buf_release(&scratch);
}

static void chains_that_are_not_aligned_are_left_to_records(void **state)
{
	uint64_t words[64];
	struct sample_chain chain;
	struct record r = {0};
	struct fixture f;
	uint8_t *record = (uint8_t *)words + 4;
	uint16_t size;

	(void)state;
	begin(&f);
	size = write_sample(words, TYPE | SAMPLE_CALLCHAIN, 40);
	memmove(record, words, size);
	assert_true(sample_is_whole(&f.layout, f.first, record, size, &chain));
	assert_false(sample_layout_decode(&f.layout, f.first, record, &chain, &r));
	event_set_release(&f.rec.m.events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts_decode_what_records_decode),
		cmocka_unit_test(chains_that_are_not_aligned_are_left_to_records),
		cmocka_unit_test(fields_stand_where_the_kernel_puts_them),
		cmocka_unit_test(a_dummy_event_changes_nothing),
		cmocka_unit_test(samples_have_just_what_their_events_say),
		cmocka_unit_test(most_reports_are_read_in_bulk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
