// SPDX-License-Identifier: MIT
#include "cmd/front/built_in.h"
#include "cmd/cmd.h"

#include <string.h>

struct check_opts {
	bool quiet;
};

static const struct opt options[] = {
	{OPT_BOOL, 'q', "quiet", offsetof(struct check_opts, quiet), NULL,
	 "do not show any warnings or messages"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {0}};

/* True when the feature is on. Prints its line, unless quiet. */
static bool check_one(struct env *env, const char *name, bool quiet)
{
	const struct built_in *b = built_in_find(name);
	struct buf text = {0};

	if (b && !quiet)
		built_in_show(b, &env->out->buf);
	if (!b && !quiet) {
		buf_safe(&text, name);
		out_flush(env->out);
		fprintf(stderr,
			"Unknown feature '%s', please use 'perf version --build-options' to see "
			"which ones "
			"are available.\n",
			buf_text(&text));
		buf_release(&text);
	}
	return b && built_in_is_on(b);
}

static int check_feature(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	const struct check_opts *o = opts;
	bool all = true;

	if (!argc)
		return err_set(err, ERR_USAGE,
			       "which feature? 'perf check feature NAME[,NAME...]'");
	if (argc > 1)
		return err_set(err, ERR_USAGE, "Too many arguments passed to 'perf check feature'");
	for (char *save = NULL, *name = strtok_r(argv[0], ",", &save); name;
	     name = strtok_r(NULL, ",", &save))
		all &= check_one(env, name, o->quiet);
	return all ? 0 : 1;
}

static int check_nothing(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	(void)env;
	(void)opts;
	if (argc)
		return err_set(err, ERR_USAGE, "Unknown subcommand: %s", argv[0]);
	return err_set(err, ERR_USAGE, "check what? 'perf check feature NAME[,NAME...]'");
}

static void list_names(const struct opt_typed *typed, struct buf *out)
{
	(void)typed;
	for (size_t i = 0; i < built_in_count; i++)
		buf_printf(out, "%s ", built_in_rows[i].name);
}

static const char *const usage[] = {"check feature <feature_list>", NULL};

static const struct cmd cmd_check_feature = {
	.name = "feature",
	.usage = usage,
	.groups = groups,
	.list_words = list_names,
	.run = check_feature,
};

static const struct cmd *const subcommands[] = {&cmd_check_feature, NULL};

const struct cmd cmd_check = {
	.name = "check",
	.summary = "check if features are present in perf",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct check_opts),
	.subcommands = subcommands,
	.words = "feature",
	.run = check_nothing,
};
