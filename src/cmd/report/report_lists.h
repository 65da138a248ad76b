/* SPDX-License-Identifier: MIT */
/* The lists that report shows instead of a profile. All return 0, or -1 with *err. */
#ifndef CMD_REPORT_LISTS_H
#define CMD_REPORT_LISTS_H

#include "cmd/report/report_opts.h"

int report_stats(struct recording *rec, const struct report_opts *o, struct out *out,
		 struct err *err);
/* --tasks, --mmaps */
int report_tasks(struct recording *rec, const struct report_opts *o, struct out *out,
		 struct err *err);
/* -D: every record, then the counts of --stats. */
int report_dump(struct recording *rec, const struct report_opts *o, struct out *out,
		struct err *err);
/* --header-only of a pipe: shows its features, up to the empty one that ends them. */
int report_pipe_header(struct recording *rec, const struct report_opts *o, struct out *out,
		       struct err *err);

#endif
