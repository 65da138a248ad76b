// SPDX-License-Identifier: MIT
/* perf locks: which locks of user space threads waited for, and who held them. */
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_rows.h"
#include "cmd/options/opts_symbols.h"
#include "os/process/attend.h"
#include "view/futex/futexes.h"
#include "view/futex/waits_now.h"

#include <stdio.h>

struct locks_opts {
	struct input_opts input;
	struct symbol_options symbols;
	/* recording */
	const char *pids, *output, *call_graph, *mmap_pages;
	bool system_wide, now;
	/* showing */
	const char *separator;
	unsigned int rows;
	bool json, strict;
	int verbose;
};

#define AT(field) offsetof(struct locks_opts, field)

static const struct opt options[] = {
	{OPT_BOOL, 'a', "all-cpus", AT(system_wide), NULL, "of all threads of the machine"},
	{OPT_STRING, 0, "call-graph", AT(call_graph), "mode",
	 "how stacks are recorded:", .words = "fp dwarf lbr no"},
	{OPT_BOOL, 'f', "force", AT(input.force), NULL,
	 "read a file that belongs to somebody else"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "read a recording of perf locks"},
	{OPT_BOOL, 'j', "json", AT(json), NULL, "show JSON"},
	{OPT_STRING, 'm', "mmap-pages", AT(mmap_pages), "pages", "pages of each ring buffer"},
	{OPT_BOOL, 0, "now", AT(now), NULL,
	 "who waits for whom in the process of -p at this moment, and deadlocks"},
	{OPT_STRING, 'o', "output", AT(output), "file", "the recording to make"},
	{OPT_STRING, 'p', "pid", AT(pids), "pid[,pid...]", "of processes that run already"},
	{OPT_UINT, 'r', "rows", AT(rows), "n", "rows at most"},
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

static void locks_add_word(struct record_line *l, const char *word)
{
	vec_add(&l->words, arena_strdup(&l->arena, word));
}

static void locks_add_option(struct record_line *l, const char *option, const char *value)
{
	if (value) {
		locks_add_word(l, option);
		locks_add_word(l, value);
	}
}

/* As attend_record(). */
static int locks_record(const struct locks_opts *o, char **argv, int *status, struct err *err)
{
	struct record_line l = {0};
	int got;

	locks_add_word(&l, "perf");
	locks_add_word(&l, "record");
	locks_add_word(&l, "-q");
	locks_add_word(&l, "-d"); /* where data is mapped: for names of locks */
	locks_add_word(&l, "-c");
	locks_add_word(&l, "1");
	locks_add_word(&l, "-e");
	vec_add(&l.words,
		arena_printf(&l.arena, "syscalls:sys_enter_futex/call-graph=%s/", o->call_graph));
	locks_add_option(&l, "-e", "syscalls:sys_exit_futex");
	locks_add_option(&l, "-m", o->mmap_pages);
	locks_add_option(&l, "-o", o->output);
	locks_add_option(&l, "-p", o->pids);
	if (o->system_wide)
		locks_add_word(&l, "-a");
	if (*argv)
		locks_add_word(&l, "--");
	for (; *argv; argv++)
		locks_add_word(&l, *argv);
	vec_add(&l.words, NULL);
	got = attend_record(l.words.at, o->output, status, err);
	vec_release(&l.words);
	arena_release(&l.arena);
	return got;
}

static int locks_present(struct env *env, const struct locks_opts *o, struct err *err)
{
	AUTO(recording) *rec = input_open_recording(&o->input, env->out, err);
	AUTO(world) *world = rec ? world_of_recording(rec, &o->symbols) : NULL;
	const struct futexes_view view = {.out = env->out, .world = world, .rows = o->rows};
	struct futexes f;
	int status = -1;

	if (!rec)
		return -1;
	if (!futexes_read(&f, rec, world, err)) {
		if (o->json)
			futexes_show_json(&view, &f);
		else if (o->separator)
			futexes_show_csv(&view, &f, rows_separator(o->separator));
		else
			futexes_show(&view, &f);
		if (o->verbose)
			symbols_explain(world_dsos(world), env->debug);
		status = input_account(rec, "perf: ", o->strict);
	}
	futexes_release(&f);
	return status;
}

static int locks_check(const struct locks_opts *o, int argc, struct err *err)
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

/* The exit status is 1 when there is a deadlock. */
static int locks_show_now(struct env *env, const struct locks_opts *o, int argc, struct err *err)
{
	struct futex_waits waits;
	char rest;
	int pid, status = -1;

	if (!o->pids || sscanf(o->pids, "%d%c", &pid, &rest) != 1 || pid <= 0)
		return err_set(err, ERR_USAGE, "'--now' looks at one process: '-p PID'");
	if (argc || o->input.path || o->system_wide || o->json || o->separator)
		return err_set(err, ERR_USAGE, "'--now' records and reads nothing, and shows text");
	if (!futex_waits_read(&waits, "/proc", pid, err))
		status = waits_now_show(&waits, pid, env->out) ? 1 : 0;
	futex_waits_release(&waits);
	return status;
}

static int locks_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct locks_opts *o = v;

	o->symbols.force = o->input.force;
	o->symbols.verbose += o->verbose;
	if (o->now)
		return locks_show_now(env, o, argc, err);
	if (locks_check(o, argc, err))
		return -1;
	if (o->pids || o->system_wide || argc) {
		int status, got = locks_record(o, argv, &status, err);

		if (got <= 0)
			return got ? got : status ? status : EXIT_FAILED;
		o->input.path = o->output;
	}
	return locks_present(env, o, err);
}

static void locks_defaults(void *v, const struct env *env)
{
	struct locks_opts *o = v;

	o->output = "perf.data";
	o->call_graph = "fp";
	o->mmap_pages = "512";
	o->rows = 20;
	symbol_opts_defaults(&o->symbols, env);
}

static const char *const usage[] = {"locks [<options>] [<command>]",
				    "locks [-i <file>] [<options>]", "locks --now -p <pid>", NULL};

const struct cmd cmd_locks = {
	.name = "locks",
	.summary = "Which locks of user space threads wait for, and who holds them",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct locks_opts),
	.stop_at_word = true,
	.pager = true,
	.defaults = locks_defaults,
	.run = locks_run,
};
