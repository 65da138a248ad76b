// SPDX-License-Identifier: MIT
/* perf calls: the duration of each call of a function. */
#include "cmd/calls/calls_opts.h"

#include "analysis/durations/sampled_calls.h"
#include "view/durations/durations.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define AT(field)  offsetof(struct calls_opts, field)
#define CALLS_FILE "perf.data"

static const struct opt options[] = {
	{OPT_STRING, 0, "budget", AT(budget), "percent",
	 "stop following functions whose probes cost more of the time than this"},
	{OPT_BOOL, 0, "by-value", AT(by_value), NULL, "a row for each value of the pairs' field"},
	{OPT_STRING, 0, "call-graph", AT(common.call_graph), "mode",
	 "how stacks of entries are recorded:", .words = "fp dwarf lbr none"},
	{OPT_STRING, 'f', "functions", AT(functions), "glob[,glob...]",
	 "record calls of the functions that these match"},
	{OPT_BOOL, 0, "force", AT(common.input.force), NULL,
	 "read a file that belongs to somebody else"},
	{OPT_BOOL, 'H', "histogram", AT(histograms), NULL,
	 "how many calls took how long, of each function"},
	{OPT_UINT, 0, "max-stack", AT(max_stack), "n", "frames of each stack at most"},
	{OPT_STRINGS, 0, "pair", AT(pairs), "begin,end[,field]",
	 "time between two events, such as markers (USDT)"},
	{OPT_STRING, 's', "sort", AT(sort), "key",
	 "order of functions:", .words = "total self waiting calls p99 max name"},
	{OPT_UINT, 'n', "slowest", AT(slowest), "n", "how many of the slowest calls"},
	{OPT_STRING, 't', "field-separator", AT(common.form.separator), "separator",
	 "rows for programs, all times in ns, separated by this"},
	{OPT_STRING, 0, "source", AT(source), "source",
	 "how calls are seen:", .words = "probes instrumented samples"},
	{OPT_STRING, 'x', "exec", AT(exec), "file",
	 "the program or library whose functions are meant"},
	{OPT_END},
};

static const struct opt_group groups[] = {{attend_opts, AT(common)}, {options, 0}, {0}};

static int order_parse(const char *word, enum durations_order *by, struct err *err)
{
	static const char *const words[] = {
		[DURATIONS_TOTAL] = "total",	 [DURATIONS_SELF] = "self",
		[DURATIONS_WAITING] = "waiting", [DURATIONS_CALLS] = "calls",
		[DURATIONS_P99] = "p99",	 [DURATIONS_MAX] = "max",
		[DURATIONS_NAME] = "name"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i])) {
			*by = (enum durations_order)i;
			return 0;
		}
	return err_set(err, ERR_USAGE, "functions are not sorted by '%s'", word);
}

static void calls_present(const struct attend_opts *o, const struct durations_view *v,
			  const struct durations *d)
{
	if (o->form.json)
		durations_show_json(v, d);
	else if (o->form.separator)
		durations_show_csv(v, d, o->form.separator);
	else
		durations_show(v, d);
}

struct calls_page {
	const struct calls_opts *o;
	struct out *out;
	enum durations_order by;
	struct durations d; /* with the pairs */
};

static int calls_show(void *ctx, struct recording *rec, struct world *world, struct err *err)
{
	struct calls_page *p = ctx;
	struct durations *d = &p->d;
	struct script_frames frames;
	const struct durations_view view = {.out = p->out,
					    .world = world,
					    .frames = &frames,
					    .rows = p->o->common.rows,
					    .histograms = p->o->histograms};
	int status;

	script_frames_init(&frames, world, rec);
	script_frames_max_stack(&frames, p->o->max_stack);
	d->slowest_max = p->o->slowest;
	status = calls_are_sampled(p->o)
			 ? sampled_calls_read(d, p->o->functions, rec, world, err)
			 : durations_read(d, rec, world, err);
	if (!status) {
		durations_sort(d, p->by);
		calls_present(&p->o->common, &view, d);
	}
	script_frames_release(&frames);
	return status;
}

