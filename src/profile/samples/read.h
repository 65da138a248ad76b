/* SPDX-License-Identifier: MIT */
/*
 * Reads records into samples: side-band makes the world, samples are added.
 *
 * How (in order, or in parallel decoded, in bulk or tallied) depends on the recording and on what
 * samples keep. Every way leads to the same cells, losses and result.
 */
#ifndef PROFILE_READ_H
#define PROFILE_READ_H

#include "profile/samples/samples.h"

#define SAMPLES_PARALLEL_FROM (8 << 20) /* bytes: below, threads cost more than they bring */

struct samples_reading {
	const char *switch_on, *switch_off; /* event names, or NULL */
	bool show_switches;		    /* count the switching samples themselves too */
	/* Shown every record that isn't a sample, in the order of their delivery; may be NULL. */
	void (*other)(void *ctx, const struct record *r);
	void *ctx;
	/* A file of at least that many bytes is read by so many threads (0: one a CPU), where its
	 * samples mean the same in any order. */
	uint64_t parallel_from;
	unsigned int threads;
	/* Called now and then while samples are added one by one, which may be long after the
	 * recording's progress came to its end; may be NULL. */
	void (*pause)(void *ctx);
	void *pause_ctx;
	uint64_t lost_samples; /* out */
	/* private: what samples_so_far() is made of; NULL: not yet, or not any more */
	struct samples *adding; /* one by one */
	struct parallel_reading *parallel;
};

/* Reads a recording. 0, or -1 with *err: samples then hold what was read. Nothing may be added to
 * the samples afterwards: some ways give up what finds equal chains. */
int samples_read(struct samples *samples, struct recording *rec, struct samples_reading *how,
		 struct err *err);
/* In a pause, and while samples_read() reports progress (recording_options.progress): the samples
 * that were read so far, without knowing how many more come. They are those that are being read, or
 * a copy that the caller frees: valid until the pause ends, or until the copy is freed. NULL: which
 * processes ran is still being found out, and nothing is counted yet. */
struct samples *samples_so_far(const struct samples_reading *how);
/* Pulls all records of a source that is in the order of time, whose chains are joined and whose
 * samples are split (struct source_options). 0, or -1 with *err. */
int samples_pull(struct samples *samples, struct source *src, struct samples_reading *how,
		 struct err *err);

#endif
