// SPDX-License-Identifier: MIT
#include "unit.h"

#include "profile/table/calltree.h"
#include "view/report/callgraph.h"

/* Frames are letters; rank is alphabetical. Chains stand callee first. */
static const char names[] = "abcdefgh";
static const uint32_t ranks[] = {0, 1, 2, 3, 4, 5, 6, 7};

static const uint32_t cba[] = {2, 1, 0}, dba[] = {3, 1, 0}, ba[] = {1, 0}, ea[] = {4, 0};

static void chains_init(struct chain_set *chains)
{
	*chains = (struct chain_set){0};
	chain_set_put(chains, cba, 3);
	chain_set_put(chains, dba, 3);
	chain_set_put(chains, ba, 2);
	chain_set_put(chains, ea, 2);
}

static void frame_name(void *ctx, uint32_t frame, struct buf *out)
{
	(void)ctx;
	buf_char(out, names[frame]);
}

static void check(struct calltree_params params, struct chain_hit *hits, size_t n, uint64_t total,
		  uint64_t row, const char *want)
{
	struct arena arena = {0};
	struct chain_set chains;
	struct out out = {.fd = -1};
	struct callgraph_view v = {
		.params = &params, .total = total, .row_period = row,
		.min_hit = (uint64_t)((double)total * (params.min_percent / 100.0)),
		.frame_name = frame_name,
	};

	chains_init(&chains);
	/* whole, and without what is not shown: where that is said of parents it is known
	 * only then */
	for (int pruned = 0; pruned < 2; pruned++) {
		uint64_t min_hit = pruned && params.mode != CALLTREE_FRACTAL ? v.min_hit : 0;

		out.buf.n = 0;
		callgraph_show(
			&v, calltree_build(&arena, &chains, ranks, params.order, min_hit, hits, n),
			&out);
		assert_string_equal(buf_text(&out.buf), want);
	}
	buf_release(&out.buf);
	arena_release(&arena);
	chain_set_release(&chains);
}

static void chains_that_part_make_a_tree(void **state)
{
	struct chain_hit hits[] = {
		{3, 1, 10, 1}, {1, 2, 30, 3}, {2, 1, 20, 2}, {0, 2, 40, 4}};
	struct calltree_params p;

	(void)state;
	calltree_params_default(&p, true);
	check(p, hits, 4, 200, 100,
	      "            |\n"
	      "            ---a\n"
	      "               |          \n"
	      "               |--45.00%--b\n"
	      "               |          |          \n"
	      "               |          |--20.00%--c\n"
	      "               |          |          \n"
	      "               |           --15.00%--d\n"
	      "               |          \n"
	      "                --5.00%--e\n"
	      "\n");
	p.mode = CALLTREE_FRACTAL;
	p.min_percent = 15;
	check(p, hits, 4, 200, 100,
	      "            |\n"
	      "            ---a\n"
	      "               |          \n"
	      "               |--90.00%--b\n"
	      "               |          |          \n"
	      "               |          |--57.14%--c\n"
	      "               |          |          \n"
	      "               |           --42.86%--d\n"
	      "                --10.00%--[...]\n"
	      "\n");
}

static void chains_by_themselves(void **state)
{
	struct chain_hit hits[] = {{0, 0, 60, 6}, {1, 1, 30, 3}, {2, 0, 10, 1}};
	struct calltree_params p;

	(void)state;
	calltree_params_default(&p, false);
	p.mode = CALLTREE_FOLDED;
	check(p, hits, 3, 100, 100, "60.00% c;b;a\n40.00% b;a\n");
	p.mode = CALLTREE_FOLDED;
	p.value = CALLTREE_COUNT;
	p.print_limit = 1;
	check(p, hits, 3, 100, 100, "6 c;b;a\n");
}

static void a_piece_begins_where_the_row_is(void **state)
{
	struct chain_hit hits[] = {{0, 1, 60, 6}, {1, 1, 40, 4}};
	struct calltree_params p;

	(void)state;
	calltree_params_default(&p, true);
	check(p, hits, 2, 100, 100,
	      "            |\n"
	      "            ---b\n"
	      "               |          \n"
	      "               |--60.00%--c\n"
	      "               |          \n"
	      "                --40.00%--d\n"
	      "\n");
}

/* Two dsos, three addresses without one and an inlined function: in the order of siblings of one
 * weight. */
static void frames_are_ranked_by_place(void **state)
{
	const struct dso first = {.index = 1}, last = {.index = 2};
	const struct symbol sym = {.start = 0x10, .end = 0x20};
	const struct frame_where nowhere = {0},
				 in_f = {.dso = (struct dso *)(uintptr_t)&first,
					 .sym = &sym,
					 .name = "f",
					 .shift = -0x5000ull},
				 in_g = {.dso = (struct dso *)(uintptr_t)&first,
					 .sym = &sym,
					 .name = "g",
					 .shift = -0x5000ull},
				 in_last = {.dso = (struct dso *)(uintptr_t)&last};
	struct frame made[] = {
		{.ip = 0x7000, .where = &nowhere},
		{.ip = 0x5010, .where = &in_f},
		{.ip = 0xffff0000ffff0000, .where = &nowhere},
		{.ip = 0x501f, .where = &in_f},
		{.ip = 0x7000, .where = &nowhere, .space = 1},
		{.ip = 0x4000, .where = &in_last},
		{.ip = 0x5018, .where = &in_g, .inlined = true},
	};
	const uint32_t want[] = {3, 1, 2, 1, 3, 0, 4};
	struct frames frames = {.frames = {made, ARRAY_SIZE(made), ARRAY_SIZE(made)}};
	uint32_t *got = calltree_ranks(&frames, CALLTREE_BY_FUNCTION);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(made); i++)
		assert_int_equal(got[i], want[i]);
	free(got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_that_part_make_a_tree),
		cmocka_unit_test(chains_by_themselves),
		cmocka_unit_test(a_piece_begins_where_the_row_is),
		cmocka_unit_test(frames_are_ranked_by_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
