// SPDX-License-Identifier: MIT
/* --wall: the events of a wall-clock profile (analysis/wall/wall.h). */
#include "cmd/record/record_wall.h"

#include "analysis/event_pair.h"
#include "cmd/options/words/pair_words.h"
#include "data/wait_state.h"
#include "data/wall_sum.h"
#include "event/format/format.h"
#include "os/rights/rights.h"
#include "os/tracing/tracefs.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define SUMS_FREQUENCY 1000 /* Hz: a clock sample costs as much as five switches */

/* True when this user may record raw tracepoint data, which shows the whole kernel's activity. */
static bool may_trace(const char *tracefs_root)
{
	uint64_t id;

	return tracefs_root && (rights_perfmon("/proc") || rights_paranoid("/proc") < 0) &&
	       !tracefs_id(tracefs_root, "sched", "sched_switch", &id, NULL);
}

/* True when the scheduler's events are recorded, by tracepoints or by BPF programs in their
 * place. */
static bool wall_traces(const struct record_opts *o, const char *tracefs_root)
{
	return !wall_names(o, SWITCHES_SOURCE) && may_trace(tracefs_root);
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

/* True when threads may wait from before the recording on: /proc tells where. */
static bool looks_at_waits(const struct target_options *t)
{
	return t->pids && !t->system_wide && !t->cpus;
}

void record_wall_sampling(const struct record_opts *o, const struct target_options *target,
			  struct sampling *s)
{
	struct arena arena = {0};
	bool traces;

	s->cpu = true;
	if (wall_names(o, SUMS_SOURCE)) {
		s->use_clockid = true;
		s->clockid = CLOCK_MONOTONIC;
		s->raw = true;
		if (!s->rate_given)
			s->frequency = MIN(s->frequency, SUMS_FREQUENCY);
		return;
	}
	traces = wall_traces(o, tracefs_find(NULL, &arena));
	arena_release(&arena);
	s->switch_events = !traces || follows_tasks(o, target);
	if (traces && !looks_at_waits(target))
		return;
	/* the recorder writes samples of "wait-states", by a clock that it can read itself */
	s->raw = true;
	if (!s->use_clockid) {
		s->use_clockid = true;
		s->clockid = CLOCK_MONOTONIC;
	}
}

/* A field of a tracepoint's raw data, and where the BPF programs that stand in for it put that
 * (os/bpf/state/scheduler_state.h). */
struct wall_field {
	const char *name;
	unsigned int offset, size;
	bool task; /* the tid of a task that the event is about */
};

static const struct wall_field switch_fields[] = {
	{"prev_comm", 8, 16, false},  {"prev_pid", 24, 4, true},
	{"prev_prio", 28, 4, false},  {"prev_state", 32, 8, false},
	{"next_comm", 40, 16, false}, {"next_pid", 56, 4, true},
	{"next_prio", 60, 4, false},  {0},
};
static const struct wall_field waking_fields[] = {
	{"comm", 8, 16, false},
	{"pid", 24, 4, true},
	{"prio", 28, 4, false},
	{"target_cpu", 32, 4, false},
	{0},
};

/* Notes where the tids are in a tracepoint's raw data. The period is fixed, so that each hit is a
 * sample, whatever -F says. */
static int prepare_tracepoint(struct event *ev, const char *root, const struct wall_field *fields,
			      struct err *err)
{
	struct tp_formats formats = {0};
	const struct tp_format *format = NULL;
	struct buf text = {0};
	size_t tasks = 0;

	if (!tracefs_format(root, ev->system, ev->tracepoint, &text, err))
		format = tp_formats_add(&formats, ev->system, buf_text(&text), text.n, err);
	for (const struct wall_field *f = fields; format && f->name; f++) {
		const struct tp_field *field = tp_format_field(format, f->name);

		ev->by_program &= field && field->offset == f->offset && field->size == f->size;
		if (f->task && field && field->size == sizeof(uint32_t))
			ev->task_fields[tasks++] = (uint16_t)field->offset;
	}
	ev->fixed |= FIXED_PERIOD;
	tp_formats_release(&formats);
	buf_release(&text);
	return format ? 0 : -1;
}

static int wall_no_tracing(const struct record_opts *o, struct err *err)
{
	if (!wall_names(o, WALL_ANY) && !wall_names(o, SWITCHES_SOURCE)) {
		err_set(err, ERR_RIGHTS,
			"not allowed to see what the scheduler does: "
			"no '--wall=%s'",
			o->wall);
		return err_hint(err, "This needs root or CAP_PERFMON, and tracefs.");
	}
	if (!o->quiet && !wall_names(o, SWITCHES_SOURCE))
		fputs("[ perf record: Not allowed to see what the scheduler does: stacks of "
		      "waiting and wakers will be missing ]\n",
		      stderr);
	return 0;
}

/* Adds the event of the recorder's looks into /proc. */
static int wall_add_states(const struct event_host *host, struct event_set *events, struct err *err)
{
	if (event_parse(events, "dummy", host, err))
		return -1;
	(*vec_last(&events->events))->name = WAIT_STATES_EVENT;
	return 0;
}

/* Lets BPF programs write the two events, unless another source is wanted or they cannot. */
static int wall_use_programs(const struct record_opts *o, struct event_set *events, struct err *err)
{
	struct event *of_switch = events->events.at[1], *of_waking = events->events.at[2];
	const bool layout = of_switch->by_program && of_waking->by_program;
	const bool only = wall_names(o, BPF_SOURCE);

	if (only && !layout)
		return err_set(err, ERR_UNSUPPORTED,
			       "this kernel lays out sched:sched_switch in another way: "
			       "no '--wall=%s'",
			       o->wall);
	for (size_t i = 1; i <= 2; i++) {
		events->events.at[i]->by_program =
			layout &&
			(only || (wall_names(o, WALL_ANY) && !follows_tasks(o, &o->target)));
		events->events.at[i]->by_program_only = only;
	}
	if (!o->quiet && !of_switch->by_program)
		fputs("[ perf record: Tracepoints record the scheduler ]\n", stderr);
	return 0;
}

static int wall_add_pair(const struct event_pair *pair, const struct sdt_markers *markers,
			 const char *file, const struct event_host *host, struct event_set *events,
			 struct err *err)
{
	const char *const names[] = {pair->begin, pair->end};
	struct arena arena = {0};
	int failed = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names) && !failed; i++) {
		struct event_select one = {SELECT_EVENTS,
					   pair_event_word(markers, file, names[i], &arena)};
		const struct event_selects selects = {.at = &one, .n = 1};

		failed = events_select(&selects, host, events, err);
		if (!failed)
			(*vec_last(&events->events))->fixed |= FIXED_PERIOD;
	}
	arena_release(&arena);
	return failed;
}

