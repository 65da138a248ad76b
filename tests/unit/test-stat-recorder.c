// SPDX-License-Identifier: MIT
/* What the recorder of counts writes is what the reader of rounds reads. */
#include "unit.h"

#include "capture/record/stat_recorder.h"
#include "rounds.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/test-stat-recorder-XXXXXX";

/* Two CPUs, an event of one CPU only, an absent one. */
static void shape(struct event_set *set, struct counts *counts)
{
	static const int cpus[] = {1, 3}, own[] = {3};
	struct event *ev;

	ev = event_set_add(set, "task-clock");
	ev->attr = (struct attr){.type = TYPE_SOFTWARE, .size = ATTR_SIZE_6_1, .config = 1};
	ev->unit = "msec";
	ev->scale = 1e-6;
	event_set_add_id(set, ev, 70);
	event_set_add_id(set, ev, 71);
	ev = event_set_add(set, "cycles");
	ev->attr = (struct attr){.type = TYPE_HARDWARE, .size = ATTR_SIZE_6_1};
	ev = event_set_add(set, "uncore");
	ev->attr = (struct attr){.type = TYPE_HARDWARE, .size = ATTR_SIZE_6_1};
	ev->cpus = "3";
	vec_add(&counts->threads, (struct count_thread){.tid = -1});
	counts_shape(counts, 0, cpus, 2);
	counts_shape(counts, 2, own, 1);
}

static void set_values(struct counts *counts, uint64_t base)
{
	*counts_at(counts, 0, 1, 0) = (struct count){base, 10, 10};
	*counts_at(counts, 0, 3, 0) = (struct count){base + 1, 11, 5};
	*counts_at(counts, 2, 3, 0) = (struct count){base + 2, 12, 12};
}

static void check_rounds(const char *file, uint64_t rounds_wanted)
{
	struct stat_rounds rounds;
	struct stat_round round;
	struct err e = {0};
	AUTO(recording) *rec = recording_open(file, &(struct recording_options){0}, &e);

	assert_non_null(rec);
	assert_true(recording_has(rec, FEATURE_STAT));
	assert_int_equal(rec->m.events.events.n, 3);
	assert_string_equal(rec->m.events.events.at[2]->name, "uncore");
	assert_int_equal(rec->m.events.events.at[0]->attr.sample_type, SAMPLE_IDENTIFIER);
	AUTO(source) *src = rounds_open(&rounds, rec);
	for (uint64_t i = 1; i <= rounds_wanted; i++) {
		assert_int_equal(rounds_next(&rounds, src, &round, &e), 1);
		assert_int_equal(round.time_ns, 1000 * i);
		assert_int_equal(round.final, i == 3);
		assert_int_equal(counts_at(&rounds.counts, 0, 1, 0)->value, 100 * i);
		assert_int_equal(counts_at(&rounds.counts, 0, 3, 0)->value, 100 * i + 1);
		assert_int_equal(counts_at(&rounds.counts, 0, 3, 0)->running, 5);
		assert_int_equal(counts_at(&rounds.counts, 2, 3, 0)->value, 100 * i + 2);
		assert_int_equal(rounds.counts.events.at[1].state, COUNT_NOT_SUPPORTED);
	}
	assert_int_equal(rounds.config.aggr, STAT_AGGR_DIE);
	assert_int_equal(rounds.config.interval_ms, 5);
	assert_true(rounds.config.scale);
	assert_int_equal(rounds.cpus.n, 2);
	assert_int_equal(rounds.cpus.at[1], 3);
	assert_string_equal(rec->m.events.events.at[0]->unit, "msec");
	assert_true(rec->m.events.events.at[0]->scale == 1e-6);
	assert_string_equal(rec->m.events.events.at[2]->cpus, "3");
	assert_int_equal(rounds_next(&rounds, src, &round, &e), 0);
	/* one whose recorder still writes says so */
	if (rounds_wanted < 3)
		rec->m.losses.kind[LOSS_UNFINISHED].times = 0;
	assert_false(losses_any(&rec->m.losses));
	stat_rounds_release(&rounds);
}

static void rounds_come_back(void **state)
{
	struct stat_recorder_options o = {
		.path = path, .aggr = STAT_AGGR_DIE, .interval_ms = 5, .scale = true,
		.facts = {.version = "1", .proc_root = "/nowhere", .sys_root = "/nowhere"}};
	struct event_set set = {0};
	struct counts counts = {0};
	struct err e = {0};
	char old[64];

	(void)state;
	close(mkstemp(path));
	shape(&set, &counts);
	{
		AUTO(stat_recorder) *r = stat_recorder_new(&o, &e);

		assert_non_null(r);
		assert_int_equal(stat_recorder_begin(r, &set, &counts, &e), 0);
		for (uint64_t i = 1; i <= 3; i++) {
			set_values(&counts, 100 * i);
			assert_int_equal(stat_recorder_round(r, &counts, 1000 * i, i == 3, &e), 0);
			if (i < 3) /* whatever happens now */
				check_rounds(path, i);
		}
		assert_int_equal(stat_recorder_end(r, &e), 0);
		assert_int_equal(stat_recorder_end(r, &e), 0);
	}
	check_rounds(path, 3);
	/* who has no counter of his own has an id all the same */
	assert_int_equal(set.events.at[1]->ids.at[0], 72);
	assert_int_equal(set.events.at[2]->ids.at[0], 73);
	unlink(path);
	snprintf(old, sizeof(old), "%s.old", path);
	unlink(old);
	counts_release(&counts);
	event_set_release(&set);
}

static void a_folder_is_no_file_to_write(void **state)
{
	struct stat_recorder_options o = {.path = "/proc/self"};
	struct err e = {0};

	(void)state;
	assert_null(stat_recorder_new(&o, &e));
	assert_non_null(strstr(e.text, "/proc/self"));
}

static void a_full_disk_is_told(void **state)
{
	struct stat_recorder_options o = {
		.path = "/dev/full",
		.facts = {.version = "1", .proc_root = "/nowhere", .sys_root = "/nowhere"}};
	struct event_set set = {0};
	struct counts counts = {0};
	struct err e = {0};

	(void)state;
	shape(&set, &counts);
	AUTO(stat_recorder) *r = stat_recorder_new(&o, &e);
	if (r) {
		int failed = stat_recorder_begin(r, &set, &counts, &e);

		if (!failed)
			failed = stat_recorder_round(r, &counts, 1, true, &e);
		if (!failed)
			failed = stat_recorder_end(r, &e);
		assert_int_equal(failed, -1);
	}
	assert_true(e.text[0]);
	counts_release(&counts);
	event_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounds_come_back),
		cmocka_unit_test(a_folder_is_no_file_to_write),
		cmocka_unit_test(a_full_disk_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
