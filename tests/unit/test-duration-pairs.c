// SPDX-License-Identifier: MIT
/* Time between two events, of recordings made in memory. */
#include "tracepoints.h"

#include "analysis/durations/durations.h"

enum { BEGIN = 1, END, IN, OUT }; /* kinds for traced_put() */

#define FORMAT(name, id)                                                                           \
	"name: " name "\nID: " id "\nformat:\n"                                                    \
	"\tfield:u64 v;\toffset:0;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n"

static const char *const formats[] = {FORMAT("begin", "1"), FORMAT("end", "2"), FORMAT("in", "3"),
				      FORMAT("out", "4")};

struct made {
	struct traced t;
	struct durations d;
};

static void put_event(struct made *m, int event, uint64_t time, uint32_t tid, uint64_t value)
{
	m->t.pid = 7;
	traced_put(&m->t, event, time, 0, tid, &value, sizeof(value));
}

static int read_made(struct made *m, struct err *e)
{
	traced_open(&m->t, "toy", formats, ARRAY_SIZE(formats));
	return durations_read(&m->d, m->t.rec, m->t.world, e);
}

static void close_made(struct made *m)
{
	durations_release(&m->d);
	traced_close(&m->t);
}

/* Rows: "NAME N calls, NS, most NS, LEFT left, CUT cut, OPEN open, BEFORE before; ". */
static void rows_are(struct made *m, const char *want)
{
	struct err e = {0};
	AUTO_BUF text = {0};

	if (read_made(m, &e))
		fail_msg("%s", e.text);
	for (size_t i = 0; i < m->d.functions.n; i++) {
		const struct duration_function *f = &m->d.functions.at[i];

		buf_printf(&text, "%s %u calls, %u, most %u, %u left, %u open, %u before; ",
			   f->name, (unsigned int)f->calls.n, (unsigned int)f->total_ns,
			   (unsigned int)f->calls.max, (unsigned int)f->left, (unsigned int)f->open,
			   (unsigned int)f->before);
	}
	assert_string_equal(buf_text(&text), want);
	close_made(m);
}

static void add(struct made *m, const char *typed)
{
	struct err e = {0};

	assert_int_equal(durations_add_pair(&m->d, typed, &e), 0);
}

static void ends_belong_to_the_last_beginning_of_their_thread(void **state)
{
	struct made m = {0};

	(void)state;
	put_event(&m, END, 50, 8, 0);
	put_event(&m, BEGIN, 100, 8, 0);
	put_event(&m, BEGIN, 110, 9, 0);
	put_event(&m, BEGIN, 120, 8, 0); /* inside of the first one */
	put_event(&m, END, 150, 8, 0);
	put_event(&m, END, 200, 8, 0);
	put_event(&m, END, 310, 9, 0);
	put_event(&m, BEGIN, 400, 9, 0);
	add(&m, "toy:begin,toy:end");
	rows_are(&m, "toy:begin .. toy:end 3 calls, 300, most 200, 0 left, 1 open, 1 before; ");
}

static void pairs_may_overlap(void **state)
{
	struct made m = {0};

	(void)state;
	put_event(&m, BEGIN, 100, 8, 0);
	put_event(&m, IN, 110, 8, 0);
	put_event(&m, IN, 120, 8, 0);
	put_event(&m, END, 150, 8, 0);
	put_event(&m, OUT, 170, 8, 0);
	put_event(&m, BEGIN, 180, 8, 0);
	put_event(&m, OUT, 210, 8, 0);
	put_event(&m, END, 220, 8, 0);
	add(&m, "toy:begin,toy:end");
	add(&m, "toy:in,toy:out");
	rows_are(&m, "toy:begin .. toy:end 2 calls, 90, most 50, 0 left, 0 open, 0 before; "
		     "toy:in .. toy:out 2 calls, 100, most 100, 0 left, 0 open, 0 before; ");
}

static void a_value_names_the_beginning_in_any_thread(void **state)
{
	struct made m = {0}, by_value = {.d.by_value = true};

	(void)state;
	for (struct made *to = &m;; to = &by_value) {
		put_event(to, BEGIN, 100, 8, 1);
		put_event(to, BEGIN, 110, 8, 2);
		put_event(to, END, 130, 9, 1);
		put_event(to, END, 150, 8, 2);
		put_event(to, END, 160, 8, 3);
		put_event(to, BEGIN, 200, 8, 1);
		put_event(to, BEGIN, 210, 9, 1); /* again: the first one is gone */
		put_event(to, END, 220, 9, 1);
		put_event(to, BEGIN, 300, 8, 5);
		add(to, "toy:begin,toy:end,v");
		if (to == &by_value)
			break;
	}
	rows_are(&m, "toy:begin .. toy:end 3 calls, 80, most 40, 1 left, 1 open, 1 before; ");
	rows_are(&by_value,
		 "toy:begin .. toy:end v=1 2 calls, 40, most 30, 1 left, 0 open, 0 before; "
		 "toy:begin .. toy:end v=2 1 calls, 40, most 40, 0 left, 0 open, 0 before; "
		 "toy:begin .. toy:end v=3 0 calls, 0, most 0, 0 left, 0 open, 1 before; "
		 "toy:begin .. toy:end v=5 0 calls, 0, most 0, 0 left, 1 open, 0 before; ");
}

static void wrong_pairs_are_refused(void **state)
{
	static const char *const wrong[] = {"", ",", "a,", ",b", "a,b,", "a,b,c,d", "a,,v", ",b,v"};
	struct durations d = {0};
	struct err e = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(durations_add_pair(&d, wrong[i], &e), -1);
	assert_int_equal(d.pairs.n, 0);
	for (size_t i = 0; i < EVENT_PAIRS_MAX; i++)
		assert_int_equal(durations_add_pair(&d, "toy:x", &e), 0);
	assert_string_equal(d.pairs.at[3].begin, "toy:x__entry");
	assert_string_equal(d.pairs.at[3].end, "toy:x__return");
	assert_int_equal(durations_add_pair(&d, "toy:x", &e), -1);
	durations_release(&d);
}

static void events_that_are_not_there_are_named(void **state)
{
	struct made m = {0}, same = {0}, field = {0};
	struct err e = {0};

	(void)state;
	add(&m, "toy:begin,toy:nothing");
	assert_int_equal(read_made(&m, &e), -1);
	assert_string_equal(e.text, "the recording has no event 'toy:nothing'");
	close_made(&m);
	add(&same, "toy:begin,sdt_toy:begin");
	assert_int_equal(read_made(&same, &e), -1);
	close_made(&same);
	put_event(&field, BEGIN, 100, 8, 1);
	add(&field, "toy:begin,toy:end,nothing");
	assert_int_equal(read_made(&field, &e), -1);
	close_made(&field);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_belong_to_the_last_beginning_of_their_thread),
		cmocka_unit_test(pairs_may_overlap),
		cmocka_unit_test(a_value_names_the_beginning_in_any_thread),
		cmocka_unit_test(wrong_pairs_are_refused),
		cmocka_unit_test(events_that_are_not_there_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
