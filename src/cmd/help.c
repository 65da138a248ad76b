// SPDX-License-Identifier: MIT
#include "cmd/dispatch.h"

#include "os/self.h"

#include <string.h>
#include <unistd.h>

struct help_opts {
	bool all, man, info, web;
};

#define AT(field) offsetof(struct help_opts, field)

static const char *const usage[] = {"help [--all] [--man|--web|--info] [command]", NULL};

static const struct opt opts[] = {
	{OPT_BOOL, 'a', "all", AT(all), NULL, "print all available commands"},
	{OPT_BOOL, 'i', "info", AT(info), NULL, "show info page"},
	{OPT_BOOL, 'm', "man", AT(man), NULL, "show man page"},
	{OPT_BOOL, 'w', "web", AT(web), NULL, "show manual in web browser"},
	{OPT_END},
};

static const struct opt_group groups[] = {{opts, 0}, {0}};

static bool readable(char **path, char *candidate)
{
	*path = candidate;
	if (!access(candidate, R_OK))
		return true;
	free(candidate);
	*path = NULL;
	return false;
}

/* The page's file: where the environment says, installed with us, or beside the sources we were
 * built in. NULL: there is none. */
static char *find_page(const char *cmd)
{
	const char *given = getenv("PERF_MAN_PATH");
	AUTO_CHAR *self = self_folder();
	char *path = NULL;

	if (given && (readable(&path, mem_printf("%s/perf-%s.1", given, cmd)) ||
		      readable(&path, mem_printf("%s/man1/perf-%s.1", given, cmd))))
		return path;
	if (self && !readable(&path, mem_printf("%s/../share/man/man1/perf-%s.1", self, cmd)))
		readable(&path, mem_printf("%s/../man/perf-%s.1", self, cmd));
	return path;
}

static int show_page(struct env *env, const char *name, struct err *err)
{
	const struct cmd *cmd = command_find(name);
	AUTO_CHAR *page = find_page(name);
	AUTO_CHAR *title = mem_printf("perf-%s", name);

	if (out_end(env->out, err))
		return -1;
	if (page)
		execlp("man", "man", "-l", page, (char *)NULL);
	else if (!cmd)
		execlp("man", "man", title, (char *)NULL);
	/* without man, or a page, there is still the list of options */
	if (!cmd) {
		err_set(err, ERR_INPUT, "there is no page about '%s'", title);
		return err_hint(err, "'perf help' lists the commands");
	}
	command_usage(cmd, NULL, &env->out->buf);
	return 0;
}

static int run(struct env *env, void *place, int argc, char **argv, struct err *err)
{
	const struct help_opts *o = place;

	if (o->info || o->web)
		return err_set(err, ERR_UNSUPPORTED, "the pages come for man only, not for '%s'",
			       o->web ? "--web" : "--info");
	if (argc && !o->all)
		return show_page(env, argv[0], err);
	commands_usage(env, o->all);
	return 0;
}

const struct cmd cmd_help = {
	.name = "help",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct help_opts),
	.run = run,
};
