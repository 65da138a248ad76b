// SPDX-License-Identifier: MIT
/* Flame graphs of tables. */
#include "reported.h"

#include "analysis/flame.h"

/* Boxes of a flame graph, a line each: depth, name, [start, start + period), samples, self. */
static const char *flame_text(struct fixture *f)
{
	struct flame flame;

	flame_make(&flame, f->table, 0);
	buf_clear(&f->text);
	for (size_t i = 0; i < flame.boxes.n; i++) {
		const struct flame_box *b = &flame.boxes.at[i];
		const struct frame *frame =
			b->frame == HASH_NONE ? NULL : table_frame(f->table, b->frame);

		buf_fill(&f->text, ' ', b->depth);
		buf_printf(&f->text, "%s %llu+%llu (%llu) self %llu ends at %u\n",
			   !frame		? "all"
			   : frame->where->name ? frame->where->name
						: "?",
			   (unsigned long long)b->start, (unsigned long long)b->period,
			   (unsigned long long)b->samples, (unsigned long long)b->self, b->end);
	}
	flame_release(&flame);
	return buf_text(&f->text);
}

/* Callers above what they called, the widest first, whatever order the report has; threads and
 * filters are those of the table. */
static void flame_graphs_are_made_of_tables(void **state)
{
	struct table_options ways[] = {{.chains = true, .caller_order = true, .children = true},
				       {.chains = true}};
	struct fixture *f = begin(1, true);

	(void)state;
	put_chain(f, 1, 10, "102"); /* callers stand behind: gamma called alpha called beta */
	put_chain(f, 1, 30, "02");
	put_chain(f, 2, 20, "102");
	put_chain(f, 2, 5, "12");
	put_chain(f, 2, 1, "2");
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		make_table(f, &ways[i], "comm,sym");
		assert_string_equal(flame_text(f), "all 0+66 (5) self 0 ends at 5\n"
						   " gamma 0+66 (5) self 1 ends at 5\n"
						   "  alpha 0+60 (3) self 30 ends at 4\n"
						   "   beta 0+30 (2) self 30 ends at 4\n"
						   "  beta 60+5 (1) self 5 ends at 5\n");
		forget_table(f);
		ways[i].zoom.comm = "two";
		make_table(f, &ways[i], "comm,sym");
		assert_string_equal(flame_text(f), "all 0+26 (3) self 0 ends at 5\n"
						   " gamma 0+26 (3) self 1 ends at 5\n"
						   "  alpha 0+20 (1) self 0 ends at 4\n"
						   "   beta 0+20 (1) self 20 ends at 4\n"
						   "  beta 20+5 (1) self 5 ends at 5\n");
		forget_table(f);
	}
	end(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flame_graphs_are_made_of_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
