/* SPDX-License-Identifier: MIT */
/* What bpf/follow.h keeps for each task that is measured. Private to os/bpf/. */
#ifndef OS_BPF_FOLLOW_H
#define OS_BPF_FOLLOW_H

#include <stdint.h>

enum { FOLLOWED_WAITS = 1 /* for its exec */, FOLLOWED_COUNTS = 2 };

struct followed {
	uint32_t state;
	uint32_t slot; /* whose values it adds to */
};

#endif
