// SPDX-License-Identifier: MIT
#include "cmd/stat/stat_opts.h"

static int stat_one_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	(void)argc;
	return stat_run(env, v, argv, NULL, err);
}

static const char *const usage[] = {"stat [<options>] [<command>]",
				    "stat [<options>] record [<options>] [<command>]",
				    "stat [<options>] report [<options>]", NULL};

static const struct cmd *const subcommands[] = {&cmd_stat_record, &cmd_stat_report, NULL};

const struct cmd cmd_stat = {
	.name = "stat",
	.summary = "Run a command and gather performance counter statistics",
	.usage = usage,
	.groups = stat_opt_groups,
	.opts_size = sizeof(struct stat_opts),
	.stop_at_word = true,
	.defaults = stat_defaults,
	.variables = stat_variables,
	.subcommands = subcommands,
	.run = stat_one_run,
};
