// SPDX-License-Identifier: MIT
#include "cmd/front/dispatch.h"
#include "cmd/options/words/command_words.h"
#include "cmd/trace/trace_events.h"

#include <string.h>

static int trace_check(struct trace_opts *o, struct err *err)
{
	if (o->faults && strcmp(o->faults, "all") && strcmp(o->faults, "maj") &&
	    strcmp(o->faults, "min"))
		return err_set(err, ERR_USAGE, "'%s' are no page faults: all, maj or min",
			       o->faults);
	if (o->sched && !o->summary && !o->with_summary)
		return err_set(err, ERR_USAGE, "--sched needs -s or -S");
	if (o->max_stack > UINT16_MAX)
		return err_set(err, ERR_USAGE, "--max-stack is at most %u", UINT16_MAX);
	if (o->kernel_graph && o->chains.callgraph == CALLGRAPH_NONE && !o->input.path &&
	    value_callgraph("fp", &o->chains, err))
		return -1;
	if ((o->min_stack || o->max_stack) && o->chains.callgraph == CALLGRAPH_NONE &&
	    !o->input.path && value_callgraph("dwarf", &o->chains, err))
		return -1;
	if (o->summary && (o->chains.callgraph != CALLGRAPH_NONE || o->kernel_graph))
		return err_set(err, ERR_USAGE, "-s shows sums, and no call chains");
	if (o->print_sample && o->summary)
		return err_set(err, ERR_USAGE, "-s shows sums, and no samples");
	if (!trace_sums_are(o, "thread") && !trace_sums_are(o, "total") &&
	    !trace_sums_are(o, "cgroup"))
		return err_set(err, ERR_USAGE,
			       "'%s' is no mode of summaries: thread, total or cgroup",
			       o->summary_mode);
	if (trace_sums_are(o, "cgroup") && (!o->summary || o->input.path))
		return err_set(
			err, ERR_USAGE,
			"--summary-mode cgroup is of -s as it happens: only then the kernel tells "
			"the groups");
	if (trace_sums_are(o, "cgroup") && (o->sched || o->faults))
		return err_set(err, ERR_USAGE,
			       "--summary-mode cgroup has no %s: these are of threads",
			       o->sched ? "--sched" : "-F");
	if (o->errno_summary && !o->summary && !o->with_summary)
		return err_set(err, ERR_USAGE, "--errno-summary needs -s or -S");
	if (o->string_size > 1024)
		return err_set(err, ERR_USAGE, "--string-size is at most 1024");
	if (o->buffers && o->input.path)
		return err_set(err, ERR_USAGE,
			       "--buffers is of what happens: a recording has no bytes of calls");
	if (o->buffers && o->summary)
		return err_set(err, ERR_USAGE, "--buffers shows calls, and -s none");
	if (o->duration_ms < 0)
		return err_set(err, ERR_USAGE, "--duration is a time, not below 0");
	return 0;
}

/* Checks -x and -j against the other options. 0, or -1 with *err. */
static int check_rows(const struct trace_opts *o, struct err *err)
{
	if (!o->separator && !o->json)
		return 0;
	if (o->separator && o->json)
		return err_set(err, ERR_USAGE, "-x and -j are two forms: name one");
	if (o->separator && (!*o->separator || strpbrk(o->separator, "\"\r\n")))
		return err_set(err, ERR_USAGE, "'%s' cannot separate fields", o->separator);
	if (o->buffers)
		return err_set(err, ERR_USAGE, "-x and -j show no dumps of --buffers");
	if (o->print_sample)
		return err_set(err, ERR_USAGE, "-x and -j have no place for --print-sample");
	if (o->with_summary)
		return err_set(err, ERR_USAGE, "-x and -j show calls or sums (-s), not both (-S)");
	if (o->chains.callgraph != CALLGRAPH_NONE || o->min_stack || o->max_stack ||
	    o->kernel_graph)
		return err_set(err, ERR_USAGE, "-x and -j show no call chains");
	if (o->separator && o->summary && (o->sched || o->faults))
		return err_set(err, ERR_USAGE, "-x -s has no column for %s: -j has",
			       o->sched ? "--sched" : "-F");
	return 0;
}

/* Runs perf record with the events of system calls. */
static int trace_record(struct env *env, int argc, char **argv)
{
	static const char *const before[] = {"record", "-R",
					     "-m",     "1024",
					     "-c",     "1",
					     "-e",     "raw_syscalls:sys_enter",
					     "-e",     "raw_syscalls:sys_exit"};
	struct command_words w = {0};

	command_words_add_all(&w, before, ARRAY_SIZE(before));
	return command_words_run(&w, env, argc - 1, argv + 1);
}

static int cmd_trace_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	struct trace_opts *o = opts;
	struct trace_show *s;
	struct call_selection *calls;
	struct trace_events *events;
	int status;

	if (argc && !strcmp(argv[0], "record"))
		return trace_record(env, argc, argv);
	if (check_rows(o, err) || trace_check(o, err))
		return -1;
	calls = NEW(struct call_selection);
	s = NEW(struct trace_show);
	s->out.fd = -1;
	events = NEW(struct trace_events);
	status = trace_select(o, env->config, calls, events, err);
	if (!status)
		status = trace_show_init(s, env, o, calls, events, err);
	if (!status)
		status = o->input.path	 ? trace_replay(s, err)
			 : events->calls ? trace_live(s, argv, err)
					 : trace_events_run(events, argv, err);
	trace_events_release(events);
	free(events);
	if (trace_show_release(s, status < 0 ? NULL : err))
		status = -1;
	free(s);
	free(calls);
	vec_release(&o->selects);
	return status;
}

static const char *const usage[] = {"trace [<options>] [<command>]",
				    "trace [<options>] -- <command> [<options>]",
				    "trace record [<options>] [<command>]",
				    "trace record [<options>] -- <command> [<options>]", NULL};

static const struct cmd_variable variables[] = {
	{"core.proc-map-timeout", "proc-map-timeout"},
	{"trace.no_inherit", "no-inherit"},
	{NULL, NULL},
};

const struct cmd cmd_trace = {
	.name = "trace",
	.summary = "strace inspired tool",
	.usage = usage,
	.groups = trace_groups,
	.opts_size = sizeof(struct trace_opts),
	.stop_at_word = true,
	.defaults = trace_defaults,
	.variables = variables,
	.run = cmd_trace_run,
};
