/* SPDX-License-Identifier: MIT */
/*
 * The waits of threads, and those of them that delayed the program, from a recording of `record
 * --wall`.
 *
 * The critical path is the chain of intervals that the end of the program depended on. It is found
 * backwards, from the end of the first process's main thread. Time that the thread ran or was ready
 * is on the path. At a wait that another thread ended, the path goes on with that thread, at that
 * moment. A wait that a timer or a device ended is itself on the path. At a thread's creation, the
 * path goes on with its creator. The path adds up to the life of the program.
 *
 * A wait has delayed the program when the path goes through its end. Other waits delayed nothing:
 * those of idle workers, and of threads that were early.
 */
#ifndef ANALYSIS_WAITS_H
#define ANALYSIS_WAITS_H

#include "analysis/waits/wait_stacks.h"
#include "analysis/wall/wall.h"

enum waits_kind { WAITS_RUNNING, WAITS_READY, WAITS_BLOCKED, WAITS_UNKNOWN, WAITS_KINDS };

/* Waits of threads of one name, for one reason, in one function, ended by one waker. */
struct waits_row {
	const char *comm, *reason;  /* "-": not known */
	const char *function;	    /* that waits; NULL: not known */
	const char *caller;	    /* of that function; NULL: not known */
	const char *waker;	    /* its comm, or wall_waker_name(); NULL: not known */
	const char *waker_function; /* NULL: not known */
	uint64_t n, ns, max_ns, delayed_ns;
};

/* A part of the critical path. */
struct waits_step {
	const char *comm;
	enum waits_kind kind;
	const char *reason;   /* of WAITS_BLOCKED and WAITS_READY */
	const char *function; /* NULL: not known */
	const char *caller;   /* of that function, where it waits; NULL: not known */
	bool by_timer;	      /* of WAITS_BLOCKED: a timer ended it */
	uint64_t n, ns;
};

/* A thread's time in one state. */
struct waits_interval {
	uint64_t from, to;
	uint32_t comm, stack, waker_stack;
	uint32_t waker; /* as in struct wall_interval */
	enum wall_state state;
	const char *reason; /* as in struct wall_interval */
	bool delayed; /* the critical path goes through its end */
};

struct waits_thread {
	struct thread *thread;
	const char *comm; /* its last one */
	uint64_t ns[WAITS_KINDS], delayed_ns;
	VEC(struct waits_interval) intervals; /* in the order of time */
};

struct waits {
	/* after waits_read() */
	struct wall wall;
	VEC(struct waits_row) rows;	  /* the longest sum first; delaying ones before others */
	VEC(struct waits_step) steps;	  /* of the critical path; the longest first */
	VEC(struct waits_thread) threads; /* that took part */
	uint64_t ns[WAITS_KINDS];	  /* of all threads */
	VEC(uint64_t)
	running;       /* ns in which so many of the threads ran at a time, by their number */
	bool has_path; /* false: the program did not end in the recording, or wakers are unknown */
	uint64_t path_ns;
	const char *command; /* the comm of the main thread of the first process */
	const struct waits_thread *last; /* that thread, when there is a path */
	/* private */
	struct world *world;
	struct wait_stacks stacks;
	struct idmap by_thread; /* index in the world -> 1 + place in .threads */
	struct id_slots rows_by, steps_by;
};

/* 0, or -1 with *err. The world and the recording must outlive it; release it in both cases. */
int waits_read(struct waits *w, struct recording *rec, struct world *world, struct err *err);
void waits_release(struct waits *w);

/* Reads a recording for the waits that delayed the program alone. The world must not be used for
 * another reading. 0, or -1 with *err: it fails, or the recording tells no critical path. */
int waits_read_delayed(struct wall_delayed *delayed, struct recording *rec, struct world *world,
		       struct err *err);

enum waits_kind waits_kind_of(enum wall_state state);
/* The thread of a value of COL_WAKER; NULL: it is none, or took no part. */
struct waits_thread *waits_thread_of(struct waits *w, uint32_t waker);
/* The word for why its thread waits; "-": not known. */
const char *waits_reason(const struct waits *w, const struct waits_interval *i);

#endif
