/* SPDX-License-Identifier: MIT */
/*
 * Rewrites a recording with additions: build-ids, places where tasks slept, code of JITs, call
 * chains in place of stack dumps.
 *
 * Records go from a source to a sink, one at a time; only the present state of processes is kept.
 * Without options they stay in the order of the file, otherwise they are written in the order of
 * time. Compressed records are written decompressed. Damaged records are left out and counted in
 * the recording's losses.
 */
#ifndef ANALYSIS_INJECT_INJECT_H
#define ANALYSIS_INJECT_INJECT_H

#include "data/sink.h"
#include "symbol/dso.h"

enum inject_ids {
	INJECT_IDS_NONE,
	INJECT_IDS_HIT, /* a BUILD_ID record for each file that samples and their callers lie in */
	INJECT_IDS_ALL, /* for each that is mapped */
	INJECT_IDS_MMAP2_HIT, /* maps carry them; those without samples are left out */
	INJECT_IDS_MMAP2_ALL, /* maps carry them */
};

/* Build-ids of files that the user gives. */
struct known_ids {
	struct intern paths;
	VEC(struct build_id) ids; /* by the path's number */
};
/* "ID PATH[,ID PATH...]", or "file://FILE" with such a pair a line, as buildid-list prints them. */
int known_ids_parse(struct known_ids *known, const char *text, struct err *err);
void known_ids_release(struct known_ids *known);

struct inject_options {
	enum inject_ids ids;
	struct known_ids known;
	bool sleeps; /* sched_stat_* joined with the sched_switch in which the task went to sleep */
	bool jit;    /* code of JITs' dumps as files, and their maps */
	bool chains; /* stack dumps become call chains */
	bool no_samples;
	bool no_traces; /* traces of instructions are an error: they were to be decoded */
};

struct inject_totals {
	uint64_t records, ids, sleeps, codes, chains;
	struct buf notes; /* lines: what could not be done; the caller's to release */
};

/* Writes all records, and ends the sink. 0, or -1 with *err. */
int inject_run(struct recording *rec, struct sink *sink, const struct inject_options *opts,
	       const struct symbol_options *symbols, struct inject_totals *totals, struct err *err);

#endif
