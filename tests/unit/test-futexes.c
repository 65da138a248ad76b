// SPDX-License-Identifier: MIT
/* Who waited for which lock, of a recording of the system call futex made in memory. */
#include "tracepoints.h"

#include "analysis/futex/futexes.h"

enum { ENTER = 1, EXIT }; /* kinds for traced_put() */
enum { WAIT = 0x80, WAKE = 0x81, WAIT_BITSET = 0x189, LOCK_PI = 0x86 };

static const char *const formats[] = {
	"name: sys_enter_futex\nID: 1\nformat:\n"
	"\tfield:u32 * uaddr;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield:int op;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u32 val;\toffset:16;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n",
	"name: sys_exit_futex\nID: 2\nformat:\n"
	"\tfield:long ret;\toffset:0;\tsize:8;\tsigned:1;\n\nprint fmt: \"\"\n",
};

struct made {
	struct traced t;
	struct futexes futexes;
};

#define MADE                                                                                       \
	{                                                                                          \
		.t.pid = 7                                                                         \
	}

static void put_call(struct made *m, uint64_t time, uint32_t tid, uint64_t address, uint64_t op,
		     uint64_t value)
{
	const uint64_t raw[] = {address, op, value};

	traced_put(&m->t, ENTER, time, 0, tid, raw, sizeof(raw));
}

static void put_return(struct made *m, uint64_t time, uint32_t tid, int64_t ret)
{
	traced_put(&m->t, EXIT, time, 0, tid, &ret, sizeof(ret));
}

static void read_made(struct made *m)
{
	struct err e = {0};

	traced_open(&m->t, "syscalls", formats, ARRAY_SIZE(formats));
	if (futexes_read(&m->futexes, m->t.rec, m->t.world, &e))
		fail_msg("%s", e.text);
}

static void close_made(struct made *m)
{
	futexes_release(&m->futexes);
	traced_close(&m->t);
}

/* Rows as "KIND ADDRESS COMM waits N, NS, most NS, N retries, HOLDER; ". */
static void rows_are(struct made *m, const char *want)
{
	const struct futexes *f = &m->futexes;
	AUTO_BUF text = {0};

	for (size_t i = 0; i < f->rows.n; i++) {
		const struct futex_row *r = &f->rows.at[i];
		const struct futex_lock *l = &f->locks.at[r->lock];

		buf_printf(&text, "%s %x %s waits %u, %u, most %u, %u retries, %s%s; ",
			   futex_kind_name(l->kind), (unsigned int)l->address, r->comm,
			   (unsigned int)r->n, (unsigned int)r->ns, (unsigned int)r->max_ns,
			   (unsigned int)r->retries, r->holder ? r->holder : "-",
			   r->holders ? " and others" : "");
	}
	assert_string_equal(buf_text(&text), want);
}

static void the_holder_is_who_wakes_first(void **state)
{
	struct made m = MADE;

	(void)state;
	put_call(&m, 100, 8, 0x5000, WAIT, 2);
	put_call(&m, 110, 9, 0x5000, WAIT, 2);
	put_call(&m, 150, 7, 0x5000, WAKE, 1);
	put_return(&m, 151, 7, 1);
	put_return(&m, 160, 8, 0);
	put_call(&m, 190, 8, 0x5000, WAKE, 1); /* 9 waited for 7 first, whoever wakes it up */
	put_return(&m, 191, 8, 1);
	put_return(&m, 200, 9, 0);
	put_call(&m, 210, 9, 0x5000, WAIT, 2);
	put_call(&m, 220, 8, 0x6000, WAKE, 1); /* another lock */
	put_call(&m, 230, 8, 0x5000, WAKE, 1);
	put_return(&m, 240, 9, 0);
	read_made(&m);
	rows_are(&m, "mutex 5000 :9 waits 2, 120, most 90, 0 retries, :8 and others; "
		     "mutex 5000 :8 waits 1, 60, most 60, 0 retries, :7; ");
	assert_int_equal(m.futexes.waits, 3);
	assert_int_equal(m.futexes.ns, 180);
	assert_int_equal(m.futexes.stuck.n, 0);
	close_made(&m);
}

