// SPDX-License-Identifier: MIT
#include "cmd/diff/diff_browse.h"

#include "analysis/annotate/annotate.h"
#include "cmd/options/opts_code.h"
#include "view/browser/code.h"
#include "view/browser/diff_screen.h"

struct diff_browsing {
	const struct diff_side *sides;
	struct code_opts code;
};

bool diff_browses(const struct diff_opts *o, const struct env *env)
{
	if (o->stdio || o->dump || o->separator || o->quiet || o->stream ||
	    o->how.method == DIFF_CYCLES || export_wanted(&o->exports))
		return false;
	return (o->tui || config_bool(env->config, "tui.diff", true)) && screen_possible();
}

static int diff_browse_code(void *ctx, struct screen *screen, size_t table, uint32_t event,
			    struct dso *dso, const struct symbol *sym, struct err *err)
{
	const struct diff_browsing *b = ctx;
	const struct diff_side *side = &b->sides[table];
	const struct code_options options = {.disasm = b->code.disasm,
					     .view = {.percent_type = b->code.percent_type,
						      .look = b->code.look}};
	AUTO(table) *instructions = diff_side_code_table(side, err);
	struct annotate a;
	int key;

	if (!instructions || table_make(instructions, side->samples, err))
		return 0;
	annotate_init(&a, instructions, &instructions->events.at[event]);
	key = code_browse(screen, &options, &a, dso, sym, err);
	annotate_release(&a);
	return key;
}

int diff_browse_sides(const struct diff_side *sides, const struct table *const *tables, size_t n,
		      const struct diff_view *view, const struct env *env, struct err *err)
{
	struct diff_browsing b = {.sides = sides};
	const struct diff_code code = {.show = diff_browse_code, .ctx = &b};
	struct screen *screen;

	code_opts_defaults(&b.code, env);
	if (code_opts_check(&b.code, err))
		return -1;
	screen = screen_open(err);
	if (!screen)
		return -1;
	diff_browse(screen, tables, n, view, &code);
	screen_close(screen);
	return 0;
}
