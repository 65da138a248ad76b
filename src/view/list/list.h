/* SPDX-License-Identifier: MIT */
/* The rows of `perf list` as formatted text, as names for completion, and as JSON. */
#ifndef VIEW_LIST_LIST_H
#define VIEW_LIST_LIST_H

#include "base/buf.h"
#include "event/listing/listing.h"

struct list_view {
	bool desc;	/* show descriptions, ... */
	bool long_desc; /* ... the long ones where they exist */
	bool details;	/* show the terms of events and the formulas of metrics */
	bool paged;	/* an empty line behind each kind */
	int width;	/* columns; descriptions are wrapped before the last one */
};

/* Appends the rows as perf 6.1 prints them, byte for byte, for the kinds that it knows. */
void list_show(const struct listing *l, const struct list_view *v, struct buf *out);
/* Appends all names in one line: --raw-dump. */
void list_show_names(const struct listing *l, struct buf *out);
/* Appends an array of objects, with the member names of newer perfs. */
void list_show_json(const struct listing *l, bool details, struct buf *out);

#endif
