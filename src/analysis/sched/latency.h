/* SPDX-License-Identifier: MIT */
/*
 * How long tasks waited for a CPU: from when they could run (a wake-up, or being preempted) until
 * they ran.
 *
 *   struct sched_latency l;
 *   sched_latency_init(&l, &opts);
 *   failed = sched_latency_read(&l, rec, world, &err);
 *   ... l.rows
 *   sched_latency_release(&l);
 */
#ifndef ANALYSIS_SCHED_LATENCY_H
#define ANALYSIS_SCHED_LATENCY_H

#include "analysis/durations/histogram.h"
#include "base/err.h"
#include "world/filter.h"
#include "world/world.h"

enum sched_latency_key { LATENCY_AVG, LATENCY_MAX, LATENCY_SWITCH, LATENCY_RUNTIME, LATENCY_PID };

struct sched_latency_options {
	VEC(enum sched_latency_key) sort; /* the first decides; all but the pid: greatest first */
	bool by_histogram;		  /* fill .waits, to be shown by this scale: */
	enum histogram_scale histogram;
	bool by_task; /* else tasks of one name are one row */
	/* Only what ran, and waits that ended, in its times and on its CPUs, of its pids, tids and
	 * comms. Owned by whoever made it. */
	struct filter filter;
};

struct sched_latency_row {
	const char *comm;
	int32_t tid;
	uint32_t tasks; /* how many there are in it */
	uint64_t runtime_ns, switches, wait_ns, max_ns, max_start,
		max_end; /* switches: waits that ended */
};

struct sched_latency {
	const struct sched_latency_options *opts;
	VEC(struct sched_latency_row)
	rows;			/* in order; without idle tasks and those that never waited */
	struct histogram waits; /* of all rows, ns; empty without .by_histogram */
	uint64_t runtime_ns, switches; /* of all rows */
	uint64_t records;	       /* of all kinds */
	bool counts_all;	       /* private: the filter wants all tasks, CPUs and times */
	uint64_t wakeups,
		unordered;	 /* wake-ups that count; of them before the task went to sleep */
	uint64_t wrong_switches; /* away from a task that did not run on that CPU */
	uint64_t lost_events, lost_records; /* events that LOST records count, and these records */
	uint64_t uncertain, uncertain_ns; /* waits during which records were lost, and how long they
					     are in all */
};

/* "avg,max": 0, or -1 with *err. */
int sched_latency_sort_parse(struct sched_latency_options *o, const char *text, struct err *err);
void sched_latency_init(struct sched_latency *l, const struct sched_latency_options *opts);
/* Texts of rows belong to the world, which should be new. 0, or -1 with *err. */
int sched_latency_read(struct sched_latency *l, struct recording *rec, struct world *world,
		       struct err *err);
void sched_latency_release(struct sched_latency *l);

#endif
