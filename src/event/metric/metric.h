/* SPDX-License-Identifier: MIT */
/*
 * The metrics of a machine: numbers computed from counts, each an expression with a name.
 *
 * The table holds what the machine can compute: built-in metrics, made of events that every kernel
 * names or that sysfs shows here (builtin.c), and those of the vendor's lists. expr.h says what an
 * expression is, select.h how metrics become events and values.
 */
#ifndef EVENT_METRIC_METRIC_H
#define EVENT_METRIC_METRIC_H

#include "event/metric/expr.h"
#include "event/parse.h"

enum metric_flag {
	METRIC_NO_GROUP = 1 << 0,	       /* its events do not fit into one group */
	METRIC_NO_GROUP_WATCHDOG = 1 << 1,     /* ... while the NMI watchdog holds a counter */
	METRIC_NO_GROUP_SMT = 1 << 2,	       /* ... while cores run two threads */
	METRIC_NO_THRESHOLD_WATCHDOG = 1 << 3, /* neither group nor threshold while it does */
	METRIC_SCALED = 1 << 4, /* its expression uses counts multiplied by their event's scale */
};

/* All strings but the name and the expression may be NULL: not given. */
struct metric {
	const char *name;
	const char *expr;	    /* see expr.h */
	const char *threshold;	    /* an expression: true when the value is bad */
	const char *scale_unit;	    /* "100%": what the value is multiplied by, then its unit */
	const char *groups;	    /* "Default;TopdownL1" */
	const char *brief, *detail; /* without a full stop at the end */
	const char *pmu;	    /* "cpu_core": counted by this kind of cores only */
	const char *default_group;  /* the heading under which it is shown in the default set */
	const char *no_group_in;    /* groups: when selected by one of these, its events are not
				     * grouped */
	const char *only_if; /* of built-in metrics: an expression, true where the metric makes
			      * sense */
	unsigned int flags;  /* enum metric_flag */
	uint32_t row;	     /* set by metric_table_add: the number of metrics added before it */
};

struct metric_group {
	const char *name;
	const char *brief; /* or NULL */
};

struct metric_table {
	struct arena arena;
	VEC(struct metric) metrics;	 /* after metric_table_read: by name, case ignored */
	VEC(struct metric_group) groups; /* likewise; each that a metric names, once */
};

/*
 * All metrics of this machine. A vendor's metric replaces the built-in metric of the same name.
 * Strings of the vendor's lists are borrowed: the lists must outlive the table.
 */
void metric_table_read(struct metric_table *t, const struct event_host *host,
		       const struct metric_facts *facts);
void metric_table_release(struct metric_table *t);
/* Adds a metric from another source; its strings are borrowed. Call metric_table_sort after the
 * last one. */
void metric_table_add(struct metric_table *t, const struct metric *m);
void metric_table_sort(struct metric_table *t);
/* The next name of a list as in .groups, and its length in *n; moves *list behind it. NULL at the
 * end. */
const char *metric_next_group(const char **list, size_t *n);
/* True when the metric is in the group. Case is ignored; n: bytes of the group's name. */
bool metric_in_group(const struct metric *m, const char *group, size_t n);

/* The metrics of that name (one for each kind of cores): the first, *n of them; NULL: none. Case is
 * ignored. */
const struct metric *metric_find(const struct metric_table *t, const char *name, size_t *n);
/* True when a machine has the event. host: a struct event_host. For metric_fold. */
bool metric_has_event(void *host, const char *event);

/* All built-in metrics, also those that make no sense on this machine. */
extern const struct metric metric_builtin[];
extern const size_t metric_builtin_count;

#endif
