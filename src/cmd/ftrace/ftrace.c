// SPDX-License-Identifier: MIT
/* perf ftrace: traces kernel functions. */
#include "cmd/ftrace/ftrace_times.h"

#include "cmd/front/dispatch.h"
#include "os/files/text.h"
#include "os/tracing/tracefs.h"

#include <string.h>

static int find_root(struct ftrace_opts *o, struct arena *arena, struct err *err)
{
	o->functions.root = tracefs_find(NULL, arena);
	if (o->functions.root)
		return 0;
	err_set(err, ERR_UNSUPPORTED, "tracefs is not there, or only root may see it");
	return err_hint(err, "mount -t tracefs tracefs " TRACEFS_USUAL);
}

static void ftrace_release(struct ftrace_opts *o)
{
	struct functions_options *f = &o->functions;

	vec_release(&f->only);
	vec_release(&f->without);
	vec_release(&f->graph);
	vec_release(&f->graph_without);
	vec_release(&f->options);
	free(o->event_first);
	free(o->event_second);
}

static int list_functions(struct env *env, const struct ftrace_opts *o, struct err *err)
{
	AUTO_BUF text = {0};
	char *line, *rest;

	if (text_read(o->functions.root, "available_filter_functions", 64 << 20, &text)) {
		err_set(err, ERR_UNSUPPORTED, "this kernel does not list functions to trace");
		return err_hint(err, "'%s/available_filter_functions' cannot be read",
				o->functions.root);
	}
	rest = (char *)buf_text(&text);
	while ((line = strsep(&rest, "\n"))) {
		size_t n = strcspn(line, " \t");
		AUTO_CHAR *name = mem_printf("%.*s", (int)n, line);

		if (!n || !glob_match(o->list, name))
			continue;
		buf_safe(&env->out->buf, line);
		buf_char(&env->out->buf, '\n');
		if (!out_ready(env->out))
			break;
	}
	return 0;
}

static bool pass_text(void *ctx, const char *p, size_t n)
{
	struct out *out = ctx;

	buf_add(&out->buf, p, n);
	return out_flush(out);
}

static int ftrace_trace(struct env *env, struct ftrace_opts *o, char **argv, struct err *err)
{
	struct functions_options *f = &o->functions;
	struct functions_listener to = {pass_text, env->out};
	struct functions_result result = {0};

	if (o->list)
		return list_functions(env, o, err);
	if (f->graph.n || f->graph_without.n)
		f->tracer = "function_graph";
	else if (f->only.n || f->without.n)
		f->tracer = "function";
	else if (!f->tracer)
		f->tracer = "function_graph";
	if (strcmp(f->tracer, "function") && strcmp(f->tracer, "function_graph"))
		return err_set(err, ERR_USAGE, "'%s' is no tracer: function_graph or function",
			       f->tracer);
	f->command = *argv ? argv : NULL;
	return functions_trace(f, &to, &result, err)
		       ? -1
		       : ftrace_leave(env, &result, FTRACE_LOST, *argv);
}

static int run_as(int (*what)(struct env *env, struct ftrace_opts *o, char **argv, struct err *err),
		  struct env *env, void *v, char **argv, struct err *err)
{
	struct ftrace_opts *o = v;
	struct arena arena = {0};
	int got;

	o->functions.buffer_bytes = o->buffer_bytes;
	got = find_root(o, &arena, err);
	if (!got)
		got = what(env, o, argv, err);
	ftrace_release(o);
	arena_release(&arena);
	return got;
}

static int run_trace(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	(void)argc;
	return run_as(ftrace_trace, env, v, argv, err);
}

static int run_latency(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	(void)argc;
	return run_as(ftrace_latency, env, v, argv, err);
}

static int run_profile(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	(void)argc;
	return run_as(ftrace_profile, env, v, argv, err);
}

static const char *const trace_usage[] = {"ftrace trace [<options>] [<command>]",
					  "ftrace trace [<options>] -- [<command>] [<options>]",
					  NULL};
static const char *const latency_usage[] = {"ftrace latency [<options>] [<command>]",
					    "ftrace latency [<options>] -- [<command>] [<options>]",
					    NULL};
static const char *const profile_usage[] = {"ftrace profile [<options>] [<command>]",
					    "ftrace profile [<options>] -- [<command>] [<options>]",
					    NULL};
static const char *const usage[] = {
	"ftrace [<options>] [<command>]", "ftrace [<options>] -- [<command>] [<options>]",
	"ftrace {trace|latency|profile} [<options>] [<command>]",
	"ftrace {trace|latency|profile} [<options>] -- [<command>] [<options>]", NULL};

static const struct cmd cmd_ftrace_trace = {
	.name = "trace",
	.usage = trace_usage,
	.groups = ftrace_trace_groups,
	.opts_size = sizeof(struct ftrace_opts),
	.stop_at_word = true,
	.pager = true,
	.run = run_trace,
};
static const struct cmd cmd_ftrace_latency = {
	.name = "latency",
	.usage = latency_usage,
	.groups = ftrace_latency_groups,
	.opts_size = sizeof(struct ftrace_opts),
	.stop_at_word = true,
	.run = run_latency,
};
static const struct cmd cmd_ftrace_profile = {
	.name = "profile",
	.usage = profile_usage,
	.groups = ftrace_profile_groups,
	.opts_size = sizeof(struct ftrace_opts),
	.stop_at_word = true,
	.run = run_profile,
};
static const struct cmd *const subcommands[] = {&cmd_ftrace_trace, &cmd_ftrace_latency,
						&cmd_ftrace_profile, NULL};

const struct cmd cmd_ftrace = {
	.name = "ftrace",
	.summary = "simple wrapper for kernel's ftrace functionality",
	.usage = usage,
	.groups = ftrace_trace_groups,
	.opts_size = sizeof(struct ftrace_opts),
	.stop_at_word = true,
	.pager = true,
	.defaults = ftrace_defaults,
	.subcommands = subcommands,
	.run = run_trace,
};
