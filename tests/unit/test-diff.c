// SPDX-License-Identifier: MIT
/* Profiles compared: on recordings made in memory, whose names come from kernel symbols that they
 * bring along. */
#include "sides.h"

#include "analysis/diff.h"
#include "analysis/streams/streams.h"
#include "view/diff.h"
#include "view/streams.h"

static const char *name_of(const struct diff_row *row)
{
	return table_frame(row->table, row->entry->first.frame)->where->name;
}

static void rows_are_joined_by_name(void **state)
{
	const struct diff_options o = {.method = DIFF_DELTA, .order = 1};
	const struct table *both[2];
	struct side old, new;
	struct diff d;

	(void)state;
	side_begin(&old, "abc");
	side_add(&old, 0, 10, 6); /* a: 60 */
	side_add(&old, 1, 10, 3); /* b: 30 */
	side_add(&old, 2, 10, 1); /* c: 10 */
	side_begin(&new, "xba");
	side_add(&new, 0, 10, 2); /* x: 20 of 80 */
	side_add(&new, 1, 10, 4); /* b: 40 */
	side_add(&new, 2, 10, 2); /* a: 20 */
	both[0] = side_finish(&old, "dso,symbol", 0);
	both[1] = side_finish(&new, "dso,symbol", 0);
	diff_make(&d, both, 2, 0, &o);
	assert_int_equal(d.rows.n, 4);
	assert_string_equal(name_of(&d.rows.at[0]), "x"); /* +25 */
	assert_string_equal(name_of(&d.rows.at[1]), "b"); /* 50 - 30 */
	assert_string_equal(name_of(&d.rows.at[2]), "a"); /* 25 - 60 */
	assert_string_equal(name_of(&d.rows.at[3]), "c"); /* not there any more */
	assert_false(d.rows.at[0].in_baseline);
	assert_true(d.rows.at[0].cells[1].value == 25);
	assert_true(d.rows.at[1].cells[1].value == 20);
	assert_true(d.rows.at[2].cells[1].value == -35);
	assert_false(d.rows.at[3].cells[1].present);
	assert_int_equal(d.rows.at[2].cells[0].period, 60);
	assert_int_equal(d.rows.at[2].cells[1].samples, 2);
	diff_release(&d);
	side_end(&old);
	side_end(&new);
}

static void methods_compute_what_they_say(void **state)
{
	struct diff_options o = {.method = DIFF_RATIO, .order = 1};
	const struct table *both[2];
	struct side old, new;
	struct diff d;

	(void)state;
	side_begin(&old, "ab");
	side_add(&old, 0, 10, 4);
	side_add(&old, 1, 10, 2);
	side_begin(&new, "abx");
	side_add(&new, 0, 10, 2);
	side_add(&new, 1, 10, 6);
	side_add(&new, 2, 10, 1);
	both[0] = side_finish(&old, "symbol", 0);
	both[1] = side_finish(&new, "symbol", 0);
	diff_make(&d, both, 2, 0, &o);
	assert_string_equal(name_of(&d.rows.at[0]), "b");
	assert_true(d.rows.at[0].cells[1].value == 3);
	assert_true(d.rows.at[1].cells[1].value == 0.5);
	assert_false(d.rows.at[2].cells[1].compared); /* x has no baseline */
	diff_release(&d);
	o = (struct diff_options){
		.method = DIFF_WEIGHTED, .weight_old = 3, .weight_new = 2, .order = 1};
	diff_make(&d, both, 2, 0, &o);
	assert_true(d.rows.at[0].cells[1].value == 2 * 60 - 3 * 20);
	assert_true(d.rows.at[1].cells[1].value == 2 * 20 - 3 * 40);
	diff_release(&d);
	o = (struct diff_options){.method = DIFF_DELTA_ABS, .order = 0, .baseline_only = true};
	diff_make(&d, both, 2, 0, &o);
	assert_int_equal(d.rows.n, 2); /* without x, by the baseline's periods */
	assert_string_equal(name_of(&d.rows.at[0]), "a");
	assert_int_equal(d.baseline_total, 60);
	diff_release(&d);
	side_end(&old);
	side_end(&new);
}

/* a falls from 60 to 30 % all the time; b is 10 % of one and 12 % of the other, in bursts. */
static void fill(struct side *s, unsigned int a, unsigned int b, unsigned int every)
{
	for (unsigned int slice = 0; slice < 50; slice++) {
		const unsigned int burst = slice % every ? 0 : MIN(b * every, 20u);

		s->time = 1 + slice * 1000;
		side_add(s, 0, 1, a);
		side_add(s, 1, 1, burst);
		side_add(s, 2, 1, 50 - a - burst);
	}
}

static void noise_is_told_from_change(void **state)
{
	const struct diff_options o = {.method = DIFF_DELTA, .order = 1, .confidence = true};
	const struct table *both[2];
	struct side old, new;
	struct diff d;

	(void)state;
	side_begin(&old, "abc");
	fill(&old, 30, 1, 20);
	side_begin(&new, "abc");
	fill(&new, 15, 1, 17);
	both[0] = side_finish(&old, "symbol,time", 1000);
	both[1] = side_finish(&new, "symbol,time", 1000);
	diff_make(&d, both, 2, 0, &o);
	assert_int_equal(d.rows.n, 3);
	for (size_t i = 0; i < d.rows.n; i++) {
		const struct diff_cell *c = &d.rows.at[i].cells[1];

		assert_true(c->low <= c->value && c->value <= c->high);
		if (name_of(&d.rows.at[i])[0] == 'a') {
			assert_int_equal(d.rows.at[i].cells[0].period, 1500);
			assert_false(diff_cell_is_noise(c));
			assert_true(c->low > -31 && c->high < -29);
		} else if (name_of(&d.rows.at[i])[0] == 'b') {
			assert_true(diff_cell_is_noise(c));
		}
	}
	diff_release(&d);
	side_end(&old);
	side_end(&new);
}

