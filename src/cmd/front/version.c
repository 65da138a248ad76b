// SPDX-License-Identifier: MIT
#include "cmd/front/built_in.h"
#include "cmd/cmd.h"

struct version_opts {
	bool build_options;
};

static const char *const usage[] = {"version [<options>]", NULL};

static const struct opt opts[] = {
	{OPT_BOOL, 0, "build-options", offsetof(struct version_opts, build_options), NULL,
	 "display the build options"},
	{OPT_END},
};

static const struct opt_group groups[] = {{opts, 0}, {0}};

static int cmd_version_run(struct env *env, void *place, int argc, char **argv, struct err *err)
{
	const struct version_opts *o = place;
	struct buf *out = &env->out->buf;

	(void)argc;
	(void)argv;
	(void)err;
	buf_str(out, "perf version " PERF_VERSION "\n");
	for (size_t i = 0; o->build_options && i < built_in_count; i++)
		if (built_in_rows[i].listed)
			built_in_show(&built_in_rows[i], out);
	return 0;
}

const struct cmd cmd_version = {
	.name = "version",
	.summary = "display the version of perf binary",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct version_opts),
	.run = cmd_version_run,
};
