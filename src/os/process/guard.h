/* SPDX-License-Identifier: MIT */
/*
 * A guard: a process that acts when this process ends without having called guard_end() (a crash,
 * SIGKILL). It ignores the signals that a terminal sends.
 */
#ifndef OS_PROCESS_GUARD_H
#define OS_PROCESS_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

struct guard {
	pid_t pid; /* 0: there is none */
	int fd;	   /* of a pipe: its end tells the guard that this process has ended */
};

/* apart: in a process group of its own, so that it outlives a kill of this process's group. act
 * runs in the guard, with a copy of this process's memory from now. Where no guard can be had there
 * is none. */
void guard_begin(struct guard *g, bool apart, void (*act)(void *ctx), void *ctx);
/* Ends the guard, which does not act any more. */
void guard_end(struct guard *g);

#endif
