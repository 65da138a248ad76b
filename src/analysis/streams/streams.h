/* SPDX-License-Identifier: MIT */
/*
 * Hot streams: the ways that programs took most often, by the branches of their samples, and which
 * of them two recordings have in common (perf diff --stream).
 *
 * A sample's steps are the target and the source of each of its branches, the newest first, then
 * the addresses of its call chain. Steps are equal where their source lines are; without
 * lines, where their functions are. The samples of one
 * line, symbol and dso make a tree of steps. A stream is a node of that tree where samples end: the
 * steps since the node above branched off. That is what perf 6.1 compares, with these limits:
 * streams below 0.5 % of an event's period do not count, and the STREAMS_MOST hottest are kept.
 */
#ifndef ANALYSIS_STREAMS_H
#define ANALYSIS_STREAMS_H

#include "data/recording.h"
#include "profile/samples/frame.h"
#include "world/filter.h"

#define STREAMS_MOST 5

struct stream_step {
	uint32_t frame;	   /* in streams.frames */
	uint64_t branches; /* samples that reached the step by a branch */
	uint64_t cycles;   /* of those samples, before the branch; 0 for targets */
};

struct stream {
	const struct stream_step *steps; /* the newest first */
	size_t n;
	uint64_t period;	   /* of the samples that end here */
	uint64_t cycles;	   /* the sum of the steps' averages */
	const struct stream *pair; /* in the other recording: streams_match(); NULL: none */
};

struct event_streams {
	struct stream at[STREAMS_MOST]; /* in the order in which they were found hot */
	size_t n;
	uint64_t period; /* of all streams that count, also of those that are not kept */
};

struct streams {
	const struct event_set *events; /* of the recording */
	struct frames frames;
	VEC(struct event_streams) of; /* by index of the event */
	struct arena arena;	      /* private: steps and nodes */
};

/* Reads a recording, all of whose samples inside the filter's times and CPUs count. The world must
 * be new, and must outlive the streams. NULL with *err. */
struct streams *streams_read(struct recording *rec, struct world *world,
			     const struct filter *filter, struct err *err);
void streams_free(struct streams *s); /* NULL: nothing */
DEFINE_AUTO(streams, streams_free)

/* "file.c:12"; "??:0" for a function whose file does not tell it; NULL without a function or a
 * file. */
const char *streams_line(const struct streams *s, uint32_t id);
/* Pairs the streams of an event of the old recording with equal ones of the new one. */
void streams_match(struct streams *old, size_t old_event, struct streams *new, size_t new_event);

#endif
