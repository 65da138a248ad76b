// SPDX-License-Identifier: MIT
#include "os/proc/futex_waits.h"

#include "os/proc/proc.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* The futex word of a contended mutex of glibc (nptl/lowlevellock.h). */
#define CONTENDED    2
#define OWNER_OFFSET 8 /* bytes, in struct __pthread_mutex_s */

static uint32_t word_read(const char *root, int32_t pid, uint64_t address)
{
	uint32_t word = 0;
	const struct iovec to = {&word, sizeof(word)},
			   from = {(void *)(uintptr_t)address, sizeof(word)};

	if (strcmp(root, "/proc"))
		return 0;
	return process_vm_readv(pid, &to, 1, &from, 1, 0) == sizeof(word) ? word : 0;
}

static bool is_one_of(const struct proc_ids *tids, uint32_t tid)
{
	for (size_t i = 0; i < tids->n; i++)
		if ((uint32_t)tids->at[i] == tid)
			return true;
	return false;
}

static int compare_tids(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* "202 0x55a7 0x80 0x2 ...": the number of the system call and its arguments. */
static bool wait_parse(const char *line, struct futex_wait *wait, uint32_t *op, uint32_t *value)
{
	uint64_t arguments[3];
	long number;

	if (sscanf(line, "%ld %" SCNx64 " %" SCNx64 " %" SCNx64, &number, &arguments[0],
		   &arguments[1], &arguments[2]) != 4 ||
	    number != SYS_futex)
		return false;
	wait->address = arguments[0];
	*op = (uint32_t)arguments[1] & (uint32_t)FUTEX_CMD_MASK;
	*value = (uint32_t)arguments[2];
	return *op == FUTEX_WAIT || *op == FUTEX_WAIT_BITSET || *op == FUTEX_LOCK_PI || *op == 13;
}

static void wait_find_owner(struct futex_wait *wait, const char *root, int32_t pid, uint32_t op,
			    uint32_t value, const struct proc_ids *tids)
{
	uint32_t owner = 0;

	if (op == FUTEX_LOCK_PI || op == 13) { /* FUTEX_LOCK_PI2 of newer headers */
		wait->what = FUTEX_WAITS_MUTEX;
		owner = word_read(root, pid, wait->address) & FUTEX_TID_MASK;
	} else if (op == FUTEX_WAIT && value == CONTENDED) {
		wait->what = FUTEX_WAITS_MUTEX;
		owner = word_read(root, pid, wait->address + OWNER_OFFSET);
	} else if (value > CONTENDED && is_one_of(tids, value)) {
		wait->what = FUTEX_WAITS_THREAD;
		owner = value;
	}
	wait->owner = is_one_of(tids, owner) && owner != (uint32_t)wait->tid ? (int32_t)owner : 0;
}

int futex_waits_read(struct futex_waits *w, const char *root, int32_t pid, struct err *err)
{
	struct proc_ids tids = {0};
	bool refused = false;

	*w = (struct futex_waits){0};
	if (proc_tasks(root, pid, &tids))
		return err_set(err, ERR_INPUT, "there is no process %d", pid);
	qsort(tids.at, tids.n, sizeof(*tids.at), compare_tids);
	w->threads = (uint32_t)tids.n;
	for (size_t i = 0; i < tids.n; i++) {
		struct futex_wait wait = {.tid = tids.at[i]};
		char line[256], path[64];
		uint32_t op, value;

		snprintf(path, sizeof(path), "task/%d/syscall", wait.tid);
		errno = 0;
		if (!proc_line(root, pid, path, line, sizeof(line))) {
			refused |= errno == EPERM || errno == EACCES;
			continue;
		}
		if (!wait_parse(line, &wait, &op, &value))
			continue;
		wait_find_owner(&wait, root, pid, op, value, &tids);
		snprintf(path, sizeof(path), "task/%d/comm", wait.tid);
		proc_line(root, pid, path, wait.comm, sizeof(wait.comm));
		vec_add(&w->waits, wait);
	}
	vec_release(&tids);
	if (!refused)
		return 0;
	err_set(err, ERR_RIGHTS, "what threads of process %d wait for may not be known", pid);
	return err_hint(err, "it belongs to somebody else, or ptrace is restricted "
			     "(kernel.yama.ptrace_scope)");
}

void futex_waits_release(struct futex_waits *w)
{
	vec_release(&w->waits);
}

/* The wait of the thread that this wait waits for; waits.n: that thread does not wait. */
static size_t wait_next(const struct futex_waits *w, size_t wait)
{
	size_t i = 0;

	if (!w->waits.at[wait].owner)
		return w->waits.n;
	while (i < w->waits.n && w->waits.at[i].tid != w->waits.at[wait].owner)
		i++;
	return i;
}

size_t futex_waits_cycle(const struct futex_waits *w, size_t from, struct futex_cycle *cycle)
{
	for (; from < w->waits.n; from++) {
		size_t at = from, steps = 0, least = from;

		do {
			at = wait_next(w, at);
			least = at < least ? at : least;
		} while (at < w->waits.n && at != from && ++steps <= w->waits.n);
		/* reports each circle once, from its first thread on */
		if (at != from || least != from)
			continue;
		do {
			vec_add(cycle, at);
			at = wait_next(w, at);
		} while (at != from);
		return from + 1;
	}
	return from;
}
