/* SPDX-License-Identifier: MIT */
/* The output of `perf calls`: an answer in a few lines, a row for each function, the slowest
 * calls. */
#ifndef VIEW_DURATIONS_DURATIONS_H
#define VIEW_DURATIONS_DURATIONS_H

#include "analysis/durations/durations.h"
#include "view/out/out.h"
#include "view/script/script_frames.h"

struct durations_view {
	struct out *out;
	struct world *world;
	struct script_frames *frames; /* for the stacks of the slowest calls */
	uint32_t rows;		      /* functions shown at most */
	bool histograms;	      /* for each function shown */
};

void durations_show(const struct durations_view *v, const struct durations *d);
/* A line of column names, then a line for each function; all times in ns. */
void durations_show_csv(const struct durations_view *v, const struct durations *d,
			const char *separator);
void durations_show_json(const struct durations_view *v, const struct durations *d);

#endif
