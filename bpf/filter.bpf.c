// SPDX-License-Identifier: MIT
/* Decides which samples of an event are kept. Loaded by os/bpf/filter.c. */
#include "kernel.h"
#include "os/bpf/filter.h"

const volatile __u32 n_terms;
const volatile struct bpf_filter_term terms[BPF_FILTER_TERMS];

/* The kernel's own form of the context (Linux 6.2). */
extern void *bpf_cast_to_kern_ctx(void *) __ksym;

static __always_inline __u64 value_of(struct perf_sample_data *d, __u32 field)
{
	switch (field) {
	case BPF_FILTER_IP:
		return d->ip;
	case BPF_FILTER_ID:
		return d->id;
	case BPF_FILTER_TID:
		return d->tid_entry.tid;
	case BPF_FILTER_PID:
		return d->tid_entry.pid;
	case BPF_FILTER_CPU:
		return d->cpu_entry.cpu;
	case BPF_FILTER_TIME:
		return d->time;
	case BPF_FILTER_ADDR:
		return d->addr;
	case BPF_FILTER_PERIOD:
		return d->period;
	case BPF_FILTER_TXN:
		return d->txn;
	case BPF_FILTER_WEIGHT:
		return d->weight.full;
	case BPF_FILTER_PHYS_ADDR:
		return d->phys_addr;
	case BPF_FILTER_CODE_PAGE:
		return d->code_page_size;
	case BPF_FILTER_DATA_PAGE:
		return d->data_page_size;
	case BPF_FILTER_DATA_SRC:
		return d->data_src.val;
	case BPF_FILTER_CGROUP:
		return d->cgroup;
	case BPF_FILTER_UID:
		return (__u32)bpf_get_current_uid_gid();
	case BPF_FILTER_GID:
		return bpf_get_current_uid_gid() >> 32;
	default:
		return 0;
	}
}

static __always_inline bool holds(__u64 is, __u32 op, __u64 wanted)
{
	switch (op) {
	case BPF_FILTER_EQ:
		return is == wanted;
	case BPF_FILTER_NE:
		return is != wanted;
	case BPF_FILTER_GT:
		return is > wanted;
	case BPF_FILTER_GE:
		return is >= wanted;
	case BPF_FILTER_LT:
		return is < wanted;
	case BPF_FILTER_LE:
		return is <= wanted;
	default:
		return is & wanted;
	}
}

SEC("perf_event")
int on_sample(void *ctx)
{
	struct bpf_perf_event_data_kern *kernel = bpf_cast_to_kern_ctx(ctx);
	struct perf_sample_data *data = kernel->data;
	bool met = true;
	__u32 any = 0;

	for (__u32 i = 0; i < BPF_FILTER_TERMS && i < n_terms; i++) {
		const volatile struct bpf_filter_term *t = &terms[i];
		__u64 value = value_of(data, t->field) >> (t->shift & 63);

		if (i && t->any != any && !met)
			return 0;
		if (!i || t->any != any)
			met = false;
		any = t->any;
		if (t->width && t->width < 64)
			value &= (1ull << t->width) - 1;
		met |= holds(value, t->op, t->value);
	}
	return met;
}
