/* SPDX-License-Identifier: MIT */
/* diff's options as typed, and their translation. */
#ifndef CMD_DIFF_OPTS_H
#define CMD_DIFF_OPTS_H

#include "cmd/options/output/opts_export.h"
#include "cmd/options/opts_filter.h"
#include "cmd/options/opts_symbols.h"
#include "analysis/diff.h"

struct diff_opts {
	struct diff_options how;
	struct filter_opts filter;
	struct symbol_options symbols;
	struct export_opts exports; /* pages instead of a text */
	const char *sort, *separator, *percentage;
	unsigned int order;
	bool order_given;
	bool relative; /* set by --percentage */
	bool cycles_hist, stream, dump;
	bool browsed; /* set by diff_browses(): samples keep their instructions */
	bool formulas, periods, quiet, force, strict, stdio, tui;
	int verbose;
};

extern const struct opt_group diff_opt_groups[];
extern const struct cmd_variable diff_variables[];
void diff_defaults(void *opts, const struct env *env);
/* Checks the combination of options for n_paths recordings. 0, or -1 with *err. */
int diff_opts_check(struct diff_opts *o, size_t n_paths, struct err *err);
/* Returns the part of --time for the recording with this index, in text, which is overwritten.
 * NULL: the whole recording. */
const char *diff_opts_time(const struct diff_opts *o, size_t recording, struct buf *text);

#endif
