/* SPDX-License-Identifier: MIT */
/*
 * Counting: the events of a set opened on a target, without rings, and read on request.
 *
 *   counting_open()     opens everything, disabled
 *   counting_enable()   starts what doesn't start by itself with an exec
 *   counting_read()     the values now
 *   counting_release()
 *
 * A count_source knows what an event's values are read from: the tool's own events; files of sysfs;
 * BPF programs; perf descriptors (count_perf.c) for all that no other source takes. Sources are
 * asked in the order of the table in count.c; each takes whole groups only.
 */
#ifndef CAPTURE_COUNT_H
#define CAPTURE_COUNT_H

#include "base/err.h"
#include "capture/rings/capture.h"
#include "capture/open/target.h"
#include "data/counts.h"

/* Set by the code that runs the count (count_run.c), while it runs. */
struct count_times {
	uint64_t start_ns, end_ns;   /* CLOCK_MONOTONIC; 0: not yet */
	int command_pid;	     /* the process whose times are meant; 0: those of the target */
	bool ended;		     /* the command has ended, and used: */
	uint64_t user_ns, system_ns;
};

struct counting;

struct count_options {
	bool inherit;	  /* children and new threads count, too */
	bool on_exec;	  /* events start when the target (one process) does an exec */
	bool per_thread;  /* each thread's values are kept apart */
	bool with_ids;	  /* events learn the kernel's ids of their counters (stat record) */
	bool all_user, all_kernel;
	bool no_bpf;	   /* by perf descriptors only, even where BPF is cheaper */
	bool bpf_counters; /* events are counted by shared BPF counters where that is possible */
	const char *bpf_attr_map; /* where those are pinned; NULL: the usual place */
	const char *bpf_programs; /* -b: count only while these run; NULL: none */
	bool explain;		  /* notices say what is not supported */
	const struct count_times *times; /* outlives the counting; NULL: it starts when opened */
	struct debug_lines opens; /* gets a line for each perf_event_open */
	struct counting *before; /* of an earlier run, which has ended: this one may
				  * take over its counters; or NULL */
	const char *proc_root, *sys_root;
};

/* A way to count. All functions but open may be NULL. */
struct count_source {
	const char *name;
	bool bpf; /* by BPF programs: not with no_bpf */
	/*
	 * Takes the events of the set that this source can count and no source before it took: sets
	 * taken[index] and shapes their cells in *shape. 0 (also when it takes none), or -1 with
	 * *err. *state is the source's own; NULL: it takes none. notices gets whole lines for the
	 * user.
	 */
	int (*open)(void **state, struct event_set *events, const struct target *target,
		    const struct count_options *opts, bool *taken, struct counts *shape,
		    struct buf *notices, struct err *err);
	/* on: starts what doesn't wait for an exec, or (later) everything; off: stops. */
	int (*enable)(void *state, bool on, struct err *err);
	/* Starts or stops one event: --control's "enable NAME". */
	int (*switch_one)(void *state, const struct event *ev, bool on, struct err *err);
	/* Adds to the cells of its events, which are zero. */
	int (*read)(void *state, struct counts *out, struct err *err);
	void (*release)(void *state); /* also when a later run took it over */
};

struct counting {
	struct event_set *events;
	const struct target *target;
	struct count_options opts;
	struct counts shape; /* cells of all events, all zero */
	struct counts base;  /* the values at the last reset; empty: there was none */
	VEC(struct counting_part {
		const struct count_source *source;
		void *state;
	}) parts;
	struct buf notices;
	bool multiplexed; /* some event did not run all the time it was enabled, at the last read */
};

/* The state of a source in a counting; NULL: it has none, or c is NULL. */
void *counting_state(const struct counting *c, const struct count_source *source);
/* Configures an event's attribute for counting. */
void counting_configure(struct event *ev, const struct count_options *opts);

/*
 * An event that this machine does not have is not an error: its state says so. Missing rights, an
 * impossible group, too few descriptors, a target that has gone are errors.
 */
int counting_open(struct counting *c, struct event_set *events, const struct target *target,
		  const struct count_options *opts, struct err *err);
int counting_enable(struct counting *c, bool on, struct err *err);
int counting_switch(struct counting *c, const struct event *ev, bool on, struct err *err);
int counting_read(struct counting *c, struct counts *out, struct err *err);
/* Values begin at zero again; the times of a run are not reset. */
int counting_reset(struct counting *c, struct err *err);
/* True when an event's value only grows: the difference of two reads is the count between them. */
bool count_grows(const struct event *ev);
/* a - b: as counts_subtract, but values that do not only grow stay as they are in a. */
void counting_since(const struct event_set *events, struct counts *a, const struct counts *b);
void counting_release(struct counting *c);

/* The sources. */
extern const struct count_source count_source_perf, count_source_tool;
/* Only when perf is built with BPF. */
extern const struct count_source count_source_bpf_cgroups, count_source_bpf_programs,
	count_source_bpf_shared, count_source_bpf_syscalls, count_source_bpf_tasks;

#endif
