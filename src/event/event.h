/* SPDX-License-Identifier: MIT */
/*
 * An event: what to measure, its name, and its place in its group. An event set: the ordered events
 * of a recording, a capture or a count.
 *
 * A set owns its events and every string in them (an arena). Events that a caller has seen are
 * never removed and never move: pointers to them live as long as the set.
 */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "event/attr.h"
#include "os/sensor/readout.h"

struct sample_filter;
struct tp_format;

/* What an event's own terms (period=, call-graph=, ...) fixed against the command's options. */
enum event_fixed {
	FIXED_PERIOD = 1 << 0, /* attr.sample_period given: not a frequency */
	FIXED_FREQ = 1 << 1,
	FIXED_TIME = 1 << 2,
	FIXED_CALLGRAPH = 1 << 3,
	FIXED_INHERIT = 1 << 4,
	FIXED_OVERWRITE = 1 << 5,
	FIXED_BRANCH = 1 << 6,
	FIXED_NAME = 1 << 7,
	FIXED_MAX_STACK = 1 << 8,
	FIXED_CPUS = 1 << 9,
	FIXED_AUX = 1 << 10, /* aux-sample-size= was given */
};

/*
 * Events whose value the tool itself knows; their attribute is a software dummy that is not opened.
 * Times are in ns. The others are one number without a unit for the whole measurement.
 */
enum event_tool {
	TOOL_NONE,
	TOOL_DURATION_TIME, /* wall-clock time, from start to end */
	TOOL_USER_TIME,	    /* of the command, from its rusage */
	TOOL_SYSTEM_TIME,
	TOOL_HAS_PMEM,	/* 1 when there is persistent memory */
	TOOL_NUM_CORES, /* online cores of the machine; the two counts of CPUs are limited to
			 * .cpus */
	TOOL_NUM_CPUS,
	TOOL_NUM_CPUS_ONLINE,
	TOOL_NUM_DIES,
	TOOL_NUM_PACKAGES,
	TOOL_SLOTS,	      /* slots in a cycle, from the PMU's caps/slots; ARM */
	TOOL_SMT_ON,	      /* 1 when cores have more than one online thread */
	TOOL_SYSTEM_TSC_FREQ, /* Hz of the time stamp counter */
	TOOL_CORE_WIDE,	      /* 1 when all threads of each core are counted: see fact_core_wide */
	TOOL_TARGET_CPU,      /* 1 when CPUs are counted, not tasks */
	TOOL_MAX
};

enum callgraph_mode { CALLGRAPH_NONE, CALLGRAPH_FP, CALLGRAPH_DWARF, CALLGRAPH_LBR };

/* A probe that is made for an event, and removed when its set is released
 * (probe/event_probes.h). */
struct event_probe {
	bool user;	  /* a probe of a program, else of the kernel */
	const char *file; /* the program (NULL: all with the marker); of the kernel: a module, or
			   * NULL */
	const char *spec; /* the point and its arguments, as `perf probe` takes them */
};

