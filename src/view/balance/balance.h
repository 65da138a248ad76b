/* SPDX-License-Identifier: MIT */
/* What `perf balance` shows. */
#ifndef VIEW_BALANCE_BALANCE_H
#define VIEW_BALANCE_BALANCE_H

#include "analysis/balance/balance.h"
#include "view/out/rows.h"

struct balance_view {
	struct out *out;
	uint32_t rows; /* of each table at most */
};

/* An answer of about ten lines; tables of waits and threads; the guesses. */
void balance_show(const struct balance_view *v, const struct balance *b);
/* The parts of phases for programs; on a page the threads and guesses, too. Times in ns. */
void balance_show_rows(const struct balance_view *v, const struct balance *b,
		       const struct rows_form *form);
void balance_show_json(const struct balance_view *v, const struct balance *b);

#endif
