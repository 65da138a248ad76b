// SPDX-License-Identifier: MIT
#include "cmd/ftrace/ftrace_times.h"

#include "os/process/signals.h"
#include "view/functions/function_times.h"

#include <stdio.h>
#include <string.h>

int ftrace_leave(struct env *env, const struct functions_result *r, const char *lost, bool command)
{
	if (r->lost) {
		out_flush(env->out);
		fprintf(stderr, "perf ftrace: %llu %s\n", (unsigned long long)r->lost, lost);
	}
	signals_die(r->signal, command);
	return !r->exit_status && r->lost ? EXIT_DAMAGE : r->exit_status;
}

static bool ftrace_add_times(void *ctx, const char *p, size_t n)
{
	graph_times_add(ctx, p, n);
	return true;
}

/* Takes the pair of events apart: two names, with or without their systems. */
static int latency_events_parse(struct ftrace_opts *o, struct err *err)
{
	const char *comma = strchr(o->events, ',');
	const size_t n = comma ? (size_t)(comma - o->events) : 0;

	if (!n || !comma[1] || strchr(comma + 1, ','))
		return err_set(err, ERR_USAGE, "-e takes two events: '-e first,second', not '%s'",
			       o->events);
	if (!o->bpf) {
		err_set(err, ERR_USAGE, "-e needs -b");
		return err_hint(err, "Times between events are counted by BPF programs.");
	}
	o->event_first = mem_strndup(o->events, n);
	o->event_second = mem_strdup(comma + 1);
	return 0;
}

static int latency_check(struct ftrace_opts *o, struct err *err)
{
	const struct functions_options *f = &o->functions;

	if (o->events && f->only.n)
		return err_set(err, ERR_USAGE, "-T and -e cannot be given together");
	if (o->events)
		return latency_events_parse(o, err);
	if (f->only.n != 1)
		return err_set(err, ERR_USAGE,
			       f->only.n ? "-T names one function only"
					 : "Please provide a function to measure");
	if (o->bpf && strpbrk(f->only.at[0], "*?["))
		return err_set(err, ERR_USAGE, "-b measures one function, not a pattern: '%s'",
			       f->only.at[0]);
	return 0;
}

static int latency_trace(struct ftrace_opts *o, struct functions_result *result, struct err *err)
{
	struct graph_times times = {.buckets = &o->buckets};
	const struct functions_listener to = {ftrace_add_times, &times};
	int got;

	o->functions.tracer = "function_graph";
	got = functions_trace(&o->functions, &to, result, err);
	graph_times_release(&times);
	return got;
}

int ftrace_latency(struct env *env, struct ftrace_opts *o, char **argv, struct err *err)
{
	struct functions_result result = {0};
	int got;

	if (latency_check(o, err) || duration_buckets_init(&o->buckets, err))
		return -1;
	o->functions.command = *argv ? argv : NULL;
	got = (o->bpf ? ftrace_latency_measure : latency_trace)(o, &result, err);
	if (!got)
		function_histogram_show(&o->buckets, o->hide_empty, &env->out->buf);
	duration_buckets_release(&o->buckets);
	return got ? -1
		   : ftrace_leave(env, &result,
				  o->bpf ? "calls were not counted: too many of a task at a time"
					 : FTRACE_LOST,
				  *argv);
}

int ftrace_profile(struct env *env, struct ftrace_opts *o, char **argv, struct err *err)
{
	static const char *const orders[] = {
		[GRAPH_TOTAL] = "total", [GRAPH_AVG] = "avg",	[GRAPH_MAX] = "max",
		[GRAPH_COUNT] = "count", [GRAPH_NAME] = "name",
	};
	struct functions_options *f = &o->functions;
	struct graph_times times = {0};
	const struct functions_listener to = {ftrace_add_times, &times};
	struct functions_result result = {0};
	unsigned int order = 0;
	int got;

	while (order < ARRAY_SIZE(orders) && strcmp(orders[order], o->sort))
		order++;
	if (order == ARRAY_SIZE(orders))
		return err_set(err, ERR_USAGE, "--sort has no '%s': total, avg, max, count or name",
			       o->sort);
	/* the end of a function is then printed with its name */
	vec_add(&f->options, (struct function_option){"funcgraph-tail", "1"});
	f->tracer = "function_graph";
	f->command = *argv ? argv : NULL;
	got = functions_trace(f, &to, &result, err);
	if (!got) {
		graph_times_sort(&times, (enum graph_order)order);
		function_rows_show(&times, &env->out->buf);
	}
	graph_times_release(&times);
	return got ? -1 : ftrace_leave(env, &result, FTRACE_LOST, *argv);
}
