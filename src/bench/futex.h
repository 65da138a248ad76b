/* SPDX-License-Identifier: MIT */
/* The futex system call, as futex(2) describes it. Results are those of the call; failures are
 * negative errnos. */
#ifndef BENCH_FUTEX_H
#define BENCH_FUTEX_H

#include <errno.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A word that processes share has another key in the kernel than one of a process's own. */
static inline int futex_call(uint32_t *word, int op, bool shared, uint32_t value,
			     const void *timeout_or_count, uint32_t *other, uint32_t value3)
{
	long got = syscall(SYS_futex, word, shared ? op : op | FUTEX_PRIVATE_FLAG, value,
			   timeout_or_count, other, value3);

	return got < 0 ? -errno : (int)got;
}
static inline int futex_wait(uint32_t *word, uint32_t expected, bool shared)
{
	return futex_call(word, FUTEX_WAIT, shared, expected, NULL, NULL, 0);
}
static inline int futex_wake(uint32_t *word, int most, bool shared)
{
	return futex_call(word, FUTEX_WAKE, shared, (uint32_t)most, NULL, NULL, 0);
}

#endif
