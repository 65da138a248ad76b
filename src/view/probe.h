/* SPDX-License-Identifier: MIT */
/* The output of `perf probe`, in the wording of perf. */
#ifndef VIEW_PROBE_H
#define VIEW_PROBE_H

#include "probe/finder.h"
#include "probe/target.h"

/* "  probe_prog:parse     (on parse in /bin/prog with line:string)": a definition that was just
 * added from a spec. */
void probe_show_added(const struct probe_def *d, const struct probe_spec *s, struct buf *out);
/* The same line for a probe that the kernel already has; place: its source position, as far as
 * known. */
void probe_show_listed(const struct probe_def *d, const struct probe_place *place, struct buf *out);
/* -L: the lines of a source file, with numbers at the lines that can be probed. 0, or -1 with
 * *err. */
int probe_show_lines(const struct probe_lines *l, struct buf *out, struct err *err);
/* -V: the variables whose names pass the filter. 0, or -1 with *err: the filter is invalid. */
int probe_show_variables(const struct probe_variables *v, const struct probe_spec *s,
			 const char *filter, struct buf *out, struct err *err);

#endif
