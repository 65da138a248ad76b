/* SPDX-License-Identifier: MIT */
/*
 * The processes that descend from one command, or from some that run already, as seen in FORK
 * records: a system-wide capture that replaces their inherited events keeps only the records of
 * these processes.
 *
 * Why not inherited events: each child then has a sampling clock of its own that starts at its
 * birth, and a process shorter than one period is never sampled, however many of them there are.
 *
 * A process is a member from its fork by a member on; a command from its first exec on. It stays a
 * member until its pid is given to another process.
 */
#ifndef CAPTURE_PROCESS_TREE_H
#define CAPTURE_PROCESS_TREE_H

#include "base/hash.h"

struct process_tree {
	uint32_t command;   /* 0: none */
	uint64_t exec_time; /* its first; 0: not seen yet */
	struct idmap members; /* pid -> TREE_IN or TREE_OUT */
	VEC(struct process_fork { uint64_t time; uint32_t pid, parent; bool exec; }) forks;
	struct idmap threads; /* tid -> TREE_IN or TREE_OUT; of others than a process's first */
	VEC(struct thread_fork { uint64_t time; uint32_t tid, pid; }) new_threads;
	size_t time_from_end; /* where side-band records hold their time, counted from their end */
	size_t pid_at;	      /* where samples hold their pid; the time follows it and the tid */
};

/* sample_type: the fields in samples and in the trailer of other records; both must have TID and
 * TIME. */
void process_tree_init(struct process_tree *t, uint64_t sample_type);
/* Adds a process that runs already, or a command before its exec. */
void process_tree_add(struct process_tree *t, uint32_t pid);
void process_tree_add_command(struct process_tree *t, uint32_t pid);
void process_tree_release(struct process_tree *t);
/* For each pass: first process_tree_see() for each side-band record; then process_tree_settle(),
 * since they come unsorted from several CPUs; then process_tree_keeps() for any record of the
 * pass. */
void process_tree_see(struct process_tree *t, const uint8_t *record);
void process_tree_settle(struct process_tree *t);
bool process_tree_keeps(const struct process_tree *t, const uint8_t *record);
/* Adds a thread that runs already, of a member. */
void process_tree_add_thread(struct process_tree *t, uint32_t tid);
/* True when the task, a process or a thread, is a member at that time (as process_tree_keeps). */
bool process_tree_has_task(const struct process_tree *t, uint32_t tid, uint64_t time);
/* Adds every process that now descends from a member: after fork records were lost. */
void process_tree_rescan(struct process_tree *t, const char *proc_root);
/* Calls take for each member that has not ended, with a descriptor that becomes readable when it
 * does, which is take's to close. */
void process_tree_living(const struct process_tree *t, void (*take)(void *ctx, int fd), void *ctx);

#endif
