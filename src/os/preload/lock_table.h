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

#define LOCK_TABLE_LOCKS 16384 /* powers of two */
#define LOCK_TABLE_SITES 32768

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

struct lock_table {
	uint64_t left_out;  /* locks and sites that had no room */
	uint32_t processes; /* that have loaded the library */
	uint32_t pad;
	struct preload_file files[PRELOAD_FILES];
	struct lock_table_lock locks[LOCK_TABLE_LOCKS];
	struct lock_table_site sites[LOCK_TABLE_SITES];
};

#endif
