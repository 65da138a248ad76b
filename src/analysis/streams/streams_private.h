/* SPDX-License-Identifier: MIT */
/* What the files of this folder share: samples as they were read, and how they become streams. */
#ifndef ANALYSIS_STREAMS_PRIVATE_H
#define ANALYSIS_STREAMS_PRIVATE_H

#include "analysis/streams/streams.h"

/* More branches than this in a sample are damage, as in perf 6.1. */
#define STREAM_BRANCHES_MOST 127

/* The content of a raw stream: words as recorded, equal for samples that are folded into one. */
struct raw_stream {
	uint32_t event, n_branches;
	uint64_t space; /* epoch << 8 | cpumode */
	uint64_t ip;
	uint64_t words[]; /* the target and the source of each branch; then the call chain's */
};

/* The samples of one raw stream. */
struct raw_sum {
	uint64_t period;
	uint64_t samples;
	const struct thread *thread; /* of the first one */
	size_t cycles;		     /* index in raw_streams.cycles, of its n_branches sums */
};

struct raw_streams {
	struct intern contents;	  /* struct raw_stream */
	VEC(struct raw_sum) sums; /* by id in .contents */
	VEC(uint64_t) cycles;
	VEC(uint64_t) periods; /* of all samples, by index of the event */
};

/* Makes the streams of all events. */
void streams_make(struct streams *s, const struct raw_streams *raw);

#endif
