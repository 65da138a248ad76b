// SPDX-License-Identifier: MIT
#include "cmd/front/dispatch.h"

#include "os/process/self.h"

#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* A text in the first line of each page of man/. */
#define PAGE_MARK "\"perf\" \"perf manual\""

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

/* True when the file, compressed or not, is our page: another package may have installed a page
 * under the same path. */
static bool is_our_page(const char *path)
{
	gzFile f = gzopen(path, "re");
	char line[256];
	bool ours = f && gzgets(f, line, sizeof(line)) && !strncmp(line, ".TH PERF", 8) &&
		    strstr(line, PAGE_MARK);

	if (f)
		gzclose(f);
	return ours;
}

static char *page_in(const char *folder, const char *title)
{
	static const char *const ends[] = {"", ".gz"};

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		char *path = mem_printf("%s/%s.1%s", folder, title, ends[i]);

		if (is_our_page(path))
			return path;
		free(path);
	}
	return NULL;
}

/* Finds the page's file: in the folder of the environment variable, installed with us, or beside
 * the sources of this build. NULL: not found. */
static char *find_page(const char *title)
{
	AUTO_CHAR *self = self_folder();
	const struct {
		const char *folder, *below;
	} places[] = {{getenv("PERF_MAN_PATH"), ""},
		      {getenv("PERF_MAN_PATH"), "/man1"},
		      {self, "/../share/man/man1"},
		      {self, "/../man"}};
	char *page = NULL;

	for (size_t i = 0; !page && i < ARRAY_SIZE(places); i++) {
		AUTO_CHAR *folder = mem_printf("%s%s", places[i].folder ? places[i].folder : "",
					       places[i].below);

		if (places[i].folder)
			page = page_in(folder, title);
	}
	return page;
}

static int show_page(struct env *env, const char *name, struct err *err)
{
	const struct cmd *cmd = command_find(name);
	bool all = !strcmp(name, "perf");
	AUTO_CHAR *title = all ? mem_strdup(name) : mem_printf("perf-%s", name);
	AUTO_CHAR *page = cmd || all ? find_page(title) : NULL;

	if (!cmd && !all) {
		err_set(err, ERR_INPUT, "there is no page about '%s'", title);
		return err_hint(err, "'perf help' lists the commands");
	}
	if (out_end(env->out, err))
		return -1;
	if (page)
		execlp("man", "man", "-l", page, (char *)NULL);
	/* without man, or without a page, print the options */
	if (cmd)
		command_usage(cmd, NULL, &env->out->buf);
	else
		commands_usage(env, false);
	return 0;
}

static void words(const struct opt_typed *typed, struct buf *out)
{
	(void)typed;
	for (size_t i = 0; commands[i]; i++)
		buf_word(out, commands[i]->name);
}

static int cmd_help_run(struct env *env, void *place, int argc, char **argv, struct err *err)
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
	.list_words = words,
	.run = cmd_help_run,
};
