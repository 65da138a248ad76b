/* SPDX-License-Identifier: MIT */
/* What `perf kwork` shows: the tables of runtimes and delays, and works one by one. */
#ifndef VIEW_KWORK_KWORK_H
#define VIEW_KWORK_KWORK_H

#include "analysis/kwork/kwork.h"
#include "analysis/kwork/kwork_top.h"
#include "view/chain_line.h"
#include "view/out.h"

/* After kwork_sort. summary: sums of all below the rows. */
void kwork_show(const struct kwork *k, bool summary, struct out *out);

struct kwork_history {
	struct out *out;
	bool chains;
	struct chain_line line; /* .is_hidden is set here */
	struct intern texts;	/* call chains */
};
/* The heading, and k's callbacks that show a row for each work as it ends. h outlives the reading.
 */
void kwork_history_show(struct kwork_history *h, struct kwork *k);
void kwork_history_release(struct kwork_history *h);

/* After kwork_top_sort. */
void kwork_top_show(const struct kwork_top *t, struct out *out);

#endif
