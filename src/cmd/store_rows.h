/* SPDX-License-Identifier: MIT */
/* What `perf buildid-cache` lists: "BUILD-ID PATH", a row an entry. */
#ifndef CMD_STORE_ROWS_H
#define CMD_STORE_ROWS_H

#include "cmd/options/opts_input.h"
#include "symbol/store/store.h"

/* All entries of the store. */
int store_show(const char *dir, struct buf *out, struct err *err);
/* What a recording needs and the store lacks. */
int store_show_missing(const char *dir, const struct input_opts *input, struct out *out,
		       struct err *err);
/* Says on standard error what the list left out since it leads to no entry; how many. */
size_t store_tell_refused(const char *dir, const struct store_list *list);

#endif
