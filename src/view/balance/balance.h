/* SPDX-License-Identifier: MIT */
/* What `perf balance` shows. */
#ifndef VIEW_BALANCE_BALANCE_H
#define VIEW_BALANCE_BALANCE_H

#include "analysis/balance/balance.h"
#include "view/out/out.h"

struct balance_view {
	struct out *out;
	uint32_t rows; /* of each table at most */
};

/* An answer of about ten lines; tables of waits and threads; the guesses. */
void balance_show(const struct balance_view *v, const struct balance *b);
/* A line of column names, then a line for each part of a phase; times in ns. */
void balance_show_csv(const struct balance_view *v, const struct balance *b, const char *separator);
void balance_show_json(const struct balance_view *v, const struct balance *b);

#endif
