// SPDX-License-Identifier: MIT
/* perf locks: locks that user space threads wait for, and the threads that hold them. */
#include "cmd/options/opts_attend.h"
#include "os/preload/preload.h"
#include "os/process/attend.h"
#include "os/tracing/tracefs.h"
#include "view/futex/futexes.h"
#include "view/futex/lock_counts.h"
#include "view/futex/waits_now.h"

#include <stdio.h>

struct locks_opts {
	struct attend_opts common;
	bool now, preload, order;
};

#define AT(field) offsetof(struct locks_opts, field)

static const struct opt options[] = {
	{OPT_STRING, 0, "call-graph", AT(common.call_graph), "mode",
	 "how stacks are recorded:", .words = "fp dwarf lbr no"},
	{OPT_BOOL, 'f', "force", AT(common.input.force), NULL,
	 "read a file that belongs to somebody else"},
	{OPT_BOOL, 0, "now", AT(now), NULL,
	 "who waits for whom in the process of -p at this moment, and deadlocks"},
	{OPT_BOOL, 0, "order", AT(order), NULL,
	 "show which locks were taken while others were held"},
	{OPT_BOOL, 0, "preload", AT(preload), NULL,
	 "count all uses of locks from inside of the command, without any rights"},
	{OPT_STRING, 'x', "field-separator", AT(common.form.separator), "separator",
	 "rows for programs, all times in ns, separated by this"},
	{OPT_STRING, 0, "html", AT(common.form.html), "file", FORM_HTML_HELP},
	{OPT_END},
};

static const struct opt_group groups[] = {{attend_opts, AT(common)}, {options, 0}, {0}};

struct locks_page {
	const struct locks_opts *o;
	struct env *env;
};

static int locks_present(void *ctx, struct recording *rec, struct world *world, struct err *err)
{
	const struct locks_page *p = ctx;
	const struct attend_opts *o = &p->o->common;
	struct futexes_view view = {
		.out = p->env->out, .world = world, .rows = o->rows, .order = p->o->order};
	struct form_output form;
	struct futexes f;
	int status = futexes_read(&f, rec, world, err);

	if (!status)
		status = form_begin(&form, &o->form, p->env, p->env->out, err);
	if (!status) {
		view.out = form.out;
		if (o->form.json)
			futexes_show_json(&view, &f);
		else if (form_is_rows(&o->form))
			futexes_show_rows(&view, &f, &form.rows);
		else
			futexes_show(&view, &f);
		status = form_end(&form, err);
	}
	futexes_release(&f);
	return status;
}

/* 0, or -1 with *err: this user may not see the call futex. */
static int locks_check_rights(struct err *err)
{
	struct arena arena = {0};
	int status = 0;

	if (!tracefs_find(NULL, &arena) && tracefs_is_mounted(TRACEFS_USUAL)) {
		status = err_set(err, ERR_RIGHTS,
				 "the system call futex cannot be traced: tracefs is not yours to "
				 "use");
		err_hint(err, "'perf locks --preload COMMAND' counts the locks of a program of "
			      "yours without any rights");
	}
	arena_release(&arena);
	return status;
}

/* Records futex calls. Returns like attend_run(). */
static int locks_record(struct attend_opts *o, char **argv, int *status, struct err *err)
{
	/* -d: records data mappings, for the names of locks */
	static const char *const first[] = {"-d", "-c", "1", "-e"};
	struct command_words w = {0};

	attend_words(&w);
	command_words_add_all(&w, first, ARRAY_SIZE(first));
	vec_add(&w.words,
		arena_printf(&w.arena, "syscalls:sys_enter_futex/call-graph=%s/",
				 attend_chains(o)));
	command_words_add_event(&w, "syscalls", "sys_exit_futex");
	return attend_run(o, &w, argv, status, err);
}

/* Shows the current waits of a process. The exit status is 1 when there is a deadlock. */
static int locks_show_now(struct env *env, const struct locks_opts *o, int argc, struct err *err)
{
	struct futex_waits waits;
	char rest;
	int pid, status = -1;

	if (!o->common.pids || sscanf(o->common.pids, "%d%c", &pid, &rest) != 1 || pid <= 0)
		return err_set(err, ERR_USAGE, "'--now' looks at one process: '-p PID'");
	if (argc || o->common.input.path || o->common.system_wide ||
	    form_is_rows(&o->common.form) || o->order)
		return err_set(err, ERR_USAGE, "'--now' records and reads nothing, and shows text");
	if (!futex_waits_read(&waits, "/proc", pid, err))
		status = waits_now_show(&waits, pid, env->out) ? 1 : 0;
	futex_waits_release(&waits);
	return status;
}

/* 0, or -1 with *err: the page cannot be written. */
static int locks_show_counts(struct env *env, const struct locks_opts *o,
			     const struct lock_table *table, struct err *err)
{
	struct lock_counts_view view = {.out = env->out, .rows = o->common.rows, .order = o->order};
	struct form_output form;
	struct lock_counts counts;
	struct dso_set dsos;

	if (form_begin(&form, &o->common.form, env, env->out, err))
		return -1;
	view.out = form.out;
	dso_set_init(&dsos, &o->common.symbols);
	lock_counts_read(&counts, table, &dsos);
	if (o->common.form.json)
		lock_counts_show_json(&view, &counts);
	else if (form_is_rows(&o->common.form))
		lock_counts_show_rows(&view, &counts, &form.rows);
	else
		lock_counts_show(&view, &counts);
	if (o->common.verbose)
		symbols_explain(&dsos, env->debug);
	lock_counts_release(&counts);
	dso_set_release(&dsos);
	return form_end(&form, err);
}

/* Runs the command with our library preloaded. Returns the command's exit status, or -1 with
 * *err. */
static int locks_count(struct env *env, struct locks_opts *o, int argc, char **argv,
		       struct err *err)
{
	struct preload preload;
	int status = -1;

	if (attend_check(&o->common, argc, 'x', err))
		return -1;
	if (!argc || o->common.pids || o->common.system_wide)
		return err_set(err, ERR_USAGE, "'--preload' needs a command");
	if (!preload_open(&preload, PRELOAD_LOCKS, err))
		status = attend_program(argv, err);
	if (status >= 0 && locks_show_counts(env, o, preload.table, err))
		status = -1;
	preload_release(&preload);
	return status;
}

static int locks_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct locks_opts *o = v;
	struct locks_page page = {o, env};
	int status, got;

	if (o->now && o->preload)
		return err_set(err, ERR_USAGE, "--now and --preload exclude each other");
	if (o->now)
		return locks_show_now(env, o, argc, err);
	if (o->preload)
		return locks_count(env, o, argc, argv, err);
	if (attend_check(&o->common, argc, 'x', err))
		return -1;
	if (attend_records(&o->common, argc)) {
		if (locks_check_rights(err))
			return -1;
		got = locks_record(&o->common, argv, &status, err);
		if (got <= 0)
			return got ? got : status;
	}
	return attend_show(&o->common, env, locks_present, &page, err);
}

static void locks_defaults(void *v, const struct env *env)
{
	struct locks_opts *o = v;

	attend_defaults(&o->common, env);
	o->common.mmap_pages = "512";
	o->common.rows = 20;
}

static const char *const usage[] = {"locks [<options>] [<command>]",
				    "locks [-i <file>] [<options>]", "locks --now -p <pid>",
				    "locks --preload [<options>] <command>", NULL};

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
