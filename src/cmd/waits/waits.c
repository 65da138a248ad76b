// SPDX-License-Identifier: MIT
/* perf waits: what threads waited for, and which waits delayed the program. */
#include "cmd/options/opts_attend.h"
#include "cmd/options/opts_rows.h"
#include "view/waits/waits.h"

struct waits_opts {
	struct attend_opts common;
};

#define AT(field) offsetof(struct waits_opts, field)

static const struct opt options[] = {
	{OPT_STRING, 0, "call-graph", AT(common.call_graph), "mode",
	 "how stacks are recorded:", .words = "fp dwarf lbr"},
	{OPT_BOOL, 'f', "force", AT(common.input.force), NULL,
	 "read a file that belongs to somebody else"},
	{OPT_STRING, 'x', "field-separator", AT(common.separator), "separator",
	 "rows for programs, all times in ns, separated by this"},
	{OPT_END},
};

static const struct opt_group groups[] = {{attend_opts, AT(common)}, {options, 0}, {0}};

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
	struct waits_opts *o = v;
	struct waits_page page = {&o->common, env->out};
	struct command_words w = {0};
	int status, got;

	if (attend_check(&o->common, argc, 'x', err))
		return -1;
	if (attend_records(&o->common, argc)) {
		attend_words(&w);
		command_words_add(&w, "--wall");
		command_words_add_option(&w, "--call-graph", o->common.call_graph);
		got = attend_run(&o->common, &w, argv, &status, err);
		if (got <= 0)
			return got ? got : status;
	}
	return attend_show(&o->common, env, waits_present, &page, err);
}

static void waits_defaults(void *v, const struct env *env)
{
	struct waits_opts *o = v;

	attend_defaults(&o->common, env);
	o->common.rows = 15;
}

static const char *const usage[] = {"waits [<options>] [<command>]",
				    "waits [-i <file>] [<options>]", NULL};

const struct cmd cmd_waits = {
	.name = "waits",
	.summary = "What threads wait for, who wakes them up, and which waits delay the program",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct waits_opts),
	.stop_at_word = true,
	.pager = true,
	.defaults = waits_defaults,
	.run = waits_run,
};
