// SPDX-License-Identifier: MIT
#include "capture/session/process_tree.h"

#include "capture/open/sampling.h"
#include "data/record/record.h"
#include "os/proc/proc.h"
#include "os/process/process.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

enum { TREE_OUT, TREE_IN };

void process_tree_init(struct process_tree *t, uint64_t type)
{
	uint64_t behind_time =
		type & (SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU | SAMPLE_IDENTIFIER);

	*t = (struct process_tree){.time_from_end =
					   8 + 8 * (size_t)__builtin_popcountll(behind_time),
				   .pid_at = type & SAMPLE_IDENTIFIER ? 24 : 16};
}

void process_tree_add(struct process_tree *t, uint32_t pid)
{
	*idmap_put(&t->members, pid) = TREE_IN;
}

void process_tree_add_command(struct process_tree *t, uint32_t pid)
{
	t->command = pid;
	process_tree_add(t, pid);
}

void process_tree_add_thread(struct process_tree *t, uint32_t tid)
{
	*idmap_put(&t->threads, tid) = TREE_IN;
}

void process_tree_release(struct process_tree *t)
{
	idmap_release(&t->members);
	idmap_release(&t->threads);
	vec_release(&t->forks);
	vec_release(&t->new_threads);
}

static uint32_t get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static uint64_t get64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static struct record_header header_of(const uint8_t *p)
{
	struct record_header h;

	memcpy(&h, p, sizeof(h));
	return h;
}

static bool is_member(const struct process_tree *t, uint32_t pid)
{
	return idmap_find(&t->members, pid) == TREE_IN;
}

void process_tree_see(struct process_tree *t, const uint8_t *p)
{
	struct record_header h = header_of(p);

	if (h.type == RECORD_FORK && h.size >= 32) {
		uint32_t pid = get32(p + 8), parent = get32(p + 12), tid = get32(p + 16);

		if (tid != pid)
			vec_add(&t->new_threads, (struct thread_fork){get64(p + 24), tid, pid});
		/* Only new processes are noted here: a new thread of a process has pid ==
		 * parent. */
		if (pid != parent)
			vec_add(&t->forks,
				(struct process_fork){get64(p + 24), pid, parent, false});
	} else if (h.type == RECORD_COMM && h.misc & MISC_COMM_EXEC && !t->exec_time &&
		   h.size >= 16 + t->time_from_end && get32(p + 8) == t->command) {
		vec_add(&t->forks, (struct process_fork){get64(p + h.size - t->time_from_end),
							 t->command, 0, true});
	}
}

