/* SPDX-License-Identifier: MIT */
/* The final counts of threads (READ records): `report -T`. */
#ifndef VIEW_READ_VALUES_H
#define VIEW_READ_VALUES_H

#include "base/hash.h"
#include "data/record/record.h"
#include "view/out/out.h"

struct read_values {
	struct intern threads, counters; /* {pid, tid} and names, in order of first use */
	struct idmap at; /* thread << 32 | counter -> index into values */
	VEC(uint64_t) values;
};

/* Adds a READ record; ignores other records. Values of one thread and counter are summed. */
void read_values_add(struct read_values *v, const struct record *r);
/* Shows a table of threads and counters; raw: a line for each value. */
void read_values_show(const struct read_values *v, bool raw, struct out *out);
void read_values_release(struct read_values *v);

#endif