/* A file's name is its owner's choice. */
static void names_cannot_steer_a_terminal(void **state)
{
	const struct diff_options o = {.method = DIFF_DELTA, .order = 1};
	const struct diff_view view = {.opts = &o, .quiet = true};
	struct record map = {.header = {.type = RECORD_MMAP2, .misc = MISC_USER}};
	struct record r = {.header = {.type = RECORD_SAMPLE, .misc = MISC_USER}};
	const struct table *both[2];
	struct out out = {.fd = -1};
	struct side side;
	struct diff d;

	(void)state;
	side_begin(&side, "");
	map.mmap = (struct rec_mmap){.pid = 10,
				     .tid = 11,
				     .addr = 0x1000,
				     .len = 0x1000,
				     .prot = 5,
				     .filename = "/tmp/a\033[31mb\nc"};
	put_record(&side.data, &side.attr, map);
	r.sample = (struct sample){
		.type = SIDE_TYPE, .ip = 0x1010, .pid = 10, .tid = 11, .time = 5, .period = 7};
	put_record(&side.data, &side.attr, r);
	both[0] = both[1] = side_finish(&side, "dso", 0);
	diff_make(&d, both, 2, 0, &o);
	assert_true(diff_show(&view, &d, true, &out));
	assert_non_null(strstr(buf_text(&out.buf), "a\\x1b[31mb\\x0ac"));
	assert_null(strchr(buf_text(&out.buf), '\033'));
	diff_release(&d);
	buf_release(&out.buf);
	side_end(&side);
}

/* -- streams -- */

#define BRANCHY (SIDE_TYPE | SAMPLE_BRANCH_STACK)

/* A sample with n branches, the newest first. */
static void add_branches(struct side *s, const struct branch_entry *branches, uint64_t n)
{
	struct record r = {.header = {.type = RECORD_SAMPLE, .misc = MISC_KERNEL}};

	r.sample = (struct sample){.type = BRANCHY,
				   .ip = branches[0].to,
				   .pid = 10,
				   .tid = 11,
				   .time = ++s->time,
				   .period = 100,
				   .branch_nr = n,
				   .branches = branches};
	put_record(&s->data, &s->attr, r);
}

static void streams_fold_samples_and_drop_loops(void **state)
{
	/* from b to a, then two rounds of a loop from a to c and from c to a; bits 4 to 19 of the
	 * flags are cycles */
	const struct branch_entry a = {SIDE_BASE + 0x1020, SIDE_BASE + 0x10, 10 << 4};
	const struct branch_entry c = {SIDE_BASE + 0x20, SIDE_BASE + 0x2010, 4 << 4};
	const struct branch_entry d = {SIDE_BASE + 0x2020, SIDE_BASE + 0x10, 2 << 4};
	const struct branch_entry looped[] = {a, c, d, c, d}, plain[] = {a, c, d};
	struct symbol_options symbols = {.no_live = true};
	struct record odd = {.header.type = RECORD_KSYMBOL};
	struct filter filter = {.socket = -1};
	struct out out = {.fd = -1};
	const struct event_streams *of;
	struct streams *streams;
	struct side side;
	struct err e = {0};

	(void)state;
	side_begin(&side, "ab");
	side.attr.sample_type = BRANCHY;
	odd.ksymbol = (struct rec_ksymbol){
		.addr = SIDE_BASE + 0x2000, .len = 0x1000, .ksym_type = 1, .name = "c\033[31m"};
	put_record(&side.data, &side.attr, odd);
	add_branches(&side, looped, ARRAY_SIZE(looped));
	for (int i = 0; i < 3; i++)
		add_branches(&side, plain, ARRAY_SIZE(plain));
	add_branches(&side, plain, 2);
	side.file = make_file(&side.attr, 1, &side.data);
	side.rec = open_bytes(&side.file);
	side.world = world_of_recording(side.rec, &symbols);
	streams = streams_read(side.rec, side.world, &filter, &e);
	assert_non_null(streams);
	of = &streams->of.at[0];
	/* four samples took the whole way, one ended two branches before: the rest is a stream */
	assert_int_equal(of->n, 2);
	assert_int_equal(of->period, 500);
	assert_int_equal(of->at[0].period, 400);
	assert_int_equal(of->at[0].n, 2);
	assert_int_equal(of->at[1].period, 100);
	assert_int_equal(of->at[1].n, 4);
	streams_match(streams, 0, streams, 0);
	assert_null(of->at[0].pair); /* without lines nothing is known to be equal */
	assert_true(streams_show(streams, 0, streams, 0, &out));
	assert_non_null(strstr(buf_text(&out.buf), "c\\x1b[31m"));
	assert_null(strchr(buf_text(&out.buf), '\033'));
	buf_release(&out.buf);
	streams_free(streams);
	side_end(&side);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_joined_by_name),
		cmocka_unit_test(methods_compute_what_they_say),
		cmocka_unit_test(noise_is_told_from_change),
		cmocka_unit_test(names_cannot_steer_a_terminal),
		cmocka_unit_test(streams_fold_samples_and_drop_loops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
