/* SPDX-License-Identifier: MIT */
/*
 * The order in which threads take locks, and circles in it: one thread takes B while it holds A,
 * another one A while it holds B. When both do so at the same time, they wait for each other for
 * ever. A circle is found whether or not that has happened.
 *
 * An order of readers on both sides blocks nobody. A circle cannot close where two of its orders
 * hold a lock in common (a guard), or were seen of one and the same thread only (Havelund, "Using
 * runtime analysis to guide model checking of Java programs", 2000).
 */
#ifndef ANALYSIS_FUTEX_LOCK_ORDER_H
#define ANALYSIS_FUTEX_LOCK_ORDER_H

#include "base/mem.h"

#include <stdbool.h>

#define LOCK_ORDER_MAX_GUARDS 3

/* A lock for the answer. The strings are the reader's. */
struct ordered_lock {
	uint32_t pid;
	uint64_t address;
	const char *kind, *name; /* name: NULL: not known */
};

/* Threads asked for the lock .to while they held .from. */
struct lock_edge {
	uint32_t from, to;	     /* indices of locks */
	bool from_shared, to_shared; /* as readers */
	uint64_t n;		     /* times */
	uint32_t tid;		     /* of the thread that was the first; 0: not known */
	bool several;		     /* others did so, too */
	const char *comm;	     /* of the first; NULL: not known, as the functions */
	const char *from_function;   /* where .from was taken */
	const char *to_function;     /* where .to was asked for */
	uint32_t guards[LOCK_ORDER_MAX_GUARDS]; /* 1 + locks that were held each time; 0: none */
};

enum lock_circle_kind { LOCK_CIRCLE_CLOSES, LOCK_CIRCLE_GUARDED, LOCK_CIRCLE_ONE_THREAD };

/* Edges, each of which begins at the lock where the one before ends. */
struct lock_circle {
	uint32_t first, n; /* in .steps */
	enum lock_circle_kind kind;
};

struct lock_order {
	VEC(struct ordered_lock) locks;
	VEC(struct lock_edge) edges;
	/* after lock_order_find(): */
	VEC(uint32_t) steps;		 /* indices of edges */
	VEC(struct lock_circle) circles; /* those that can close first; LOCK_ORDER_MAX at most */
};

#define LOCK_ORDER_MAX 64

/* Sorts the edges, the most frequent first, and finds for each lock the shortest circles of orders
 * that begin at it. */
void lock_order_find(struct lock_order *o);
void lock_order_release(struct lock_order *o);

#endif
