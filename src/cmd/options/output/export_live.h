/* SPDX-License-Identifier: MIT */
/* --html of a live profile: a snapshot, without a time line. */
#ifndef CMD_EXPORT_LIVE_H
#define CMD_EXPORT_LIVE_H

#include "cmd/options/output/opts_export.h"

/* Adds the columns that samples need for the page. */
void export_live_ask(struct samples_options *wanted);
/* Writes the page, without a message. samples: resolved; filter may be NULL. 0, or -1 with *err. */
int export_live_page(const char *path, const char *title, const struct measurement *m,
		     const struct samples *samples, const struct filter *filter, struct out *out,
		     struct err *err);

#endif