struct event {
	struct attr attr;
	const char *name;	/* as users know it: "cycles:u", "sched:sched_switch"; never NULL */
	const char *unit;	/* "" when there is none */
	double scale;		/* counts are multiplied by it; 1 when there is none */
	uint32_t index;		/* in the set */
	uint32_t leader;	/* index of the group's leader; its own when it leads or is alone */
	uint32_t members;	/* of a leader: how many in the group, itself included */
	const char *group_name; /* of a leader, or NULL */
	const char *pmu; /* sysfs name of the PMU ("cpu", "msr"), or NULL when not from one */
	const struct event_probe *probe; /* still to be made; or NULL */
	const char *system, *tracepoint; /* of a tracepoint: "sched", "sched_switch"; else NULL */
	struct tp_format *format;	 /* of a tracepoint, when known; not owned */
	const char *filter; /* in the kernel's form, over fields or addresses; or NULL */
	/* over the contents of its samples, or NULL; see event/filter/filter.h. Owned by the
	 * set. */
	const struct sample_filter *sample_filter;
	VEC(uint64_t) ids;		 /* the kernel's ids, one for each opened instance */
	/*
	 * The number of the event that the user asked for, from 1; 0: not asked for. Events that
	 * one text stands for have the same number: tracepoints of a pattern, an event for each
	 * kind of cores or for each of several PMUs. merged: they count the same in several places
	 * (uncore_imc_0, uncore_imc_1, ...), and stat shows their sum.
	 */
	uint32_t asked;
	bool merged;
	bool of_machine;  /* its PMU counts for CPUs only, never for a task */
	bool per_package; /* all CPUs of a package have the same count: read one CPU of each */
	bool snapshot;	  /* the value read is the result, not a sum over time */
	/* requests that the capture turns into attributes */
	unsigned int fixed;   /* enum event_fixed */
	bool precise_max;     /* :P, the highest precise_ip that opens */
	bool leader_sampling; /* :S */
	bool weak_group;      /* :W */
	bool bpf_counter;     /* :b */
	bool retire_latency;  /* :R, the value is the average latency of retirement */
	bool no_regroup;      /* :X, the group is as written, whatever the PMUs */
	bool excludes_given;  /* one of :u :k :h was given */
	bool guest_given;     /* one of :G :H was given */
	bool percore, no_inherit, overwrite, no_time;
	bool excludes_self; /* its filter leaves out this process: leave out its other threads,
			     * too */
	/* Offsets in the raw data of 32-bit tids of tasks that a sample is about, beside the task
	 * that it is taken in; 0: none. A capture of a tree of processes then opens the event for
	 * the whole machine, where it may, and keeps the samples about the tree's tasks. */
	uint16_t task_fields[2];
	/* A BPF program writes the samples of this tracepoint of the scheduler, where it can be
	 * loaded; only: it must be loaded. See capture/open/scheduler.h. */
	bool by_program, by_program_only;
	/* BPF programs count the samples of this clock, and sum up all of the time of tasks. See
	 * capture/open/wall_sums.h. */
	bool sums_wall;
	bool side_band; /* a dummy of ours that carries mmap, comm and task records */
	enum event_tool tool;
	/* .kind is not READOUT_NONE: no kernel event, but a number to read (sensors, GPU clients).
	 * The attribute is then a software dummy that must not be opened; the event can only be
	 * counted. The set owns the strings; scale and unit are those of the number. */
	struct readout readout;
	enum callgraph_mode callgraph;
	uint32_t stack_dump;	   /* bytes, for CALLGRAPH_DWARF */
	/* Registers and stack that the kernel adds to samples and that the recorder unwinds into
	 * call chains. */
	uint32_t unwind_stack;	   /* bytes of stack; 0: nothing */
	uint64_t unwind_regs;	   /* registers */
	bool unwind_auto;	   /* raise .unwind_stack when stacks turn out to be deeper */
	uint32_t max_events;	   /* nr=, 0: no limit */
	const char *cpus;	   /* cpu=, or the PMU's own; NULL: all */
	const char *metric_id;	   /* the event's id in a metric's formula, or NULL */
	/* ratio-to-prev=, 0 without: take samples when the count of this event is so many times
	 * that of the previous event in the group. The masks are in the attributes; the capture
	 * derives the previous event's period. */
	double ratio;
	const char *driver_config; /* @terms, or NULL */
	const char *cgroup;	   /* path under the hierarchy, or NULL */
};

struct event_set {
	struct arena arena;
	VEC(struct event *) events;
	struct idmap by_id; /* kernel id -> index */
	/* Called with .made when the set is released: removes what was made for its events. */
	void (*remove_made)(void *made);
	void *made;
};

void event_set_release(struct event_set *set);
/* A new event at the end, alone in its group, scale 1, unit "". The name is copied. */
struct event *event_set_add(struct event_set *set, const char *name);
/* Tells the set that records with this id belong to the event. */
void event_set_add_id(struct event_set *set, struct event *ev, uint64_t id);
static inline struct event *event_set_find_id(const struct event_set *set,
					      uint64_t id) /* or NULL */
{
	uint32_t index = idmap_find(&set->by_id, id);

	return index == HASH_NONE ? NULL : set->events.at[index];
}
/* Measures guests, and with without_host nothing else; but events with a modifier G or H, which
 * says it for that event. */
void event_set_guests(struct event_set *set, bool without_host);
struct event *event_set_find_name(const struct event_set *set, const char *name); /* or NULL */
const char *event_tool_name(enum event_tool tool); /* "duration_time"; NULL beyond TOOL_MAX */

static inline bool event_is_leader(const struct event *ev)
{
	return ev->leader == ev->index;
}

/*
 * The name perf 6.1 gives to an attribute that came without one: "cycles:u", "L1-dcache-loads",
 * "mem:0x1234:rw", "raw 0x1a8", "unknown tracepoint", ..., modifiers included.
 */
void attr_name(const struct attr *a, struct buf *out);
/* One line of `evlist -v` after "NAME: ": "type: 1, size: 128, { sample_period, ... }: 4000, ...",
 * zero fields left out, as perf 6.1 prints it. */
void attr_show(const struct attr *a, struct buf *out);
/* As attr_show(), with is in place of ": " between name and value, and, unless first, with ", " in
 * front: for the header text. */
void attr_show_as(const struct attr *a, const char *is, bool first, struct buf *out);
/* A line for each field, in two columns, as perf 6.1 shows the events that it opens. */
void attr_show_lines(const struct attr *a, struct buf *out);

#endif
