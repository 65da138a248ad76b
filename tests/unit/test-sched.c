// SPDX-License-Identifier: MIT
/* The scheduler's analyses on recordings made in memory, with known times. */
#include "tracepoints.h"

#include "analysis/sched/latency.h"
#include "analysis/sched/map.h"
#include "analysis/sched/timehist.h"
#include "analysis/sched/workload.h"
#include "world/replay/replay.h"

enum { SWITCH = 1, WAKING = 2, WAKEUP = 3, RUNTIME = 4, MIGRATE = 5 };

static const char *const formats[] = {
	"name: sched_switch\nID: 1\nformat:\n"
	"\tfield:pid_t prev_pid;\toffset:0;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield:pid_t next_pid;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:20;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n",
	"name: sched_waking\nID: 2\nformat:\n"
	"\tfield:pid_t pid;\toffset:0;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n",
	"name: sched_wakeup\nID: 3\nformat:\n"
	"\tfield:pid_t pid;\toffset:0;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n",
	"name: sched_stat_runtime\nID: 4\nformat:\n"
	"\tfield:pid_t pid;\toffset:0;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 runtime;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n",
	"name: sched_migrate_task\nID: 5\nformat:\n"
	"\tfield:pid_t pid;\toffset:0;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n",
};

static void put_switch_of(struct traced *m, uint64_t time, uint32_t cpu, int32_t from,
			  int32_t from_prio, uint64_t state, int32_t to, int32_t to_prio)
{
	const struct {
		int32_t prev, prev_prio;
		uint64_t state;
		int32_t next, next_prio;
	} s = {from, from_prio, state, to, to_prio};

	traced_put(m, SWITCH, time, cpu, (uint32_t)from, &s, sizeof(s));
}

static void put_switch(struct traced *m, uint64_t time, uint32_t cpu, int32_t from, uint64_t state,
		       int32_t to)
{
	put_switch_of(m, time, cpu, from, 120, state, to, 120);
}

static void put_wakeup(struct traced *m, int kind, uint64_t time, int32_t pid)
{
	const int32_t raw[2] = {pid, 0};

	traced_put(m, kind, time, 0, 1, raw, sizeof(raw));
}

static void put_runtime(struct traced *m, uint64_t time, int32_t pid, uint64_t ns)
{
	const struct {
		int32_t pid, pad;
		uint64_t ns;
	} s = {pid, 0, ns};

	traced_put(m, RUNTIME, time, 0, (uint32_t)pid, &s, sizeof(s));
}

static void put_name(struct traced *m, uint64_t time, uint32_t pid, const char *comm)
{
	struct record r = {
		.header.type = RECORD_COMM,
		.id = {.time = time, .pid = pid, .tid = pid, .id = 100, .has = SAMPLE_IDENTIFIER}};

	r.comm = (struct rec_comm){.pid = pid, .tid = pid, .comm = comm};
	assert_int_equal(record_encode(&r, TRACED, true, &m->data), 0);
}

static void open_made(struct traced *m)
{
	traced_open(m, "sched", formats, ARRAY_SIZE(formats));
}

/* Each row: "name:tid/tasks runtime switches wait max@end ". */
static void latency_is(struct traced *m, struct sched_latency_options *how, const char *want,
		       struct sched_latency *l)
{
	struct err e = {0};
	AUTO_BUF text = {0};

	open_made(m);
	assert_int_equal(sched_latency_sort_parse(how, "avg, max,switch", &e), 0);
	sched_latency_init(l, how);
	assert_int_equal(sched_latency_read(l, m->rec, m->world, &e), 0);
	for (size_t i = 0; i < l->rows.n; i++) {
		const struct sched_latency_row *r = &l->rows.at[i];

		buf_printf(&text, "%s:%d/%u %u %u %u %u@%u; ", r->comm, r->tid, r->tasks,
			   (unsigned int)r->runtime_ns, (unsigned int)r->switches,
			   (unsigned int)r->wait_ns, (unsigned int)r->max_ns,
			   (unsigned int)r->max_end);
	}
	assert_string_equal(buf_text(&text), want);
	sched_latency_release(l);
	vec_release(&how->sort);
	traced_close(m);
}

