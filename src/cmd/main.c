// SPDX-License-Identifier: MIT
#include "cmd/front/complete.h"
#include "cmd/front/dispatch.h"
#include "cmd/front/front_opts.h"
#include "cmd/front/programs.h"
#include "os/files/mapped.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *choose_pager(void)
{
	const char *pager = getenv("PERF_PAGER");

	if (!pager)
		pager = getenv("PAGER");
	if (!pager && !access("/usr/bin/pager", X_OK))
		pager = "/usr/bin/pager";
	if (!pager && !access("/usr/bin/less", X_OK))
		pager = "/usr/bin/less";
	return pager && *pager && strcmp(pager, "cat") ? pager : NULL;
}

static int unknown_command(const struct env *env, const char *name)
{
	struct programs programs = {0};
	struct names names = {0};
	const char *near;

	for (size_t i = 0; commands[i]; i++)
		vec_add(&names, commands[i]->name);
	programs_find(&programs, env->exec_path, getenv("PATH"));
	for (size_t i = 0; i < programs.inside.n; i++)
		vec_add(&names, programs.inside.at[i]);
	for (size_t i = 0; i < programs.elsewhere.n; i++)
		vec_add(&names, programs.elsewhere.at[i]);
	near = nearest_name(name, names.at, names.n);
	fprintf(stderr, "perf: '%s' is not a perf-command. See 'perf --help'.\n", name);
	if (near)
		fprintf(stderr, "\nDid you mean this?\n\t%s\n", near);
	vec_release(&names);
	programs_release(&programs);
	return 1;
}

/* Executes perf-CMD from the exec path or from PATH. Returns only when there is no such program. */
static void exec_program(const struct env *env, char **argv)
{
	AUTO_CHAR *name = mem_printf("perf-%s", argv[0]);
	AUTO_CHAR *path = mem_printf("%s/%s", env->exec_path, name);
	char *typed = argv[0];

	if (strchr(typed, '/'))
		return;
	signal(SIGPIPE, SIG_DFL);
	argv[0] = name;
	execv(path, argv);
	execvp(name, argv);
	if (errno != ENOENT)
		fprintf(stderr, "cannot run '%s': %s\n", name, strerror(errno));
	argv[0] = typed;
}

static int run_named(struct env *env, int argc, char **argv)
{
	const struct cmd *cmd = command_find(argv[0]);

	/* "perf CMD --help" is "perf help CMD" */
	if (argc > 1 && cmd && !strcmp(argv[1], "--help")) {
		argv[1] = argv[0];
		return command_run(command_find("help"), env, 2, argv);
	}
	if (cmd)
		return command_run(cmd, env, argc, argv);
	exec_program(env, argv);
	return unknown_command(env, argv[0]);
}

static int list_commands(struct out *out)
{
	for (size_t i = 0; commands[i]; i++)
		buf_printf(&out->buf, "%s ", commands[i]->name);
	buf_char(&out->buf, '\n');
	return 0;
}

/* Serves options before the command that need no command. Returns the exit status; -1: there is no
 * such option. */
static int answer(const struct front_opts *o, struct env *env, int n_words, char **words)
{
	char build_options[] = "--build-options", name[] = "perf";
	char *version[] = {name, build_options, NULL}, *help[] = {name, words[0], NULL};

	if (o->version)
		return command_run(command_find("version"), env, o->version > 1 ? 2 : 1, version);
	if (o->help)
		return command_run(command_find("help"), env, words[0] ? 2 : 1, help);
	if (o->list_cmds)
		return list_commands(env->out);
	if (o->complete) {
		complete(env, n_words, words);
		return 0;
	}
	if (o->show_exec_path || o->html_path) {
		buf_printf(&env->out->buf, "%s\n", o->html_path ? PERF_HTML_PATH : env->exec_path);
		return 0;
	}
	return -1;
}

