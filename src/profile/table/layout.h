/* SPDX-License-Identifier: MIT */
/*
 * A layout: the columns of a report, in order, and its sort order, from -s and -F with the
 * defaults. A column is a key (whose values distinguish entries) or a sum.
 */
#ifndef PROFILE_LAYOUT_H
#define PROFILE_LAYOUT_H

#include "base/err.h"
#include "profile/table/part.h"

enum sum {
	SUM_OVERHEAD, SUM_SYS, SUM_US, SUM_GUEST_SYS, SUM_GUEST_US, SUM_CHILDREN, SUM_SAMPLES,
	SUM_PERIOD, SUM_LATENCY, SUMS,
	SUM_PARTS = SUMS, /* SUM_PARTS + part: of an entry whose table keeps parts */
	SUM_WEIGHT1 = SUM_PARTS + PART_WEIGHT1
};
/* True for a sum that stands in entries of tables with layout.parts only. */
static inline bool sum_is_part(enum sum sum)
{
	return (int)sum >= SUM_PARTS;
}
/* True for the average of a weight. */
static inline bool sum_is_average(enum sum sum)
{
	return (int)sum >= SUM_WEIGHT1;
}

struct field {
	int key; /* index into layout.keys, or -1: a sum */
	enum sum sum;
	const char *header;
	unsigned int user_width; /* -w; 0: none */
	bool elided; /* a filter leaves only one value */
	bool hidden; /* not shown, and not sorted by */
	uint8_t level; /* -H: keys in one {} share it */
};

struct layout {
	struct arena arena;
	VEC(struct key_use) keys;
	VEC(struct field) columns; /* in the order shown */
	VEC(struct field) sort;	   /* in the order compared */
	uint32_t cell_columns;	   /* COL_BIT mask of what all keys need */
	unsigned int flags;	   /* enum key_flags of all keys */
	uint8_t levels;		   /* -H: how many */
	bool parts;		   /* entries keep parts: a column shows one */
};

struct layout_options {
	const char *sort, *fields; /* -s and -F as given, or NULL */
	const char *default_sort;
	enum sample_mode mode;
	bool children, show_cpu_utilization, show_samples, show_period, guest;
	bool children_dropped; /* its column is only shown where .fields alone gives the columns */
	bool hierarchy;
	bool latency, latency_beside; /* first and sorted by; or beside the overhead */
	bool raw_trace;
	const char *widths; /* -w, or NULL */
	bool parent;	    /* -p: the parent is a column even if -s does not name it */
	const char *const *elided; /* names of keys with one value left, ends with NULL; or NULL */
	bool arch_is_powerpc;
	const struct event_set *events; /* for tracepoint fields */
};

int layout_init(struct layout *l, const struct layout_options *opts, struct err *err);
void layout_release(struct layout *l);
const char *sum_name(enum sum sum);   /* as -s and -F name it */
const char *sum_header(enum sum sum);
/* What stands above the columns of a field of -F that has several; NULL: nothing. */
const char *sum_title(enum sum sum);
/* The names of all keys and sums, for messages and help: "overhead ... comm dso ...". */
void layout_names(struct buf *out);
/* Appends the words that -s and -F take, separated by blanks, without the columns that others add
 * (ipc_*). */
void layout_words(struct buf *out);

#endif
