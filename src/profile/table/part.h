/* SPDX-License-Identifier: MIT */
/*
 * Parts: sums that an entry keeps only when its table shows them (-F). A part is the share of the
 * entry's period that one kind of memory access has (loads, hits in the L2 cache, ...), or the sum
 * of one of the three weights, of which the average is shown.
 *
 * A field of -F stands for all of its parts: "cache" is a column for each place in the caches.
 * Columns, names and order of the fields are those of perf since Linux 6.16.
 */
#ifndef PROFILE_PART_H
#define PROFILE_PART_H

#include "profile/table/key/key.h"

enum part {
	PART_LOAD,
	PART_STORE,
	PART_LOAD_STORE,
	PART_PREFETCH,
	PART_EXECUTE,
	PART_OP_OTHER,
	PART_L1,
	PART_L2,
	PART_L3,
	PART_L4,
	PART_L1_BUFFER,
	PART_L2_BUFFER,
	PART_CACHE_OTHER,
	PART_RAM,
	PART_MSC,
	PART_UNCACHED,
	PART_CXL,
	PART_IO,
	PART_PMEM,
	PART_MEM_OTHER,
	PART_SNOOP_HIT,
	PART_SNOOP_HITM,
	PART_SNOOP_MISS,
	PART_SNOOP_OTHER,
	PART_TLB_L1,
	PART_TLB_L2,
	PART_TLB_ANY,
	PART_TLB_MISS,
	PART_TLB_OTHER,
	PART_WEIGHT1,
	PART_WEIGHT2,
	PART_WEIGHT3,
	PARTS
};

/* The columns of the fields: those of one field are neighbours. */
struct part_column {
	const char *field; /* the name for -F */
	const char *title; /* above the columns of the field; NULL: none */
	const char *header;
	uint32_t columns; /* COL_BIT mask of what samples must keep */
};
extern const struct part_column part_columns[PARTS];

/* Adds what the samples of a cell have, of which w are the sums, to the parts of an entry. */
void parts_add_cell(uint64_t sums[PARTS], const struct taken *t, const struct weights *w);

#endif
