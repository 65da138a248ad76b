/* SPDX-License-Identifier: MIT */
/* The state that the parts of metric_select share. Private to event/metric. */
#ifndef EVENT_METRIC_SELECT_STATE_H
#define EVENT_METRIC_SELECT_STATE_H

#include "base/hash.h"
#include "event/metric/expr_node.h"
#include "event/metric/select.h"

/* How many metrics may refer to each other in a row. */
#define METRIC_NESTED_MOST 64

/* A name in an expression that is no metric: the events of the set whose counts it sums. */
struct metric_input {
	const char *id;
	bool scaled;	 /* counts are multiplied by their event's scale */
	uint32_t wanted; /* index in the selector's .wanted */
	const uint32_t *events;
	uint32_t n_events;
};

/* A step of a computation: the value of the metric itself, of a metric that it refers to, or of the
 * threshold. */
struct metric_step {
	const struct metric *metric; /* NULL: the threshold */
	const struct metric_expr *expr;
	const uint32_t *slots; /* the source of each id: an input, or METRIC_STEP | an earlier
				* step */
};
#define METRIC_STEP 0x80000000u

struct metric_plan {
	struct metric_input *inputs;
	const struct metric_step *steps; /* each uses only steps before it */
	uint32_t n_inputs, n_steps;
	uint32_t value;	    /* the step that is the metric's value */
	uint32_t threshold; /* likewise, or METRIC_NO_STEP */
	bool no_group;	    /* its events stand alone */
};
#define METRIC_NO_STEP UINT32_MAX

/* A distinct event that must be counted; several names may mean it. */
struct metric_kind {
	struct event *ev;
	const char *pmu; /* the PMU that counts it, NULL when no counter is needed */
	bool topdown;	 /* it is only counted in a group that slots leads */
	bool placed;	 /* the event itself is in the set, further ones are copies */
};

/* The events that a name with the use's modifiers stands for. */
struct metric_wanted {
	const char *text, *modifiers, *pmu;
	const char *why; /* why it cannot be counted; or NULL */
	uint32_t *kinds;
	uint32_t n_kinds;
};

struct metric_folded {
	const struct metric_expr *expr, *threshold;
	bool tried;
	const char *why; /* the expression is no such; or NULL */
};

struct metric_selector {
	struct metric_selection *sel;
	struct event_set *set;
	unsigned int flags;
	const struct metric_table *table;
	const struct event_host *host;
	struct metric_facts facts;
	struct metric_known known;
	const struct metric **rows; /* the table's metrics in the order in which they were added */
	struct metric_folded *folded; /* for each of the table's metrics */
	size_t before;		      /* events of the set that aren't ours */
	size_t uses_before;	      /* likewise */
	bool watchdog;		      /* the kernel's NMI watchdog holds a counter */
	bool cores_counted;
	size_t cores;	     /* the number of core PMUs, valid with .cores_counted */
	struct intern texts; /* { name, modifiers, PMU } -> index in .wanted */
	VEC(struct metric_wanted) wanted;
	struct intern same; /* the identity of an event -> index in .kinds */
	VEC(struct metric_kind) kinds;
	struct arena arena; /* freed after the selection */
};

/* select_plan.c: makes the plan of a metric. NULL with *why set when it cannot be computed. */
struct metric_plan *metric_plan_make(struct metric_selector *s, const struct metric *m,
				     const char *modifiers, const char **why);
/* The event slots of Intel's PMUs. */
#define METRIC_SLOTS 0x0400
/* True for slots and for the events that Intel's PMU counts only beside it. */
bool metric_is_topdown(const struct metric_selector *s, const struct event *ev);
/* The PMU whose counter an event takes, NULL when it takes none: kinds with equal names can be in
 * one group. */
const char *metric_counter_of(struct metric_selector *s, const struct event *ev);
/* select_place.c: puts the events of the new uses into the set, in groups, and fills the uses'
 * event indices. */
void metric_place(struct metric_selector *s);

#endif
