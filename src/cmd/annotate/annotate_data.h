/* SPDX-License-Identifier: MIT */
/* perf annotate --data-type. */
#ifndef CMD_ANNOTATE_DATA_H
#define CMD_ANNOTATE_DATA_H

#include "analysis/annotate/annotate_types.h"
#include "cmd/annotate/annotate_opts.h"

/* Shows the types of data of an event, or of its group. False when the reader has gone. */
bool annotate_show_data(const struct annotate_opts *o, const struct annotate_view *view,
			const struct table *table, const struct event_entries *ev, struct out *out);

#endif
