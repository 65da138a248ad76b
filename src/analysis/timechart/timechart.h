/* SPDX-License-Identifier: MIT */
/*
 * Which task ran, waited or was blocked when, what woke it, and the idle states and frequencies of
 * CPUs; or the system calls by which tasks read, wrote and waited for input: what a time chart
 * draws.
 *
 *   struct timechart t;
 *   timechart_init(&t, &opts);
 *   failed = timechart_read(&t, rec, world, &err);
 *   ... t.tasks, t.comms, t.power, t.wakes
 *   timechart_release(&t);
 *
 * Times are in ns. Tasks are known by tid; a task has a comm for each name that it had.
 */
#ifndef ANALYSIS_TIMECHART_TIMECHART_H
#define ANALYSIS_TIMECHART_TIMECHART_H

#include "base/hash.h"
#include "world/filter.h"
#include "world/world.h"

enum timechart_state { TIMECHART_NONE, TIMECHART_RUNNING, TIMECHART_WAITING, TIMECHART_BLOCKED };

/* Spans and wakes without call chain. */
#define TIMECHART_NO_CHAIN UINT32_MAX

struct timechart_span {
	uint64_t start, end;
	/* Of a run: it is known to have run until then; its end is not recorded. Else .end. */
	uint64_t known;
	uint32_t chain; /* id in timechart.chains, or TIMECHART_NO_CHAIN */
	uint32_t cpu;
	enum timechart_state state;
};

enum timechart_io_kind {
	TIMECHART_READ,
	TIMECHART_WRITE,
	TIMECHART_SYNC,
	TIMECHART_RECEIVE,
	TIMECHART_SEND,
	TIMECHART_POLL
};

/* A system call, or several that followed upon each other. */
struct timechart_io {
	uint64_t start, end; /* it has not returned: the end of the recording */
	uint64_t bytes;
	int error; /* negative, as the kernel returns it; 0: none */
	int fd;
	unsigned int merges; /* calls that were joined with it */
	enum timechart_io_kind kind;
};

/* A task under one of its names. */
struct timechart_comm {
	uint32_t name; /* id in timechart.names */
	uint32_t row;  /* for the view: where it is drawn; 0: it is not */
	bool shown;    /* for the view */
	uint64_t start, end, ran;
	enum timechart_state state; /* at the moment of the replay, then at the end */
	uint64_t state_since;
	uint32_t cpu;			  /* running: where */
	uint64_t seen;			  /* likewise: until when it is known to run there */
	VEC(struct timechart_span) spans; /* in the order of their ends */
	VEC(struct timechart_io) ios;	  /* in the order of their beginnings */
	uint64_t bytes, max_bytes;	  /* read and written in all, and by one of ios */
};

struct timechart_task {
	uint32_t tid, ppid;
	uint64_t start;
	uint32_t current;    /* index in timechart.comms; HASH_NONE: it has no name yet */
	VEC(uint32_t) comms; /* indices in timechart.comms, the oldest first */
};

struct timechart_power { /* an idle state, or a frequency */
	uint64_t start, end;
	uint32_t cpu;
	bool idle;
	uint64_t value; /* number of the idle state; kHz, 0: not known */
};

struct timechart_wake {
	uint64_t time;
	uint32_t wakee, waker; /* tids */
	bool by_interrupt;     /* the waker is no task */
	uint32_t chain;	       /* as of a span */
};

struct timechart_cpu { /* private */
	uint64_t idle_since, idle_state, frequency_since, frequency;
	bool runs; /* .tid is known to run on it */
	uint32_t tid;
	uint64_t seen; /* the last that was recorded of .tid there */
};

struct timechart_options {
	/* Appends the call chain of a sample as text; called during the replay. NULL: no chains. */
	void (*chain)(void *ctx, const struct record *r, struct buf *out);
	void *chain_ctx;
	uint64_t io_min_time;	/* ns: shorter calls last so long in the chart */
	uint64_t io_merge_dist; /* ns: calls with a shorter pause in between are joined */
};

struct timechart {
	const struct timechart_options *opts;
	VEC(struct timechart_task) tasks; /* by parent, then by tid */
	VEC(struct timechart_comm) comms;
	VEC(struct timechart_power) power;
	VEC(struct timechart_wake) wakes;
	struct intern names, chains;
	uint32_t cpus;	      /* the highest number that CPUs may have */
	uint64_t first, last; /* of all samples; 0: there are none */
	uint64_t max_frequency, min_frequency, turbo_frequency; /* kHz; 0: not known */
	uint64_t io_events; /* calls that ended; 0: the chart is one of tasks and CPUs */
	uint64_t losses;    /* moments at which records were lost */
	bool clipped;	    /* it shows a part of the recording */
	/* private */
	struct idmap task_of;
	VEC(struct timechart_cpu) cpu;
	struct buf text;
};

void timechart_init(struct timechart *t, const struct timechart_options *opts);
void timechart_release(struct timechart *t);
/* Takes sched:sched_switch, sched:sched_wakeup, power:cpu_idle, power:cpu_frequency, and the calls
 * of timechart_calls[]. 0, or -1 with *err. */
int timechart_read(struct timechart *t, struct recording *rec, struct world *world,
		   struct err *err);
/* Keeps what lies in that part of the time, after timechart_read(): spans and calls are cut at its
 * ends, and only what is left counts for .ran and .bytes (a call that is cut: all of its bytes). */
void timechart_clip(struct timechart *t, const struct time_range *part);
/* The names of system calls that are drawn: "read", ...; ends with NULL. */
extern const char *const timechart_calls[];
/* The task with that tid, or NULL. */
const struct timechart_task *timechart_task_find(const struct timechart *t, uint32_t tid);

#endif
