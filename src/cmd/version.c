// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"

static const char *const usage[] = {"version [<options>]", NULL};

static const struct opt_group groups[] = {{0}};

static int run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	(void)opts;
	(void)argc;
	(void)argv;
	(void)err;
	buf_str(&env->out->buf, "perf version " PERF_VERSION "\n");
	return 0;
}

const struct cmd cmd_version = {
	.name = "version",
	.summary = "display the version of perf binary",
	.usage = usage,
	.groups = groups,
	.run = run,
};
