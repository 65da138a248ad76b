/* SPDX-License-Identifier: MIT */
/* The header features that a live recording has, handed to its sink. */
#ifndef CAPTURE_FEATURES_H
#define CAPTURE_FEATURES_H

#include "capture/synth/bpf_seen.h"
#include "data/sink.h"

struct feature_facts {
	const struct event_set *events;
	int argc;
	char *const *argv;
	const char *version;
	bool branch_stack;
	bool counts;	 /* it holds counts, not samples */
	bool no_formats; /* of tracepoints */
	bool use_clockid;
	int clockid;
	uint64_t wall_ns, clock_ns; /* the same moment on both clocks */
	const char *proc_root, *sys_root;
	struct bpf_seen *programs; /* those that are loaded; NULL: the lists are empty */
};

/* Everything that is known before the first record. */
int features_put(struct sink *sink, const struct feature_facts *f, struct err *err);
/* Appends the payload of EVENT_DESC: attributes, names and ids. */
void features_event_desc(const struct event_set *events, struct buf *out);
/* What is known at the end. */
/* For call chains made here: how many end in each way (enum unwind_end). Not written to a pipe,
 * where perf 6.1 would warn of an unknown feature. */
int features_put_chains(struct sink *sink, const uint64_t ends[UNWIND_ENDS], struct err *err);
int features_put_times(struct sink *sink, uint64_t first, uint64_t last, struct err *err);

#endif
