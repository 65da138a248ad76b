// SPDX-License-Identifier: MIT
/* perf calls: how long each call of a function took. */
#include "cmd/calls/calls_opts.h"

#include "cmd/options/opts_rows.h"
#include "view/durations/durations.h"

#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(struct calls_opts, field)

static const struct opt options[] = {
	{OPT_BOOL, 'a', "all-cpus", AT(system_wide), NULL,
	 "of all processes that run the file of -x"},
	{OPT_STRING, 0, "call-graph", AT(call_graph), "mode",
	 "how stacks of entries are recorded:", .words = "fp dwarf lbr none"},
	{OPT_STRING, 'f', "functions", AT(functions), "glob[,glob...]",
	 "record calls of the functions that these match"},
	{OPT_BOOL, 0, "force", AT(input.force), NULL, "read a file that belongs to somebody else"},
	{OPT_BOOL, 'H', "histogram", AT(histograms), NULL,
	 "how many calls took how long, of each function"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "read a recording of perf calls"},
	{OPT_BOOL, 'j', "json", AT(json), NULL, "show JSON"},
	{OPT_STRING, 'm', "mmap-pages", AT(mmap_pages), "pages", "pages of each ring buffer"},
	{OPT_UINT, 0, "max-stack", AT(max_stack), "n", "frames of each stack at most"},
	{OPT_STRING, 'o', "output", AT(output), "file", "the recording to make"},
	{OPT_STRING, 'p', "pid", AT(pids), "pid[,pid...]", "of processes that run already"},
	{OPT_UINT, 'r', "rows", AT(rows), "n", "functions at most"},
	{OPT_STRING, 's', "sort", AT(sort), "key",
	 "order of functions:", .words = "total self waiting calls p99 max name"},
	{OPT_UINT, 'n', "slowest", AT(slowest), "n", "how many of the slowest calls"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_STRING, 't', "field-separator", AT(separator), "separator",
	 "rows for programs, all times in ns, separated by this"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "say where symbols come from"},
	{OPT_STRING, 'x', "exec", AT(exec), "file",
	 "the program or library whose functions are meant"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {0}};

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

static void calls_present(const struct calls_opts *o, const struct durations_view *v,
			  const struct durations *d)
{
	if (o->json)
		durations_show_json(v, d);
	else if (o->separator)
		durations_show_csv(v, d, rows_separator(o->separator));
	else
		durations_show(v, d);
}

static int calls_show(struct env *env, const struct calls_opts *o, enum durations_order by,
		      struct err *err)
{
	AUTO(recording) *rec = input_open_recording(&o->input, env->out, err);
	AUTO(world) *world = rec ? world_of_recording(rec, &o->symbols) : NULL;
	struct durations d = {.slowest_max = o->slowest};
	struct script_frames frames;
	int status = -1;

	if (!rec)
		return -1;
	script_frames_init(&frames, world, rec);
	script_frames_max_stack(&frames, o->max_stack);
	if (!durations_read(&d, rec, world, err)) {
		const struct durations_view view = {.out = env->out,
						    .world = world,
						    .frames = &frames,
						    .rows = o->rows,
						    .histograms = o->histograms};

		durations_sort(&d, by);
		calls_present(o, &view, &d);
		if (o->verbose)
			symbols_explain(world_dsos(world), env->debug);
		status = input_account(rec, "perf: ", o->strict);
	}
	durations_release(&d);
	script_frames_release(&frames);
	return status;
}

static int calls_check(const struct calls_opts *o, int argc, struct err *err)
{
	const bool live = o->pids || o->system_wide || argc;

	if (o->json && o->separator)
		return err_set(err, ERR_USAGE, "-j and -t exclude each other");
	if (!o->functions && (live || o->exec))
		return err_set(err, ERR_USAGE, "which functions? '-f GLOB' names them");
	if (o->functions && !live)
		return err_set(err, ERR_USAGE, "'-f' records: it needs a command, '-p' or '-a'");
	if (o->functions && o->input.path)
		return err_set(err, ERR_USAGE, "'-f' records, and '-i' reads: one of them");
	if (o->pids && o->system_wide)
		return err_set(err, ERR_USAGE, "-a and -p exclude each other");
	return 0;
}

static int cmd_calls_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct calls_opts *o = v;
	enum durations_order by = DURATIONS_TOTAL;

	o->symbols.force = o->input.force;
	o->symbols.verbose += o->verbose;
	if (calls_check(o, argc, err) || order_parse(o->sort, &by, err))
		return -1;
	if (o->functions) {
		int status, got = calls_record(o, argv, &status, err);

		if (got <= 0)
			return got ? got : status ? status : EXIT_FAILED;
		o->input.path = o->output;
	}
	return calls_show(env, o, by, err);
}

static void calls_defaults(void *v, const struct env *env)
{
	struct calls_opts *o = v;

	o->output = "perf.data";
	o->sort = "total";
	o->call_graph = "fp";
	o->mmap_pages = "1024";
	o->slowest = 3;
	o->rows = 30;
	o->max_stack = 16;
	symbol_opts_defaults(&o->symbols, env);
}

static const char *const usage[] = {"calls -f <glob> [<options>] [<command>]",
				    "calls [-i <file>] [<options>]", NULL};

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
