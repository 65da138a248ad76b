/* SPDX-License-Identifier: MIT */
/*
 * How long calls of functions took, from probes at their entries and exits
 * (probe/function_probes.h).
 *
 * A call begins at its entry, with the stack pointer that it has there. A return, or a jump out of
 * the function, ends it when the stack pointer is the same again. A call was left by longjmp or an
 * exception when it is gone without that: a call above it ended, or another function was entered at
 * its place of the stack. Calls of threads that ended inside, and of those that still ran when the
 * recording ended, have no duration either; nor have those in which records were lost.
 *
 * Waiting is the time that the thread was off the CPUs and could not run, by the recording's
 * context switches; ready is the time that it could run and another thread did.
 *
 * In place of functions, any two events may be the beginning and the end of calls
 * (analysis/event_pair.h). Without a field an end belongs to the last beginning in its thread. With
 * one it belongs to the beginning in the same process whose field had the same value, in whichever
 * thread that was; waiting is then known where both were in one thread.
 */
#ifndef ANALYSIS_DURATIONS_H
#define ANALYSIS_DURATIONS_H

#include "analysis/durations/histogram.h"
#include "analysis/event_pair.h"
#include "analysis/waits/wait_stacks.h"
#include "analysis/wall/wall_stack.h"
#include "base/hash.h"
#include "world/replay/replay.h"

struct duration_function {
	const char *name;
	struct dso *dso;	       /* NULL: not known */
	uint64_t total_ns;	       /* of calls that no other call of the function contains */
	uint64_t self_ns;	       /* outside of calls of other probed functions */
	uint64_t waiting_ns, ready_ns; /* of .total_ns */
	struct histogram calls;	       /* ns of each call with a duration */
	uint64_t left;		       /* by longjmp or an exception */
	uint64_t cut;		       /* by the end of their thread */
	uint64_t open;		       /* when the recording ended */
	uint64_t before;	       /* returned in the recording, and began before it */
	const struct event *entries;   /* the event that its entries are of */
	uint64_t closed; /* ns: when its probes were taken away, for they cost too much; 0: never */
	uint64_t uncertain; /* records were lost in them */
	uint64_t error_ns;  /* of .total_ns, 95 of 100 times less; not with .is_sampled: 0 */
	uint64_t elsewhere; /* ended in another thread: their waiting is not known */
};

/* Why a call waited, each reason once. All zero: it did not. */
#define CALL_REASONS 4 /* the last one stands for all that have no place */
struct call_waits {
	struct {
		const char *reason; /* "-": not known; NULL: no more of them */
		uint64_t ns;
	} by[CALL_REASONS];
};

struct open_pair;

struct slow_call {
	uint32_t function;
	const struct thread *thread;
	uint64_t begin, ns, waiting_ns, ready_ns;
	bool elsewhere;		 /* it ended in another thread: waiting is not known */
	struct call_waits waits; /* sums to .waiting_ns */
	uint32_t epoch;		 /* of the world: for the addresses of .stack */
	struct wall_stack stack; /* at the entry */
};

struct durations {
	/* set by the caller */
	uint32_t slowest_max;
	struct event_pairs pairs;
	bool by_value;			 /* a row for each value of the pairs' fields */
	/* after durations_read(); calls that the compiler inserted have no .slowest, and no waiting
	 */
	bool is_counted;    /* by inserted calls, in the program (call_counts.h); not by probes */
	/* By a clock (sampled_calls.h): a "call" is a run, which holds one call or several. */
	bool is_sampled;
	uint64_t period_ns; /* of .is_sampled: between two samples, which a run is exact to */
	/* of .is_sampled: no stacks of waits are known, so those at either end of a run are not in
	 * it */
	bool open_ends;
	uint64_t processes; /* of .is_counted: that counted */
	uint64_t left_out;  /* of .is_counted: calls for which there was no room */
	VEC(struct duration_function) functions;
	VEC(struct slow_call) slowest; /* the slowest first */
	bool has_switches;	       /* waiting is known */
	bool has_reasons;	       /* of waiting, too */
	uint64_t probes_hit;	       /* or entries and exits that were counted */
	uint64_t hit_ns;     /* the most that a probe costs: the shortest time between two; 0: not
			      * known */
	uint64_t threads;    /* that called */
	uint64_t begin, end; /* ns: of the recording */
	/* private */
	struct wait_stacks stacks; /* in which threads waited */
	struct arena arena;
	struct idmap by_place;
	struct intern names;
	uint64_t losses;
	VEC(struct open_pair) open_pairs; /* of pairs with a field */
	VEC(uint32_t) free_pairs;	  /* places in it that are unused */
	struct idmap open_by_value;
};

/* True when the recording has events of function_probes_make(). */
bool durations_can_read(const struct recording *rec);
/* Adds a pair as event_pairs_add() takes it. 0, or -1 with *err. d: not read yet. */
int durations_add_pair(struct durations *d, const char *typed, struct err *err);
/* 0, or -1 with *err. The world keeps the past: it is asked for .slowest's stacks afterwards. */
int durations_read(struct durations *d, struct recording *rec, struct world *world,
		   struct err *err);
enum durations_order {
	DURATIONS_TOTAL,
	DURATIONS_SELF,
	DURATIONS_WAITING,
	DURATIONS_CALLS,
	DURATIONS_P99,
	DURATIONS_MAX,
	DURATIONS_NAME
};
/* True when .waiting_ns and .ready_ns are those of all calls of the function. */
static inline bool duration_waiting_is_known(const struct durations *d,
					     const struct duration_function *f)
{
	return d->has_switches && !f->elsewhere;
}
/* Sorts .functions; .slowest follows. */
void durations_sort(struct durations *d, enum durations_order by);
void durations_release(struct durations *d);

#endif
