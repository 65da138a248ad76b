// SPDX-License-Identifier: MIT
#include "bench/inside/inside.h"

#include "capture/rings/capture.h"
#include "event/parse.h"

#include <unistd.h>

const struct opt open_close_options[] = {
	{OPT_STRING, 'e', "event", INSIDE_AT(event), "event",
	 "event selector. use 'perf list' to list available events"},
	{OPT_UINT, 'i', "iterations", INSIDE_AT(iterations), "n",
	 "Number of iterations used to compute average (default=100)"},
	{OPT_UINT, 'n', "nr-events", INSIDE_AT(events), "n",
	 "number of dummy events to create (default 1). If used with -e, it clones those events n "
	 "times (1 = no change)"},
	{OPT_BOOL, 'a', "all-cpus", INSIDE_AT(target.system_wide), NULL,
	 "system-wide collection from all CPUs"},
	{OPT_STRING, 'C', "cpu", INSIDE_AT(target.cpus), "cpu",
	 "list of cpus where to open events"},
	{OPT_STRING, 'p', "pid", INSIDE_AT(target.pids), "pid",
	 "record events on existing process id"},
	{OPT_STRING, 't', "tid", INSIDE_AT(target.tids), "tid",
	 "record events on existing thread id"},
	{OPT_STRING, 'u', "uid", INSIDE_AT(target.user), "user", "user to profile"},
	{OPT_BOOL, 0, "per-thread", INSIDE_AT(target.per_thread), NULL, "use per-thread mmaps"},
	{OPT_END},
};

/* *asked gets how many the user asked for: the recorder may add one of its own. */
static int parse_events(const struct inside_opts *o, struct event_set *set, size_t *asked,
			struct err *err)
{
	struct arena arena = {0};
	const struct event_host host = event_host_here(&arena);
	struct sampling sampling = {.period = 1,
				    .inherit = true,
				    .system_wide = o->target.system_wide || o->target.cpus,
				    .per_thread = o->target.per_thread,
				    .max_frequency = 1000};
	struct buf notices = {0};
	int got = 0;

	for (unsigned int i = 0; i < o->events && !got; i++)
		got = event_parse(set, o->event ? o->event : "dummy", &host, err);
	*asked = set->events.n;
	if (!got)
		got = sampling_apply(&sampling, set, &notices, err);
	buf_release(&notices);
	arena_release(&arena);
	return got;
}

static int open_close_once(const struct inside_opts *o, struct event_set *set,
				const struct target *target, struct bench_stats *us,
				struct err *err)
{
	const struct capture_options opts = {0};
	struct capture c = {0};
	uint64_t start = bench_now_ns();
	int got = capture_open(&c, set, target, &opts, err);

	(void)o;
	if (!got)
		got = capture_enable(&c, false, err);
	if (!got)
		capture_disable_all(&c);
	capture_release(&c);
	bench_stats_add(us, (double)(bench_now_ns() - start) / 1000);
	return got;
}

/* "CPUs of this machine", when events are not bound to any: they are opened on each. */
static size_t cpus_of(const struct target *t)
{
	return t->cpus.n == 1 && t->cpus.at[0] < 0 ? 1 : t->cpus.n;
}

static int measure_open_close(struct bench *b, const void *v, struct err *err)
{
	const struct inside_opts *o = v;
	struct event_set set = {0};
	struct target target = {0};
	struct bench_stats us = {0};
	size_t asked = 0;
	int got;

	if (!o->events)
		return err_set(err, ERR_USAGE, "there must be an event at least");
	got = target_find(&target, &o->target, getpid(), "/proc", "/sys", err);
	if (!got)
		got = parse_events(o, &set, &asked, err);
	if (!got)
		buf_printf(b->text,
			   "  Number of cpus:\t%zu\n  Number of threads:\t%zu\n  Number of "
			   "events:\t%zu (%zu fds)\n"
			   "  Number of iterations:\t%u\n",
			   cpus_of(&target), target.tids.n, asked,
			   asked * cpus_of(&target) * target.tids.n, o->iterations);
	bench_flush(b);
	for (unsigned int i = 0; i < o->iterations && !got; i++)
		got = open_close_once(o, &set, &target, &us, err);
	if (!got) {
		buf_printf(b->text, "  Average open-close took: %.3f usec (+- %.3f usec)\n",
			   us.mean, bench_stats_error(&us));
		bench_value(b, us.mean, "usec");
	}
	target_release(&target);
	event_set_release(&set);
	return got;
}

const struct bench_suite bench_internals_evlist_open_close = {
	.defaults = &(const struct inside_opts){.iterations = 100, .events = 1},
	.opts_size = sizeof(struct inside_opts),
	.measure = measure_open_close,
};
