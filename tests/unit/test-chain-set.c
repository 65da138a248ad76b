// SPDX-License-Identifier: MIT
#include "unit.h"

#include "profile/samples/chain_set.h"

#define LONGEST 40

static void holds(const struct chain_set *set, uint32_t id, const uint32_t *ids, uint32_t n)
{
	struct chain_room room = {{0}};
	struct chain c = chain_set_read(set, id, &room);

	assert_int_equal(chain_set_length(set, id), n);
	assert_int_equal(c.n, n);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(c.at[i], ids[i]);
		assert_int_equal(chain_set_frame(set, id, i), ids[i]);
	}
	vec_release(&room.ids);
}

/* The n innermost frames of one long chain, or with outer the outermost. */
static const uint32_t *part_of(uint32_t *room, uint32_t n, bool outer)
{
	for (uint32_t i = 0; i < LONGEST; i++)
		room[i] = 100 + i;
	return outer ? room + LONGEST - n : room;
}

static void chains_of_any_length_come_back(void **state)
{
	struct chain_set set = {0};
	uint32_t room[LONGEST];

	(void)state;
	for (uint32_t n = 1; n <= LONGEST; n++) {
		assert_int_equal(chain_set_put(&set, part_of(room, n, true), n), n - 1);
		holds(&set, n - 1, part_of(room, n, true), n);
	}
	for (uint32_t n = 1; n < LONGEST; n++)
		assert_int_equal(chain_set_put(&set, part_of(room, n, false), n), LONGEST + n - 1);
	for (uint32_t n = 1; n <= LONGEST; n++)
		holds(&set, n - 1, part_of(room, n, true), n);
	for (uint32_t n = 1; n < LONGEST; n++)
		holds(&set, LONGEST + n - 1, part_of(room, n, false), n);
	chain_set_release(&set);
}

static void equal_chains_have_one_id(void **state)
{
	struct chain_set set = {0};
	uint32_t room[LONGEST];

	(void)state;
	for (int again = 0; again < 2; again++)
		for (uint32_t n = 1; n <= LONGEST; n++)
			assert_int_equal(chain_set_put(&set, part_of(room, n, true), n), n - 1);
	assert_int_equal(set.all.n, LONGEST);
	assert_int_equal(chain_set_put(&set, NULL, 0), HASH_NONE);
	chain_set_release(&set);
}

/* 1000 chains of different innermost frames, whose 32 callers are the same. */
static void shared_callers_are_held_once(void **state)
{
	struct chain_set set = {0};
	uint32_t ids[33], other[8] = {51, 52, 53, 54, 55, 56, 57, 58};

	(void)state;
	for (uint32_t i = 0; i < 33; i++)
		ids[i] = i;
	for (uint32_t i = 0; i < 1000; i++) {
		ids[0] = 1000 + i;
		chain_set_put(&set, ids, 33);
		chain_set_put(&set, other, 8); /* the chain before it has other callers */
	}
	assert_int_equal(set.all.n, 1001);
	assert_int_equal(set.ids.n, 32 + 1000 + 8); /* the innermost block has one frame */
	ids[0] = 1999;
	assert_int_equal(chain_set_put(&set, ids, 33), set.all.n - 1);
	holds(&set, (uint32_t)set.all.n - 1, ids, 33);
	chain_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_of_any_length_come_back),
		cmocka_unit_test(equal_chains_have_one_id),
		cmocka_unit_test(shared_callers_are_held_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
