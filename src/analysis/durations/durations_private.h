/* SPDX-License-Identifier: MIT */
/* Calls that are open while a recording is read, for the parts of durations. */
#ifndef ANALYSIS_DURATIONS_PRIVATE_H
#define ANALYSIS_DURATIONS_PRIVATE_H

#include "analysis/durations/durations.h"

/* A call whose end was not seen yet. */
struct open_call {
	uint32_t function;
	uint32_t outer; /* 1 + the place of the innermost call of the same function that contains
			   it; 0: none */
	uint64_t sp, begin, waiting, ready; /* the last two: of the thread, at the entry */
	uint64_t inner_ns;		    /* in calls of probed functions */
	uint64_t left_at;	 /* ns: when it last jumped where it may have left; 0: never */
	uint64_t losses;	 /* of struct durations */
	bool elsewhere;		 /* it ended in another thread */
	struct call_waits waits; /* of calls inside of it, too, when these have ended */
	struct wall_stack stack;
};

struct durations_thread {
	struct thread *thread;
	VEC(struct open_call) calls; /* the outermost first; those from .depth on are unused */
	size_t depth;
	VEC(uint32_t) innermost; /* by function: 1 + the place of its innermost call; 0: none */
	uint64_t waiting, ready; /* ns so far */
	uint64_t off_since;	 /* 0: on a CPU, as far as is known */
	uint64_t hit_at;	 /* the last probe, when the thread has been on a CPU since; 0 */
	const char *reason;	 /* why it left the CPU; NULL: not known */
	bool preempted;
};

/* How a call ended. */
enum call_end { CALL_ENDED, CALL_LEFT, CALL_CUT, CALL_OPEN };

struct durations *durations_of(struct replay *rp);
/* The state of a sample's thread; NULL: it has no tid. */
struct durations_thread *durations_thread_of(struct replay *rp, uint32_t pid, uint32_t tid);
/* Updates the shortest time between two probes of a thread: the upper bound of a probe's cost.
 * t: may be NULL. */
void durations_count_hit(struct replay *rp, struct durations_thread *t);
/* Opens a call inside of the thread's open ones; its .sp is 0. Valid until the next one. */
struct open_call *durations_open_call(struct replay *rp, struct durations_thread *t,
				      uint32_t function, const struct record *r);
/* Ends the innermost call of a thread. */
void durations_end_call(struct replay *rp, struct durations_thread *t, enum call_end how);
/* Counts a call that took ns and began in the thread. */
void durations_count_call(struct replay *rp, const struct durations_thread *t,
			  const struct open_call *call, uint64_t ns, enum call_end how);

/* duration_pairs.c */
/* Finds the events of d's pairs in the recording and fills two rows for each. 0, or -1 with *err.
 */
int duration_pairs_bind(struct durations *d, const struct recording *rec,
			struct replay_tracepoint *rows, struct err *err);
/* Counts what has begun and not ended. */
void duration_pairs_end(struct replay *rp);
void duration_pairs_release(struct durations *d);

#endif
