/* SPDX-License-Identifier: MIT */
/* What bpf/cgroups.bpf.c keeps, as user space reads it. Private to os/bpf/. */
#ifndef OS_BPF_CGROUPS_STATE_H
#define OS_BPF_CGROUPS_STATE_H

#include <stdint.h>

#define CGROUPS_COUNTERS 64

/* value, enabled, running */
struct cgroups_reading {
	uint64_t at[3];
};

#endif
