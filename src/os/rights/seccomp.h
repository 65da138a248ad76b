/* SPDX-License-Identifier: MIT */
/*
 * System calls that another process answers: seccomp_unotify(2).
 *
 * Functions return 0 (or a descriptor) or a negative errno.
 */
#ifndef OS_SECCOMP_H
#define OS_SECCOMP_H

#include <stdbool.h>
#include <stdint.h>

/* From now on this process's calls of that number wait for an answer; all others pass. Cannot be
 * undone. Returns the descriptor that calls are taken from. */
int seccomp_listen(int call_number);
/* Makes the kernel run the answering and the waiting process on one CPU, one after the other (Linux
 * 6.6). */
int seccomp_listen_in_turn(int fd);
/* The next call that waits; *id names it. */
int seccomp_take_call(int fd, uint64_t *id);
int seccomp_answer_call(int fd, uint64_t id, int64_t value);

#endif
