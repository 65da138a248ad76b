/* SPDX-License-Identifier: MIT */
/*
 * What can be measured here: the rows of `perf list`, in its order.
 */
#ifndef EVENT_LISTING_H
#define EVENT_LISTING_H

#include "event/parse.h"

enum listing_kind {
	LIST_HARDWARE = 1 << 0,
	LIST_SOFTWARE = 1 << 1,
	LIST_TOOL = 1 << 2,
	LIST_CACHE = 1 << 3,
	LIST_PMU = 1 << 4,
	LIST_RAW = 1 << 5,
	LIST_BREAKPOINT = 1 << 6,
	LIST_TRACEPOINT = 1 << 7,
};

struct listing_row {
	enum listing_kind kind;
	const char *name;
	const char *alias; /* another name, or NULL */
	const char *pmu;   /* of LIST_PMU: its name; of a tracepoint: its system; else NULL */
	const char *terms, *unit; /* of LIST_PMU: what it stands for; unit may be NULL */
	bool core;		  /* of LIST_PMU: an event of the CPU itself */
};

struct listing {
	struct arena arena;
	VEC(struct listing_row) rows;
};

/*
 * Appends the rows of these kinds (a set of enum listing_kind) whose name matches the pattern
 * (NULL: all), sorted within each kind. Tracepoints also have to be of a system that matches.
 * Hardware, software and cache events are those that the kernel opens.
 */
void listing_add(struct listing *l, const struct event_host *host, unsigned int kinds,
		 const char *system, const char *pattern);
void listing_release(struct listing *l);
/* "Hardware event", "Tracepoint event", ... */
const char *listing_kind_text(enum listing_kind kind);

#endif
