// SPDX-License-Identifier: MIT
/* What perf top shows, of a command that runs here and now. */
#include "unit.h"

#include "analysis/live_profile.h"

#include <stdio.h>

#define WAIT_MS 20
#define TRIES	500

struct test {
	struct session_options session;
	struct live_source *source;
	struct live_profile *profile;
	char *command[4];
};

/* Of a shell that runs on and on, though not when an assertion leaves it behind. False where a
 * user may not measure its own processes. */
static bool begin(struct test *t, size_t most, bool keeps_table)
{
	static char shell[] = "sh", flag[] = "-c", spins[] = "ulimit -t 20; while :; do :; done";
	struct live_profile_options opts = {.most = most, .keeps_table = keeps_table};
	struct event *ev;
	struct err err = {0};

	*t = (struct test){.command = {shell, flag, spins, NULL}};
	t->session = (struct session_options){
		.sampling = {.frequency = 1000,
			     .inherit = true,
			     .all_user = true,
			     .starts_command = true},
		.synth = {.tasks = true, .maps = true, .proc_root = "/proc", .sys_root = "/sys"},
		.command = t->command,
	};
	t->source = live_source_new();
	ev = event_set_add(&t->source->m.events, "cpu-clock:u");
	ev->attr = (struct attr){.type = TYPE_SOFTWARE,
				 .flags = ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV};
	if (live_source_open(t->source, &t->session, NULL, NULL, &err)) {
		printf("%s\n", err.text);
		live_source_free(t->source);
		return false;
	}
	opts.table.layout.default_sort = "pid,comm,dso";
	opts.table.layout.events = &t->source->m.events;
	opts.table.filter.socket = -1;
	t->profile = live_profile_new(t->source, &opts, &err);
	assert_non_null(t->profile);
	return true;
}

static void end(struct test *t)
{
	live_profile_free(t->profile);
	live_source_free(t->source);
}

static const struct event_entries *refresh(struct test *t)
{
	struct err err = {0};

	assert_int_equal(live_profile_pull(t->profile, session_now_ms() + WAIT_MS, &err), 0);
	assert_int_equal(live_profile_refresh(t->profile, &err), 0);
	return &t->profile->table->events.at[0];
}

static void fade(struct test *t)
{
	struct err err = {0};

	assert_int_equal(live_profile_fade(t->profile, &err), 0);
}

static void counts_are_of_one_refresh_and_tables_of_all(void **state)
{
	const struct event_entries *e;
	uint64_t samples = 0, rest = 0;
	struct test t;

	(void)state;
	if (!begin(&t, 0, false))
		skip();
	for (int i = 0; i < TRIES && samples < 50; i++) {
		e = refresh(&t);
		samples += t.profile->counts.samples;
		assert_int_equal(t.profile->all.samples, samples);
		assert_int_equal(e->samples, rest + t.profile->counts.samples);
		assert_int_equal(t.profile->counts.kernel, 0);
		fade(&t);
		/* an eighth of all samples goes, but for what rounding leaves */
		rest = 0;
		for (uint32_t c = 0; c < t.profile->samples->cells.n; c++)
			rest += cells_at(&t.profile->samples->cells, c)->samples;
		assert_in_range(rest, t.profile->counts.samples * 7 / 8, samples * 7 / 8 + 1);
	}
	assert_true(samples >= 50);
	end(&t);
}

static void hidden_modes_leave_nothing(void **state)
{
	uint64_t samples = 0;
	struct test t;

	(void)state;
	if (!begin(&t, 0, false))
		skip();
	for (int i = 0; i < TRIES && !samples; i++) {
		samples = refresh(&t)->samples;
		fade(&t);
	}
	assert_int_not_equal(samples, 0);
	t.profile->hidden_modes = 1u << MISC_USER;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(refresh(&t)->entries.n, 0);
		fade(&t);
	}
	end(&t);
}

/* A world that has grown too large is read anew: samples that come then have their names again. */
static void a_new_world_knows_what_runs(void **state)
{
	const struct event_entries *e = NULL;
	unsigned int fades = 0;
	struct test t;

	(void)state;
	if (!begin(&t, 1, false))
		skip();
	for (int i = 0; i < TRIES && (fades < 3 || !e->entries.n); i++) {
		if (e)
			fade(&t);
		fades += e != NULL;
		e = refresh(&t);
	}
	assert_true(fades >= 3);
	assert_int_equal(t.profile->renewals, fades);
	assert_true(e->entries.n >= 1);
	for (size_t i = 0; i < e->entries.n; i++) {
		const struct frame *frame =
			table_frame(t.profile->table, e->entries.at[i]->first.frame);
		const struct cell *cell = table_first(t.profile->table, e->entries.at[i]);

		assert_non_null(frame->where->dso);
		assert_string_equal(world_comm(t.profile->world, cell->thread, WORLD_NOW), "sh");
	}
	end(&t);
}

/* Its numbers are those of the last refresh, however many samples come. */
static void a_table_that_is_kept_is_good_meanwhile(void **state)
{
	const struct event_entries *e;
	uint64_t rest = 0, samples = 0;
	struct err err = {0};
	struct test t;

	(void)state;
	if (!begin(&t, 0, true))
		skip();
	for (int i = 0; i < TRIES && samples < 50; i++) {
		uint64_t shown;

		e = refresh(&t);
		samples += t.profile->counts.samples;
		shown = e->samples;
		assert_in_range(shown, t.profile->counts.samples, rest + t.profile->counts.samples);
		assert_int_equal(live_profile_pull(t.profile, session_now_ms() + WAIT_MS, &err), 0);
		/* another table of the same samples has the same */
		assert_int_equal(table_make(t.profile->table, t.profile->samples, &err), 0);
		assert_int_equal(t.profile->table->events.at[0].samples, shown);
		rest = shown;
	}
	assert_true(samples >= 50);
	t.profile->zero = true;
	for (int i = 0; i < 3; i++) {
		e = refresh(&t);
		assert_int_equal(e->samples, t.profile->counts.samples);
	}
	end(&t);
}

/* What was zoomed into went with the world that knew it. */
static void a_new_world_ends_the_zoom(void **state)
{
	struct test t;

	(void)state;
	if (!begin(&t, 1, true))
		skip();
	refresh(&t);
	t.profile->table->opts.zoom = (struct zoom){.comm = "sh", .counted = true};
	assert_int_equal(t.profile->renewals, 1);
	refresh(&t);
	assert_int_equal(t.profile->renewals, 2);
	assert_null(t.profile->table->opts.zoom.comm);
	assert_true(t.profile->table->opts.zoom.counted);
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_of_one_refresh_and_tables_of_all),
		cmocka_unit_test(hidden_modes_leave_nothing),
		cmocka_unit_test(a_new_world_knows_what_runs),
		cmocka_unit_test(a_table_that_is_kept_is_good_meanwhile),
		cmocka_unit_test(a_new_world_ends_the_zoom),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
