/* SPDX-License-Identifier: MIT */
/*
 * What event names are looked up in: the machine's events, and the vendor's lists when the user
 * names a directory of them (--events-dir, perfconfig events.dir). A command with -e has the row
 * EVENTS_DIR_OPTION in its table, and opens an event_source before it parses events.
 */
#ifndef CMD_OPTS_EVENTS_H
#define CMD_OPTS_EVENTS_H

#include "base/config/config.h"
#include "base/options/options.h"
#include "event/parse.h"
#include "event/vendor/vendor.h"

/* Append words for completion (struct opt .offer): names of events; names of metrics and metric
 * groups; libpfm4's event names. Before the colon only the systems of tracepoints ("sched:") are
 * offered. */
void event_words(const struct opt_typed *typed, struct buf *out);
void metric_words(const struct opt_typed *typed, struct buf *out);
void pfm_words(const struct opt_typed *typed, struct buf *out);

#define EVENTS_DIR_OPTION(offset)                                                                  \
	{                                                                                          \
		OPT_STRING, 0, "events-dir", offset, "dir", "the vendor's lists of events"         \
	}

struct event_source {
	struct arena arena;
	struct vendor vendor;	/* empty without a directory */
	struct event_host host; /* borrows from both */
};

/* dir: the option's value, or NULL. 0, or -1 with *err. The caller releases s in both cases. */
int event_source_open(struct event_source *s, const char *dir, const struct config *config,
		      struct err *err);
void event_source_release(struct event_source *s);

#endif
