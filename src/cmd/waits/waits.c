// SPDX-License-Identifier: MIT
/* perf waits: what threads waited for, and which waits delayed the program. */
#include "cmd/options/opts_attend.h"
#include "cmd/options/opts_rows.h"
#include "view/waits/waits.h"

static const struct opt_group groups[] = {{attend_opts, 0}, {attend_stack_opts, 0}, {0}};

struct waits_page {
	const struct attend_opts *o;
	struct out *out;
};

static int waits_present(void *ctx, struct recording *rec, struct world *world, struct err *err)
{
	const struct waits_page *p = ctx;
	const struct waits_view view = {.out = p->out, .rows = p->o->rows};
	struct waits w;
	const int status = waits_read(&w, rec, world, err);

	if (!status && p->o->json)
		waits_show_json(&view, &w);
	else if (!status && p->o->separator)
		waits_show_csv(&view, &w, rows_separator(p->o->separator));
	else if (!status)
		waits_show(&view, &w);
	waits_release(&w);
	return status;
}

static int waits_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct attend_opts *o = v;
	struct waits_page page = {o, env->out};

	return attend_wall(o, env, argc, argv, waits_present, &page, err);
}

static void waits_defaults(void *v, const struct env *env)
{
	struct attend_opts *o = v;

	attend_defaults(o, env);
	o->rows = 15;
}

static const char *const usage[] = {"waits [<options>] [<command>]",
				    "waits [-i <file>] [<options>]", NULL};

const struct cmd cmd_waits = {
	.name = "waits",
	.summary = "What threads wait for, who wakes them up, and which waits delay the program",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct attend_opts),
	.stop_at_word = true,
	.pager = true,
	.defaults = waits_defaults,
	.run = waits_run,
};
