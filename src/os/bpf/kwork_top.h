/* SPDX-License-Identifier: MIT */
/* How long each task ran on each CPU, without interrupts, summed up in the kernel. */
#ifndef OS_BPF_KWORK_TOP_H
#define OS_BPF_KWORK_TOP_H

#include "base/err.h"
#include "os/bpf/state/kwork_top_state.h"

#include <stdbool.h>

struct bpf_kwork_top_options {
	bool irqs, softirqs; /* count their time by itself; else it is part of the tasks' */
	uint32_t rows;	     /* of tasks on CPUs, at most */
};

struct bpf_kwork_top;

/* Loads and attaches it; it counts nothing yet. NULL with *err. */
struct bpf_kwork_top *bpf_kwork_top_new(const struct bpf_kwork_top_options *opts, struct err *err);
void bpf_kwork_top_free(struct bpf_kwork_top *t);
/* The tasks that run at that moment count from it on (on) or up to it (off). */
void bpf_kwork_top_switch(struct bpf_kwork_top *t, bool on);
/* False: there is no such CPU. */
bool bpf_kwork_top_cpu(const struct bpf_kwork_top *t, uint32_t cpu, struct kwork_top_cpu *out);
/* The next row. *slot holds the slot of the row before; *begun is false before the first. False:
 * there are no more. */
bool bpf_kwork_top_next(const struct bpf_kwork_top *t, bool *begun, struct kwork_top_slot *slot,
			struct kwork_top_part *part);
uint64_t bpf_kwork_top_lost(const struct bpf_kwork_top *t); /* run times without room for a row */

#endif