static void fill_waits(struct traced *m)
{
	put_name(m, 10, 7, "a");
	put_name(m, 11, 8, "b");
	put_name(m, 12, 9, "b");
	put_switch(m, 100, 0, 7, 1, 8); /* 7 sleeps; 8 is first heard of: it waited for nothing */
	put_wakeup(m, WAKING, 150, 7);
	put_wakeup(m, WAKEUP, 180, 7);	    /* the second word about the same wake-up */
	put_switch(m, 200, 0, 8, 0x100, 7); /* 8 is preempted */
	put_runtime(m, 290, 7, 90);
	put_switch(m, 300, 0, 7, 0, 8); /* 7 yields */
	put_switch(m, 400, 1, 9, 1, 7);
}

static void waits_are_from_ready_to_run(void **state)
{
	struct traced m = {0}, each = {0}, one = {0}, named = {0}, numbered = {0};
	struct sched_latency_options how = {0}, tasks = {.by_task = true}, cpu = {0}, comm = {0},
				     tid = {.by_task = true};
	struct sched_latency l;
	struct err e;

	(void)state;
	fill_waits(&m);
	latency_is(&m, &how, "a:7/1 90 2 150 100@400; b:9/2 0 2 100 100@300; ", &l);
	assert_int_equal(l.switches, 4);
	assert_int_equal(l.wakeups, 1);
	assert_int_equal(l.wrong_switches, 0);
	fill_waits(&each);
	latency_is(&each, &tasks, "a:7/1 90 2 150 100@400; b:8/1 0 2 100 100@300; ", &l);
	fill_waits(&one);
	assert_int_equal(number_list_parse(&cpu.filter.cpus, "1-3", "cpus", &e), 0);
	latency_is(&one, &cpu, "a:7/1 0 1 100 100@400; ", &l);
	filter_release(&cpu.filter);
	fill_waits(&named);
	name_list_add(&comm.filter.comms, "a,c", ",");
	latency_is(&named, &comm, "a:7/1 90 2 150 100@400; ", &l);
	filter_release(&comm.filter);
	fill_waits(&numbered);
	assert_int_equal(number_list_parse(&tid.filter.tids, "8", "tids", &e), 0);
	latency_is(&numbered, &tid, "b:8/1 0 2 100 100@300; ", &l);
	filter_release(&tid.filter);
}

static void waits_with_losses_are_uncertain(void **state)
{
	struct traced m = {0};
	struct sched_latency_options how = {0};
	struct sched_latency l;

	(void)state;
	put_switch(&m, 100, 0, 7, 0, 8);
	traced_put_lost(&m, 150);
	put_switch(&m, 300, 0, 8, 1, 7);
	put_switch(&m, 400, 0, 7, 0, 8);
	put_switch(&m, 500, 0, 8, 0, 7);
	latency_is(&m, &how, ":7:7/1 0 2 300 200@300; :8:8/1 0 1 0 0@0; ", &l);
	assert_int_equal(l.uncertain, 1);
	assert_int_equal(l.uncertain_ns, 200);
	assert_int_equal(l.lost_events, 7);
	assert_int_equal(l.lost_records, 1);
}

static void a_cpu_that_no_machine_has_is_damage(void **state)
{
	struct traced m = {0};
	struct sched_latency_options how = {0};
	struct sched_latency l;

	(void)state;
	put_switch(&m, 100, 8192, 7, 1, 8);
	put_switch(&m, 200, 8191, 9, 1, 10);
	latency_is(&m, &how, ":10:10/1 0 1 0 0@0; ", &l);
}

static void unknown_keys_are_refused(void **state)
{
	struct sched_latency_options how = {0};
	struct err e = {0};

	(void)state;
	assert_int_equal(sched_latency_sort_parse(&how, "avg,bogus", &e), -1);
	assert_string_equal(e.text, "Unknown --sort key: `bogus'");
	vec_release(&how.sort);
}

/* "TIME@CPU task wait delay run; " for each row. */
static int note_row(void *ctx, struct timehist *t, const struct timehist_row *row)
{
	const struct timehist_task *k = row->task;

	(void)t;
	if (row->kind == TIMEHIST_SWITCH)
		buf_printf(ctx, "%u@%u %d %u/%u/%u %u %u; ", (unsigned int)row->time, row->cpu,
			   k->thread ? (int)k->thread->tid : -1, (unsigned int)k->sleep,
			   (unsigned int)k->iowait, (unsigned int)k->preempt,
			   (unsigned int)k->delay, (unsigned int)k->run);
	else if (row->kind == TIMEHIST_WAKEUP)
		buf_printf(ctx, "%u woke %u; ", (unsigned int)row->time, row->other->thread->tid);
	return 0;
}

