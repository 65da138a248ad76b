/* SPDX-License-Identifier: MIT */
#ifndef VIEW_SCHED_STATS_H
#define VIEW_SCHED_STATS_H

#include "analysis/sched/stats.h"
#include "view/out/out.h"

/* The average CPU, then each CPU. texts: rows are called by what they mean, not by their names. */
void sched_stats_show(const struct sched_stats *s, bool texts, struct out *out);
/* The average CPUs of two measurements, which are comparable, side by side. */
void sched_stats_show_diff(const struct sched_stats *s, const struct sched_stats *other, bool texts,
			   struct out *out);

#endif
