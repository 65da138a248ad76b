/* SPDX-License-Identifier: MIT */
/*
 * Counts memory accesses by kind: each sample counts for one or more of these kinds, by its
 * data_src (op, level, snoop, lock, block; include/uapi/linux/perf_event.h).
 */
#ifndef ANALYSIS_C2C_STATS_H
#define ANALYSIS_C2C_STATS_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum c2c_stat {
	C2C_ENTRIES,
	C2C_LOCKS,
	C2C_STORE,
	C2C_ST_UNCACHE,
	C2C_ST_NO_ADDRESS,
	C2C_ST_L1_HIT,
	C2C_ST_L1_MISS,
	C2C_ST_NA,
	C2C_LOAD,
	C2C_LD_EXCLUSIVE,
	C2C_LD_SHARED,
	C2C_LD_UNCACHE,
	C2C_LD_IO,
	C2C_LD_MISS,
	C2C_LD_NO_ADDRESS,
	C2C_LD_FB_HIT,
	C2C_LD_L1_HIT,
	C2C_LD_L2_HIT,
	C2C_LD_LLC_HIT,
	C2C_LCL_HITM,
	C2C_RMT_HITM,
	C2C_TOT_HITM,
	C2C_LCL_PEER,
	C2C_RMT_PEER,
	C2C_TOT_PEER,
	C2C_RMT_HIT,
	C2C_LCL_DRAM,
	C2C_RMT_DRAM,
	C2C_BLOCKED_DATA,
	C2C_BLOCKED_ADDRESS,
	C2C_NO_MAP,
	C2C_NO_PARSE,
	C2C_STATS,
	/* sums of others */
	C2C_LLC_MISSES = C2C_STATS, /* accesses served by memory or another node */
	C2C_LLC_HITS,		    /* of modified lines, too */
	C2C_LOADS,		    /* loads whose source is known */
	C2C_RECORDS,		    /* C2C_LOADS, and stores whose level is known */
};

struct c2c_stats {
	uint64_t n[C2C_STATS];
};

/* Counts one access. mapped: the addresses of code and data are both mapped. */
void c2c_stats_add_access(struct c2c_stats *s, uint64_t data_src, uint64_t address, bool mapped);
void c2c_stats_add(struct c2c_stats *s, const struct c2c_stats *other);
void c2c_stats_add_times(struct c2c_stats *s, const struct c2c_stats *other, uint32_t times);
uint64_t c2c_stats_get(const struct c2c_stats *s, enum c2c_stat which); /* sums, too */

#endif
