/* SPDX-License-Identifier: MIT */
/*
 * An event: what to measure, how it is called, and where it stands in its group; and the ordered
 * set of them that a recording, a capture or a count is about.
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
 * Events that the tool answers itself; their attribute is a software dummy that nobody opens. The
 * times are in ns; the others say once what holds for the whole measurement, and no unit.
 */
enum event_tool {
	TOOL_NONE,
	TOOL_DURATION_TIME, /* on the clock, from start to end */
	TOOL_USER_TIME,	    /* of the command, by its rusage */
	TOOL_SYSTEM_TIME,
	TOOL_HAS_PMEM,	/* 1 when there is persistent memory */
	TOOL_NUM_CORES, /* of the machine, online; as far as .cpus has them for the two of CPUs */
	TOOL_NUM_CPUS,
	TOOL_NUM_CPUS_ONLINE,
	TOOL_NUM_DIES,
	TOOL_NUM_PACKAGES,
	TOOL_SLOTS,	      /* a cycle, as the PMU's caps/slots says; ARM */
	TOOL_SMT_ON,	      /* 1 when cores have more than one online thread */
	TOOL_SYSTEM_TSC_FREQ, /* Hz of the time stamp counter */
	TOOL_CORE_WIDE,	      /* 1 when counts are of whole cores, all of their threads: see
				 fact_core_wide */
	TOOL_TARGET_CPU,      /* 1 when CPUs are counted, not tasks */
	TOOL_MAX
};

enum callgraph_mode { CALLGRAPH_NONE, CALLGRAPH_FP, CALLGRAPH_DWARF, CALLGRAPH_LBR };

/* A probe that is made for an event, and goes when its set is released (probe/event_probes.h). */
struct event_probe {
	bool user;	  /* of a program, else of the kernel */
	const char *file; /* the program; of the kernel: a module, or NULL */
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
	const char *filter; /* as the kernel takes it: of fields, of addresses; or NULL */
	/* over what its samples hold, or NULL; see event/filter/filter.h. The set's. */
	const struct sample_filter *sample_filter;
	VEC(uint64_t) ids;		 /* the kernel's ids, one for each opened instance */
	/*
	 * Which of the user's events it is, from 1; 0 when nobody asked for it. Several have the
	 * same number when one text stands for all of them: tracepoints of a pattern, one for each
	 * kind of cores, one for each of several PMUs. Of the last, merged ones are the same thing
	 * counted in several places (uncore_imc_0, uncore_imc_1, ...): stat shows their sum.
	 */
	uint32_t asked;
	bool merged;
	bool of_machine;  /* its PMU counts for CPUs, whatever runs there: never for a task */
	bool per_package; /* counts of a package's CPUs are the same: take one of each */
	bool snapshot;	  /* not a sum over time: what it reads is the value */
	/* wishes that the capture turns into attributes */
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
	bool excludes_self; /* its filter leaves out this process: its other threads are to be left
			       out, too */
	/* Offsets in the raw data of 32-bit tids that its samples are about, beside the task that
	 * they are taken in; 0: none. A capture of a tree of processes then takes the event from
	 * the whole machine, where it may, and keeps what is about the tree's tasks. */
	uint16_t task_fields[2];
	bool side_band; /* a dummy of ours that carries mmap, comm and task records */
	enum event_tool tool;
	/* .kind is not READOUT_NONE: no kernel event, but a number to read (sensors, GPU clients).
	 * The attribute is then a software dummy that nobody should open; only counting makes
	 * sense. The strings are the set's; scale and unit hold for what is read. */
	struct readout readout;
	enum callgraph_mode callgraph;
	uint32_t stack_dump;	   /* bytes, for CALLGRAPH_DWARF */
	/* What the kernel gives beside the attribute, and the recorder turns into call chains. */
	uint32_t unwind_stack;	   /* bytes of stack; 0: nothing */
	uint64_t unwind_regs;	   /* registers */
	bool unwind_auto;	   /* more of the stack when that turns out to be too little */
	uint32_t max_events;	   /* nr=, 0: no limit */
	const char *cpus;	   /* cpu=, or the PMU's own; NULL: all */
	const char *metric_id;	   /* which part of a metric's formula it is, or NULL */
	/* ratio-to-prev=, 0 without: take samples when this event comes so many times as often as
	 * the one before it in the group. The masks are in the attributes; the capture derives that
	 * one's period. */
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
/* The same with another word than ": " between name and value, and, unless it comes first, with ",
 * " in front: the header text shows it so. */
void attr_show_as(const struct attr *a, const char *is, bool first, struct buf *out);
/* A line for each field, in two columns, as perf 6.1 shows what it opens. */
void attr_show_lines(const struct attr *a, struct buf *out);

#endif
