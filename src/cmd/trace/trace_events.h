/* SPDX-License-Identifier: MIT */
/* Events shown beside the calls: tracepoints, probes, counters and page faults, live or from a
 * recording. */
#ifndef CMD_TRACE_EVENTS_H
#define CMD_TRACE_EVENTS_H

#include "capture/session/source_live.h"
#include "cmd/options/opts_events.h"
#include "cmd/options/opts_select.h"
#include "cmd/trace/trace_opts.h"
#include "view/trace/event_line.h"
#include "world/replay/replay.h"

/* A call's record, an event's line or a call chain, queued until its time. */
struct trace_item {
	uint64_t time, seq;
	uint32_t tid;
	const struct event *event; /* NULL: a call; trace_events.exits: a call's chain */
	int number;		   /* the chain's call */
	unsigned int frames;	   /* in the chain */
	size_t at, n;		   /* offset and size in trace_events.bytes */
};

struct trace_events {
	struct trace_show *show;
	/* set by trace_select() */
	struct arena arena;
	struct event_selects selects; /* the events of -e, -F and --filter */
	bool any;		      /* events are wanted, or call chains of calls */
	VEC(const char *) named;      /* names of events in -e */
	bool calls;		      /* system calls are wanted */
	const char *cgroup;	      /* -G: only calls of tasks in it; NULL: of all tasks */
	/* for showing, set by trace_events_begin() */
	struct world *world;
	struct event_lines lines;
	struct replay_switches switches;
	/* live */
	struct session_options session;
	struct live_source *source;
	const struct event *runtime; /* of --sched, for sums only */
	bool call_chains;	     /* --call-graph applies to calls */
	const struct event *exits;   /* with .call_chains: their samples have the chains */
	uint32_t before_exec;	     /* the command's pid until its exec; then 0 */
	char pid_text[16];
	uint64_t seq, pulled_ns;
	struct buf bytes;
	VEC(struct trace_item) queue;
	VEC(struct trace_item) spans;  /* scratch: queued events by thread and time */
	VEC(struct trace_item) chains; /* scratch: queued chains by thread and time */
};

void trace_events_release(struct trace_events *e);
/* Prepares to show a measurement's samples. chains_made: chains are unwound from stack dumps. 0, or
 * -1 with *err. */
int trace_events_begin(struct trace_events *e, const struct measurement *m, struct world *world,
		       bool chains_made, struct err *err);
/* Handles a sample: shows or queues its line, adds it to the sums, or drops it. */
void trace_events_add(struct trace_events *e, const struct record *r);

/* Opens events beside a tracer of calls: on the target, or on the process that will become the
 * command. 0, or -1 with *err. */
int trace_events_open(struct trace_events *e, const struct target_options *target, int command_pid,
		      struct err *err);
/* Queues a call's record until its time. */
void trace_events_add_call(struct trace_events *e, const struct trace_record *r);
/* Shows the queued items up to that time, in ns, and keeps the others. */
void trace_events_show_queue(struct trace_events *e, uint64_t until);
/* Reads new samples, then shows the items that no earlier one can precede. all: the events have
 * ended, show everything. 0, or -1 with *err. */
int trace_events_pull(struct trace_events *e, bool all, struct err *err);
void trace_events_close(struct trace_events *e);
/* Shows events without calls until the command or the target ends. Returns the exit status, or -1
 * with *err. */
int trace_events_run(struct trace_events *e, char **command, struct err *err);

#endif
