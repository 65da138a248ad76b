/* SPDX-License-Identifier: MIT */
/* What the words of `perf list` stand for. */
#ifndef CMD_LIST_ROWS_H
#define CMD_LIST_ROWS_H

#include "base/options.h"
#include "event/listing.h"

/* All kinds of events that have a name of their own. */
#define LIST_NAMED                                                                                 \
	(LIST_HARDWARE | LIST_SOFTWARE | LIST_TOOL | LIST_CACHE | LIST_PMU | LIST_SENSOR |         \
	 LIST_TRACEPOINT | LIST_SDT)

/* What rows are made of. */
struct list_sources {
	const struct event_host *host;
	const char *buildid_dir;
	uint64_t cache_size;
};

/* As listing_add(), with the probes of LIST_SDT. */
void list_add(struct listing *l, const struct list_sources *from, unsigned int kinds,
	      const char *system, const char *pattern);
/* The rows that one word of the command line asks for. */
void list_add_word(struct listing *l, const struct list_sources *from, const char *word);
/* For completion: struct cmd .words. */
void list_words(const struct opt_typed *typed, struct buf *out);

#endif
