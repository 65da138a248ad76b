/* SPDX-License-Identifier: MIT */
/* What bpf/tree.bpf.c keeps, as user space reads it. Private to os/bpf/. */
#ifndef OS_BPF_TREE_STATE_H
#define OS_BPF_TREE_STATE_H

#include <stdint.h>

/* One for each task of the tree. */
struct tree_member {
	uint64_t switches; /* how often it had been switched away when a migration was last counted, + 1 */
	uint32_t pid;	   /* whose bit is set; 0: none */
	uint32_t waits;	   /* for its exec */
};

/* One for each CPU, in cache lines of its own. */
struct tree_cpu {
	uint32_t counted; /* a task of the tree runs here */
	uint32_t turns;	  /* odd while since, ns and the readings change */
	uint64_t since;	  /* ns of CLOCK_MONOTONIC: when it began to run */
	uint64_t ns;	  /* what tasks of the tree ran before */
	uint64_t switches, migrations;
	uint64_t unused[11];
};

/* One for each CPU and counter. */
struct tree_reading {
	uint64_t since[3]; /* value, enabled, running when a task of the tree began to run */
	uint64_t sum[3];
};

#endif
