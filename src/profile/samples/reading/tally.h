/* SPDX-License-Identifier: MIT */
/*
 * What samples say of threads, taken while the side-band is read: which threads there are; and, where the keys ask for
 * nothing else, how much each had, so that samples need not be walked over a second time.
 *
 * Whose name a thread had at a sample's time is not known yet: side-band comes in order of time, samples as they stand.
 * So samples of a thread are summed, with their least and greatest time, until side-band changes the thread. Once all
 * is known, most sums turn out to lie between two changes. The samples of those that don't are taken one by one.
 */
#ifndef PROFILE_TALLY_H
#define PROFILE_TALLY_H

#include "profile/samples/samples.h"
#include "profile/samples/reading/sample_layout.h"
#include "profile/samples/reading/sample_runs.h"

/* Samples of one thread and event that follow each other in the file, but for those of others. */
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
	uint64_t least; /* time of its samples, but for those in sums */
};

struct tally {
	const struct recording *rec;
	size_t ids_at;	    /* where pid and tid stand in a sample */
	struct sample_runs *runs; /* noted, too */
	struct idmap known; /* ids -> index in .threads */
	VEC(struct tally_thread) threads; /* in order of first sight */
	bool sums_wanted;
	struct sample_layout layout; /* for sums */
	VEC(uint32_t) open; /* index in .sums, HASH_NONE: none; by thread and event */
	VEC(struct tally_sum) sums;
	struct tally_sum *at; /* of the sample before, or NULL */
	uint64_t at_id;
};

/* Where samples stand is noted in runs, which must outlive the tally. */
void tally_init(struct tally *t, const struct samples *samples, const struct recording *rec, struct sample_runs *runs);
void tally_release(struct tally *t);
/* Takes whole samples that lie in the file one after the other. */
void tally_add(struct tally *t, const struct span *span);
/* A side-band record was added to the world. */
void tally_note(struct tally *t, const struct record *r);
/* All threads that samples speak of are made in the world: after all side-band, before it is sealed. */
void tally_make_threads(struct tally *t, struct world *w);
/* The world is sealed: adds all samples to the profile's cells. False, and nothing is added: samples must be read in
 * the other way. */
bool tally_finish(struct tally *t, struct samples *samples);

#endif
