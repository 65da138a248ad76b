/* SPDX-License-Identifier: MIT */
/*
 * Metrics that a user wants, as events to count and as values made of the counts.
 *
 *   1  metric_table_read(&table, host, facts);
 *   2  metric_select(&sel, &set, "IPC,TopdownL1:u", 0, &table, host, facts, &err);
 *      the events are now at the end of the set; open and count them as any others
 *   3  for each of sel.uses: metric_compute(use, &set, counts, &value);
 *      as often as there are counts: in each interval, of each CPU, core, thread, ...
 *
 * Which events share a group: those of a metric that the same PMU counts, in a weak group, so that
 * they are counted at the same time. Events that need no counter (software, tracepoints, the
 * tool's) stay alone. A metric all of whose events a bigger group has already uses those; equal
 * events that stand alone are counted once.
 *
 * What is selected refers to the table, and the table to the vendor's lists: they must live as
 * long.
 */
#ifndef EVENT_METRIC_SELECT_H
#define EVENT_METRIC_SELECT_H

#include "event/metric/metric.h"

enum metric_select_flag {
	METRIC_SELECT_NO_GROUP = 1 << 0, /* --metric-no-group: all events stand alone */
	METRIC_SELECT_NO_MERGE = 1 << 1, /* --metric-no-merge: each metric has events of its own */
	METRIC_SELECT_NO_THRESHOLD =
		1 << 2, /* --metric-no-threshold: no events for thresholds only */
};

/* A metric that was selected. */
struct metric_use {
	const struct metric *metric;
	const char *modifiers; /* "u" of "IPC:u"; "" without */
	/* The event beside which it is shown: index in the set of the first that the expression
	 * names and that isn't the tool's own. */
	uint32_t event;
	/* All that it is computed from, in the order of the set, each once. */
	const uint32_t *events;
	uint32_t n_events;
	/* How perf 6.1 shows it: a number with so many decimals, then this text: "% l1d_miss_rate",
	 * or the name alone when there is no unit; with the modifiers: "IPC:u". */
	const char *text;
	unsigned int decimals;
	const char *unit; /* "%", "" without */
	double scale;	  /* what the expression's value is multiplied by */
	const struct metric_plan *plan;
};

/* A metric of a group or pattern that cannot be counted on this machine. */
struct metric_skipped {
	const struct metric *metric;
	const char *why;
};

struct metric_selection {
	struct arena arena;
	/* In the order of the list, those of a group in the order in which the table got them. */
	VEC(struct metric_use) uses;
	VEC(struct metric_skipped) skipped;
};

/*
 * list: names of metrics and groups, and patterns (* ? [...]) of either, in any case, each perhaps
 * with modifiers for all its events; "all", and "No_group" for metrics without a group. Called
 * again with the same selection it adds to it, but shares no events with what was there.
 *
 * 0, or -1 with *err and nothing added: a name that nobody knows (the nearest one is suggested), or
 * a metric asked for by its name whose events aren't there. facts->target_cpu and core_wide
 * must be what the measurement will be.
 */
int metric_select(struct metric_selection *sel, struct event_set *set, const char *list,
		  unsigned int flags, const struct metric_table *table,
		  const struct event_host *host, const struct metric_facts *facts, struct err *err);
void metric_selection_release(struct metric_selection *sel);

enum metric_judgement {
	METRIC_PLAIN, /* it has no threshold, or the value or what the threshold needs isn't known
		       */
	METRIC_GOOD,
	METRIC_BAD, /* beyond the threshold */
};

struct metric_value {
	double value; /* scaled; NaN: not known */
	enum metric_judgement judgement;
};

/*
 * counts: for each event of the set (by index) what it counted, raised to the full time when it was
 * multiplexed, but not multiplied by the event's scale; ns for duration_time, user_time and
 * system_time. NaN: not counted, or not supported.
 */
void metric_compute(const struct metric_use *use, const struct event_set *set, const double *counts,
		    struct metric_value *out);

#endif
