/* SPDX-License-Identifier: MIT */
/* perf c2c's options: one struct for all its commands. */
#ifndef CMD_C2C_OPTS_H
#define CMD_C2C_OPTS_H

#include "cmd/options/opts_chains.h"
#include "cmd/options/opts_filter.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_memory.h"
#include "cmd/options/opts_symbols.h"
#include "cmd/options/output/opts_form.h"

struct c2c_opts {
	struct input_opts input;
	struct filter_opts filter; /* without names of dsos and symbols */
	struct symbol_options symbols;
	struct memory_opts memory;
	struct form_opts form;
	const char *display, *coalesce;
	struct calltree_params tree;
	bool tree_given; /* -g */
	int node_info, verbose;
	bool stats, full_symbols, source, show_all, double_line, types, stdio, stitch_lbr, strict;
};

extern const struct cmd cmd_c2c_record, cmd_c2c_report;

#endif
