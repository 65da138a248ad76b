// SPDX-License-Identifier: MIT
/* Recordings that are damaged, cut or made to harm: the good rest is read, the damage counted,
 * nothing runs for ever. */
#include "recordings.h"

#include "base/cursor.h"

#include <string.h>

/* Damage: what stands before and after it is still read, and it is counted. */
static void damage_is_passed_over(void **state)
{
	struct attr a = attr_of(BASIC);
	AUTO_BUF data = {0}, out = {0};
	size_t third = 0;

	(void)state;
	for (uint64_t i = 1; i <= 8; i++) {
		if (i == 3)
			third = data.n;
		put_sample(&data, &a, i, i);
	}
	for (int how = 0; how < 4; how++) {
		AUTO_BUF file = make_file(&a, 1, &data);
		uint8_t *at = (uint8_t *)file.at + (file.n - data.n) + third;

		if (how == 0)
			memset(at, 0xee, 24); /* garbage */
		else if (how == 1)
			memset(at, 0, 16); /* nothing */
		else if (how == 2)
			at[6] = 4; /* a size that cannot be */
		else
			at[0] = 200; /* no such type, and what follows fits: from a newer tool */
		AUTO(recording) *rec = open_bytes(&file);
		read_order(rec, SOURCE_ORDERED, &out);
		assert_string_equal(buf_text(&out), "1 2 4 5 6 7 8 ");
		assert_true(losses_any(&rec->m.losses));
		assert_int_equal(losses_damage(&rec->m.losses), how != 3);
		/* a second pass finds the same and counts nothing twice */
		uint64_t skipped = rec->m.losses.kind[LOSS_SKIPPED_BYTES].times;
		read_order(rec, SOURCE_SAMPLES, &out);
		assert_int_equal(rec->m.losses.kind[LOSS_SKIPPED_BYTES].times, skipped);
	}
}

static void ends_that_come_too_early_are_counted(void **state)
{
	struct attr a = attr_of(BASIC);
	AUTO_BUF data = {0}, out = {0};

	(void)state;
	for (uint64_t i = 1; i <= 3; i++)
		put_sample(&data, &a, i, i);
	AUTO_BUF file = make_file(&a, 1, &data);
	file.n -= 10;
	AUTO(recording) *cut = open_bytes(&file);
	read_order(cut, SOURCE_ORDERED, &out);
	assert_string_equal(buf_text(&out), "1 2 ");
	assert_true(cut->m.losses.kind[LOSS_TRUNCATED].times > 0);
	assert_true(losses_damage(&cut->m.losses));
	/* the recorder was killed: the header says there is no data */
	file.n += 10;
	memset(file.at + 48, 0, 8);
	AUTO(recording) *killed = open_bytes(&file);
	read_order(killed, SOURCE_ORDERED, &out);
	assert_string_equal(buf_text(&out), "1 2 3 ");
	assert_int_equal(killed->m.losses.kind[LOSS_UNFINISHED].times, 1);
	/* not a recording at all */
	struct err e = {0};
	assert_null(recording_open_memory("PERFILE3PERFILE3", 16, &e));
	assert_string_equal(e.text, "incompatible file format");
	assert_null(recording_open_memory(NULL, 0, &e));
}

/* The table of attributes reaches over the whole file, the ids of its second entry do, too. */
static void attributes_have_room_before_the_data_only(void **state)
{
	struct attr attrs[2] = {attr_of(BASIC), attr_of(BASIC)};
	AUTO_BUF data = {0}, file = make_file(attrs, 2, &data);
	const uint64_t huge = 1ull << 32 | 1;

	(void)state;
	memcpy(file.at + 32, &huge, 8);
	memcpy(file.at + 104 + 2 * (ATTR_SIZE_6_1 + 16) - 8, &huge, 8);
	AUTO(recording) *rec = open_bytes(&file);
	assert_int_equal(rec->m.events.events.n, 2);
	assert_true(losses_damage(&rec->m.losses));
}

