// SPDX-License-Identifier: MIT
#include "cmd/lock/lock_opts.h"

#define AT(field) offsetof(struct lock_opts, field)

static const struct opt options[] = {
	{OPT_BOOL, 'm', "map", AT(map), NULL, "map of lock instances (address:name table)"},
	{OPT_BOOL, 't', "threads", AT(threads), NULL, "dump thread list in perf.data"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {lock_opts, 0}, {0}};

static int cmd_info_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct lock_opts *o = v;
	struct lock_table t = {.how = {.by = LOCKS_BY_ADDRESS, .max_stack = 8, .skip = 3}};
	int status = -1;

	if (argc)
		return err_set(err, ERR_USAGE,
			       "lock info takes no argument: '%s' (-i names a file)", argv[0]);
	if (lock_instead(o, env, argc, argv, &status, err))
		return status;
	if (!o->threads && !o->map) {
		err_set(err, ERR_USAGE, "Unknown type of information");
		return err_hint(err, "-t lists threads, -m locks");
	}
	if (!lock_table_read(&t, o, env, err) && !lock_table_open_output(&t, o, env, err)) {
		if (o->threads)
			locks_show_threads(&t.view, &t.locks);
		else
			locks_show_map(&t.view, &t.locks);
		status = lock_table_end(&t, o, err);
	}
	lock_table_release(&t);
	return status;
}

static const char *const usage[] = {"lock info [<options>]", NULL};

const struct cmd cmd_lock_info = {
	.name = "info",
	.usage = usage,
	.groups = groups,
	.run = cmd_info_run,
};
