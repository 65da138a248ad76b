/* SPDX-License-Identifier: MIT */
/*
 * The names of the events that every kernel has: hardware, software and cache events.
 *
 * Source: enum perf_hw_id, perf_sw_ids, perf_hw_cache_id of <linux/perf_event.h>; the names are
 * those that perf prints and takes.
 */
#ifndef EVENT_NAMES_H
#define EVENT_NAMES_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

struct event_name {
	const char *name;  /* as lists show it first */
	const char *alias; /* another name, or NULL */
	const char *shown; /* the name for an attribute that has none; NULL: perf 6.1 has none */
};

#define HARDWARE_EVENTS 10
#define SOFTWARE_EVENTS 12

/* Indexed by config. */
extern const struct event_name hardware_events[HARDWARE_EVENTS];
extern const struct event_name software_events[SOFTWARE_EVENTS];

/* The name that perf gives to an attribute's config, or NULL. */
const char *hardware_event_name(uint64_t config);
const char *software_event_name(uint64_t config);

/* Cache events: config is cache | operation << 8 | result << 16. */
enum { CACHE_KINDS = 7, CACHE_OPS = 3, CACHE_RESULTS = 2 };
/* Spellings of each, the first being the one shown; NULL ends a row that is not full. */
extern const char *const cache_names[CACHE_KINDS][8];
extern const char *const cache_op_names[CACHE_OPS][8];
extern const char *const cache_result_names[CACHE_RESULTS][8];
/* True when the combination exists. (An instruction cache has no stores.) */
bool cache_event_valid(unsigned int cache, unsigned int op);
/* "L1-dcache-load-misses"; for invalid configs the text of perf 6.1. */
void cache_event_name(uint64_t config, struct buf *out);

/* True for a PMU that traces: its event can be in a group with events of any PMU. */
bool pmu_is_tracer(const char *pmu);

#endif
