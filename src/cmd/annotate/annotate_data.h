/* SPDX-License-Identifier: MIT */
/* perf annotate --data-type. */
#ifndef CMD_ANNOTATE_DATA_H
#define CMD_ANNOTATE_DATA_H

#include "analysis/annotate/annotate_types.h"
#include "cmd/annotate/annotate_opts.h"

/* What was shown of all events so far. All zero is valid. */
struct data_shown {
	size_t types;
	struct data_codes codes; /* the functions whose instructions were asked for */
};

/* Shows the types of data of an event, or of its group. False when the reader has gone. */
bool annotate_show_data(const struct annotate_opts *o, const struct annotate_view *view,
			const struct table *table, const struct event_entries *ev, struct out *out,
			struct data_shown *shown);
/* Says on standard error, behind what is in out, that nothing was shown. -1 with *err: for want of
 * the functions' code, or of a disassembler. */
int annotate_check_data(const struct annotate_opts *o, const struct data_shown *shown,
			struct out *out, struct err *err);

#endif
