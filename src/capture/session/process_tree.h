/* SPDX-License-Identifier: MIT */
/*
 * The processes that descend from one command, or from some that run already, as seen in FORK records:
 * what a system-wide capture keeps when it stands in for the inherited events of those.
 *
 * Why not inherited events: each child then has a sampling clock of its own that starts at its birth,
 * and a process shorter than one period is never sampled, however many of them there are.
 *
 * A process belongs from its fork by a process that belongs; a command from its first exec. It stays
 * until its pid is given to another process.
 */
#ifndef CAPTURE_PROCESS_TREE_H
#define CAPTURE_PROCESS_TREE_H

#include "base/hash.h"

struct tree {
	uint32_t command;   /* 0: none */
	uint64_t exec_time; /* its first; 0: not seen yet */
	struct idmap members; /* pid -> TREE_IN or TREE_OUT */
	VEC(struct tree_fork { uint64_t time; uint32_t pid, parent; bool exec; }) forks;
	size_t time_from_end; /* where side-band records hold their time, counted from their end */
	size_t pid_at;	      /* where samples hold their pid; the time follows it and the tid */
};

/* Of records whose id trailer and samples have these fields; both must have TID and TIME. */
void tree_init(struct tree *t, uint64_t sample_type);
/* A process that runs already, or a command that hasn't begun yet. */
void tree_add(struct tree *t, uint32_t pid);
void tree_add_command(struct tree *t, uint32_t pid);
void tree_release(struct tree *t);
/* First, each side-band record of a pass; then tree_settle, as they come from several CPUs; then
 * tree_keeps of any record of the same pass. */
void tree_see(struct tree *t, const uint8_t *record);
void tree_settle(struct tree *t);
bool tree_keeps(const struct tree *t, const uint8_t *record);
/* Adds every process that now descends from a member: after fork records were lost. */
void tree_rescan(struct tree *t, const char *proc_root);
/* Calls take for each member that has not ended, with a descriptor that becomes readable when it does,
 * which is take's to close. */
void tree_living(const struct tree *t, void (*take)(void *ctx, int fd), void *ctx);

#endif