static int main_apply(const struct front_opts *o, struct env *env, struct err *err)
{
	const char *colour = config_find(env->config, "color.ui");
	bool on;

	env->exec_path = o->exec_path ? o->exec_path : getenv("PERF_EXEC_PATH");
	if (!env->exec_path || !*env->exec_path)
		env->exec_path = PERF_EXEC_PATH;
	if (o->debugfs_dir)
		setenv("PERF_DEBUGFS_DIR", o->debugfs_dir, 1);
	env->buildid_dir =
		o->buildid_dir ? o->buildid_dir : config_find(env->config, "buildid.dir");
	env->pager = o->no_pager ? NULL : choose_pager();
	env->page_all = o->paginate;
	env->verbose = o->verbose;
	env->show_opens = o->opens;
	env->out->errors_apart = o->errors_apart;
	if (colour && !strcmp(colour, "always"))
		env->out->colour = true;
	else if (colour && (!strcmp(colour, "never") || (!parse_bool(colour, &on) && !on)))
		env->out->colour = false;
	if (!o->debug_file)
		return 0;
	env->debug = fopen(o->debug_file, "we");
	if (env->debug)
		return 0;
	env->debug = stderr;
	return err_sys(err, errno, "cannot write '%s'", o->debug_file);
}

static int front(struct env *env, int argc, char **argv)
{
	struct front_opts o = {0};
	struct opt_parse parse = {.groups = front_groups, .base = &o, .stop_at_word = true};
	struct err err = {0};
	int status;

	switch (opt_parse(&parse, argc, argv, &err)) {
	case OPT_LIST:
		opt_list(front_groups, &env->out->buf);
		buf_char(&env->out->buf, '\n');
		return 0;
	case OPT_FAILED:
		show_err(&err);
		fputs("\n Usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]\n", stderr);
		return EXIT_USAGE;
	default:
		break;
	}
	if (main_apply(&o, env, &err)) {
		show_err(&err);
		return EXIT_FAILED;
	}
	status = answer(&o, env, parse.n_words, parse.words);
	if (status >= 0)
		return status;
	if (parse.n_words)
		return run_named(env, parse.n_words, parse.words);
	commands_usage(env, false);
	return 1;
}

/* Returns the command when the program is called as "perf-CMD" or "trace", else NULL. */
static char *command_in_name(char *path)
{
	char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	if (!strncmp(name, "perf-", 5) && command_find(name + 5))
		return name + 5;
	return !strcmp(name, "trace") && command_find(name) ? name : NULL;
}

int main(int argc, char **argv)
{
	struct out out;
	struct config config = {0};
	struct env env = {.out = &out, .config = &config, .argc = argc, .argv = argv,
			  .debug = stderr};
	struct err err = {0};
	char **words, *named;
	int status;

	mem_begin();
	words = mem_zero(((size_t)argc + 2) * sizeof(*words));
	signal(SIGPIPE, SIG_IGN); /* writing to a closed pipe fails with EPIPE instead */
	mapped_survive_cuts();
	out_init(&out, STDOUT_FILENO);
	if (config_load(&config, &err))
		show_err(&err);
	/* the parser reorders the words; argv keeps the order in which they were typed */
	memcpy(words, argv, ((size_t)argc + 1) * sizeof(*words));
	named = argc > 0 ? command_in_name(argv[0]) : NULL;
	if (named) {
		words[0] = named;
		main_apply(&(struct front_opts){0}, &env, NULL);
		status = run_named(&env, argc, words);
	} else {
		status = front(&env, argc, words);
	}
	if (out_end(&out, &err)) {
		show_err(&err);
		status = EXIT_FAILED;
	}
	out_release(&out);
	if (env.debug != stderr && fclose(env.debug)) {
		fprintf(stderr, "cannot write the debug file: %s\n", strerror(errno));
		status = EXIT_FAILED;
	}
	config_release(&config);
	free(words);
	return status;
}
