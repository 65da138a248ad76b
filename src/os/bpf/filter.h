/* SPDX-License-Identifier: MIT */
/* Programs that decide which samples of an event are kept. */
#ifndef OS_BPF_FILTER_H
#define OS_BPF_FILTER_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BPF_FILTER_TERMS 64

enum bpf_filter_op {
	BPF_FILTER_EQ,
	BPF_FILTER_NE,
	BPF_FILTER_GT,
	BPF_FILTER_GE,
	BPF_FILTER_LT,
	BPF_FILTER_LE,
	BPF_FILTER_AND, /* any of these bits */
};

enum bpf_filter_field {
	BPF_FILTER_IP,
	BPF_FILTER_ID,
	BPF_FILTER_TID,
	BPF_FILTER_PID,
	BPF_FILTER_CPU,
	BPF_FILTER_TIME,
	BPF_FILTER_ADDR,
	BPF_FILTER_PERIOD,
	BPF_FILTER_TXN,
	BPF_FILTER_WEIGHT, /* all 64 bits */
	BPF_FILTER_PHYS_ADDR,
	BPF_FILTER_CODE_PAGE,
	BPF_FILTER_DATA_PAGE,
	BPF_FILTER_DATA_SRC,
	BPF_FILTER_CGROUP,
	BPF_FILTER_UID,
	BPF_FILTER_GID,
};

struct bpf_filter_term {
	uint64_t value;
	uint32_t any;	      /* adjacent terms with the same number are alternatives */
	uint8_t field, op;    /* enum bpf_filter_field, bpf_filter_op */
	uint8_t shift, width; /* which bits of the field; width 0: all of them */
};

/* A program that keeps the samples for which all terms hold, for perf_set_bpf. A descriptor, or -1
 * with *err. Needs Linux 6.4. */
int bpf_filter_new(const struct bpf_filter_term *terms, size_t n, struct err *err);

#endif
