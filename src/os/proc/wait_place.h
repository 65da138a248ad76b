/* SPDX-License-Identifier: MIT */
/*
 * Where in the kernel a thread waits, as far as /proc tells a user of his own threads: no rights
 * are needed, but the command of a set-uid program, or another process where ptrace is restricted
 * (kernel.yama.ptrace_scope), tells less. root as in os/proc/proc.h.
 */
#ifndef OS_WAIT_PLACE_H
#define OS_WAIT_PLACE_H

#include <stdbool.h>
#include <stdint.h>

struct wait_place {
	char function[40]; /* the innermost one outside of the scheduler; "": not known */
	int call;	   /* number of the system call; -1: none, or not known */
};

/* False when the thread runs, is ready to run, has ended, or nothing may be known. */
bool wait_place_read(const char *root, int pid, int tid, struct wait_place *place);
/* How often the thread has begun to run on a CPU; false: the kernel does not tell. */
bool wait_place_runs(const char *root, int pid, int tid, uint64_t *runs);

#endif
