/* SPDX-License-Identifier: MIT */
/*
 * Tallying: while the side-band is read, the threads of samples are noted, which the world must
 * know before it is sealed. Where keys need threads only, samples are summed as well, and no second
 * pass is needed.
 *
 * In this pass a thread's name at a sample's time is not known yet: side-band comes in order of
 * time, samples as they stand in the file. So the samples of a thread are summed, with their least
 * and greatest time, until side-band changes the thread. When all side-band is known, most sums lie
 * between two changes. Samples of the other sums are gathered one by one (gather.h).
 */
#ifndef PROFILE_TALLY_H
#define PROFILE_TALLY_H

#include "profile/samples/samples.h"
#include "data/record/sample_layout.h"
#include "profile/samples/reading/sample_runs.h"

/* A sum of samples of one thread and event; samples of other threads may stand between them. */
struct tally_sum {
	uint64_t ids; /* pid and tid, as in the file */
	uint32_t event;
	struct weights weights;
	uint64_t least, greatest; /* times */
	uint64_t first;		  /* seq of the first one of the least time */
	struct span span;	  /* from the first to the last */
	uint64_t last;		  /* seq */
};

struct tally_thread {
	uint64_t ids;	/* as in the file */
	uint64_t least; /* least time of its samples that are in no sum */
};

struct tally {
	const struct recording *rec;
	size_t ids_at;	    /* where pid and tid stand in a sample */
	struct sample_runs *runs; /* that are noted, too */
	struct idmap known; /* ids -> index in .threads */
	VEC(struct tally_thread) threads; /* in order of first sight */
	bool sums_wanted;
	struct sample_layout layout; /* for sums */
	VEC(uint32_t) open; /* by thread and event: index in .sums, HASH_NONE: none */
	VEC(struct tally_sum) sums;
	struct tally_sum *at; /* the sum of the sample before, or NULL */
	uint64_t at_id;
};

/* Samples that are not summed are noted in runs, which must outlive the tally. */
void tally_init(struct tally *t, const struct samples *samples, const struct recording *rec,
		struct sample_runs *runs);
void tally_release(struct tally *t);
/* Tallies a span of whole samples. */
void tally_add(struct tally *t, const struct span *span);
/* Must be called for each side-band record that is added to the world. */
void tally_note(struct tally *t, const struct record *r);
/* Adds the threads of all samples to the world: after all side-band, before the world is sealed. */
void tally_make_threads(struct tally *t, struct world *w);
/* With a sealed world: adds the sums to the samples' cells. False: nothing is added, samples must
 * be read in a second pass. */
bool tally_finish(struct tally *t, struct samples *samples);

#endif
