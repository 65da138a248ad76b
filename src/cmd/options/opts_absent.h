/* SPDX-License-Identifier: MIT */
/* Options of several perf commands that this program does not have: rows of their tables. */
#ifndef CMD_OPTS_ABSENT_H
#define CMD_OPTS_ABSENT_H

#include "base/options/options.h"

#define TRACES_ABSENT "traces of processors are not decoded"
#define ITRACE_OPTION                                                                              \
	{                                                                                          \
		OPT_ABSENT, 0, "itrace", 0, "opts", "Instruction Tracing options", OPT_OPTIONAL,   \
			.why = TRACES_ABSENT                                                       \
	}
#define STITCH_LBR_OPTION                                                                          \
	{                                                                                          \
		OPT_ABSENT, 0, "stitch-lbr", 0, NULL, "Enable LBR callgraph stitching approach",   \
			.why = "call chains of branch records stay as they were recorded"          \
	}
#define BRANCH_HISTORY_OPTION                                                                      \
	{                                                                                          \
		OPT_ABSENT, 0, "branch-history", 0, NULL,                                          \
			"add last branch records to call history",                                 \
			.why = "branches don't become call chains; -b shows them"                  \
	}

#endif
