/* SPDX-License-Identifier: MIT */
/* The rows of `perf list` as text for people, as names for completion, and as JSON. */
#ifndef VIEW_LIST_LIST_H
#define VIEW_LIST_LIST_H

#include "base/buf.h"
#include "event/listing.h"

struct list_view {
	bool desc;	/* show descriptions, ... */
	bool long_desc; /* ... the long ones where there are such */
	bool details;	/* and what events and metrics stand for */
	bool paged;	/* an empty line behind each kind */
	int width;	/* columns; descriptions are wrapped before the last one */
};

/* As perf 6.1 prints them, byte for byte, as far as it knows the kind. */
void list_show(const struct listing *l, const struct list_view *v, struct buf *out);
/* Names alone, on a line: --raw-dump. */
void list_show_names(const struct listing *l, struct buf *out);
/* An array of objects, their members called as newer perfs call them. */
void list_show_json(const struct listing *l, bool details, struct buf *out);

#endif
