/* SPDX-License-Identifier: MIT */
/*
 * Which tasks are measured: those that user space names, and what they start, as events with
 * "inherit" and "enable_on_exec" follow them. Included by a program that measures tasks; brings two
 * programs of its own.
 */
#ifndef BPF_FOLLOW_H
#define BPF_FOLLOW_H

#include "kernel.h"
#include "os/bpf/state/follow.h"

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct followed);
} followed_tasks SEC(".maps");

const volatile bool follow_forks;

static __always_inline struct followed *followed_get(struct task_struct *task)
{
	struct followed *f = bpf_task_storage_get(&followed_tasks, task, NULL, 0);

	return f && f->state == FOLLOWED_COUNTS ? f : NULL;
}

/* Called for all that becomes a task, the kernel's workers for this one included. */
SEC("tp_btf/task_newtask")
int BPF_PROG(on_new, struct task_struct *child)
{
	struct followed *f, *of_child;

	if (!follow_forks)
		return 0;
	f = followed_get(bpf_get_current_task_btf());
	if (!f)
		return 0;
	of_child =
		bpf_task_storage_get(&followed_tasks, child, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (of_child) {
		of_child->slot = f->slot;
		of_child->state = FOLLOWED_COUNTS;
	}
	return 0;
}

/* An exec gives the task its new name right after it has turned on the events that wait for it:
 * nothing that can be counted lies between. Tasks may rename themselves, too. */
SEC("tp_btf/task_rename")
int BPF_PROG(on_rename, struct task_struct *task)
{
	struct followed *f = bpf_task_storage_get(&followed_tasks, task, NULL, 0);

	if (f && f->state == FOLLOWED_WAITS && BPF_CORE_READ_BITFIELD(task, in_execve))
		f->state = FOLLOWED_COUNTS;
	return 0;
}

#endif
