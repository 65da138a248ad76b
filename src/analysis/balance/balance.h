/* SPDX-License-Identifier: MIT */
/*
 * How the load is balanced over threads, from a recording of `record --wall`: the phases of the
 * program, the thread and code that the others waited for in each phase, and how long the program
 * would take if a function took less time.
 *
 * A thread is busy while it runs, is ready to run, or waits for a timer, a disk or a lock of the
 * kernel: no other thread of the recording could shorten that. Else it waits for the thread that
 * wakes it up. When its waker waits, too, it waits for the thread that the waker waits for. A
 * spinning thread also waits. The thread that it waits for is guessed: the one that has been busy
 * for the longest time.
 *
 * A phase is a time in which the same threads are busy. Phases are found by least squares: the time
 * is split so that the squared distances from the means of the parts, plus a cost for each part,
 * are smallest.
 */
#ifndef ANALYSIS_BALANCE_H
#define ANALYSIS_BALANCE_H

#include "analysis/waits/waits.h"

/* Time of a thread in a function, in a phase. */
struct balance_part {
	uint32_t phase;
	const struct waits_thread *thread;
	const char *function; /* NULL: not known */
	const char *caller;   /* of that function, where it is blocked; NULL: not known */
	const char *doing;    /* "running", "ready", or why it is blocked: "sleep" */
	uint64_t busy_ns;
	uint64_t waited_ns; /* that other threads waited for this one, summed over them */
};

struct balance_phase {
	uint64_t from, to;		 /* ns */
	uint64_t running_ns;		 /* the sum over threads, as all below */
	uint64_t busy_ns;		 /* .running_ns in it */
	uint64_t waited_ns;		 /* for threads of the recording */
	uint64_t idle_ns;		 /* waited for no thread of the recording */
	const struct balance_part *last; /* the part that others waited for longest; NULL: no thread
					  * waited */
	uint64_t last_ns;		 /* that others waited for the thread of .last in all its
					  * parts */
	const struct balance_part *most; /* the part that was busy longest; NULL: none */
};

struct balance_thread {
	const struct waits_thread *thread;
	uint64_t busy_ns, running_ns, spinning_ns;
	uint64_t waits_ns;  /* for other threads, spinning or blocked */
	uint64_t idle_ns;   /* waiting for no thread of the recording */
	uint64_t waited_ns; /* that others waited for it */
};

/* How long the program would take if a function took less time. */
struct balance_guess {
	const char *function;
	unsigned int percent; /* less */
	uint64_t ns;	      /* busy time of the function and its callees now, summed over
			       * threads */
	uint64_t wall_ns;     /* the program's duration then */
};

struct balance {
	/* after balance_read() */
	struct waits waits;
	uint64_t wall_ns;		    /* from the beginning to the end of the recording */
	uint64_t program_ns;		    /* life of the first process; 0: it has not ended */
	VEC(struct balance_phase) phases;   /* in the order of time; one at least */
	VEC(struct balance_part) parts;	    /* those that were waited for longest first */
	VEC(struct balance_thread) threads; /* as in .waits.threads */
	VEC(struct balance_guess) guesses;  /* the one that helps most first */
	uint64_t busy_ns, waited_ns, idle_ns, running_ns, ready_ns,
		spinning_ns; /* of all threads */
	/* private */
	struct intern functions, part_keys;
	VEC(uint32_t) function_of_stack; /* stack -> 1 + id in .functions */
};

/* A function to be made faster, and by how much. */
struct balance_less {
	const char *function;
	unsigned int percent; /* 1 to 100 */
};

/* 0, or -1 with *err. less: n functions whose effect is guessed, one at a time. With n 0: the
 * functions that may help most, each made 50 % faster. The world and the recording must outlive it;
 * release it in both cases. */
int balance_read(struct balance *b, struct recording *rec, struct world *world,
		 const struct balance_less *less, size_t n, struct err *err);
void balance_release(struct balance *b);

#endif
