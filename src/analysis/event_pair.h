/* SPDX-License-Identifier: MIT */
/*
 * Two events between which something lies: a call, a request, a task's turn on a thread. They are
 * tracepoints, probes, or markers of a program (USDT).
 */
#ifndef ANALYSIS_EVENT_PAIR_H
#define ANALYSIS_EVENT_PAIR_H

#include "data/recording.h"
#include "world/replay/replay.h"

struct event_pair {
	const char *begin, *end; /* names of events; a marker is "toy:start" */
	const char *field;	 /* a number in both; NULL: none */
	/* set by event_pair_bind() */
	const struct event *begin_event, *end_event;
	struct replay_field fields[2];
};
#define EVENT_PAIRS_MAX 16
struct event_pairs {
	VEC(struct event_pair);
};

/* What replay hands over of a sample of either event. */
struct event_pair_args {
	uint64_t value; /* of the field */
};

/* Takes "BEGIN,END", "BEGIN,END,FIELD", or "NAME", which stands for "NAME__entry,NAME__return";
 * EVENT_PAIRS_MAX at most. Strings are in the arena or typed. 0, or -1 with *err. */
int event_pairs_add(struct event_pairs *pairs, struct arena *arena, const char *typed,
		    struct err *err);
/* "PROVIDER:NAME" of a marker's event "%sdt_PROVIDER:NAME"; other names stay. */
const char *event_marker_name(const char *name);

/* Finds the events in the recording, and fills two rows for each pair, whose args are
 * struct event_pair_args. The rows' names are in the arena. 0, or -1 with *err. */
int event_pairs_bind(struct event_pairs *pairs, struct arena *arena, const struct recording *rec,
		     replay_sample_fn take, struct replay_tracepoint *rows, struct err *err);

#endif