static void history_is(const struct timehist_options *how, const char *want)
{
	struct traced m = {0};
	AUTO_BUF text = {0};
	struct timehist t = {.max_cpu = 2, .show = note_row, .ctx = &text};
	struct err e = {0};
	struct replay rp;

	put_switch(&m, 100, 0, 7, 2, 0);
	put_wakeup(&m, WAKING, 150, 7);
	put_switch(&m, 200, 0, 0, 0, 7);
	put_switch(&m, 300, 0, 7, 0x100, 8);
	put_switch(&m, 350, 0, 8, 1, 7);
	put_switch(&m, 450, 0, 7, 1, 0);
	open_made(&m);
	assert_int_equal(timehist_read(&t, how, &rp, m.rec, m.world, &e), 0);
	assert_string_equal(buf_text(&text), want);
	timehist_release(&t);
	traced_close(&m);
}

static void history_has_wait_delay_and_run(void **state)
{
	const struct timehist_options plain = {0}, woken = {.wakeups = true},
				      span = {.start = 320, .end = 400}, idle = {.idle = true};

	(void)state;
	history_is(&plain, "100@0 7 0/0/0 0 0; 200@0 -1 0/0/0 0 100; 300@0 7 0/100/0 50 100; 350@0 "
			   "8 0/0/0 0 50; "
			   "450@0 7 0/0/50 0 100; ");
	history_is(&woken,
		   "100@0 7 0/0/0 0 0; 150 woke 7; 200@0 -1 0/0/0 0 100; 300@0 7 0/100/0 50 100; "
		   "350@0 8 0/0/0 0 50; 450@0 7 0/0/50 0 100; ");
	history_is(&span, "350@0 8 0/0/0 0 30; 400@0 7 0/0/50 0 50; ");
	history_is(&idle, "100@0 7 0/0/0 0 0; 200@0 -1 0/0/0 0 100; 450@0 7 0/0/0 0 0; ");
}

static int note_prio(void *ctx, struct timehist *t, const struct timehist_row *row)
{
	(void)t;
	buf_printf(ctx, "%u:%d>%d ", (unsigned int)row->time, (int)row->prio_in,
		   (int)row->prio_out);
	return 0;
}

/* A task counts with the priority that it was switched in with; before that is known, with that of
 * its first switch. */
static void prios_are(const char *list, const char *want)
{
	struct timehist_options how = {.prios = true};
	struct traced m = {0};
	AUTO_BUF text = {0};
	struct timehist t = {.max_cpu = 2, .show = note_prio, .ctx = &text};
	struct err e = {0};
	struct replay rp;

	if (list)
		assert_int_equal(number_list_parse(&how.prio_list, list, "prios", &e), 0);
	put_switch_of(&m, 100, 0, 9, 98, 1, 7, 120);
	put_switch_of(&m, 200, 0, 7, 129, 1, 0, 120);
	put_switch_of(&m, 300, 0, 0, 120, 0, 8, 10);
	put_switch_of(&m, 400, 0, 8, 10, 1, 0, 120);
	open_made(&m);
	assert_int_equal(timehist_read(&t, &how, &rp, m.rec, m.world, &e), 0);
	assert_string_equal(buf_text(&text), want);
	timehist_release(&t);
	traced_close(&m);
	vec_release(&how.prio_list.ranges);
}

static void history_has_priorities(void **state)
{
	(void)state;
	prios_are(NULL, "100:98>98 200:120>129 300:120>120 400:10>10 ");
	prios_are("0-99", "100:98>98 400:10>10 ");
	prios_are("129", "");
	prios_are("1,120", "200:120>129 300:120>120 ");
}

static int note_pre_migration(void *ctx, struct timehist *t, const struct timehist_row *row)
{
	(void)t;
	assert_int_equal(row->kind, TIMEHIST_SWITCH);
	if (row->task->thread)
		buf_printf(ctx, "%u:%u/%u ", (unsigned int)row->time,
			   (unsigned int)row->task->pre_migration, (unsigned int)row->task->delay);
	return 0;
}

