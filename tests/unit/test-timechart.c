// SPDX-License-Identifier: MIT
/* When tasks ran, waited and were blocked, of recordings made in memory. */
#include "tracepoints.h"

#include "analysis/timechart/timechart.h"

#include <stdio.h>

enum { SWITCH = 1, WAKEUP };

#define FIELD(name, at) "\tfield:unsigned long " name ";\toffset:" at ";\tsize:8;\tsigned:0;\n"
#define FORMAT(name, id, fields)                                                                   \
	"name: " name "\nID: " id "\nformat:\n" fields "\nprint fmt: \"\"\n"

static const char *const sched_formats[] = {
	FORMAT("sched_switch", "1",
	       FIELD("prev_pid", "0") FIELD("next_pid", "8") FIELD("prev_state", "16")),
	FORMAT("sched_wakeup", "2",
	       FIELD("pid", "0") FIELD("common_pid", "8") FIELD("common_flags", "16")),
};
static const char *const power_formats[] = {
	FORMAT("cpu_idle", "1", FIELD("state", "0") FIELD("cpu_id", "8")),
	FORMAT("cpu_frequency", "2", FIELD("state", "0") FIELD("cpu_id", "8")),
};

static const char *const call_formats[] = {
	FORMAT("sys_enter_read", "1", FIELD("fd", "8")),
	FORMAT("sys_exit_read", "2", FIELD("ret", "8")),
	FORMAT("sys_enter_fsync", "3", FIELD("fd", "8")),
	FORMAT("sys_exit_fsync", "4", FIELD("ret", "8")),
	FORMAT("sys_enter_sync", "5", ""), /* takes no file */
};

static void put_words(struct traced *m, int kind, uint64_t time, uint32_t cpu, uint64_t a,
		      uint64_t b, uint64_t c)
{
	const uint64_t raw[4] = {a, b, c, 0};

	traced_put(m, kind, time, cpu, 7, raw, sizeof(raw));
}

static void put_name(struct traced *m, uint32_t tid, const char *name)
{
	struct record r = {.header.type = RECORD_COMM, .id = {.time = 500, .id = 100}};

	r.comm = (struct rec_comm){tid, tid, name};
	assert_int_equal(record_encode(&r, TRACED, true, &m->data), 0);
}

static void chart_of(struct traced *m, const char *system, const char *const *formats,
		     struct timechart *t)
{
	static const struct timechart_options how = {.io_min_time = 50, .io_merge_dist = 100};
	struct err e = {0};

	traced_open(m, system, formats, formats == call_formats ? ARRAY_SIZE(call_formats) : 2);
	timechart_init(t, &how);
	assert_int_equal(timechart_read(t, m->rec, m->world, &e), 0);
}

static void check_span(const struct timechart_span *s, enum timechart_state state, uint64_t start,
		       uint64_t end)
{
	assert_int_equal(s->state, state);
	assert_int_equal(s->start, start);
	assert_int_equal(s->end, end);
}

static void a_task_is_blocked_then_waits_then_runs(void **state)
{
	const struct timechart_comm *comm;
	struct traced m = {0};
	struct timechart t;

	(void)state;
	put_name(&m, 7, "seven");
	put_words(&m, SWITCH, 1000, 0, 8, 7, 1); /* 7 runs */
	put_words(&m, SWITCH, 1500, 0, 7, 8, 2); /* is blocked */
	put_words(&m, WAKEUP, 1800, 0, 7, 8, 0);
	put_words(&m, SWITCH, 2000, 1, 8, 7, 1); /* runs again, on another CPU */
	put_words(&m, WAKEUP, 2100, 1, 9, 7, 8); /* by an interrupt */
	put_words(&m, SWITCH, 2500, 1, 7, 8, 1);
	chart_of(&m, "sched", sched_formats, &t);
	assert_non_null(timechart_task_find(&t, 7));
	assert_null(timechart_task_find(&t, 77));
	comm = &t.comms.at[timechart_task_find(&t, 7)->current];
	assert_string_equal(intern_text(&t.names, comm->name), "seven");
	assert_int_equal(comm->ran, 1000);
	assert_int_equal(comm->start, 1000);
	assert_int_equal(comm->end, 2500);
	assert_int_equal(comm->spans.n, 4);
	check_span(&comm->spans.at[0], TIMECHART_RUNNING, 1000, 1500);
	check_span(&comm->spans.at[1], TIMECHART_BLOCKED, 1500, 1800);
	check_span(&comm->spans.at[2], TIMECHART_WAITING, 1800, 2000);
	check_span(&comm->spans.at[3], TIMECHART_RUNNING, 2000, 2500);
	assert_int_equal(comm->spans.at[3].cpu, 1);
	assert_int_equal(t.wakes.n, 2);
	assert_int_equal(t.wakes.at[0].waker, 8);
	assert_false(t.wakes.at[0].by_interrupt);
	assert_true(t.wakes.at[1].by_interrupt);
	assert_int_equal(t.cpus, 1);
	timechart_release(&t);
	traced_close(&m);
}

