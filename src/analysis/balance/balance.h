/* SPDX-License-Identifier: MIT */
/*
 * Threads against each other, of a recording of `record --wall`: phases of the program, which
 * thread the others waited for in each, in which code, and how long the program would take if a
 * function took less time.
 *
 * A thread is busy while it runs, is ready to run, or waits for a timer, a disk or a lock of the
 * kernel: nobody else of the recording could make that shorter. Else it waits: for the thread that
 * wakes it up, or, where that one waits, too, for the one that this one waits for. A thread that
 * spins waits; for whom is a guess: the thread that had then been busy for the longest time.
 *
 * Phases lie between the moments at which it changes which threads are busy. They are found as the
 * parts of the time whose means leave the least squares, with a price for each part.
 */
#ifndef ANALYSIS_BALANCE_H
#define ANALYSIS_BALANCE_H

#include "analysis/waits/waits.h"

/* Time of a thread in a function, in a phase. */
struct balance_part {
	uint32_t phase;
	const struct waits_thread *thread;
	const char *function; /* NULL: not known */
	const char *doing;    /* "running", "ready", or why it is blocked: "sleep" */
	uint64_t busy_ns;
	uint64_t waited_ns; /* by other threads, for this one; the sum over them */
};

struct balance_phase {
	uint64_t from, to;		 /* ns */
	uint64_t running_ns;		 /* the sum over threads, as all below */
	uint64_t busy_ns;		 /* .running_ns in it */
	uint64_t waited_ns;		 /* for threads of the recording */
	uint64_t idle_ns;		 /* waited for nobody of the recording */
	const struct balance_part *last; /* for which others waited longest; NULL: nobody waited */
	uint64_t last_ns;		 /* waited for the thread of .last, whatever it did */
	const struct balance_part *most; /* who was busy longest, in one function; NULL: nobody */
};

struct balance_thread {
	const struct waits_thread *thread;
	uint64_t busy_ns, running_ns, spinning_ns;
	uint64_t waits_ns;  /* for other threads, spinning or blocked */
	uint64_t idle_ns;   /* waiting for nobody of the recording */
	uint64_t waited_ns; /* by others, for it */
};

/* How long the program would take if functions took less. */
struct balance_guess {
	const char *function;
	unsigned int percent; /* less */
	uint64_t ns;	      /* that it and what it calls are busy now, of all threads */
	uint64_t wall_ns;     /* of the program then */
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

/* A function that shall take less time. */
struct balance_less {
	const char *function;
	unsigned int percent; /* 1 to 100 */
};

/* 0, or -1 with *err. less: n functions whose effect is guessed, one at a time; with n 0 those that
 * may help most, by half. The world and the recording must outlive it; release it in both cases. */
int balance_read(struct balance *b, struct recording *rec, struct world *world,
		 const struct balance_less *less, size_t n, struct err *err);
void balance_release(struct balance *b);

#endif
