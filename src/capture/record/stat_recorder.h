/* SPDX-License-Identifier: MIT */
/*
 * Writes a recording of counts (`stat record`), which `stat report` reads, here and in perf.
 *
 *   stat_recorder_new()    makes the file, so that it fails before anything is run
 *   stat_recorder_begin()  with the first counters: events, features, CPUs and threads
 *   stat_recorder_round()  for each interval, and at the end
 *   stat_recorder_end()
 *
 * Each round leaves a file that can be read, whatever happens to its writer then. A full disk is an
 * error of the round that does not fit.
 */
#ifndef CAPTURE_STAT_RECORDER_H
#define CAPTURE_STAT_RECORDER_H

#include "capture/record/features.h"
#include "data/counts.h"

struct stat_recorder_options {
	const char *path; /* "-": standard output, in pipe format */
	uint64_t aggr;	  /* STAT_AGGR_* (data/record/record.h): how the counts were shown */
	uint64_t interval_ms;
	bool scale;
	struct feature_facts facts; /* events are set by _begin */
};

struct stat_recorder;

/* opts must outlive it. An older file of that name becomes PATH.old. */
struct stat_recorder *stat_recorder_new(const struct stat_recorder_options *opts, struct err *err);
void stat_recorder_free(struct stat_recorder *r);
DEFINE_AUTO(stat_recorder, stat_recorder_free)

/*
 * Writes the events with the kernel's ids of their counters, in the order of the cells where each
 * cell has one. Events without ids get some here. shape has the rows and threads.
 */
int stat_recorder_begin(struct stat_recorder *r, struct event_set *events,
			const struct counts *shape, struct err *err);
/* counts are cumulative; time_ns since the start. */
int stat_recorder_round(struct stat_recorder *r, const struct counts *counts, uint64_t time_ns,
			bool final, struct err *err);
/* Also after an error: what was written stays readable. */
int stat_recorder_end(struct stat_recorder *r, struct err *err);

#endif