static int process_tree_by_time(const void *a, const void *b)
{
	const struct process_fork *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static int by_thread_time(const void *a, const void *b)
{
	const struct thread_fork *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* Forgets a tid that is reused by a thread of another process. */
static void forget_task(struct process_tree *t, uint32_t tid)
{
	if (is_member(t, tid))
		*idmap_put(&t->members, tid) = TREE_OUT;
	if (idmap_find(&t->threads, tid) == TREE_IN)
		*idmap_put(&t->threads, tid) = TREE_OUT;
}

static void settle_threads(struct process_tree *t)
{
	if (!t->new_threads.n)
		return;
	qsort(t->new_threads.at, t->new_threads.n, sizeof(*t->new_threads.at), by_thread_time);
	for (size_t i = 0; i < t->new_threads.n; i++) {
		const struct thread_fork *f = &t->new_threads.at[i];

		if (is_member(t, f->pid))
			process_tree_add_thread(t, f->tid);
		else
			forget_task(t, f->tid);
	}
	vec_clear(&t->new_threads);
}

static void settle_processes(struct process_tree *t)
{
	if (!t->forks.n)
		return;
	qsort(t->forks.at, t->forks.n, sizeof(*t->forks.at), process_tree_by_time);
	for (size_t i = 0; i < t->forks.n; i++) {
		const struct process_fork *f = &t->forks.at[i];

		if (f->exec) {
			/* Only the first exec counts: after it the command is a member. */
			if (!t->exec_time)
				t->exec_time = f->time;
		} else if (f->pid == UINT32_MAX || f->parent == UINT32_MAX) {
			continue; /* of a task that is gone: its pid is -1 */
		} else if (is_member(t, f->parent)) {
			*idmap_put(&t->members, f->pid) = TREE_IN;
		} else if (is_member(t, f->pid)) {
			*idmap_put(&t->members, f->pid) = TREE_OUT;
		} else if (idmap_find(&t->threads, f->pid) == TREE_IN) {
			*idmap_put(&t->threads, f->pid) = TREE_OUT;
		}
	}
	vec_clear(&t->forks);
}

void process_tree_settle(struct process_tree *t)
{
	settle_processes(t);
	settle_threads(t);
}

/* False for the command before its first exec: it is then still a copy of the recorder. */
static bool in_time(const struct process_tree *t, uint32_t pid, uint64_t time)
{
	return pid != t->command || (t->exec_time && time >= t->exec_time);
}

bool process_tree_has_task(const struct process_tree *t, uint32_t tid, uint64_t time)
{
	return (is_member(t, tid) && in_time(t, tid, time)) ||
	       idmap_find(&t->threads, tid) == TREE_IN;
}

bool process_tree_keeps(const struct process_tree *t, const uint8_t *p)
{
	struct record_header h = header_of(p);
	uint32_t pid;

	switch (h.type) {
	case RECORD_SAMPLE:
		if (h.size < t->pid_at + 16)
			return false;
		pid = get32(p + t->pid_at);
		return is_member(t, pid) && in_time(t, pid, get64(p + t->pid_at + 8));
	case RECORD_MMAP:
	case RECORD_MMAP2:
	case RECORD_COMM:
	case RECORD_FORK:
	case RECORD_EXIT:
	case RECORD_NAMESPACES:
		if (h.size < 16 + t->time_from_end)
			return false;
		pid = get32(p + 8);
		return is_member(t, pid) && in_time(t, pid, get64(p + h.size - t->time_from_end));
	case RECORD_CALLCHAIN_DEFERRED: /* only the trailer has the thread, before the time */
		if (h.size < 16 + t->time_from_end)
			return false;
		pid = get32(p + h.size - t->time_from_end - 8);
		return is_member(t, pid) && in_time(t, pid, get64(p + h.size - t->time_from_end));
	default: /* about the machine or the rings */
		return true;
	}
}

void process_tree_rescan(struct process_tree *t, const char *proc_root)
{
	struct proc_ids pids = {0};
	VEC(struct { uint32_t pid, parent; }) all = {0};
	bool more = !proc_pids(proc_root, &pids);

	for (size_t i = 0; i < pids.n; i++) {
		struct proc_status st;

		if (!proc_status(proc_root, 0, pids.at[i], &st) && st.ppid > 0)
			vec_add(&all, (typeof(*all.at)){(uint32_t)pids.at[i], (uint32_t)st.ppid});
	}
	while (more) {
		more = false;
		for (size_t i = 0; i < all.n; i++)
			if (!is_member(t, all.at[i].pid) && is_member(t, all.at[i].parent)) {
				*idmap_put(&t->members, all.at[i].pid) = TREE_IN;
				more = true;
			}
	}
	vec_release(&all);
	vec_release(&pids);
}

void process_tree_living(const struct process_tree *t, void (*take)(void *ctx, int fd), void *ctx)
{
	for (size_t i = 0; t->members.slots && i <= t->members.mask; i++) {
		const struct idmap_slot *s = &t->members.slots[i];
		struct pollfd p = {.events = POLLIN};

		if (!s->used || s->value != TREE_IN)
			continue;
		p.fd = process_watch((int32_t)s->key);
		if (p.fd < 0)
			continue;
		/* Zombies have pidfds, too, which are readable at once. */
		if (poll(&p, 1, 0) == 1)
			close(p.fd);
		else
			take(ctx, p.fd);
	}
}
