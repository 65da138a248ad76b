/* SPDX-License-Identifier: MIT */
/*
 * What the threads of a process wait for at this moment, as far as they wait in the system call
 * futex: /proc/PID/task/TID/syscall, and the word that holds the tid of the lock's owner.
 *
 * root stands for "/proc" (os/proc/proc.h); with another one no memory is read. Source of the
 * owner: glibc's struct __pthread_mutex_s, whose third word is the owner on 64-bit machines; for
 * mutexes with priority inheritance the lock's own word (<linux/futex.h>, FUTEX_TID_MASK).
 */
#ifndef OS_FUTEX_WAITS_H
#define OS_FUTEX_WAITS_H

#include "base/err.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum futex_waits_for {
	FUTEX_WAITS_OTHER,  /* a condition variable, a barrier, ...: nobody owns it */
	FUTEX_WAITS_MUTEX,  /* that has an owner */
	FUTEX_WAITS_THREAD, /* pthread_join: the owner is the thread whose end is waited for */
};

struct futex_wait {
	int32_t tid;
	char comm[64];
	enum futex_waits_for what;
	uint64_t address; /* of the lock */
	int32_t owner;	  /* 0: not known, or it is no thread of the process */
};

struct futex_waits {
	VEC(struct futex_wait) waits; /* in the order of tids */
	uint32_t threads;	      /* of the process */
};

/* 0, or -1 with *err. Release it in both cases. */
int futex_waits_read(struct futex_waits *w, const char *root, int32_t pid, struct err *err);
void futex_waits_release(struct futex_waits *w);
/* Threads that wait for each other in a circle: deadlocks. From the wait at `from` on, appends the
 * indices of the next circle's waits to cycle, each followed by the wait that it waits for. Returns
 * the index to continue from; waits.n: there are no more circles. */
struct futex_cycle {
	VEC(size_t);
};
size_t futex_waits_cycle(const struct futex_waits *w, size_t from, struct futex_cycle *cycle);

#endif