/* Up to the first migration after the wake-up; a migration without a wake-up counts nothing. */
static void history_has_waits_before_migrations(void **state)
{
	const struct timehist_options how = {.pre_migrations = true};
	struct traced m = {0};
	AUTO_BUF text = {0};
	struct timehist t = {.max_cpu = 2, .show = note_pre_migration, .ctx = &text};
	struct err e = {0};
	struct replay rp;

	(void)state;
	put_switch(&m, 100, 0, 7, 1, 0);
	put_wakeup(&m, WAKING, 150, 7);
	put_wakeup(&m, MIGRATE, 170, 7);
	put_wakeup(&m, MIGRATE, 180, 7);
	put_switch(&m, 200, 0, 0, 0, 7);
	put_switch(&m, 300, 0, 7, 0, 8);
	put_wakeup(&m, MIGRATE, 310, 7);
	put_switch(&m, 350, 0, 8, 1, 7);
	put_switch(&m, 450, 0, 7, 1, 0);
	open_made(&m);
	assert_int_equal(timehist_read(&t, &how, &rp, m.rec, m.world, &e), 0);
	assert_string_equal(buf_text(&text), "100:0/0 300:20/50 350:0/0 450:0/0 ");
	timehist_release(&t);
	traced_close(&m);
}

/* Rows of tasks that slept or ran when records were lost are uncertain, and only those. */
static void history_over_a_loss_is_uncertain(void **state)
{
	const struct timehist_options how = {0};
	struct traced m = {0};
	AUTO_BUF text = {0};
	struct timehist t = {.max_cpu = 2, .show = note_row, .ctx = &text};
	struct err e = {0};
	struct replay rp;

	(void)state;
	put_switch(&m, 100, 0, 7, 1, 8);
	put_switch(&m, 150, 0, 8, 0, 7);
	traced_put_lost(&m, 160);
	put_switch(&m, 200, 0, 7, 1, 8);
	put_switch(&m, 300, 0, 8, 1, 7);
	put_switch(&m, 350, 0, 7, 1, 8);
	open_made(&m);
	assert_int_equal(timehist_read(&t, &how, &rp, m.rec, m.world, &e), 0);
	/* 7 slept 50 and ran 50; 8 was preempted 50 and ran 100; then nothing is missing */
	assert_string_equal(buf_text(&text), "100@0 7 0/0/0 0 0; 150@0 8 0/0/0 0 50; "
					     "200@0 7 50/0/0 0 50; 300@0 8 0/0/50 0 100; "
					     "350@0 7 100/0/0 0 50; ");
	assert_int_equal(t.uncertain, 2);
	assert_int_equal(t.uncertain_ns, 100 + 150);
	timehist_release(&t);
	traced_close(&m);
}

static void spread_is_the_mean_s_error(void **state)
{
	const struct sched_spread s = {.n = 4, .mean = 10, .squares = 12};

	(void)state;
	/* sqrt(12 / 3 / 4) = 1 */
	assert_true(sched_spread_percent(&s) == 10);
	assert_true(sched_spread_percent(&(struct sched_spread){.n = 1, .mean = 10}) == 0);
}

static enum sched_map_shown note_map(void *ctx, const struct sched_map_row *row)
{
	buf_printf(ctx, "%u %s%s%s%s ", row->cpu, row->next->name, row->new_name ? "!" : "",
		   row->new_cpu ? "+" : "", row->resumed ? "^" : "");
	return SCHED_MAP_NAMED;
}

/* Like note_map(), and as if rows of CPU 0 were not shown. */
static enum sched_map_shown note_map_of_others(void *ctx, const struct sched_map_row *row)
{
	note_map(ctx, row);
	return row->cpu ? SCHED_MAP_NAMED : SCHED_MAP_NAMELESS;
}

static void tasks_have_short_names(void **state)
{
	const struct number_list all = {0};
	struct sched_map map = {.cpus = &all};
	struct traced m = {0};
	AUTO_BUF text = {0};
	struct err e = {0};

	(void)state;
	put_switch(&m, 100, 0, 7, 1, 8);
	put_switch(&m, 200, 1, 0, 0, 9);
	put_switch(&m, 300, 0, 8, 1, 0);
	put_name(&m, 350, 8, "new");
	put_switch(&m, 400, 0, 0, 0, 8);
	put_switch(&m, 500, 1, 9, 0, 8);
	open_made(&m);
	assert_int_equal(sched_map_read(&map, m.rec, m.world, note_map, &text, &e), 0);
	assert_string_equal(buf_text(&text), "0 A0!+ 1 B0!+ 0 . ! 0 A0! 1 A0 ");
	sched_map_release(&map);
	traced_close(&m);
}

