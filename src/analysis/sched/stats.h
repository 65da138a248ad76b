/* SPDX-License-Identifier: MIT */
/*
 * What the scheduler counted between two moments (perf sched stats): the difference of two
 * snapshots of /proc/schedstat, for each CPU and each of its scheduling domains.
 */
#ifndef ANALYSIS_SCHED_STATS_H
#define ANALYSIS_SCHED_STATS_H

#include "data/feature/schedstat.h"
#include "os/machine/cpus.h"

struct sched_stats_row {
	struct schedstat_row row; /* what was counted between the snapshots */
	bool ended;		  /* the second snapshot has it */
};

/* All zero is valid and empty. */
struct sched_stats {
	uint32_t version;
	uint64_t jiffies;		  /* between the snapshots */
	struct cpu_list *cpus;		  /* only these; NULL: all. The caller's */
	VEC(struct sched_stats_row) rows; /* each CPU's own, then its domains' */
	VEC(struct schedstat_row) mean;	  /* a CPU on average, then its domains; .cpu is 0 */
	struct schedstat_domains domains; /* sorted by CPU and number */
	struct arena arena;		  /* their names, of a live measurement */
	/* private */
	uint64_t first;
	bool second; /* the second snapshot has begun */
	VEC(struct sched_stats_place {
		uint64_t key;
		size_t row;
	})
	places; /* of rows, by CPU and domain; built when the second snapshot begins */
};

/* Takes the recording's two snapshots. 0, or -1 with *err: it has fewer, they are of different
 * CPUs, or of a version that is not known. */
int sched_stats_read(struct sched_stats *s, struct recording *rec, struct err *err);
/* Takes a snapshot of a live measurement: the first, then the second. */
int sched_stats_take(struct sched_stats *s, const struct schedstat *snapshot, struct err *err);
/* After the second one of these: computes the means. 0, or -1 as sched_stats_read(). */
int sched_stats_end(struct sched_stats *s, struct err *err);
void sched_stats_release(struct sched_stats *s);

/* The name and CPUs of a domain; NULL: not known. */
const struct schedstat_domain *sched_stats_domain(const struct sched_stats *s, uint32_t cpu,
						  int domain);
/* 0 when each of a's means can stand beside the same one of b's; else -1 with *err. */
int sched_stats_comparable(const struct sched_stats *a, const struct sched_stats *b,
			   struct err *err);

#endif
