/* SPDX-License-Identifier: MIT */
/*
 * The spans of a recording that hold its samples, noted while its side-band is read, so that
 * several threads can walk them afterwards.
 */
#ifndef PROFILE_SAMPLE_RUNS_H
#define PROFILE_SAMPLE_RUNS_H

#include "data/recording.h"

struct sample_runs {
	const struct recording *rec;
	bool good; /* all that was added so far is in .spans */
	VEC(struct span)
	spans; /* of about 1 MiB; they begin with a sample, other records may stand between samples
		*/
	uint64_t next_seq; /* of the record behind the last span */
};

/* wanted: false: no span is noted. */
void sample_runs_init(struct sample_runs *s, const struct recording *rec, bool wanted);
void sample_runs_release(struct sample_runs *s);
/* A span of n samples, as struct source_passed shows it. */
void sample_runs_add(struct sample_runs *s, const struct span *span, uint64_t n);

/* True when the span is whole records of known types, none of them followed by bytes that are no
 * record: then they are numbered as the reader numbers them. *n: how many. */
bool span_is_plain(const struct span *span, bool swap, uint64_t *n);

#endif
