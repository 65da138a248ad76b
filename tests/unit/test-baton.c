// SPDX-License-Identifier: MIT
#include "unit.h"

#include "base/baton.h"

/* What both threads change, without a lock of its own. */
struct counted {
	unsigned int by_worker, most, offers;
};

static void count_and_offer(struct baton *b, void *ctx)
{
	struct counted *c = ctx;

	while (c->by_worker < c->most) {
		/* two halves of a step, between which the owner must never look */
		for (int half = 0; half < 2; half++)
			*(volatile unsigned int *)&c->by_worker += 1;
		c->offers++;
		baton_offer(b);
	}
}

static void the_worker_begins_when_it_is_given_the_baton(void **state)
{
	struct counted c = {.most = 2};
	struct baton *b = baton_new(count_and_offer, &c, &(struct err){0});

	(void)state;
	assert_non_null(b);
	assert_false(baton_ended(b));
	assert_int_equal(c.by_worker, 0);
	assert_true(baton_wait(b, 40000));
	assert_true(baton_ended(b));
	assert_int_equal(c.by_worker, 2);
	baton_free(b);
}

static void the_owner_sees_whole_steps_only(void **state)
{
	struct counted c = {.most = UINT32_MAX - 1};
	struct baton *b = baton_new(count_and_offer, &c, &(struct err){0});
	unsigned int before = 0, looks = 0;

	(void)state;
	while (looks < 200) {
		unsigned int offers;

		baton_give(b);
		baton_take(b);
		offers = c.offers;
		assert_int_equal(c.by_worker % 2, 0);
		assert_true(c.by_worker >= before);
		assert_int_equal(c.by_worker, 2 * offers);
		before = c.by_worker;
		looks++;
	}
	assert_false(baton_ended(b));
	c.most = 0; /* the next step is its last one */
	assert_true(baton_wait(b, 40000));
	baton_free(b);
}

static void a_worker_that_was_never_waited_for_ends_by_itself(void **state)
{
	struct counted c = {.most = 1000};
	struct baton *b = baton_new(count_and_offer, &c, &(struct err){0});

	(void)state;
	baton_free(b);
	assert_int_equal(c.by_worker, 1000);
	baton_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worker_begins_when_it_is_given_the_baton),
		cmocka_unit_test(the_owner_sees_whole_steps_only),
		cmocka_unit_test(a_worker_that_was_never_waited_for_ends_by_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
