/* SPDX-License-Identifier: MIT */
/* Compared tables as text, in the layout of perf 6.1: a section for each event, a row for each
 * thing compared. */
#ifndef VIEW_DIFF_H
#define VIEW_DIFF_H

#include "analysis/diff.h"
#include "view/out.h"

struct diff_view {
	const struct diff_options *opts;
	const char *const *paths; /* of the recordings, one a profile of the diff */
	const char *separator;	  /* -t, or NULL */
	bool quiet;		  /* rows only */
	bool list_paths;	  /* even when there are two */
	bool periods, formulas;
};

/* One section; first: no other stands before it. False when the reader has gone. */
bool diff_show(const struct diff_view *v, const struct diff *d, bool first, struct out *out);

#endif