/* Runs the command, whose calls are counted in it, and shows the counts. */
static int calls_show_counts(struct calls_opts *o, const struct calls_page *page, char **argv,
			     struct env *env, struct err *err)
{
	const struct durations_view view = {
		.out = env->out, .rows = o->common.rows, .histograms = o->histograms};
	struct durations d = {0};
	struct dso_set dsos;
	int status;

	dso_set_init(&dsos, &o->common.symbols);
	status = calls_count(o, argv, &d, &dsos, err);
	if (status >= 0) {
		durations_sort(&d, page->by);
		calls_present(&o->common, &view, &d);
		if (o->common.verbose)
			symbols_explain(&dsos, env->debug);
		if (d.left_out && o->common.strict)
			status = EXIT_DAMAGE;
	}
	durations_release(&d);
	dso_set_release(&dsos);
	return status;
}

static void calls_complete(struct calls_opts *o)
{
	if (!o->common.output)
		o->common.output = CALLS_FILE;
	if (!o->common.call_graph)
		o->common.call_graph = "fp";
	if (!o->common.mmap_pages)
		o->common.mmap_pages = "1024";
	if (o->slowest == UINT_MAX)
		o->slowest = 3;
	if (o->max_stack == UINT_MAX)
		o->max_stack = 16;
}

/* Records, when the options ask for it, and shows. */
static int calls_record_and_show(struct env *env, struct calls_opts *o, struct calls_page *page,
				 int argc, char **argv, struct err *err)
{
	int status, got = 1;

	if (calls_are_sampled(o)) {
		if (!o->common.output)
			o->common.output = CALLS_FILE;
		return attend_wall(&o->common, env, argc, argv, calls_show, page, err);
	}
	calls_complete(o);
	if (o->functions)
		got = calls_record(o, argv, &status, err);
	else if (attend_records(&o->common, argc))
		got = calls_record_pairs(o, &page->d, argv, &status, err);
	if (got <= 0)
		return got ? got : status;
	return attend_show(&o->common, env, calls_show, page, err);
}

static int cmd_calls_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct calls_opts *o = v;
	struct calls_page page = {
		.o = o, .out = env->out, .by = DURATIONS_TOTAL, .d.by_value = o->by_value};
	const bool counted = calls_are_counted(o, argv);
	int status = 0;

	if (calls_check(o, argc, counted, err) || order_parse(o->sort, &page.by, err) ||
	    (!calls_are_sampled(o) && attend_check(&o->common, argc, 't', err)))
		return -1;
	for (size_t i = 0; i < o->pairs.n && !status; i++)
		status = durations_add_pair(&page.d, o->pairs.at[i], err);
	if (!status)
		status = counted ? calls_show_counts(o, &page, argv, env, err)
				 : calls_record_and_show(env, o, &page, argc, argv, err);
	durations_release(&page.d);
	return status;
}

static void calls_defaults(void *v, const struct env *env)
{
	struct calls_opts *o = v;

	attend_defaults(&o->common, env);
	o->sort = "total";
	o->common.output = NULL;
	o->slowest = UINT_MAX;
	o->common.rows = 30;
	o->max_stack = UINT_MAX;
}

static const char *const usage[] = {"calls -f <glob> [<options>] [<command>]",
				    "calls --pair <begin>,<end> [<options>] [<command>]",
				    "calls [<options>] <command>", "calls [-i <file>] [<options>]",
				    NULL};

const struct cmd cmd_calls = {
	.name = "calls",
	.summary = "How long each call of a function took, and how much of that it waited",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct calls_opts),
	.stop_at_word = true,
	.pager = true,
	.defaults = calls_defaults,
	.run = cmd_calls_run,
};
