/* SPDX-License-Identifier: MIT */
/*
 * The accumulator behind `perf stat`: counts of runs or intervals in, rows out, in the order in
 * which they are shown. It knows what belongs together (CPUs of a core, events of several PMUs that
 * are one to the user), scales what was multiplexed, keeps means and deviations over runs, and
 * computes the ratios that stand beside a count. It prints nothing.
 */
#ifndef ANALYSIS_STAT_H
#define ANALYSIS_STAT_H

#include "data/counts.h"
#include "os/machine/topology.h"

struct metric_selection;

enum stat_aggr {
	STAT_GLOBAL,
	STAT_CPU, /* -A */
	STAT_CORE,
	STAT_CLUSTER,
	STAT_CACHE,
	STAT_DIE,
	STAT_SOCKET,
	STAT_NODE,
	STAT_THREAD,
};

struct stat_options {
	enum stat_aggr aggr;
	int cache_level; /* of STAT_CACHE; 0: the last one */
	bool no_scale;
	bool no_merge;	   /* equal events of several PMUs stay apart */
	bool hybrid_merge; /* ... of the two kinds of cores become one */
	bool percore_show_thread;
	bool metric_only; /* rows go by place, then by event */
	bool skip_zero;	  /* no rows of zero: STAT_THREAD on all of the machine */
	unsigned int topdown_level;
	const struct metric_selection *metrics; /* of -M: outlives the accumulator; or NULL */
	uint32_t each_cgroup; /* not 0: after so many events the same come for another cgroup, and
			       * so do the metrics */
};

/* Which part of the machine a row is about. What does not apply is -1. */
struct stat_id {
	int socket, die, cluster, cache_level, cache, core, node, cpu;
	int thread; /* index of counts.threads */
};

/* How good a ratio is, which decides its colour: from good to bad. */
enum stat_judgement {
	STAT_NOT_JUDGED, /* nobody says what is good */
	STAT_PLAIN,	 /* neither good nor bad */
	STAT_GOOD,
	STAT_NOTABLE,
	STAT_WORSE,
	STAT_BAD,
};

/* A ratio beside a count: "0.53  insn per cycle". */
struct stat_metric {
	double value;	    /* NAN: it has a place, but no value */
	const char *format; /* as printf wants the number in text: "%8.3f", "%7.2f%%" */
	const char *unit;   /* "CPUs utilized", "K/sec", "of all branches" */
	enum stat_judgement judgement;
	bool own_line; /* not beside what came before it */
	bool asked;    /* for by its name or group */
};

enum stat_state { STAT_COUNTED, STAT_NOT_COUNTED, STAT_NOT_SUPPORTED };

struct stat_row {
	const struct event *event;
	const char
		*name; /* as it is to be shown: event->name, or with its PMU where that matters */
	struct stat_id id;
	uint32_t cpus; /* that were summed; up to the first that did not count */
	enum stat_state state;
	double value;		 /* scaled by running time and by event->scale; a mean over runs */
	double enabled, running; /* ns, a mean over runs; what `pcnt-running` is made of */
	double noise;		 /* standard error of the mean, percent of it; 0 with one run */
	/* beside it, then on lines of their own; with metric_only also what a row that was not
	 * counted would have: its columns */
	const struct stat_metric *metrics;
	size_t n_metrics;
	bool of_metric; /* its event was counted for a metric that was asked for */
};

struct stat_mean {
	double mean, error; /* standard error of the mean */
	uint64_t n;
	double sum_squares; /* of differences from the mean */
};
void stat_mean_add(struct stat_mean *m, double value);

struct stat_times {
	double elapsed_ns; /* what "CPUs utilized" is divided by; of an interval, what was asked for
			    */
	double user_ns, system_ns;
};

struct stat; /* opaque */

/* events and topology must outlive it. */
struct stat *stat_new(const struct event_set *events, const struct topology *topology,
		      const struct stat_options *opts);
void stat_free(struct stat *s);
DEFINE_AUTO(stat, stat_free)

/* The CPUs that were asked for: the parts of the machine they are in have rows even if no event
 * counts there. To be said again after stat_reset. */
void stat_add_cpus(struct stat *s, const int *cpus, size_t n);
/* The CPUs that were asked for: the parts of the machine they are in have rows even if no event
 * counts there. Negative numbers are passed over. */
void stat_add_cpus(struct stat *s, const int *cpus, size_t n);
/* What one run, or one interval, counted. */
void stat_add(struct stat *s, const struct counts *counts, const struct stat_times *times);
/* Forgets all runs or intervals that were added. */
void stat_reset(struct stat *s);
/* Rows of all that was added since the last reset, in the order in which they are shown; valid
 * until the next call on s. */
const struct stat_row *stat_rows(struct stat *s, size_t *n);
const struct stat_mean *stat_elapsed(const struct stat *s);
const struct stat_mean *stat_user(const struct stat *s);
const struct stat_mean *stat_system(const struct stat *s);
/* Each run's elapsed nanoseconds, in order (--table). */
const double *stat_each_elapsed(const struct stat *s, size_t *n);

#endif
