/* SPDX-License-Identifier: MIT */
/*
 * i386's calls that stand for others: socketcall and ipc. Programs of old C libraries make all
 * calls for sockets and for System V's objects by these two. They are traced as the calls that they
 * stand for, by i386's own numbers, where these are wanted. Included by trace.bpf.c.
 */
#ifndef BPF_TRACE_INNER_H
#define BPF_TRACE_INNER_H

#include "kernel.h"
#include "os/bpf/state/trace_record.h"

/* In: the outer call. Out: the inner one, or the number 0 where there is none. */
struct inner_call {
	long number;
	__u32 args[6];
};

struct inner_socket {
	__u16 number, args;
};
/* By the first argument of socketcall (0 is none, SYS_SOCKET is 1, <linux/net.h>). send, recv and
 * accept have no number of their own: sendto, recvfrom and accept4 do the same when their other
 * arguments are 0. */
static const struct inner_socket inner_sockets[] = {
	{0, 0},	  {359, 3}, {361, 3}, {362, 3}, {363, 2}, {364, 3}, {367, 3},
	{368, 3}, {360, 4}, {369, 4}, {371, 4}, {369, 6}, {371, 6}, {373, 2},
	{366, 5}, {365, 5}, {370, 3}, {372, 3}, {364, 4}, {337, 5}, {345, 4},
};
#define INNER_SOCKETS (sizeof(inner_sockets) / sizeof(inner_sockets[0]))

static __always_inline void inner_find_socket(struct inner_call *c)
{
	__u32 which = c->args[0], list = c->args[1], n;

	c->number = 0;
	if (which >= INNER_SOCKETS)
		return;
	n = inner_sockets[which].args;
	/* the compiler knows that no row has more than 6; the kernel wants it checked */
	__asm__ volatile("" : "+r"(n));
	for (int i = 0; i < 6; i++)
		c->args[i] = 0;
	if (n <= 6 && !bpf_probe_read_user(c->args, n * 4, (void *)(__u64)list))
		c->number = inner_sockets[which].number;
}

static __always_inline void inner_set(struct inner_call *c, long number, __u32 a, __u32 b, __u32 d,
				      __u32 e, __u32 f)
{
	c->number = number;
	c->args[0] = a;
	c->args[1] = b;
	c->args[2] = d;
	c->args[3] = e;
	c->args[4] = f;
	c->args[5] = 0;
}

/* Operations of semaphores have no number in the table of i386: they stay ipc. */
static __always_inline void inner_find_ipc(struct inner_call *c)
{
	enum {
		SEMGET = 2,
		SEMCTL,
		MSGSND = 11,
		MSGRCV,
		MSGGET,
		MSGCTL,
		SHMAT = 21,
		SHMDT,
		SHMGET,
		SHMCTL
	};
	enum { IPC_64 = 0x100 }; /* part of a command: the structures are today's */
	const __u32 version = c->args[0] >> 16, first = c->args[1], second = c->args[2];
	const __u32 third = c->args[3], pointer = c->args[4], fifth = c->args[5];
	const __u32 which = c->args[0] & 0xffff;
	__u32 two[2] = {};

	c->number = 0;
	if (which == SEMGET) {
		inner_set(c, 393, first, second, third, 0, 0);
	} else if (which == SEMCTL) {
		bpf_probe_read_user(two, 4, (void *)(__u64)pointer);
		inner_set(c, 394, first, second, third & ~IPC_64, two[0], 0);
	} else if (which == MSGSND) {
		inner_set(c, 400, first, pointer, second, third, 0);
	} else if (which == MSGRCV && version) {
		inner_set(c, 401, first, pointer, second, fifth, third);
	} else if (which == MSGRCV) {
		bpf_probe_read_user(two, 8, (void *)(__u64)pointer);
		inner_set(c, 401, first, two[0], second, two[1], third);
	} else if (which == MSGGET) {
		inner_set(c, 399, first, second, 0, 0, 0);
	} else if (which == MSGCTL) {
		inner_set(c, 402, first, second & ~IPC_64, pointer, 0, 0);
	} else if (which == SHMAT) {
		inner_set(c, 397, first, pointer, second, 0, 0);
	} else if (which == SHMDT) {
		inner_set(c, 398, pointer, 0, 0, 0, 0);
	} else if (which == SHMGET) {
		inner_set(c, 395, first, second, third, 0, 0);
	} else if (which == SHMCTL) {
		inner_set(c, 396, first, second & ~IPC_64, pointer, 0, 0);
	}
}

__noinline int inner_find(struct inner_call *c)
{
	if (!c)
		return 0;
	if (c->number == I386_SOCKETCALL)
		inner_find_socket(c);
	else
		inner_find_ipc(c);
	return 0;
}

#endif
