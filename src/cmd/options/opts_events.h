/* SPDX-License-Identifier: MIT */
/*
 * What names of events may mean: the machine, and the vendor's lists when the user named a
 * directory of them (--events-dir, perfconfig events.dir). A command that takes -e puts the row
 * EVENTS_DIR_OPTION into its table, and asks for the host before it parses.
 */
#ifndef CMD_OPTS_EVENTS_H
#define CMD_OPTS_EVENTS_H

#include "base/config.h"
#include "base/options.h"
#include "event/parse.h"
#include "event/vendor/vendor.h"

/* Names of events, metrics and groups of metrics, and libpfm4's names of events, for completion
 * (struct opt .offer). Of tracepoints only the systems ("sched:") until the colon is there. */
void event_words(const struct opt_typed *typed, struct buf *out);
void metric_words(const struct opt_typed *typed, struct buf *out);
void pfm_words(const struct opt_typed *typed, struct buf *out);

#define EVENTS_DIR_OPTION(offset)                                                                  \
	{                                                                                          \
		OPT_STRING, 0, "events-dir", offset, "dir", "the vendor's lists of events"         \
	}

struct event_source {
	struct arena arena;
	struct vendor vendor;	/* empty unless asked for */
	struct event_host host; /* borrows from both */
};

/* dir: what the option said, or NULL. 0, or -1 with *err; release it in both cases. */
int event_source_open(struct event_source *s, const char *dir, const struct config *config,
		      struct err *err);
void event_source_release(struct event_source *s);

#endif
