/* SPDX-License-Identifier: MIT */
/*
 * Turns the metrics that a user asks for into events to count, and the counts into values.
 *
 *   1  metric_table_read(&table, host, facts);
 *   2  metric_select(&sel, &set, "IPC,TopdownL1:u", 0, &table, host, facts, &err);
 *      the events are now at the end of the set; open and count them as any others
 *   3  for each of sel.uses: metric_compute(use, &set, counts, &value);
 *      as often as there are counts: in each interval, of each CPU, core, thread, ...
 *
 * Events of a metric that the same PMU counts share a weak group, so that they are counted at the
 * same time. Events that need no counter (software, tracepoints, the tool's) are not grouped. When
 * a larger group already has all events of a metric, the metric uses that group. Equal events
 * outside of groups are counted once.
 *
 * A selection refers to the table, and the table to the vendor's lists: both must outlive it.
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
	/* Index in the set of the event beside which the metric is shown: the first one that the
	 * expression names, tool events excluded. */
	uint32_t event;
	/* The events that it is computed from, in the order of the set, each once. */
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
	/* In the order of the list; metrics of a group in the order in which they were added to the
	 * table. */
	VEC(struct metric_use) uses;
	VEC(struct metric_skipped) skipped;
};

/*
 * list: names of metrics and groups, and patterns (* ? [...]) of either, in any case, each perhaps
 * with modifiers for all its events; "all", and "No_group" for metrics without a group. A second
 * call adds to the selection; the events of both calls are separate.
 *
 * 0, or -1 with *err and nothing added: an unknown name (the nearest one is suggested), or a metric
 * asked for by its name whose events the machine lacks. facts->target_cpu and core_wide must be
 * those of the measurement.
 */
int metric_select(struct metric_selection *sel, struct event_set *set, const char *list,
		  unsigned int flags, const struct metric_table *table,
		  const struct event_host *host, const struct metric_facts *facts, struct err *err);
void metric_selection_release(struct metric_selection *sel);

enum metric_judgement {
	METRIC_PLAIN, /* there is no threshold, or the value or an input of the threshold isn't
		       * known */
	METRIC_GOOD,
	METRIC_BAD, /* beyond the threshold */
};

struct metric_value {
	double value; /* scaled; NaN: not known */
	enum metric_judgement judgement;
};

/*
 * counts: the count of each event of the set (by index), scaled up to the full time when it was
 * multiplexed, but not multiplied by the event's scale; ns for duration_time, user_time and
 * system_time. NaN: not counted, or not supported.
 */
void metric_compute(const struct metric_use *use, const struct event_set *set, const double *counts,
		    struct metric_value *out);

#endif
