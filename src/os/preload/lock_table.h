/* SPDX-License-Identifier: MIT */
/*
 * The memory in which preload/locks.c counts, inside of the programs, and from which perf locks
 * reads. All processes of a command share it. All zero is empty. Both sides are built together.
 */
#ifndef OS_LOCK_TABLE_H
#define OS_LOCK_TABLE_H

#include "os/preload/place_table.h"

/* Environment variables: the path of the memory. */
#define LOCK_TABLE_VARIABLE "PERF_LOCK_TABLE"

#define LOCK_TABLE_LOCKS  16384 /* powers of two */
#define LOCK_TABLE_SITES  32768
#define LOCK_TABLE_ORDERS 16384
#define LOCK_ORDER_GUARDS 3

enum lock_table_kind { LOCK_TABLE_MUTEX, LOCK_TABLE_RWLOCK, LOCK_TABLE_SPIN };

/* A lock: an address in a process. */
struct lock_table_lock {
	uint64_t key; /* 0: unused */
	struct preload_place place;
	uint32_t pid, kind;
	/* the current holder; written by the holder */
	uint64_t since; /* ns */
	uint32_t owner; /* tid; 0: nobody, as far as is known */
	uint32_t depth, site;
	uint32_t pad;
};

/* Where a lock is taken. Written by the thread that holds the lock; .taken also by readers. */
struct lock_table_site {
	uint64_t key; /* 0: unused */
	struct preload_place place;
	uint32_t lock;
	uint32_t holder_site; /* of the longest wait: 1 + index of where the holder took it */
	uint64_t taken, waits, wait_ns, max_wait_ns;
	uint64_t holds, hold_ns, max_hold_ns;
	uint32_t waiter, holder; /* of the longest wait: tids */
	char waiter_comm[16], holder_comm[16];
};

/* Bits of lock_table_order.how: only a reader (who shares the lock) held the first lock, or asked
 * for the second one. */
enum { LOCK_ORDER_FROM_SHARED = 1, LOCK_ORDER_TO_SHARED = 2 };

/* Two locks that threads asked for in this order: they held the first one, and did not only try the
 * second one. Modes of readers have entries of their own. */
struct lock_table_order {
	uint64_t key; /* 0: unused */
	uint64_t n;
	uint32_t from, to;	     /* locks */
	uint32_t from_site, to_site; /* where they were taken the first time */
	uint32_t how;
	uint32_t tid;	    /* of the thread that was the first */
	uint32_t several;   /* 1: other threads did so, too */
	uint32_t filled;    /* 1: the fields above and .guards are valid */
	uint32_t unguarded; /* 1: .guards does not hold */
	/* 1 + indices of other locks that were held for writing each time; 0: none */
	uint32_t guards[LOCK_ORDER_GUARDS];
	char comm[16];
};

struct lock_table {
	uint64_t left_out;  /* locks, sites and orders that had no room */
	uint32_t processes; /* that have loaded the library */
	uint32_t pad;
	struct preload_file files[PRELOAD_FILES];
	struct lock_table_lock locks[LOCK_TABLE_LOCKS];
	struct lock_table_site sites[LOCK_TABLE_SITES];
	struct lock_table_order orders[LOCK_TABLE_ORDERS];
};

#endif
