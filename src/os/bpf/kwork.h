/* SPDX-License-Identifier: MIT */
/* Times of interrupts, soft interrupts and work items, summed up in the kernel. */
#ifndef OS_BPF_KWORK_H
#define OS_BPF_KWORK_H

#include "base/err.h"
#include "os/bpf/state/kwork_state.h"

#include <stdbool.h>
#include <stddef.h>

struct bpf_kwork_options {
	bool classes[KWORK_OF_CLASSES]; /* which are wanted */
	bool delays;			/* measures from raise to entry, else from entry to exit */
	const int *cpus;		/* only on these, n_cpus; NULL: all */
	size_t n_cpus;
	uint32_t rows; /* at most */
};

struct bpf_kwork;

/* Loads and attaches it; it counts nothing yet. NULL with *err. */
struct bpf_kwork *bpf_kwork_new(const struct bpf_kwork_options *opts, struct err *err);
void bpf_kwork_free(struct bpf_kwork *k);
void bpf_kwork_switch(struct bpf_kwork *k, bool on);
/* The next row. *key holds the key of the row before; *begun is false before the first. False:
 * there are no more. */
bool bpf_kwork_next(const struct bpf_kwork *k, bool *begun, struct kwork_slot *key,
		    struct kwork_sum *sum);
uint64_t bpf_kwork_lost(const struct bpf_kwork *k); /* starts that found no room for their row */

#endif
