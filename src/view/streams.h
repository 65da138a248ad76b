/* SPDX-License-Identifier: MIT */
/* Hot streams of two recordings as text, in the layout of perf 6.1 (perf diff --stream). */
#ifndef VIEW_STREAMS_H
#define VIEW_STREAMS_H

#include "analysis/streams/streams.h"
#include "view/out/out.h"

/* The streams of one event, which were matched: those that both recordings have, then those of one.
 * False when the reader has gone. */
bool streams_show(const struct streams *old, size_t old_event, const struct streams *new,
		  size_t new_event, struct out *out);

#endif