static void positions_never_go_back(void **state)
{
	(void)state;
	assert_true(position_after(5, 7) == 12);
	assert_true(position_after(16, UINT64_MAX - 16) == UINT64_MAX);
	assert_true(position_after(16, UINT64_MAX - 15) == UINT64_MAX);
	assert_true(position_after(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
}

/* So many bytes of a processor's trace are said to follow; there of them stand there. */
static void put_trace(struct buf *data, uint64_t follow, size_t there)
{
	put32(data, RECORD_AUXTRACE);
	put32(data, 48 << 16);
	put64(data, follow);
	for (int i = 0; i < 4; i++)
		put64(data, 0);
	for (size_t i = 0; i < there; i++)
		buf_char(data, '\x55');
}

/* The samples that are found, and how often which kind of loss was counted, after two passes. */
static void assert_read(const struct buf *bytes, const char *samples, enum loss_kind kind,
			uint64_t times)
{
	AUTO(recording) *rec = open_bytes(bytes);
	AUTO_BUF out = {0};

	read_order(rec, SOURCE_ORDERED, &out);
	assert_string_equal(buf_text(&out), samples);
	read_order(rec, SOURCE_SAMPLES, &out);
	assert_string_equal(buf_text(&out), samples);
	assert_int_equal(rec->m.losses.kind[kind].times, times);
	assert_int_equal(losses_any(&rec->m.losses), times);
}

static void traces_of_impossible_sizes_are_passed_over(void **state)
{
	static const uint64_t sizes[] = {-48ull,	   -40ull,  -1ull, 1ull << 63,
					 (1ull << 63) - 1, 1 << 20, 900};
	struct attr a = attr_of(BASIC);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		for (size_t there = 0; there <= 400; there += 400) {
			AUTO_BUF data = {0};

			put_sample(&data, &a, 1, 1);
			put_trace(&data, sizes[i], there);
			for (uint64_t n = 2; n <= 5; n++)
				put_sample(&data, &a, n, n);
			AUTO_BUF file = make_file(&a, 1, &data);
			AUTO_BUF pipe = make_pipe(&a, &data);
			AUTO(recording) *rec = open_bytes(&file);
			AUTO_BUF out = {0};

			read_order(rec, SOURCE_ORDERED, &out);
			assert_string_equal(buf_text(&out), "1 2 3 4 5 ");
			assert_int_equal(rec->m.losses.kind[LOSS_SKIPPED_BYTES].amount, there);
			assert_int_equal(rec->m.losses.kind[LOSS_CORRUPT].times, 1);
			if (!there)
				assert_read(&pipe, "1 2 3 4 5 ", LOSS_CORRUPT, 1);
		}
}

static void a_trace_at_the_end_that_is_cut_is_told(void **state)
{
	struct attr a = attr_of(BASIC);
	AUTO_BUF data = {0};

	(void)state;
	put_sample(&data, &a, 1, 1);
	put_trace(&data, 500, 500);
	AUTO_BUF whole = make_file(&a, 1, &data);
	assert_read(&whole, "1 ", LOSS_TRUNCATED, 0);
	data.n -= 500;
	AUTO_BUF file = make_file(&a, 1, &data);
	AUTO_BUF pipe = make_pipe(&a, &data);
	assert_read(&file, "1 ", LOSS_TRUNCATED, 1);
	assert_read(&pipe, "1 ", LOSS_TRUNCATED, 1);
	/* nothing but the record, and a size that no file has */
	buf_clear(&data);
	put_sample(&data, &a, 1, 1);
	put_trace(&data, -48ull, 0);
	AUTO_BUF last = make_pipe(&a, &data);
	assert_read(&last, "1 ", LOSS_CORRUPT, 1);
}

static void all_of_a_long_stretch_of_damage_is_counted(void **state)
{
	enum { DAMAGE = 700 * 1024 };
	struct attr a = attr_of(BASIC);
	AUTO_BUF data = {0}, out = {0};

	(void)state;
	put_sample(&data, &a, 1, 1);
	for (int i = 0; i < DAMAGE; i++)
		buf_char(&data, '\x55');
	put_sample(&data, &a, 2, 2);
	put_sample(&data, &a, 3, 3);
	AUTO_BUF file = make_file(&a, 1, &data);
	AUTO(recording) *rec = open_bytes(&file);
	read_order(rec, SOURCE_ORDERED, &out);
	assert_string_equal(buf_text(&out), "1 2 3 ");
	assert_int_equal(rec->m.losses.kind[LOSS_SKIPPED_BYTES].amount, DAMAGE);
}

/* No event vanishes, nor does what is left over of a wrong size become one. */
static void attributes_are_counted_when_their_size_is_wrong(void **state)
{
	struct attr attrs[3] = {attr_of(BASIC), attr_of(BASIC), attr_of(BASIC)};
	AUTO_BUF data = {0}, file = make_file(attrs, 3, &data);
	static const int wrong[] = {-1, -8, -70, -80, -130, 1, 8};
	static const size_t events[] = {3, 3, 3, 2, 2, 3, 3};
	uint64_t size;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		size = 3 * (ATTR_SIZE_6_1 + 16) + (uint64_t)wrong[i];
		memcpy(file.at + 32, &size, 8);
		AUTO(recording) *rec = open_bytes(&file);
		assert_int_equal(rec->m.events.events.n, events[i]);
		assert_int_equal(rec->m.losses.kind[LOSS_CORRUPT].times, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damage_is_passed_over),
		cmocka_unit_test(ends_that_come_too_early_are_counted),
		cmocka_unit_test(attributes_have_room_before_the_data_only),
		cmocka_unit_test(positions_never_go_back),
		cmocka_unit_test(traces_of_impossible_sizes_are_passed_over),
		cmocka_unit_test(a_trace_at_the_end_that_is_cut_is_told),
		cmocka_unit_test(all_of_a_long_stretch_of_damage_is_counted),
		cmocka_unit_test(attributes_are_counted_when_their_size_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
