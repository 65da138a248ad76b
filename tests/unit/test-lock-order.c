// SPDX-License-Identifier: MIT
/* Circles in the order of locks, and which of them can close. */
#include "unit.h"

#include "analysis/futex/lock_order.h"
#include "base/buf.h"

static void add_locks(struct lock_order *o, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct ordered_lock lock = {.pid = 7, .address = i, .kind = "mutex"};

		vec_add(&o->locks, lock);
	}
}

static struct lock_edge *add_edge(struct lock_order *o, uint32_t from, uint32_t to, uint32_t tid)
{
	const struct lock_edge e = {.from = from, .to = to, .n = 1, .tid = tid};

	vec_add(&o->edges, e);
	return vec_last(&o->edges);
}

/* Each circle: "KIND: FROM-TO FROM-TO; ". */
static void circles_are(struct lock_order *o, const char *want)
{
	static const char *const kinds[] = {[LOCK_CIRCLE_CLOSES] = "closes",
					    [LOCK_CIRCLE_GUARDED] = "guarded",
					    [LOCK_CIRCLE_ONE_THREAD] = "one thread"};
	AUTO_BUF text = {0};

	lock_order_find(o);
	for (size_t i = 0; i < o->circles.n; i++) {
		const struct lock_circle *c = &o->circles.at[i];

		buf_printf(&text, "%s:", kinds[c->kind]);
		for (uint32_t j = 0; j < c->n; j++) {
			const struct lock_edge *e = &o->edges.at[o->steps.at[c->first + j]];

			buf_printf(&text, " %u-%u", e->from, e->to);
		}
		buf_str(&text, "; ");
	}
	assert_string_equal(buf_text(&text), want);
	lock_order_release(o);
}

static void orders_without_a_circle_have_none(void **state)
{
	struct lock_order none = {0}, o = {0};

	(void)state;
	circles_are(&none, "");
	add_locks(&o, 4);
	add_edge(&o, 0, 1, 1);
	add_edge(&o, 1, 3, 2);
	add_edge(&o, 0, 2, 3);
	add_edge(&o, 2, 3, 4);
	circles_are(&o, "");
}

static void circles_are_found_once_and_the_shortest(void **state)
{
	struct lock_order o = {0};

	(void)state;
	add_locks(&o, 6);
	add_edge(&o, 1, 0, 2);
	add_edge(&o, 0, 1, 1);
	add_edge(&o, 2, 3, 1);
	add_edge(&o, 3, 4, 2);
	add_edge(&o, 4, 5, 3);
	add_edge(&o, 5, 2, 4);
	add_edge(&o, 4, 2, 5); /* 2-3-4 is shorter than 2-3-4-5 */
	circles_are(&o, "closes: 0-1 1-0; closes: 2-3 3-4 4-2; ");
}

static void readers_block_writers_only(void **state)
{
	struct lock_order readers = {0}, writer = {0};
	struct lock_edge *e;

	(void)state;
	add_locks(&readers, 2);
	e = add_edge(&readers, 0, 1, 1);
	e->from_shared = e->to_shared = true;
	e = add_edge(&readers, 1, 0, 2);
	e->from_shared = true; /* waits as a writer for 0, but lets the other one read 1 */
	circles_are(&readers, "");
	add_locks(&writer, 2);
	e = add_edge(&writer, 0, 1, 1);
	e->from_shared = true;
	e = add_edge(&writer, 1, 0, 2);
	e->from_shared = true;
	circles_are(&writer, "closes: 0-1 1-0; ");
}

static void a_common_lock_keeps_a_circle_open(void **state)
{
	struct lock_order both = {0}, one = {0}, nested = {0};

	(void)state;
	add_locks(&both, 3);
	add_edge(&both, 0, 1, 1)->guards[0] = 1 + 2;
	add_edge(&both, 1, 0, 2)->guards[2] = 1 + 2;
	circles_are(&both, "guarded: 0-1 1-0; ");
	add_locks(&one, 3);
	add_edge(&one, 0, 1, 1)->guards[0] = 1 + 2;
	add_edge(&one, 1, 0, 2);
	circles_are(&one, "closes: 0-1 1-0; ");
	/* who goes on from 1 holds 0 all the time */
	add_locks(&nested, 3);
	add_edge(&nested, 0, 1, 1);
	add_edge(&nested, 1, 2, 1)->guards[0] = 1 + 0;
	add_edge(&nested, 2, 0, 2);
	circles_are(&nested, "guarded: 0-1 1-2 2-0; ");
}

static void one_thread_waits_for_nobody(void **state)
{
	struct lock_order one = {0}, several = {0};

	(void)state;
	add_locks(&one, 2);
	add_edge(&one, 0, 1, 1);
	add_edge(&one, 1, 0, 1);
	circles_are(&one, "one thread: 0-1 1-0; ");
	add_locks(&several, 2);
	add_edge(&several, 0, 1, 1);
	add_edge(&several, 1, 0, 1)->several = true;
	circles_are(&several, "closes: 0-1 1-0; ");
}

static void circles_have_a_bound(void **state)
{
	struct lock_order o = {0};

	(void)state;
	add_locks(&o, 1000);
	for (uint32_t i = 0; i < 999; i += 2) {
		add_edge(&o, i, i + 1, 1);
		add_edge(&o, i + 1, i, 2);
	}
	lock_order_find(&o);
	assert_int_equal(o.circles.n, LOCK_ORDER_MAX);
	lock_order_release(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_without_a_circle_have_none),
		cmocka_unit_test(circles_are_found_once_and_the_shortest),
		cmocka_unit_test(readers_block_writers_only),
		cmocka_unit_test(a_common_lock_keeps_a_circle_open),
		cmocka_unit_test(one_thread_waits_for_nobody),
		cmocka_unit_test(circles_have_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
