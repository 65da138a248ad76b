/* SPDX-License-Identifier: MIT */
/* How many records of each type a recording has: `report --stats`. */
#ifndef VIEW_STATS_H
#define VIEW_STATS_H

#include "data/source/read_split.h"
#include "data/recording.h"
#include "view/out/out.h"

struct stats {
	uint64_t total, types[RECORD_TOOL_MAX];
	VEC(struct stats_event { uint64_t samples, lost; }) events; /* indexed as the event set */
	struct read_split split;
	bool plain_names; /* in a pipe: derive event names from attributes, as perf --stats does */
};

/* Counts one record, as a source delivers it. */
void stats_add(struct stats *s, const struct recording *rec, const struct record *r);
/* Counts all records of rec. 0, or -1 with *err. */
int stats_read(struct stats *s, struct recording *rec, struct err *err);
/* empty: also lists record types that did not occur. */
void stats_show(const struct stats *s, const struct recording *rec, bool empty, struct out *out);
void stats_release(struct stats *s);

#endif
