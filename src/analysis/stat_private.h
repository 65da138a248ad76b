/* SPDX-License-Identifier: MIT */
/* The state of the accumulator, private to stat*.c. */
#ifndef ANALYSIS_STAT_PRIVATE_H
#define ANALYSIS_STAT_PRIVATE_H

#include "analysis/stat.h"

/* What an event counts, as far as a ratio may need it. */
enum stat_kind {
	KIND_NONE,
	KIND_CLOCK, /* nanoseconds of CPUs */
	KIND_CYCLES,
	KIND_INSTRUCTIONS,
	KIND_STALLED_FRONT,
	KIND_STALLED_BACK,
	KIND_BRANCHES,
	KIND_BRANCH_MISSES,
	KIND_CACHE_REFS,
	KIND_CACHE_MISSES,
	KIND_L1D,
	KIND_L1D_MISSES,
	KIND_L1I,
	KIND_L1I_MISSES,
	KIND_LL,
	KIND_LL_MISSES,
	KIND_DTLB,
	KIND_DTLB_MISSES,
	KIND_ITLB,
	KIND_ITLB_MISSES,
	KIND_TX_CYCLES,
	KIND_TX_CYCLES_KEPT,
	KIND_TX_STARTS,
	KIND_ELISIONS,
	KIND_SLOTS,
	KIND_SLOTS_ISSUED, /* from here ... */
	KIND_SLOTS_RETIRED,
	KIND_FETCH_BUBBLES,
	KIND_RECOVERY_BUBBLES, /* ... to here: counts of slots */
	KIND_RETIRING,	       /* from here ... */
	KIND_BAD_SPECULATION,
	KIND_FRONTEND,
	KIND_BACKEND,
	KIND_HEAVY_OPS,
	KIND_MISPREDICTS,
	KIND_FETCH_LATENCY,
	KIND_MEMORY, /* ... to here: parts of the slots */
	KIND_SMI,
	KIND_APERF,
	KINDS,
};

enum stat_kind stat_kind_of(const struct event *ev);

/* The counts of an event at a place. */
struct stat_cell {
	struct stat_mean value;	 /* after scaling by time, before event->scale */
	double enabled, running; /* sums over runs */
	uint32_t cpus;
	bool present; /* it has counters there */
};

struct stat_event {
	enum count_state state;
	enum stat_kind kind;
	const char *name;
	uint32_t shown_by; /* index of the event whose rows contain its counts; its own, mostly */
	bool shows_others;
	VEC(struct stat_cell) cells;  /* by place */
	VEC(struct stat_cell) merged; /* ... with those of all that it shows */
};

struct stat {
	const struct event_set *set;
	const struct topology *topology;
	struct stat_options opts;
	struct arena names;
	VEC(struct stat_event) events; /* by index in the set */
	VEC(uint32_t) of_kind[KINDS];
	bool of_readout;	      /* what is added now is shown by sensors: it may be below 0 */
	bool hybrid;		      /* events of several kinds of cores are in the set */
	VEC(int) cpus;		      /* that were asked for */
	struct intern places;	      /* of struct stat_id */
	VEC(uint32_t) order;	      /* places as they are shown */
	struct idmap place_of_cpu[2]; /* by CPU number; [1]: for events that count by core */
	struct stat_mean elapsed, user, system;
	VEC(double) each_elapsed;
	VEC(struct stat_row) rows;
	struct arena metrics; /* of rows */
};

/* What stands in the event's rows; NULL when there was no such place yet. */
static inline const struct stat_cell *stat_cell_of(const struct stat_event *ev, uint32_t place)
{
	if (ev->shows_others)
		return place < ev->merged.n ? &ev->merged.at[place] : NULL;
	return place < ev->cells.n ? &ev->cells.at[place] : NULL;
}

/* Is it of one of the PMUs that a machine with several kinds of cores has for each? */
static inline bool stat_is_hybrid(const struct event *ev)
{
	return ev->pmu && !strncmp(ev->pmu, "cpu_", 4);
}

/* stat_place.c */
bool stat_by_core(const struct stat *s, const struct event *ev);
/* The place that a CPU belongs to. */
uint32_t stat_place_of_cpu(struct stat *s, int cpu, bool by_core);
uint32_t stat_place_of_thread(struct stat *s, uint32_t thread);
static inline const struct stat_id *stat_id_of(const struct stat *s, uint32_t place)
{
	return s->places.entries.at[place].p;
}
void stat_order_places(struct stat *s);

/* stat_ratio.c: the metrics beside a row that was counted, added to *out. place is where its
 * denominators are looked for. */
struct stat_metrics {
	VEC(struct stat_metric) all;
};
void stat_ratios(const struct stat *s, const struct stat_row *row, uint32_t place,
		 struct stat_metrics *out);
/* stat_metric.c: those of s->opts.metrics that stand beside this row, added to *out. */
void stat_selected(struct stat *s, const struct stat_row *row, uint32_t place,
		   struct stat_metrics *out);
/* Is an event counted for one of them? */
bool stat_for_metric(const struct stat *s, const struct event *ev);

#endif
