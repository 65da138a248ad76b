/* SPDX-License-Identifier: MIT */
/*
 * Formats what a PMU says of a memory access: the field data_src of a sample (union
 * perf_mem_data_src of include/uapi/linux/perf_event.h).
 */
#ifndef DATA_DATA_SRC_H
#define DATA_DATA_SRC_H

#include "base/buf.h"

#define DATA_SRC_OP(v)	      ((v) & 0x1f)
#define DATA_SRC_LEVEL(v)     ((v) >> 5 & 0x3fff)
#define DATA_SRC_SNOOP(v)     ((v) >> 19 & 0x1f)
#define DATA_SRC_LOCK(v)      ((v) >> 24 & 3)
#define DATA_SRC_TLB(v)	      ((v) >> 26 & 0x7f)
#define DATA_SRC_LEVEL_NUM(v) ((v) >> 33 & 0xf)
#define DATA_SRC_REMOTE(v)    ((v) >> 37 & 1)
#define DATA_SRC_SNOOPX(v)    ((v) >> 38 & 3)
#define DATA_SRC_BLOCKED(v)   ((v) >> 40 & 7)
#define DATA_SRC_HOPS(v)      ((v) >> 43 & 7)

/* The bits of the parts: PERF_MEM_OP_*, _LVL_*, _SNOOP_*, _SNOOPX_*, _LOCK_*, _TLB_*, _BLK_*. */
enum data_op { OP_LOAD = 2, OP_STORE = 4, OP_PREFETCH = 8, OP_EXECUTE = 0x10 };
enum data_level {
	LVL_NA = 1,
	LVL_HIT = 2,
	LVL_MISS = 4,
	LVL_L1 = 8,
	LVL_LFB = 0x10,
	LVL_L2 = 0x20,
	LVL_L3 = 0x40,
	LVL_LOCAL_RAM = 0x80,
	LVL_REMOTE_RAM = 0x300,
	LVL_REMOTE_CACHE = 0xc00,
	LVL_IO = 0x1000,
	LVL_UNCACHED = 0x2000
};
enum data_snoop { SNOOP_HIT = 4, SNOOP_MISS = 8, SNOOP_HITM = 0x10, SNOOPX_PEER = 2 };
enum data_lock { LOCK_LOCKED = 2 };
enum data_tlb { TLB_HIT = 2, TLB_MISS = 4, TLB_L1 = 8, TLB_L2 = 0x10 };
enum data_block { BLK_DATA = 2, BLK_ADDR = 4 };
/* Values of DATA_SRC_LEVEL_NUM(): PERF_MEM_LVLNUM_*. Levels 1 to 4 are caches. */
enum data_level_number {
	LVLNUM_L1 = 1,
	LVLNUM_L2 = 2,
	LVLNUM_L3 = 3,
	LVLNUM_L4 = 4,
	LVLNUM_L2_MHB = 5, /* miss handling buffer */
	LVLNUM_MSC = 6,	   /* memory-side cache */
	LVLNUM_UNCACHED = 8,
	LVLNUM_CXL = 9,
	LVLNUM_IO = 10,
	LVLNUM_LFB = 12, /* line fill buffer, or miss address buffer */
	LVLNUM_RAM = 13,
	LVLNUM_PMEM = 14
};

/* Each appends one part: "LOAD", "L1 hit", "HitM", "L2 miss", "Yes", " Data". */
void data_src_op(uint64_t v, struct buf *out);
void data_src_level(uint64_t v, struct buf *out);
void data_src_snoop(uint64_t v, struct buf *out);
void data_src_tlb(uint64_t v, struct buf *out);
void data_src_lock(uint64_t v, struct buf *out);
void data_src_blocked(uint64_t v, struct buf *out);
/* "|OP LOAD|LVL L1 hit|SNP None|TLB ...|LCK No|BLK  N/A" */
void data_src_text(uint64_t v, struct buf *out);
/* The size in bytes of the page that an address lies on: "4K", "2M", "N/A" for 0. */
void data_page_size_text(uint64_t v, struct buf *out);

#endif
