/* SPDX-License-Identifier: MIT */
/*
 * The tracing data of a recording: the header feature (or pipe record) with the formats of its
 * tracepoints, and the strings and comms that these refer to. Its layout is trace-cmd's trace.dat
 * version 0.5 and 0.6, up to the options.
 */
#ifndef EVENT_TRACING_DATA_H
#define EVENT_TRACING_DATA_H

#include "base/buf.h"
#include "event/event.h"
#include "event/format/format.h"

/*
 * Adds the formats, strings and comms of the n bytes at p to f, and sets f's byte order, long size
 * and page size. -1 with *err when the bytes end early or aren't tracing data: f then has
 * everything before that place. Formats that cannot be parsed are left out; their number is added
 * to *unparsed (which may be NULL).
 */
int tracing_data_parse(struct tp_formats *f, const void *p, size_t n, uint32_t *unparsed,
		       struct err *err);

/* Appends the tracing data for the tracepoints of the set, read from the tracefs at root, in the
 * layout that perf 6.1 writes. 0, or -1 with *err. */
int tracing_data_build(const struct event_set *set, const char *root, struct buf *out,
		       struct err *err);

/* Reads the formats of the set's tracepoints from tracefs into f and points the events at them, for
 * a live capture. 0, or -1 with *err. */
int tracing_data_attach(struct event_set *set, const char *root, struct tp_formats *f,
			struct err *err);

#endif
