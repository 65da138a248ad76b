/* SPDX-License-Identifier: MIT */
/* Events beside the calls: tracepoints, probes, counters and page faults, live or of a recording.
 */
#ifndef CMD_TRACE_EVENTS_H
#define CMD_TRACE_EVENTS_H

#include "capture/session/source_live.h"
#include "cmd/options/opts_events.h"
#include "cmd/options/opts_select.h"
#include "cmd/trace/trace_opts.h"
#include "view/trace/event_line.h"
#include "world/replay/replay.h"

/* A call's record or an event's text that waits for its turn in time. */
struct trace_item {
	uint64_t time, seq;
	uint32_t tid;
	const struct event *event; /* NULL: a call; trace_events.exits: the chain of one */
	int number;		   /* of the call that the chain is of */
	unsigned int frames;	   /* of the chain */
	size_t at, n;		   /* in trace_events.bytes */
};

struct trace_events {
	struct trace_show *show;
	/* by trace_select() */
	struct arena arena;
	struct event_selects selects; /* what -e, -F and --filter ask for */
	bool any;		      /* events are asked for, or call chains of calls */
	VEC(const char *) named;      /* by -e, each by itself */
	bool calls;		      /* system calls are, too */
	const char *cgroup;	      /* -G: calls of tasks in it; NULL: of any */
	/* what shows them, from trace_events_begin() on */
	struct world *world;
	struct event_lines lines;
	struct replay_switches switches;
	/* live */
	struct session_options session;
	struct live_source *source;
	const struct event *runtime; /* of --sched: sums only */
	bool call_chains;	     /* --call-graph with calls */
	const struct event *exits;   /* of .call_chains: the ends of calls, with their chains */
	uint32_t before_exec;	     /* the command's pid until its exec was seen; else 0 */
	char pid_text[16];
	uint64_t seq, pulled_ns;
	struct buf bytes;
	VEC(struct trace_item) queue;
	VEC(struct trace_item) spans;  /* scratch: events by thread and time */
	VEC(struct trace_item) chains; /* the same of call chains */
};

void trace_events_release(struct trace_events *e);
/* What shows samples of a measurement. 0, or -1 with *err. */
int trace_events_begin(struct trace_events *e, const struct measurement *m, struct world *world,
		       bool chains_made, struct err *err);
/* A sample in its turn: shown, summed up, or left out. */
void trace_events_add(struct trace_events *e, const struct record *r);

/* Live beside a tracer of calls: events of the target, or of the process that was made for the
 * command. */
int trace_events_open(struct trace_events *e, const struct target_options *target, int command_pid,
		      struct err *err);
/* A call's record, to be shown in its turn. */
void trace_events_add_call(struct trace_events *e, const struct trace_record *r);
/* Shows all that waits up to that time, and keeps the rest. */
void trace_events_show_queue(struct trace_events *e, uint64_t until);
/* Shows what has its turn; all: nothing more comes. 0, or -1 with *err. */
int trace_events_pull(struct trace_events *e, bool all, struct err *err);
void trace_events_close(struct trace_events *e);
/* Live without calls: until the command or the target ends. The exit status, or -1 with *err. */
int trace_events_run(struct trace_events *e, char **command, struct err *err);

#endif
