/* SPDX-License-Identifier: MIT */
/* perf annotate's options as typed. */
#ifndef CMD_ANNOTATE_OPTS_H
#define CMD_ANNOTATE_OPTS_H

#include "cmd/options/opts_code.h"
#include "cmd/options/opts_filter.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_symbols.h"
#include "view/annotate/annotate.h"

struct annotate_opts {
	struct input_opts input;
	struct symbol_options files;
	struct filter_opts filter;
	const char *symbol;
	const char *colour;
	struct code_opts code;
	double percent_limit;
	int verbose;
	bool quiet, dump, stdio, stdio2, tui;
	bool samples, period, print_lines, full_paths, group, skip_missing, strict;
	bool group_given, skid;
	const char *data_type; /* NULL: code is shown; "": all types */
	bool type_stat, insn_stat;
};

extern const struct opt_group annotate_opt_groups[];
extern const struct cmd_variable annotate_variables[];

void annotate_defaults(void *opts, const struct env *env);
/* Call it after parsing. 0, or -1 with *err for options that exclude each other or are not
 * possible. */
int annotate_opts_check(struct annotate_opts *o, struct err *err);

#endif
