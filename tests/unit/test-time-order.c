// SPDX-License-Identifier: MIT
/* Runs of records that are merged by time, and the memory of what was taken. */
#include "unit.h"

#include "data/source/order.h"

#define RECORD_SIZE 32
#define RECORDS	    20000 /* of a run: 625 KiB */

/* Two runs, one after the other, whose times alternate. */
static void write_runs(uint8_t *p)
{
	const struct record_header h = {.type = RECORD_SAMPLE, .size = RECORD_SIZE};

	for (uint64_t i = 0; i < 2 * RECORDS; i++, p += RECORD_SIZE) {
		uint64_t fields[3] = {0, 7, 1 + i % RECORDS * 2 + i / RECORDS};

		memcpy(p, &h, sizeof(h));
		memcpy(p + sizeof(h), fields, sizeof(fields));
	}
}

static void put_run(struct order *o, const uint8_t *p, uint64_t first, uint32_t part)
{
	for (uint64_t i = first; i < first + RECORDS; i++) {
		struct raw_record raw = {.header = {.type = RECORD_SAMPLE, .size = RECORD_SIZE},
					 .p = p + i * RECORD_SIZE,
					 .offset = 1000 + i * RECORD_SIZE,
					 .part = part,
					 .seq = i};

		order_put(o, &raw, 1 + i % RECORDS * 2 + i / RECORDS);
	}
}

/* Takes all. Returns how many bytes were told as passed; none twice, and none before it was
 * taken. */
static uint64_t take_all(struct order *o, const struct measurement *m)
{
	uint64_t told[2] = {0}, taken[2] = {0}, from, to, all = 0;
	struct buf scratch = {0};
	const struct record_decode how = measurement_decode(m, &scratch);
	struct raw_record raw;

	for (uint64_t i = 0; order_take(o, &how, NULL, UINT64_MAX, &raw); i++) {
		assert_int_equal(raw.seq, i / 2 + i % 2 * RECORDS);
		taken[i % 2] = raw.offset + RECORD_SIZE;
		if (!order_passed(o, &from, &to))
			continue;
		assert_true(from == (told[i % 2] ? told[i % 2]
						 : 1000 + i % 2 * RECORDS * RECORD_SIZE));
		assert_true(to > from && to <= taken[i % 2]);
		told[i % 2] = to;
		all += to - from;
		assert_false(order_passed(o, &from, &to));
	}
	assert_int_equal(taken[1], 1000 + 2 * RECORDS * RECORD_SIZE);
	buf_release(&scratch);
	return all;
}

static void taken_bytes_are_told_once(void **state)
{
	uint8_t *p = mem_alloc(2 * RECORDS * RECORD_SIZE);
	struct measurement m = {.sample_id_all = true};
	struct event *ev = event_set_add(&m.events, "cpu-clock");
	struct order o = {0};

	(void)state;
	ev->attr.sample_type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME;
	write_runs(p);
	put_run(&o, p, 0, 0);
	put_run(&o, p, RECORDS, 0);
	assert_int_equal(take_all(&o, &m), 2 * RECORDS * RECORD_SIZE);
	/* the second part of a directory is another file */
	put_run(&o, p, 0, 0);
	put_run(&o, p, RECORDS, 1);
	assert_int_equal(take_all(&o, &m), RECORDS * RECORD_SIZE);
	order_release(&o);
	event_set_release(&m.events);
	free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(taken_bytes_are_told_once)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
