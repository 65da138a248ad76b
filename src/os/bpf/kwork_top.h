/* SPDX-License-Identifier: MIT */
/* How long each task ran on each CPU, without interrupts, summed up in the kernel. */
#ifndef OS_BPF_KWORK_TOP_H
#define OS_BPF_KWORK_TOP_H

#include "base/err.h"
#include "os/bpf/kwork_top_state.h"

#include <stdbool.h>

struct bpf_kwork_top_options {
	bool irqs, softirqs; /* tell their time apart; else it is the tasks' */
	uint32_t rows;	     /* of tasks on CPUs, at most */
};

struct bpf_kwork_top;

/* Loads and attaches it; it counts nothing yet. NULL with *err. */
struct bpf_kwork_top *bpf_kwork_top_new(const struct bpf_kwork_top_options *opts, struct err *err);
void bpf_kwork_top_free(struct bpf_kwork_top *t);
/* What runs at that moment counts from there, and up to there. */
void bpf_kwork_top_switch(struct bpf_kwork_top *t, bool on);
/* False: there is no such CPU. */
bool bpf_kwork_top_cpu(const struct bpf_kwork_top *t, uint32_t cpu, struct kwork_top_cpu *out);
/* The next row: *slot is that of the last one, *begun false before the first. False: there are no
 * more. */
bool bpf_kwork_top_next(const struct bpf_kwork_top *t, bool *begun, struct kwork_top_slot *slot,
			struct kwork_top_part *part);
uint64_t bpf_kwork_top_lost(const struct bpf_kwork_top *t); /* times without room for their row */

#endif
