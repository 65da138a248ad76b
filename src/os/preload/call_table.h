/* SPDX-License-Identifier: MIT */
/*
 * The memory in which preload/calls.c counts, inside of the programs, and from which perf calls
 * reads. All processes of a command share it. All zero is empty. Both sides are built together.
 */
#ifndef OS_CALL_TABLE_H
#define OS_CALL_TABLE_H

#include "os/preload/place_table.h"

/* Environment variable: the path of the memory. */
#define CALL_TABLE_VARIABLE "PERF_CALL_TABLE"

#define CALL_TABLE_FUNCTIONS 4096 /* a power of two */
/* base/log_linear.h; the last one is for all calls that took 2.4 hours or longer */
#define CALL_TABLE_BUCKETS 1248

/* A function in a process. */
struct call_table_function {
	uint64_t key; /* 0: unused */
	struct preload_place place;
	uint64_t entered, returned;
	uint64_t left;			      /* by longjmp or an exception */
	uint64_t cut;			      /* by the end of their thread */
	uint64_t total_ns;		      /* of calls that no other one of it contains */
	uint64_t self_ns;		      /* outside of other calls */
	uint64_t max_ns;		      /* of one call */
	uint64_t buckets[CALL_TABLE_BUCKETS]; /* calls that returned */
};

struct call_table {
	uint64_t left_out;  /* calls of functions that had no room, or too deep in a recursion */
	uint64_t threads;   /* that called */
	uint64_t cost_ns;   /* of an entry with its exit, measured in the first process */
	uint32_t processes; /* that have loaded the library */
	uint32_t pad;
	struct preload_file files[PRELOAD_FILES];
	struct call_table_function functions[CALL_TABLE_FUNCTIONS];
};

#endif