static void names_are_the_same_in_a_part_of_the_time(void **state)
{
	const struct number_list all = {0};
	struct sched_map map = {.cpus = &all, .times = {350, 450}};
	struct traced m = {0};
	AUTO_BUF text = {0};
	struct err e = {0};

	(void)state;
	put_switch(&m, 100, 0, 7, 1, 8);
	put_switch(&m, 200, 1, 0, 0, 9);
	put_switch(&m, 300, 0, 8, 1, 0);
	put_switch(&m, 400, 0, 0, 0, 8);
	put_switch(&m, 450, 1, 9, 0, 8);
	put_switch(&m, 500, 0, 8, 0, 9);
	open_made(&m);
	assert_int_equal(sched_map_read(&map, m.rec, m.world, note_map, &text, &e), 0);
	assert_string_equal(buf_text(&text), "0 A0!^ 1 A0 ");
	sched_map_release(&map);
	traced_close(&m);
}

/* Tasks that run when the part begins have names in the first row that is shown, or later. */
static void names_wait_for_a_row_that_is_shown(void **state)
{
	const struct number_list all = {0};
	struct sched_map map = {.cpus = &all, .times = {350, 900}};
	struct traced m = {0};
	AUTO_BUF text = {0};
	struct err e = {0};

	(void)state;
	put_switch(&m, 100, 0, 7, 1, 8);
	put_switch(&m, 200, 1, 0, 0, 9);
	put_switch(&m, 400, 0, 8, 0, 7);
	put_switch(&m, 450, 1, 9, 0, 8);
	put_switch(&m, 500, 1, 8, 0, 9);
	open_made(&m);
	assert_int_equal(sched_map_read(&map, m.rec, m.world, note_map_of_others, &text, &e), 0);
	assert_string_equal(buf_text(&text), "0 C0!^ 1 A0!^ 1 B0! ");
	sched_map_release(&map);
	traced_close(&m);
}

static int note_done(void *ctx, uint64_t took, uint64_t cpu)
{
	++*(int *)ctx;
	assert_true(took >= 2000 && cpu >= 2000);
	return 0;
}

static void workloads_are_done_again(void **state)
{
	const struct workload_clock clock = {0};
	struct traced m = {0};
	struct workload w = {0};
	AUTO_BUF text = {0};
	struct err e = {0};
	int n = 0;

	(void)state;
	put_switch(&m, 1000, 0, 7, 1, 8);
	put_wakeup(&m, WAKING, 1500, 7); /* by task 1 */
	put_wakeup(&m, WAKING, 1600, 7); /* once more */
	put_wakeup(&m, WAKING, 1700, 8); /* it runs */
	put_switch(&m, 2000, 0, 8, 1, 7);
	put_switch(&m, 3000, 0, 7, 1, 0);
	put_switch(&m, 9000, 0, 0, 0, 7);
	open_made(&m);
	assert_int_equal(workload_read(&w, m.rec, m.world, &e), 0);
	for (size_t i = 0; i < w.tasks.n; i++) {
		buf_printf(&text, "%u:", w.tasks.at[i].tid);
		for (size_t k = 0; k < w.tasks.at[i].atoms.n; k++) {
			const struct workload_atom *a = &w.tasks.at[i].atoms.at[k];

			buf_printf(&text, " %c%u", "rsw"[a->kind],
				   a -> kind == WORKLOAD_RUN ? (unsigned int)a -> ns : a -> wait);
		}
		buf_str(&text, "; ");
	}
	assert_string_equal(buf_text(&text), "7: r0 s1 r1000 s0; 8: r1000 s0; 1: w1; 0: s0; ");
	assert_int_equal(w.double_wakeups, 1);
	assert_int_equal(w.vain_wakeups, 1);
	assert_int_equal(workload_reenact(&w, &clock, 2, note_done, &n, &e), 0);
	assert_int_equal(n, 2);
	workload_release(&w);
	traced_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_are_from_ready_to_run),
		cmocka_unit_test(waits_with_losses_are_uncertain),
		cmocka_unit_test(a_cpu_that_no_machine_has_is_damage),
		cmocka_unit_test(unknown_keys_are_refused),
		cmocka_unit_test(history_has_wait_delay_and_run),
		cmocka_unit_test(history_has_priorities),
		cmocka_unit_test(history_has_waits_before_migrations),
		cmocka_unit_test(history_over_a_loss_is_uncertain),
		cmocka_unit_test(spread_is_the_mean_s_error),
		cmocka_unit_test(tasks_have_short_names),
		cmocka_unit_test(names_are_the_same_in_a_part_of_the_time),
		cmocka_unit_test(names_wait_for_a_row_that_is_shown),
		cmocka_unit_test(workloads_are_done_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
