// SPDX-License-Identifier: MIT
/* What a thread's last walk leaves for the next one. */
#include "unit.h"

#include "symbol/unwind/trail.h"

#define FRAMES 4

/* Walks frames of the stack pointers 16, 32, ... that have these addresses; a 0 is left out. The
 * rule of a frame is its address. Returns how many the trail knew. */
static size_t walk_frames(struct trail_walk *w, struct trail *t, const uint64_t at[FRAMES])
{
	size_t known = 0;

	trail_walk_begin(w, t, 7, 1, 0);
	for (uint64_t i = 0; i < FRAMES; i++) {
		const struct trail_frame f = {at[i], 16 * (i + 1), (uint32_t)at[i]};
		const struct trail_frame *found = at[i] ? trail_walk_find(w, f.at, f.sp) : NULL;

		if (found)
			assert_int_equal(found->rule, f.rule);
		else if (at[i])
			trail_walk_add(w, &f);
		known += found != NULL;
	}
	trail_walk_end(w, 0);
	return known;
}

/* A walk that ends early leaves the outer frames: their rules hold for the next one. */
static void the_last_walk_s_frames_are_found(void **state)
{
	static const struct {
		uint64_t at[FRAMES];
		size_t known;
		uint64_t trail[FRAMES];
	} walks[] = {
		{{1, 2, 3, 4}, 0, {4, 3, 2, 1}}, {{1, 2, 3, 4}, 4, {4, 3, 2, 1}},
		{{5, 2, 3, 4}, 3, {4, 3, 2, 5}}, {{0, 0, 3, 4}, 2, {4, 3}},
		{{6, 7, 3, 4}, 2, {4, 3, 7, 6}}, {{6, 7, 8, 4}, 3, {4, 8, 7, 6}},
		{{6, 7, 8, 4}, 4, {4, 8, 7, 6}}, {{6, 7, 8, 0}, 3, {4, 8, 7, 6}},
		{{9, 9, 9, 9}, 0, {9, 9, 9, 9}}, {{0, 0, 0, 5}, 0, {5}},
	};
	struct trail_walk w = {0};
	struct trail t = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(walks); i++) {
		assert_int_equal(walk_frames(&w, &t, walks[i].at), walks[i].known);
		for (size_t k = 0; k < t.frames.n; k++)
			assert_int_equal(t.frames.at[k].at, walks[i].trail[k]);
		assert_true(t.frames.n == FRAMES || !walks[i].trail[t.frames.n]);
	}
	vec_release(&t.frames);
	vec_release(&w.inner);
}

static void another_thread_space_or_rules_drop_all_frames(void **state)
{
	static const struct {
		uint64_t thread;
		uint32_t space, forgotten;
		size_t n;
	} walks[] = {{7, 1, 0, FRAMES}, {8, 1, 0, 0}, {7, 2, 0, 0}, {7, 1, 1, 0}};
	const uint64_t at[FRAMES] = {1, 2, 3, 4};
	struct trail_walk w = {0};
	struct trail t = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(walks); i++) {
		t.frames.n = 0;
		walk_frames(&w, &t, at);
		trail_walk_begin(&w, &t, walks[i].thread, walks[i].space, walks[i].forgotten);
		assert_int_equal(t.frames.n, walks[i].n);
	}
	t.frames.n = 0;
	walk_frames(&w, &t, at);
	trail_walk_begin(&w, &t, 7, 1, 0);
	assert_non_null(trail_walk_find(&w, 1, 16));
	trail_walk_end(&w, 1); /* the rules were dropped in the middle of the walk */
	assert_int_equal(t.frames.n, 0);
	vec_release(&t.frames);
	vec_release(&w.inner);
}

/* Also where a walk leaves a trail that is as long as it may be. */
static void a_trail_is_bounded(void **state)
{
	struct trail_walk w = {0};
	struct trail t = {0};

	(void)state;
	for (uint64_t round = 0; round < 4; round++) {
		trail_walk_begin(&w, &t, 7, 1, 0);
		for (uint64_t i = 0; i < 3 * TRAIL_MOST; i++) {
			const struct trail_frame f = {round == 2 && i < 5 ? 1 : i, i, 1};

			if (!trail_walk_find(&w, f.at, f.sp))
				trail_walk_add(&w, &f);
		}
		trail_walk_end(&w, 0);
		assert_int_equal(t.frames.n, TRAIL_MOST);
	}
	vec_release(&t.frames);
	vec_release(&w.inner);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_walk_s_frames_are_found),
		cmocka_unit_test(another_thread_space_or_rules_drop_all_frames),
		cmocka_unit_test(a_trail_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
