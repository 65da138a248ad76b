/* SPDX-License-Identifier: MIT */
/*
 * The counts of a recording (`perf stat record`), round by round: a round is the state of all
 * counters at the end of an interval, or at the end of the recording.
 *
 *   struct stat_rounds rounds;
 *   stat_rounds_init(&rounds, rec);
 *   for each record:
 *           if (stat_rounds_take(&rounds, r, &round, &err) > 0)
 *                   ...
 *   stat_rounds_release(&rounds);
 *
 * Values of unknown counters or cells, and records cut short, are passed over and counted in the
 * recording's losses.
 */
#ifndef DATA_STAT_ROUNDS_H
#define DATA_STAT_ROUNDS_H

#include "data/counts.h"
#include "data/recording.h"
#include "os/machine/cpus.h"

struct stat_config {
	bool known;	      /* a STAT_CONFIG came */
	uint64_t aggr;	      /* STAT_AGGR_*, whichever perf wrote it */
	uint64_t cache_level; /* of STAT_AGGR_CACHE; 0: the last one */
	uint64_t interval_ms; /* 0: there is one round */
	bool scale;
	uint64_t unknown_tag; /* one that this program does not know; 0: none */
};

struct stat_round {
	bool final;
	uint64_t time_ns; /* since the start; without intervals: the time of the last run */
	const struct counts *counts; /* cumulative; valid until the next call */
};

struct stat_rounds {
	struct recording *rec;
	struct stat_config config; /* this and all below: as of the records taken so far */
	struct cpu_list cpus;	   /* one -1: bound to none */
	struct counts counts;
	/* private */
	bool threads_known;
	uint64_t cells;
};

/* The recording must outlive it. */
void stat_rounds_init(struct stat_rounds *s, struct recording *rec);
/* Takes each record in the order of the file. 1: with this one *round is complete; 0: it is not;
 * -1: *err says why. */
int stat_rounds_take(struct stat_rounds *s, const struct record *r, struct stat_round *round,
		     struct err *err);
void stat_rounds_release(struct stat_rounds *s);

#endif
