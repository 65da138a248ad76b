// SPDX-License-Identifier: MIT
#include "event/names.h"

#include "base/mem.h"

#include <string.h>

const struct event_name hardware_events[HARDWARE_EVENTS] = {
	{"cpu-cycles", "cycles", "cycles"},
	{"instructions", NULL, "instructions"},
	{"cache-references", NULL, "cache-references"},
	{"cache-misses", NULL, "cache-misses"},
	{"branch-instructions", "branches", "branches"},
	{"branch-misses", NULL, "branch-misses"},
	{"bus-cycles", NULL, "bus-cycles"},
	{"stalled-cycles-frontend", "idle-cycles-frontend", "stalled-cycles-frontend"},
	{"stalled-cycles-backend", "idle-cycles-backend", "stalled-cycles-backend"},
	{"ref-cycles", NULL, "ref-cycles"},
};

const struct event_name software_events[SOFTWARE_EVENTS] = {
	{"cpu-clock", NULL, "cpu-clock"},
	{"task-clock", NULL, "task-clock"},
	{"page-faults", "faults", "page-faults"},
	{"context-switches", "cs", "context-switches"},
	{"cpu-migrations", "migrations", "cpu-migrations"},
	{"minor-faults", NULL, "minor-faults"},
	{"major-faults", NULL, "major-faults"},
	{"alignment-faults", NULL, "alignment-faults"},
	{"emulation-faults", NULL, "emulation-faults"},
	{"dummy", NULL, "dummy"},
	{"bpf-output", NULL, NULL},
	{"cgroup-switches", NULL, NULL},
};

const char *const cache_names[CACHE_KINDS][8] = {
	{"L1-dcache", "l1-d", "l1d", "L1-data"},
	{"L1-icache", "l1-i", "l1i", "L1-instruction"},
	{"LLC", "L2"},
	{"dTLB", "d-tlb", "Data-TLB"},
	{"iTLB", "i-tlb", "Instruction-TLB"},
	{"branch", "branches", "bpu", "btb", "bpc"},
	{"node"},
};

const char *const cache_op_names[CACHE_OPS][8] = {
	{"load", "loads", "read"},
	{"store", "stores", "write"},
	{"prefetch", "prefetches", "speculative-read", "speculative-load"},
};

const char *const cache_result_names[CACHE_RESULTS][8] = {
	{"refs", "Reference", "ops", "access"},
	{"misses", "miss"},
};

const char *hardware_event_name(uint64_t config)
{
	return config < HARDWARE_EVENTS ? hardware_events[config].shown : NULL;
}

const char *software_event_name(uint64_t config)
{
	return config < SOFTWARE_EVENTS ? software_events[config].shown : NULL;
}

bool cache_event_valid(unsigned int cache, unsigned int op)
{
	/* one bit an operation: load 1, store 2, prefetch 4 */
	static const uint8_t valid[CACHE_KINDS] = {7, 5, 7, 7, 1, 1, 7};

	return cache < CACHE_KINDS && op < CACHE_OPS && valid[cache] >> op & 1;
}

void cache_event_name(uint64_t config, struct buf *out)
{
	unsigned int cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	if (cache >= CACHE_KINDS) {
		buf_str(out, "unknown-ext-hardware-cache-type");
	} else if (op >= CACHE_OPS) {
		buf_str(out, "unknown-ext-hardware-cache-op");
	} else if (result >= CACHE_RESULTS) {
		buf_str(out, "unknown-ext-hardware-cache-result");
	} else if (!cache_event_valid(cache, op)) {
		buf_str(out, "invalid-cache");
	} else {
		buf_str(out, cache_names[cache][0]);
		buf_char(out, '-');
		if (result) {
			buf_str(out, cache_op_names[op][0]);
			buf_str(out, "-misses");
		} else {
			buf_str(out, cache_op_names[op][1]);
		}
	}
}

bool pmu_is_tracer(const char *pmu)
{
	return !strcmp(pmu, "intel_pt") || !strcmp(pmu, "intel_bts") || !strcmp(pmu, "cs_etm") ||
	       !strncmp(pmu, "arm_spe_", 8) || !strncmp(pmu, "hisi_ptt", 8);
}
