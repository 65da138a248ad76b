/* SPDX-License-Identifier: MIT */
/* The rows that the words of `perf list` select. */
#ifndef CMD_LIST_ROWS_H
#define CMD_LIST_ROWS_H

#include "base/options/options.h"
#include "event/listing/listing.h"

/* All kinds of events that have names. */
#define LIST_NAMED                                                                                 \
	(LIST_HARDWARE | LIST_SOFTWARE | LIST_TOOL | LIST_CACHE | LIST_PMU | LIST_SENSOR |         \
	 LIST_TRACEPOINT | LIST_SDT)

/* The sources of rows. */
struct list_sources {
	const struct event_host *host;
	const char *buildid_dir;
	uint64_t cache_size;
};

/* Like listing_add(), but kinds may also hold LIST_SDT. */
void list_add(struct listing *l, const struct list_sources *from, unsigned int kinds,
	      const char *system, const char *pattern);
/* Adds the rows that one word of the command line selects. */
void list_add_word(struct listing *l, const struct list_sources *from, const char *word);
/* For completion: struct cmd .list_words. */
void list_words(const struct opt_typed *typed, struct buf *out);

#endif
