// SPDX-License-Identifier: MIT
#include "cmd/config_names.h"

#include <string.h>

struct config_opts {
	bool list, system, user;
};

#define AT(field) offsetof(struct config_opts, field)

static const char *const usage[] = {
	"config [<file-option>] [options] [section.name[=value] ...]", NULL};

static const struct opt opts[] = {
	{OPT_BOOL, 'l', "list", AT(list), NULL, "show current config variables"},
	{OPT_BOOL, 0, "system", AT(system), NULL, "use system config file"},
	{OPT_BOOL, 0, "user", AT(user), NULL, "use user config file"},
	{OPT_END},
};

static const struct opt_group groups[] = {{opts, 0}, {0}};

static void list(const struct config *c, struct buf *out)
{
	for (size_t i = 0; i < c->vars.n; i++)
		buf_printf(out, "%s=%s\n", c->vars.at[i].key, c->vars.at[i].value);
}

/* The path of the only file to use, or of the file that a setting is written to by default. */
static char *config_path_of(const struct config_opts *o, struct err *err)
{
	const char *only = getenv("PERF_CONFIG");
	char *path;

	if (o->system)
		return mem_strdup(CONFIG_SYSTEM_PATH);
	if (only && !o->user)
		return mem_strdup(only);
	path = config_user_path();
	if (!path)
		err_set(err, ERR_INPUT, "there is no home directory for a user's configuration");
	return path;
}

static int check_name(const char *arg, size_t n, struct err *err)
{
	const char *dot = memrchr(arg, '.', n);

	if (!dot || dot == arg)
		return err_set(err, ERR_INPUT,
			       "The config variable does not contain a section name: %s", arg);
	if (dot + 1 == arg + n)
		return err_set(err, ERR_INPUT,
			       "The config variable does not contain a variable name: %s", arg);
	return 0;
}

static int config_set(const struct config_opts *o, const char *arg, const char *equals,
		      struct err *err)
{
	AUTO_CHAR *key = mem_strndup(arg, (size_t)(equals - arg));
	AUTO_CHAR *path = NULL;

	if (!equals[1])
		return err_set(err, ERR_INPUT, "The config variable does not contain a value: %s",
			       arg);
	path = config_path_of(o, err);
	return path ? config_write(path, key, equals + 1, err) : -1;
}

static int get_or_set(const struct config_opts *o, const struct config *c, const char *arg,
		      struct buf *out, struct err *err)
{
	const char *equals = strchr(arg, '='), *value;

	if (check_name(arg, equals ? (size_t)(equals - arg) : strlen(arg), err))
		return -1;
	if (equals)
		return config_set(o, arg, equals, err);
	value = config_find(c, arg);
	if (value)
		buf_printf(out, "%s=%s\n", arg, value);
	return 0;
}

static int cmd_config_run(struct env *env, void *place, int argc, char **argv, struct err *err)
{
	const struct config_opts *o = place;
	const struct config *c = env->config;
	struct config one = {0};
	int result = 0;

	if (o->system && o->user)
		return err_set(err, ERR_USAGE, "Error: only one config file at a time");
	if (o->list && argc)
		return err_set(err, ERR_USAGE, "Error: takes no arguments");
	if (o->system || o->user) {
		AUTO_CHAR *path = config_path_of(o, err);

		if (!path || config_read(&one, path, err))
			result = -1;
		c = &one;
	}
	if (!result && (o->list || !argc)) {
		list(c, &env->out->buf);
		config_names_check(c);
	}
	for (int i = 0; !result && i < argc; i++)
		result = get_or_set(o, c, argv[i], &env->out->buf, err);
	config_release(&one);
	return result;
}

static void list_names(const struct opt_typed *typed, struct buf *out)
{
	(void)typed;
	for (size_t i = 0; config_names[i]; i++)
		if (!strchr(config_names[i], '*'))
			buf_word(out, config_names[i]);
}

const struct cmd cmd_config = {
	.name = "config",
	.summary = "Get and set variables in a configuration file.",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct config_opts),
	.list_words = list_names,
	.run = cmd_config_run,
};