static void a_run_without_its_end_is_known_as_far_as_it_was_seen(void **state)
{
	const uint64_t left[4] = {8, 9, 1, 0};
	const struct timechart_comm *comm;
	struct traced m = {0};
	struct timechart t;

	(void)state;
	put_name(&m, 7, "seven");
	put_words(&m, SWITCH, 1000, 0, 8, 7, 1); /* 7 runs */
	put_words(&m, WAKEUP, 1200, 0, 9, 7, 0); /* and is seen there */
	/* another leaves: when 7 did is not recorded */
	traced_put(&m, SWITCH, 2000, 0, 8, left, sizeof(left));
	put_words(&m, SWITCH, 5000, 1, 8, 7, 1);
	put_words(&m, SWITCH, 6000, 2, 7, 8, 1); /* it has come to another CPU */
	put_words(&m, SWITCH, 7000, 2, 8, 7, 1);
	put_words(&m, SWITCH, 8000, 2, 7, 8, 1);
	chart_of(&m, "sched", sched_formats, &t);
	comm = &t.comms.at[timechart_task_find(&t, 7)->current];
	assert_int_equal(comm->spans.n, 3);
	check_span(&comm->spans.at[0], TIMECHART_RUNNING, 1000, 5000);
	assert_int_equal(comm->spans.at[0].known, 1200);
	check_span(&comm->spans.at[1], TIMECHART_RUNNING, 5000, 6000);
	assert_int_equal(comm->spans.at[1].known, 5000);
	check_span(&comm->spans.at[2], TIMECHART_RUNNING, 7000, 8000);
	assert_int_equal(comm->spans.at[2].known, 8000);
	timechart_release(&t);
	traced_close(&m);
}

static void idle_states_and_frequencies_have_spans(void **state)
{
	struct traced m = {0};
	struct timechart t;

	(void)state;
	put_words(&m, 1, 1000, 0, 2, 0, 0);
	put_words(&m, 2, 1200, 0, 1500000, 0, 0);
	put_words(&m, 1, 1400, 0, UINT32_MAX, 0, 0);
	put_words(&m, 1, 1500, 0, UINT32_MAX, 5, 0); /* its beginning is not there */
	put_words(&m, 1, 1500, 0, 1, 4000000000, 0); /* no such CPU */
	put_words(&m, 2, 1600, 0, 90000000, 0, 0);   /* no such frequency */
	chart_of(&m, "power", power_formats, &t);
	assert_int_equal(t.power.n, 3);
	assert_false(t.power.at[0].idle);
	assert_int_equal(t.power.at[0].end, 1200);
	assert_true(t.power.at[1].idle);
	assert_int_equal(t.power.at[1].start, 1000);
	assert_int_equal(t.power.at[1].end, 1400);
	assert_int_equal(t.power.at[1].value, 2);
	assert_int_equal(t.power.at[2].value, 1500000);
	assert_int_equal(t.power.at[2].end, 1600);
	assert_int_equal(t.max_frequency, 1500000);
	timechart_release(&t);
	traced_close(&m);
}

/* A call of task 7: of kind and kind + 1. */
static void put_call(struct traced *m, int kind, uint64_t from, uint64_t to, uint64_t fd,
		     int64_t ret)
{
	put_words(m, kind, from, 0, 0, fd, 0);
	put_words(m, kind + 1, to, 0, 0, (uint64_t)ret, 0);
}

static void check_io(const struct timechart_io *io, const char *want)
{
	char text[128];

	snprintf(text, sizeof(text), "%llu-%llu %llu bytes error %d fd %d merges %u",
		 (unsigned long long)io->start, (unsigned long long)io->end,
		 (unsigned long long)io->bytes, io->error, io->fd, io->merges);
	assert_string_equal(text, want);
}

