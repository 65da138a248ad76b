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
