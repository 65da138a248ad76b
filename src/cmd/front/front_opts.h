/* SPDX-License-Identifier: MIT */
/* The options before the command: perf [OPTIONS] COMMAND. */
#ifndef CMD_FRONT_OPTS_H
#define CMD_FRONT_OPTS_H

#include "base/options/options.h"

struct front_opts {
	bool help, list_cmds, complete, paginate, no_pager, show_exec_path, html_path;
	int version;
	int opens, errors_apart; /* --debug perf-event-open=N, stderr=N */
	const char *exec_path, *buildid_dir, *debugfs_dir, *debug_file;
	int verbose; /* --debug verbose=N */
};

extern const struct opt_group front_groups[];

#endif
