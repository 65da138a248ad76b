/* SPDX-License-Identifier: MIT */
/*
 * Samples of an event, or of a group of events, by the type of data and the member of it that their
 * instructions access.
 *
 * The table must have been made with ANNOTATE_TYPES_SORT, as a hierarchy.
 */
#ifndef ANALYSIS_ANNOTATE_TYPES_H
#define ANALYSIS_ANNOTATE_TYPES_H

#include "analysis/annotate/annotate.h"
#include "probe/types/data_types.h"

#define ANNOTATE_TYPES_SORT "{dso,symbol},{addr,typeoff}"

/* The samples of one place in a type. */
struct type_place {
	uint64_t offset;
	const struct annotate_weight *of; /* one an event */
};
struct annotated_type {
	const struct dso *dso;
	const struct data_type *type;
	uint64_t samples;	       /* of all events */
	double percent;		       /* of the first event's period */
	struct annotate_weight *sums;  /* one an event */
	VEC(struct type_place) places; /* each offset once */
};
/* How often the data of a kind of instruction was found. */
struct insn_stat {
	const char *name;
	unsigned int good, bad;
};
struct annotate_types {
	struct arena arena;
	struct data_types *data; /* that knows the types; borrowed */
	const struct table *table;
	const struct event *event;
	uint32_t n_events;
	VEC(struct annotated_type) types;   /* the greatest period first */
	unsigned int outcomes[DATA_MISSES]; /* of addresses with samples */
	VEC(struct insn_stat) insns;	    /* the most frequent first */
};

void annotate_types_init(struct annotate_types *a, struct data_types *data,
			 const struct table *table, const struct event_entries *ev);
void annotate_types_release(struct annotate_types *a);
/* The weight of an event in a part of a type. */
struct annotate_weight annotated_type_sum(const struct annotated_type *t, uint32_t event,
					  uint64_t offset, uint64_t size);

#endif
