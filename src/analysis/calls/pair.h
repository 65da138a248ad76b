/* SPDX-License-Identifier: MIT */
/*
 * Pairs the beginnings and ends of system calls, thread by thread.
 *
 * A listener gets a call in one or two steps:
 *   CALL_WHOLE      it has returned; beginning and end are in the call
 *   CALL_BEGUN      it has not returned, and a call of another thread came, or no record may come
 *                   for long
 *   CALL_CONTINUED  it has returned; its beginning was delivered before, or not seen
 *   CALL_ENDLESS    it has begun, and never returns (exit), or was refused with a signal
 *   CALL_EARLY      it has returned, and began before the trace; its beginning was not delivered
 *
 * The call, and everything that it points to, is valid during the callback.
 */
#ifndef ANALYSIS_CALLS_PAIR_H
#define ANALYSIS_CALLS_PAIR_H

#include "analysis/calls/call.h"

enum call_told { CALL_WHOLE, CALL_BEGUN, CALL_CONTINUED, CALL_ENDLESS, CALL_EARLY };

struct call_listener {
	void (*tell)(void *ctx, const struct call *c, enum call_told what);
	void *ctx;
};

struct call_pairs;
struct call_pairs *call_pairs_new(const struct call_listener *to);
void call_pairs_free(struct call_pairs *p);
/* From now on delivers each call only once: when it has returned, or at the end. */
void call_pairs_tell_once(struct call_pairs *p);
/* Adds the beginning (.entered), the end (.returned, with .args unset) or both of a call. Copies
 * its memory when the call must be kept. */
void call_pairs_add(struct call_pairs *p, const struct call *c);
/* Delivers the call that has begun last, if it has not returned. */
void call_pairs_idle(struct call_pairs *p);
/* No more calls come: delivers all that have not returned. */
void call_pairs_end(struct call_pairs *p);

#endif