static void calls_are_joined_and_lengthened(void **state)
{
	const struct timechart_comm *comm;
	struct traced m = {0};
	struct timechart t;

	(void)state;
	put_words(&m, 2, 900, 0, 0, 4, 0); /* its beginning is not there */
	put_call(&m, 1, 1000, 1100, 3, 10);
	put_call(&m, 1, 1150, 1250, 3, 20);  /* near to it: one */
	put_call(&m, 1, 1300, 1310, 4, 5);   /* another file, and short: 50 long */
	put_call(&m, 1, 1320, 1400, 4, -11); /* cuts the one before, and failed */
	put_call(&m, 1, 1410, 1420, 4, 7);
	put_call(&m, 3, 5000, 5500, 4, 0);  /* has no bytes */
	put_words(&m, 1, 6000, 0, 0, 4, 0); /* its end is not there */
	put_words(&m, 5, 7000, 0, 0, 4, 0);
	put_name(&m, 7, "seven");
	chart_of(&m, "syscalls", call_formats, &t);
	assert_int_equal(t.io_events, 6);
	assert_int_equal(t.comms.n, 1);
	comm = &t.comms.at[timechart_task_find(&t, 7)->current];
	assert_string_equal(intern_text(&t.names, comm->name), "seven");
	assert_int_equal(comm->bytes, 42);
	assert_int_equal(comm->max_bytes, 30);
	assert_int_equal(comm->start, 1000);
	assert_int_equal(comm->ios.n, 5);
	check_io(&comm->ios.at[0], "1000-1250 30 bytes error 0 fd 3 merges 1");
	check_io(&comm->ios.at[1], "1300-1320 5 bytes error 0 fd 4 merges 0");
	check_io(&comm->ios.at[2], "1320-1400 0 bytes error -11 fd 4 merges 0");
	check_io(&comm->ios.at[3], "1410-1460 7 bytes error 0 fd 4 merges 0");
	check_io(&comm->ios.at[4], "5000-5500 0 bytes error 0 fd 4 merges 0");
	assert_int_equal(comm->ios.at[4].kind, TIMECHART_SYNC);
	timechart_release(&t);
	traced_close(&m);
}

static void a_part_is_cut_out(void **state)
{
	const struct time_range part = {1200, 2050};
	const struct timechart_comm *comm;
	struct traced m = {0};
	struct timechart t;

	(void)state;
	put_name(&m, 7, "seven");
	put_name(&m, 8, "eight");
	put_words(&m, SWITCH, 1000, 0, 8, 7, 1);
	put_words(&m, SWITCH, 1500, 0, 7, 8, 2);
	put_words(&m, WAKEUP, 1800, 0, 7, 8, 0);
	put_words(&m, SWITCH, 2000, 1, 8, 7, 1);
	put_words(&m, WAKEUP, 2100, 1, 9, 7, 8);
	put_words(&m, SWITCH, 2500, 1, 7, 8, 1);
	chart_of(&m, "sched", sched_formats, &t);
	timechart_clip(&t, &part);
	assert_int_equal(t.first, 1200);
	assert_int_equal(t.last, 2050);
	assert_int_equal(t.wakes.n, 1);
	comm = &t.comms.at[timechart_task_find(&t, 7)->current];
	assert_int_equal(comm->start, 1200);
	assert_int_equal(comm->end, 2050);
	assert_int_equal(comm->ran, 350);
	assert_int_equal(comm->spans.n, 4);
	check_span(&comm->spans.at[0], TIMECHART_RUNNING, 1200, 1500);
	check_span(&comm->spans.at[3], TIMECHART_RUNNING, 2000, 2050);
	timechart_clip(&t, &(const struct time_range){1600, 1900});
	assert_int_equal(comm->spans.n, 2);
	assert_int_equal(comm->ran, 0);
	check_span(&comm->spans.at[0], TIMECHART_BLOCKED, 1600, 1800);
	timechart_clip(&t, &(const struct time_range){3000, 4000}); /* there is nothing */
	assert_int_equal(comm->spans.n, 0);
	assert_int_equal(t.first, t.last);
	timechart_release(&t);
	traced_close(&m);
}

static void calls_outside_of_a_part_do_not_count(void **state)
{
	const struct timechart_comm *comm;
	struct traced m = {0};
	struct timechart t;

	(void)state;
	put_call(&m, 1, 1000, 1100, 3, 10);
	put_call(&m, 1, 2000, 2100, 3, 500);
	put_call(&m, 1, 3000, 3100, 3, 20);
	put_name(&m, 7, "seven");
	chart_of(&m, "syscalls", call_formats, &t);
	timechart_clip(&t, &(const struct time_range){0, 1050});
	comm = &t.comms.at[timechart_task_find(&t, 7)->current];
	assert_int_equal(comm->bytes, 10);
	assert_int_equal(comm->max_bytes, 10);
	assert_int_equal(comm->ios.n, 1);
	check_io(&comm->ios.at[0], "1000-1050 10 bytes error 0 fd 3 merges 0");
	timechart_release(&t);
	traced_close(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_is_blocked_then_waits_then_runs),
		cmocka_unit_test(a_run_without_its_end_is_known_as_far_as_it_was_seen),
		cmocka_unit_test(idle_states_and_frequencies_have_spans),
		cmocka_unit_test(calls_are_joined_and_lengthened),
		cmocka_unit_test(a_part_is_cut_out),
		cmocka_unit_test(calls_outside_of_a_part_do_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
