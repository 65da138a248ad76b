/* SPDX-License-Identifier: MIT */
/* A map of tasks on CPUs: one row for each switch, with the task of each CPU by a name of two
 * characters. */
#ifndef ANALYSIS_SCHED_MAP_H
#define ANALYSIS_SCHED_MAP_H

#include "base/err.h"
#include "world/filter.h"
#include "world/world.h"

struct sched_map_task {
	struct thread *thread;
	char name[3];	 /* "A0"; ". " of idle tasks; empty: not given yet */
	bool named_anew; /* its comm changed since it was shown */
};

struct sched_map_row {
	uint64_t time; /* ns */
	uint32_t cpu;
	bool new_cpu;  /* its first switch */
	bool new_name; /* the task's short name is new, or its comm is */
	bool resumed;  /* of .times, and none has named tasks yet: not those on other CPUs either */
	const struct sched_map_task *next;
	const struct sched_map_task *prev; /* what ran there before; NULL: not known */
	/* By CPU number, NULL where no switch was seen; n_cpus covers the row's. .order: CPUs in
	 * the order of their first switch. */
	const struct sched_map_task *const *runs;
	uint32_t n_cpus;
	const uint32_t *order;
	uint32_t n_order;
};

/* What became of a row. */
enum sched_map_shown {
	SCHED_MAP_NAMED,    /* shown, with the names of tasks that are new */
	SCHED_MAP_NAMELESS, /* not shown, or without names */
	SCHED_MAP_STOP,	    /* no more rows are wanted */
};

struct sched_map {
	uint64_t records, lost_events, lost_records; /* as in struct sched_latency */
	/* Set by the caller. Rows of other CPUs show no names, and those of other times are left
	 * out (.end 0: none is). */
	const struct number_list *cpus;
	struct time_range times;
	/* private */
	enum sched_map_shown (*show)(void *ctx, const struct sched_map_row *row);
	void *ctx;
	char letter, digit;
	bool left_out; /* rows were, and none has named tasks yet */
	VEC(const struct sched_map_task *) runs;
	VEC(uint32_t) order;
};

/* m: zeroed, but for .cpus and .times. show is called for each switch of these times, in their
 * order. 0, or -1 with *err. */
int sched_map_read(struct sched_map *m, struct recording *rec, struct world *world,
		   enum sched_map_shown (*show)(void *ctx, const struct sched_map_row *row),
		   void *ctx, struct err *err);
void sched_map_release(struct sched_map *m);

#endif
