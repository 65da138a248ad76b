/* SPDX-License-Identifier: MIT */
/*
 * Reads records into samples: side-band makes the world, samples are added.
 *
 * The way (in order, or in parallel: decoded, in bulk, or tallied) depends on the recording and on
 * what samples keep. Every way leads to the same cells, losses and result.
 */
#ifndef PROFILE_READ_H
#define PROFILE_READ_H

#include "profile/samples/samples.h"

#define SAMPLES_PARALLEL_FROM (8 << 20) /* bytes: below, threads cost more than they save */

struct samples_reading {
	const char *switch_on, *switch_off; /* event names, or NULL */
	bool show_switches;		    /* count the switching samples themselves too */
	/* Called for each record that is not a sample, in the order of delivery; may be NULL. */
	void (*other)(void *ctx, const struct record *r);
	void *ctx;
	/* A file of at least parallel_from bytes is read by .threads threads (0: one for each CPU),
	 * where its samples mean the same in any order. */
	uint64_t parallel_from;
	unsigned int threads;
	/* Called every few ms while samples are added one by one, also after the recording's
	 * progress has reached its end; may be NULL. */
	void (*pause)(void *ctx);
	void *pause_ctx;
	uint64_t lost_samples; /* out */
	/* private: for samples_so_far(); NULL: not yet, or not any more */
	struct samples *adding; /* one by one */
	struct parallel_reading *parallel;
};

/* Reads a recording. 0, or -1 with *err: samples then hold what was read. No sample may be added
 * afterwards: some ways of reading free what finds equal chains. */
int samples_read(struct samples *samples, struct recording *rec, struct samples_reading *how,
		 struct err *err);
/* In a pause, and while samples_read() reports progress (recording_options.progress): the samples
 * that were read so far, without knowing how many more come. They are those that are being read, or
 * a copy that the caller frees: valid until the pause ends, or until the copy is freed. NULL: the
 * side-band is still being read, and no sample is counted yet. */
struct samples *samples_so_far(const struct samples_reading *how);
/* Pulls all records of a source that is in the order of time, whose chains are joined and whose
 * samples are split (struct source_options). 0, or -1 with *err. */
int samples_pull(struct samples *samples, struct source *src, struct samples_reading *how,
		 struct err *err);

#endif
