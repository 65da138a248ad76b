/* SPDX-License-Identifier: MIT */
/*
 * Finds the events that sample memory accesses on a machine, for perf mem and perf c2c.
 *
 * Intel: mem-loads (with mem-loads-aux in front where the CPU needs it) and mem-stores of each core
 * PMU. AMD: ibs_op, of loads by latency where caps/ldlat says that it can. Arm: arm_spe_0. Power
 * and others: mem-loads and mem-stores of the PMU "cpu".
 */
#ifndef EVENT_MEMORY_H
#define EVENT_MEMORY_H

#include "base/buf.h"
#include "os/machine/pmu.h"

#include <limits.h>

enum memory_kind { MEMORY_LOADS, MEMORY_STORES, MEMORY_BOTH, MEMORY_KINDS };

struct memory_event {
	const char *tag;    /* its name for -e of perf mem ("ldlat-loads"); NULL: the machine's
			     * architecture has no event of this kind */
	struct names texts; /* for event_parse(), one for each PMU; empty when it is not
			     * supported */
	const char *wanted; /* when it is not supported: the text that was tried */
	bool by_latency;    /* it leaves accesses out that are faster than min_latency */
};

#define MEMORY_LATENCY_USUAL UINT_MAX

struct memory_machine {
	const char *pmu_root; /* PMU_ROOT, or a folder of files */
	const char *arch;     /* as uname -m says it */
	bool is_amd;
};

/* min_latency: loads that take fewer CPU cycles are not sampled, where the event can filter them.
 * MEMORY_LATENCY_USUAL: 30, and none on AMD. 0, or -1 with *err: the machine supports none of the
 * events (perf's sentence), or not this latency (AMD: 128-2048). The arena owns
 * the strings. Call memory_events_release in both cases. */
int memory_events_find(struct memory_event events[MEMORY_KINDS], const struct memory_machine *m,
		       unsigned int min_latency, struct arena *arena, struct err *err);
void memory_events_release(struct memory_event events[MEMORY_KINDS]);

#endif
