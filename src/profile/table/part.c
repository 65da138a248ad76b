// SPDX-License-Identifier: MIT
#include "profile/table/part.h"

#include "data/record/data_src.h"

#define C(name) COL_BIT(COL_##name)

const struct part_column part_columns[PARTS] = {
	[PART_LOAD] = {"op", "Mem Op", "Load", C(DATA_SRC)},
	[PART_STORE] = {"op", "Mem Op", "Store", C(DATA_SRC)},
	[PART_LOAD_STORE] = {"op", "Mem Op", "Ld+St", C(DATA_SRC)},
	[PART_PREFETCH] = {"op", "Mem Op", "Pfetch", C(DATA_SRC)},
	[PART_EXECUTE] = {"op", "Mem Op", "Exec", C(DATA_SRC)},
	[PART_OP_OTHER] = {"op", "Mem Op", "Other", C(DATA_SRC)},
	[PART_L1] = {"cache", "Cache", "L1", C(DATA_SRC)},
	[PART_L2] = {"cache", "Cache", "L2", C(DATA_SRC)},
	[PART_L3] = {"cache", "Cache", "L3", C(DATA_SRC)},
	[PART_L4] = {"cache", "Cache", "L4", C(DATA_SRC)},
	[PART_L1_BUFFER] = {"cache", "Cache", "L1-buf", C(DATA_SRC)},
	[PART_L2_BUFFER] = {"cache", "Cache", "L2-buf", C(DATA_SRC)},
	[PART_CACHE_OTHER] = {"cache", "Cache", "Other", C(DATA_SRC)},
	[PART_RAM] = {"mem", "Memory", "RAM", C(DATA_SRC)},
	[PART_MSC] = {"mem", "Memory", "MSC", C(DATA_SRC)},
	[PART_UNCACHED] = {"mem", "Memory", "Uncach", C(DATA_SRC)},
	[PART_CXL] = {"mem", "Memory", "CXL", C(DATA_SRC)},
	[PART_IO] = {"mem", "Memory", "I/O", C(DATA_SRC)},
	[PART_PMEM] = {"mem", "Memory", "PMEM", C(DATA_SRC)},
	[PART_MEM_OTHER] = {"mem", "Memory", "Other", C(DATA_SRC)},
	[PART_SNOOP_HIT] = {"snoop", "Snoop", "Hit", C(DATA_SRC)},
	[PART_SNOOP_HITM] = {"snoop", "Snoop", "HitM", C(DATA_SRC)},
	[PART_SNOOP_MISS] = {"snoop", "Snoop", "Miss", C(DATA_SRC)},
	[PART_SNOOP_OTHER] = {"snoop", "Snoop", "Other", C(DATA_SRC)},
	[PART_TLB_L1] = {"dtlb", "D-TLB", "L1-Hit", C(DATA_SRC)},
	[PART_TLB_L2] = {"dtlb", "D-TLB", "L2-Hit", C(DATA_SRC)},
	[PART_TLB_ANY] = {"dtlb", "D-TLB", "L?-Hit", C(DATA_SRC)},
	[PART_TLB_MISS] = {"dtlb", "D-TLB", "Miss", C(DATA_SRC)},
	[PART_TLB_OTHER] = {"dtlb", "D-TLB", "Other", C(DATA_SRC)},
	[PART_WEIGHT1] = {"weight1", NULL, "Weight1", C(WEIGHT)},
	[PART_WEIGHT2] = {"weight2", NULL, "Weight2", C(INS_LAT)},
	[PART_WEIGHT3] = {"weight3", NULL, "Weight3", C(P_STAGE)},
};

static enum part part_of_op(uint64_t source)
{
	const uint64_t op = DATA_SRC_OP(source);

	if (op & OP_LOAD)
		return op & OP_STORE ? PART_LOAD_STORE : PART_LOAD;
	return op & OP_STORE	  ? PART_STORE
	       : op & OP_PREFETCH ? PART_PREFETCH
	       : op & OP_EXECUTE  ? PART_EXECUTE
				  : PART_OP_OTHER;
}

/* The number of the level. Recordings of kernels before 4.14 have bits only: those of a hit are
 * translated where a number says the same. */
static uint64_t part_level(uint64_t source)
{
	const uint64_t number = DATA_SRC_LEVEL_NUM(source), level = DATA_SRC_LEVEL(source);

	if (number || !(level & LVL_HIT))
		return number;
	return level & LVL_L1				  ? LVLNUM_L1
	       : level & LVL_LFB			  ? LVLNUM_LFB
	       : level & LVL_L2				  ? LVLNUM_L2
	       : level & LVL_L3				  ? LVLNUM_L3
	       : level & (LVL_LOCAL_RAM | LVL_REMOTE_RAM) ? LVLNUM_RAM
	       : level & LVL_IO				  ? LVLNUM_IO
	       : level & LVL_UNCACHED			  ? LVLNUM_UNCACHED
							  : 0;
}

static enum part part_of_cache(uint64_t source)
{
	switch (part_level(source)) {
	case LVLNUM_L1:
		return PART_L1;
	case LVLNUM_L2:
		return PART_L2;
	case LVLNUM_L3:
		return PART_L3;
	case LVLNUM_L4:
		return PART_L4;
	case LVLNUM_LFB:
		return PART_L1_BUFFER;
	case LVLNUM_L2_MHB:
		return PART_L2_BUFFER;
	default:
		return PART_CACHE_OTHER;
	}
}

static enum part part_of_memory(uint64_t source)
{
	switch (part_level(source)) {
	case LVLNUM_RAM:
		return PART_RAM;
	case LVLNUM_MSC:
		return PART_MSC;
	case LVLNUM_UNCACHED:
		return PART_UNCACHED;
	case LVLNUM_CXL:
		return PART_CXL;
	case LVLNUM_IO:
		return PART_IO;
	case LVLNUM_PMEM:
		return PART_PMEM;
	default:
		return PART_MEM_OTHER;
	}
}

static enum part part_of_snoop(uint64_t source)
{
	const uint64_t snoop = DATA_SRC_SNOOP(source);

	return snoop & SNOOP_HITM   ? PART_SNOOP_HITM
	       : snoop & SNOOP_HIT  ? PART_SNOOP_HIT
	       : snoop & SNOOP_MISS ? PART_SNOOP_MISS
				    : PART_SNOOP_OTHER;
}

static enum part part_of_tlb(uint64_t source)
{
	const uint64_t tlb = DATA_SRC_TLB(source), level = tlb & (TLB_L1 | TLB_L2);

	if (tlb & TLB_HIT)
		return level == TLB_L1 ? PART_TLB_L1 : level == TLB_L2 ? PART_TLB_L2 : PART_TLB_ANY;
	return tlb & TLB_MISS ? PART_TLB_MISS : PART_TLB_OTHER;
}

void parts_add_cell(uint64_t sums[PARTS], const struct taken *t, const struct weights *w)
{
	const uint64_t source = t->v[COL_DATA_SRC];

	sums[part_of_op(source)] += w->period;
	sums[part_of_cache(source)] += w->period;
	sums[part_of_memory(source)] += w->period;
	sums[part_of_snoop(source)] += w->period;
	sums[part_of_tlb(source)] += w->period;
	sums[PART_WEIGHT1] += t->v[COL_WEIGHT] * w->samples;
	sums[PART_WEIGHT2] += t->v[COL_INS_LAT] * w->samples;
	sums[PART_WEIGHT3] += t->v[COL_P_STAGE] * w->samples;
}
