// SPDX-License-Identifier: MIT
/* perf waits: what threads waited for, and which waits delayed the program. */
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_rows.h"
#include "cmd/options/opts_symbols.h"
#include "os/process/attend.h"
#include "view/waits/waits.h"

struct waits_opts {
	struct input_opts input;
	struct symbol_options symbols;
	/* recording */
	const char *pids, *output, *call_graph, *mmap_pages;
	bool system_wide;
	/* showing */
	const char *separator;
	unsigned int rows;
	bool json, strict;
	int verbose;
};

#define AT(field) offsetof(struct waits_opts, field)

static const struct opt options[] = {
	{OPT_BOOL, 'a', "all-cpus", AT(system_wide), NULL, "of all threads of the machine"},
	{OPT_STRING, 0, "call-graph", AT(call_graph), "mode",
	 "how stacks are recorded:", .words = "fp dwarf lbr"},
	{OPT_BOOL, 'f', "force", AT(input.force), NULL,
	 "read a file that belongs to somebody else"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "read a recording of record --wall"},
	{OPT_BOOL, 'j', "json", AT(json), NULL, "show JSON"},
	{OPT_STRING, 'm', "mmap-pages", AT(mmap_pages), "pages", "pages of each ring buffer"},
	{OPT_STRING, 'o', "output", AT(output), "file", "the recording to make"},
	{OPT_STRING, 'p', "pid", AT(pids), "pid[,pid...]", "of processes that run already"},
	{OPT_UINT, 'r', "rows", AT(rows), "n", "rows of each table at most"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "say where symbols come from"},
	{OPT_STRING, 'x', "field-separator", AT(separator), "separator",
	 "rows for programs, all times in ns, separated by this"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {0}};

struct record_line {
	VEC(char *) words;
	struct arena arena;
};

static void waits_add_word(struct record_line *l, const char *word)
{
	vec_add(&l->words, arena_strdup(&l->arena, word));
}

static void waits_add_option(struct record_line *l, const char *option, const char *value)
{
	if (value) {
		waits_add_word(l, option);
		waits_add_word(l, value);
	}
}

/* As attend_record(). */
static int waits_record(const struct waits_opts *o, char **argv, int *status, struct err *err)
{
	struct record_line l = {0};
	int got;

	waits_add_word(&l, "perf");
	waits_add_word(&l, "record");
	waits_add_word(&l, "-q");
	waits_add_word(&l, "--wall");
	waits_add_option(&l, "--call-graph", o->call_graph);
	waits_add_option(&l, "-m", o->mmap_pages);
	waits_add_option(&l, "-o", o->output);
	waits_add_option(&l, "-p", o->pids);
	if (o->system_wide)
		waits_add_word(&l, "-a");
	if (*argv)
		waits_add_word(&l, "--");
	for (; *argv; argv++)
		waits_add_word(&l, *argv);
	vec_add(&l.words, NULL);
	got = attend_record(l.words.at, o->output, status, err);
	vec_release(&l.words);
	arena_release(&l.arena);
	return got;
}

static int waits_present(struct env *env, const struct waits_opts *o, struct err *err)
{
	AUTO(recording) *rec = input_open_recording(&o->input, env->out, err);
	AUTO(world) *world = rec ? world_of_recording(rec, &o->symbols) : NULL;
	const struct waits_view view = {.out = env->out, .rows = o->rows};
	struct waits w;
	int status = -1;

	if (!rec)
		return -1;
	if (!waits_read(&w, rec, world, err)) {
		if (o->json)
			waits_show_json(&view, &w);
		else if (o->separator)
			waits_show_csv(&view, &w, rows_separator(o->separator));
		else
			waits_show(&view, &w);
		if (o->verbose)
			symbols_explain(world_dsos(world), env->debug);
		status = input_account(rec, "perf: ", o->strict);
	}
	waits_release(&w);
	return status;
}

static int waits_check(const struct waits_opts *o, int argc, struct err *err)
{
	const bool live = o->pids || o->system_wide || argc;

	if (o->json && o->separator)
		return err_set(err, ERR_USAGE, "-j and -x exclude each other");
	if (o->pids && o->system_wide)
		return err_set(err, ERR_USAGE, "-a and -p exclude each other");
	if (live && o->input.path)
		return err_set(err, ERR_USAGE, "'-i' reads a recording: there is nothing to run");
	return 0;
}

static int waits_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct waits_opts *o = v;

	o->symbols.force = o->input.force;
	o->symbols.verbose += o->verbose;
	if (waits_check(o, argc, err))
		return -1;
	if (o->pids || o->system_wide || argc) {
		int status, got = waits_record(o, argv, &status, err);

		if (got <= 0)
			return got ? got : status ? status : EXIT_FAILED;
		o->input.path = o->output;
	}
	return waits_present(env, o, err);
}

static void waits_defaults(void *v, const struct env *env)
{
	struct waits_opts *o = v;

	o->output = "perf.data";
	o->rows = 15;
	symbol_opts_defaults(&o->symbols, env);
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