/* --pair: adds the two events of each. */
static int wall_add_pairs(const struct record_opts *o, const struct event_host *host,
			  struct event_set *events, struct err *err)
{
	struct event_pairs pairs = {0};
	struct sdt_markers markers = {0};
	struct arena arena = {0};
	struct err none = {0};
	AUTO_CHAR *file = NULL;
	int failed = 0;

	if (o->pairs.n)
		file = measured_file(NULL, o->command, o->target.pids, &none);
	if (file)
		(void)sdt_markers_read(&markers, file);
	for (size_t i = 0; i < o->pairs.n && !failed; i++) {
		failed = event_pairs_add(&pairs, &arena, o->pairs.at[i], err);
		if (!failed)
			failed = wall_add_pair(vec_last(&pairs), &markers, file, host, events, err);
	}
	sdt_markers_release(&markers);
	vec_release(&pairs);
	arena_release(&arena);
	return failed;
}

static int wall_add_source(const struct record_opts *o, const struct event_host *host,
			   struct event_set *events, struct err *err)
{
	if (event_parse(events, "cpu-clock", host, err))
		return -1;
	if (!wall_traces(o, host->tracefs_root))
		/* context switches have no reasons */
		return wall_no_tracing(o, err) || wall_add_states(host, events, err) ? -1 : 0;
	if (wall_names(o, SUMS_SOURCE)) {
		events->events.at[0]->name = WALL_SUMS_EVENT;
		events->events.at[0]->sums_wall = true;
		return 0;
	}
	if (event_parse(events, "sched:sched_switch,sched:sched_waking", host, err))
		return -1;
	events->events.at[1]->by_program = events->events.at[2]->by_program = true;
	if (prepare_tracepoint(events->events.at[1], host->tracefs_root, switch_fields, err) ||
	    prepare_tracepoint(events->events.at[2], host->tracefs_root, waking_fields, err))
		return -1;
	if (looks_at_waits(&o->target) && wall_add_states(host, events, err))
		return -1;
	return wall_use_programs(o, events, err);
}

int record_wall_events(const struct record_opts *o, const struct event_host *host,
		       struct event_set *events, struct err *err)
{
	return wall_add_source(o, host, events, err) || wall_add_pairs(o, host, events, err) ? -1
											      : 0;
}
