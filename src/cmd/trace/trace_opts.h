/* SPDX-License-Identifier: MIT */
/* trace's options as typed, and the parts of the command. */
#ifndef CMD_TRACE_OPTS_H
#define CMD_TRACE_OPTS_H

#include "analysis/calls/fds.h"
#include "analysis/calls/sums.h"
#include "capture/calls/tracer.h"
#include "capture/open/option_values.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_select.h"
#include "view/trace/call_line.h"

/* The text below a thread's next returning call: dumps of its bytes, its call chain. */
struct trace_below {
	struct idmap by_tid; /* tid -> index in .threads */
	VEC(struct trace_below_text {
		struct buf dumps, chain;
		unsigned int frames; /* in the chain */
		bool has_chain;
	})
	threads;
};

struct trace_opts {
	struct input_opts input;
	struct target_options target;
	struct event_selects selects; /* -e, --filter, -G */
	const char *output, *filter_pids, *summary_mode, *ring, *faults;
	const char *buffers; /* --buffers: descriptors, or "all" */
	const char *switch_on, *switch_off, *separator;
	struct sampling chains; /* --call-graph */
	enum unset_or syscalls;
	bool sched, print_formats, show_switches, kernel_graph, print_sample;
	unsigned int min_stack, max_stack, map_timeout;
	bool summary, with_summary, errno_summary, bpf_summary, json;
	bool failure, full_time, comm, show_cpu, no_inherit, sort_events, no_duration;
	double duration_ms;
	uint64_t max_events, max_summary;
	unsigned int string_size, delay_ms;
	int verbose;
};

/* Paths of control groups by the kernel's ids. */
struct trace_groups {
	struct idmap by_id;
	VEC(char *) paths;
	bool complete; /* looked twice: unknown ids stay unknown */
};

extern const struct opt_group trace_groups[];
void trace_defaults(void *opts, const struct env *env);

struct trace_events;
/* trace_select.c: the calls and events that the options select. 0, or -1 with *err. */
int trace_select(const struct trace_opts *o, const struct config *config,
		 struct call_selection *out, struct trace_events *events, struct err *err);

/* Shows calls, live or from a recording. */
struct trace_show {
	const struct trace_opts *opts;
	const struct config *config;
	const struct call_selection *calls;
	struct trace_events *events;
	struct call_lines lines;
	struct call_pairs *pairs;
	struct call_fds fds;
	struct call_sums sums;
	struct idmap comms; /* tid -> index in .names */
	VEC(struct { char text[64]; }) names;
	VEC(uint32_t) without; /* pids of --filter-pids */
	struct trace_below below;
	uint8_t dump_fds[TRACE_FDS]; /* of --buffers */
	uint64_t lost_parts;	     /* dumps that were lost */
	struct trace_groups groups;  /* of --summary-mode cgroup */
	struct out out;
	uint64_t shown;
	char comm[64]; /* of a task without calls */
	bool live;
	struct err events_err; /* error that ended the events */
	uint64_t events_lost;
};
int trace_show_init(struct trace_show *s, const struct env *env, const struct trace_opts *o,
		    const struct call_selection *calls, struct trace_events *events,
		    struct err *err);
/* With --print-sample: prints a line for a call's enter or exit event, before the call's line. */
void trace_show_sample(struct trace_show *s, const struct call *c, const char *event,
		       uint64_t time);
/* Handles a record of the tracer: a call, or bytes of a call. */
void trace_show_record(struct trace_show *s, const struct trace_record *r);
/* Adds a call's beginning, its end or both, in order of time. */
void trace_show_add(struct trace_show *s, const struct call *c);
void trace_show_comm(struct trace_show *s, uint32_t tid, const char *comm);
/* Ends the output with the summary, if wanted. */
void trace_show_end(struct trace_show *s);
/* True when --max-events lines were shown. */
bool trace_show_enough(const struct trace_show *s);
/* True when trace_show_enough(), or when the reader of the output has gone. */
bool trace_show_full(const struct trace_show *s);
/* Prints how many calls and events were lost. Returns the exit status. */
int trace_say_lost(const struct trace_show *s, uint64_t calls, uint64_t events);
int trace_show_release(struct trace_show *s, struct err *err);

/* trace_below.c: the text below the thread's next call, for appending; made when missing. */
struct trace_below_text *trace_below_of(struct trace_below *b, uint32_t tid);
/* The text below the thread's next call, or NULL. */
const struct trace_below_text *trace_below_find(const struct trace_below *b, uint32_t tid);
/* Appends the thread's text to out, unless out is NULL, and clears it. */
void trace_below_take(struct trace_below *b, uint32_t tid, struct buf *out);
void trace_below_release(struct trace_below *b);
/* Reads the existing control groups. */
void trace_groups_look(struct trace_groups *g);
/* The path of the group with this id; NULL: unknown. */
const char *trace_groups_path(const struct trace_groups *g, uint64_t id);
void trace_groups_release(struct trace_groups *g);
/* True when --summary-mode is mode. */
bool trace_sums_are(const struct trace_opts *o, const char *mode);
/* Parses --buffers: sets fds[] for the listed descriptors. 0, or -1 with *err. */
int trace_parse_fds(const char *list, uint8_t fds[static TRACE_FDS], struct err *err);

/* trace_live.c, trace_replay.c. Return the exit status, or -1 with *err. */
int trace_live(struct trace_show *s, char **command, struct err *err);
int trace_replay(struct trace_show *s, struct err *err);

#endif
