/* SPDX-License-Identifier: MIT */
/* What `perf probe` shows, in the words of perf. */
#ifndef VIEW_PROBE_H
#define VIEW_PROBE_H

#include "probe/finder.h"
#include "probe/target.h"

/* "  probe_prog:parse     (on parse in /bin/prog with line:string)": a definition that was made of
 * a spec. */
void probe_show_added(const struct probe_def *d, const struct probe_spec *s, struct buf *out);
/* The same of one that the kernel has: where it is in the source as far as that is known. */
void probe_show_listed(const struct probe_def *d, const struct probe_place *place, struct buf *out);
/* -L: the lines of a source with the numbers of those that can be probed. 0, or -1 with *err. */
int probe_show_lines(const struct probe_lines *l, struct buf *out, struct err *err);
/* -V: as far as names pass the filter. 0, or -1 with *err: the filter makes no sense. */
int probe_show_variables(const struct probe_variables *v, const struct probe_spec *s,
			 const char *filter, struct buf *out, struct err *err);

#endif
