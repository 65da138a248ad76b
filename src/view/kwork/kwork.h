/* SPDX-License-Identifier: MIT */
/* The output of `perf kwork`: the tables of runtimes and delays, and works one by one. */
#ifndef VIEW_KWORK_KWORK_H
#define VIEW_KWORK_KWORK_H

#include "analysis/kwork/kwork.h"
#include "analysis/kwork/kwork_top.h"
#include "view/chain_line.h"
#include "view/out/rows.h"

/* Call it after kwork_sort(). summary: show the sums of all works below the rows. */
void kwork_show(const struct kwork *k, bool summary, struct out *out);
/* The same for programs and web browsers. */
void kwork_show_rows(const struct kwork *k, struct out *out, const struct rows_form *form);

struct kwork_history {
	struct out *out;
	bool chains;
	struct chain_line line; /* .is_hidden is set here */
	struct intern texts;	/* call chains */
};
/* Shows the heading, and sets k's callbacks, which show a row for each work when it ends. h must
 * outlive the reading. */
void kwork_history_show(struct kwork_history *h, struct kwork *k);
void kwork_history_release(struct kwork_history *h);

/* Call it after kwork_top_sort(). */
void kwork_top_show(const struct kwork_top *t, struct out *out);
void kwork_top_show_rows(const struct kwork_top *t, struct out *out, const struct rows_form *form);

#endif
