/* SPDX-License-Identifier: MIT */
/* diff's options: as typed, and what they mean. */
#ifndef CMD_DIFF_OPTS_H
#define CMD_DIFF_OPTS_H

#include "cmd/options/opts_export.h"
#include "cmd/options/opts_filter.h"
#include "cmd/options/opts_symbols.h"
#include "analysis/diff.h"

struct diff_opts {
	struct diff_options how;
	struct filter_opts filter;
	struct symbol_options symbols;
	struct export_opts exports; /* a page instead of a text */
	const char *sort, *separator, *percentage;
	unsigned int order;
	bool order_given;
	bool relative; /* what percentage says */
	bool cycles_hist, stream, dump;
	bool formulas, periods, quiet, force, strict, stdio, tui;
	int verbose;
};

extern const struct opt_group diff_opt_groups[];
extern const struct cmd_variable diff_variables[];
void diff_defaults(void *opts, const struct env *env);
/* What options mean together, for so many recordings. 0, or -1 with *err. */
int diff_opts_check(struct diff_opts *o, size_t n_paths, struct err *err);
/* The part of --time that is meant for a recording, in text, which is overwritten; NULL: all of it.
 */
const char *diff_opts_time(const struct diff_opts *o, size_t recording, struct buf *text);

#endif