static void kinds_and_retries_and_waits_without_an_end(void **state)
{
	struct made m = MADE;

	(void)state;
	put_call(&m, 100, 8, 0x5000, WAIT, 2);
	put_return(&m, 105, 8, -11); /* the lock had changed */
	put_call(&m, 110, 8, 0x6000, LOCK_PI, 0);
	put_return(&m, 140, 8, 0);
	put_call(&m, 150, 7, 0x7000, WAIT_BITSET, 8); /* until thread 8 ends */
	put_call(&m, 160, 9, 0x8000, WAIT_BITSET, 0);
	put_return(&m, 200, 7, 0);
	put_call(&m, 210, 8, 0x5000, WAIT, 2);
	put_return(&m, 300, 7, 0); /* of another call */
	read_made(&m);
	rows_are(&m, "thread's end 7000 :7 waits 1, 50, most 50, 0 retries, -; "
		     "PI mutex 6000 :8 waits 1, 30, most 30, 0 retries, -; "
		     "mutex 5000 :8 waits 0, 0, most 0, 1 retries, -; ");
	assert_int_equal(m.futexes.stuck.n, 2);
	assert_int_equal(m.futexes.stuck.at[0].ns + m.futexes.stuck.at[1].ns, 90 + 140);
	close_made(&m);
}

static void waits_with_losses_are_left_out(void **state)
{
	struct record lost = {
		.header.type = RECORD_LOST,
		.id = {.time = 120, .pid = 7, .tid = 7, .id = 100, .has = SAMPLE_IDENTIFIER}};
	struct made m = MADE;

	(void)state;
	put_call(&m, 100, 8, 0x5000, WAIT, 2);
	lost.lost = (struct rec_lost){.id = 100, .lost = 3};
	assert_int_equal(record_encode(&lost, TRACED, true, &m.t.data), 0);
	put_return(&m, 160, 8, 0);
	read_made(&m);
	assert_int_equal(m.futexes.waits, 0);
	assert_int_equal(m.futexes.uncertain, 1);
	close_made(&m);
}

/* 8 holds 0x5000 and waits for 0x6000, which 7 holds; meanwhile 9 waits for 0x5000. */
static void who_holds_one_and_waits_for_another_took_them_in_this_order(void **state)
{
	struct made m = MADE;
	const struct lock_edge *e;

	(void)state;
	put_call(&m, 100, 8, 0x6000, WAIT, 2);
	put_call(&m, 110, 9, 0x5000, WAIT, 2);
	put_call(&m, 150, 7, 0x6000, WAKE, 1);
	put_return(&m, 151, 7, 1);
	put_return(&m, 160, 8, 0);
	put_call(&m, 190, 8, 0x5000, WAKE, 1);
	put_return(&m, 200, 9, 0);
	/* that wait was over when the next one for 0x5000 began */
	put_call(&m, 300, 9, 0x5000, WAIT, 2);
	put_call(&m, 320, 8, 0x5000, WAKE, 1);
	put_return(&m, 330, 9, 0);
	/* a condition that 8 signals is not held */
	put_call(&m, 400, 9, 0x7000, WAIT_BITSET, 0);
	put_call(&m, 410, 8, 0x6000, WAIT, 2);
	put_return(&m, 420, 8, 0);
	put_call(&m, 430, 8, 0x7000, WAKE, 1);
	put_return(&m, 440, 9, 0);
	read_made(&m);
	assert_int_equal(m.futexes.order.edges.n, 1);
	e = &m.futexes.order.edges.at[0];
	assert_int_equal(m.futexes.order.locks.at[e->from].address, 0x5000);
	assert_int_equal(m.futexes.order.locks.at[e->to].address, 0x6000);
	assert_int_equal(e->n, 1);
	assert_int_equal(e->tid, 8);
	assert_false(e->several);
	assert_int_equal(m.futexes.order.circles.n, 0);
	close_made(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_holder_is_who_wakes_first),
		cmocka_unit_test(kinds_and_retries_and_waits_without_an_end),
		cmocka_unit_test(waits_with_losses_are_left_out),
		cmocka_unit_test(who_holds_one_and_waits_for_another_took_them_in_this_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
