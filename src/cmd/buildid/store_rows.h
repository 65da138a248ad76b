/* SPDX-License-Identifier: MIT */
/* The lists of `perf buildid-cache`: a row "BUILD-ID PATH" for each entry. */
#ifndef CMD_STORE_ROWS_H
#define CMD_STORE_ROWS_H

#include "cmd/options/opts_input.h"
#include "symbol/store/store.h"

/* Lists all entries of the store. 0, or -1 with *err. */
int store_show(const char *dir, struct buf *out, struct err *err);
/* Lists the build-ids of a recording that the store lacks. 0, or -1 with *err. */
int store_show_missing(const char *dir, const struct input_opts *input, struct out *out,
		       struct err *err);
/* Prints on standard error the names in the store that lead to no entry, which the list leaves out.
 * Returns their number. */
size_t store_tell_refused(const char *dir, const struct store_list *list);

#endif
