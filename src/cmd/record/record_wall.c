// SPDX-License-Identifier: MIT
/* --wall: the events of a wall-clock profile (analysis/wall/wall.h). */
#include "cmd/record/record_opts.h"

#include "event/format/format.h"
#include "os/rights/rights.h"
#include "os/tracing/tracefs.h"

#include <stdio.h>

/* True when this user may record raw tracepoint data, which shows the whole kernel's activity. */
static bool may_trace(const char *tracefs_root)
{
	uint64_t id;

	return tracefs_root && (rights_perfmon("/proc") || rights_paranoid("/proc") < 0) &&
	       !tracefs_id(tracefs_root, "sched", "sched_switch", &id, NULL);
}

/* True when events are opened on tasks: these need context switch records. Events on CPUs, which
 * also serve for a tree of processes, see each task come and go. */
static bool follows_tasks(const struct record_opts *o, const struct target_options *t)
{
	if (t->system_wide || t->cpus)
		return false;
	return t->tids || t->user || t->per_thread || o->no_inherit || o->sampling.overwrite ||
	       o->sampling.inherit_stat || !rights_whole_machine("/proc");
}

int record_wall_check(const struct record_opts *o, struct err *err)
{
	const struct {
		bool given;
		const char *option;
	} table[] = {
		{o->selects.n, "-e"},
		{o->period, "-c"},
		{o->sampling.no_samples, "-n"},
		{o->probe_budget, "--probe-budget"},
		{o->sampling.group, "--group"},
		{o->sampling.all_user, "--all-user"},
		{o->sampling.all_kernel, "--all-kernel"},
		{o->timestamp_given && !o->timestamp, "--no-timestamp"},
		{o->sample_period_given && !o->sample_period, "--no-period"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (!table[i].given)
			continue;
		err_set(err, ERR_USAGE, "'%s' and '--wall' exclude each other", table[i].option);
		return err_hint(err, "--wall records a clock and what the scheduler does");
	}
	return 0;
}

void record_wall_sampling(const struct record_opts *o, const struct target_options *target,
			  struct sampling *s)
{
	struct arena arena = {0};

	s->cpu = true;
	s->switch_events = follows_tasks(o, target) || !may_trace(tracefs_find(NULL, &arena));
	arena_release(&arena);
}

/* Notes where the tids are in a tracepoint's raw data. The period is fixed, so that each hit is a
 * sample, whatever -F says. */
static int prepare_tracepoint(struct event *ev, const char *root, const char *const *names,
			      struct err *err)
{
	struct tp_formats formats = {0};
	const struct tp_format *format = NULL;
	struct buf text = {0};

	if (!tracefs_format(root, ev->system, ev->tracepoint, &text, err))
		format = tp_formats_add(&formats, ev->system, buf_text(&text), text.n, err);
	for (size_t i = 0; format && i < ARRAY_SIZE(ev->task_fields) && names[i]; i++) {
		const struct tp_field *field = tp_format_field(format, names[i]);

		if (field && field->size == sizeof(uint32_t))
			ev->task_fields[i] = (uint16_t)field->offset;
	}
	ev->fixed |= FIXED_PERIOD;
	tp_formats_release(&formats);
	buf_release(&text);
	return format ? 0 : -1;
}

int record_wall_events(const struct event_host *host, bool quiet, struct event_set *events,
		       struct err *err)
{
	static const char *const of_switch[] = {"prev_pid", "next_pid"};
	static const char *const of_waking[] = {"pid", NULL};

	if (event_parse(events, "cpu-clock", host, err))
		return -1;
	if (!may_trace(host->tracefs_root)) {
		if (!quiet)
			fputs("[ perf record: Not allowed to see what the scheduler does: stacks "
			      "of waiting and wakers will be missing ]\n",
			      stderr);
		return 0;
	}
	if (event_parse(events, "sched:sched_switch,sched:sched_waking", host, err))
		return -1;
	return prepare_tracepoint(events->events.at[1], host->tracefs_root, of_switch, err) ||
			       prepare_tracepoint(events->events.at[2], host->tracefs_root,
						  of_waking, err)
		       ? -1
		       : 0;
}
