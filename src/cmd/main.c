// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void say(const struct err *err)
{
	fprintf(stderr, "%s\n", err->text);
	if (err->hint[0])
		fprintf(stderr, "%s\n", err->hint);
}

static void show_usage(const struct cmd *cmd, const char *word, FILE *to)
{
	struct buf b = {0};

	buf_str(&b, "\n Usage: perf ");
	for (size_t i = 0; cmd->usage[i]; i++)
		buf_printf(&b, "%s%s\n", i ? "    or: perf " : "", cmd->usage[i]);
	buf_char(&b, '\n');
	opt_help(cmd->groups, word, &b);
	buf_char(&b, '\n');
	fputs(buf_text(&b), to);
	buf_release(&b);
}

static int run_command(const struct cmd *cmd, struct env *env, int argc, char **argv)
{
	void *opts = mem_zero(cmd->opts_size);
	struct opt_parse parse = {
		.groups = cmd->groups, .base = opts, .stop_at_word = cmd->stop_at_word};
	struct err err = {0};
	struct pager *pager = NULL;
	int status;

	env->cmd = cmd;
	if (cmd->defaults)
		cmd->defaults(opts, env);
	switch (opt_parse(&parse, argc, argv, &err)) {
	case OPT_HELP:
		show_usage(cmd, parse.help_word, stdout);
		status = EXIT_USAGE;
		break;
	case OPT_LIST:
		opt_list(cmd->groups, &env->out->buf);
		status = 0;
		break;
	case OPT_FAILED:
		say(&err);
		show_usage(cmd, NULL, stderr);
		status = EXIT_USAGE;
		break;
	case OPT_OK:
	default:
		if (cmd->pager)
			pager = pager_start(env->pager, env->out);
		status = cmd->run(env, opts, parse.n_words, parse.words, &err);
		if (out_end(env->out, err.code ? NULL : &err) && status >= 0)
			status = -1;
		if (status < 0) {
			say(&err);
			status = err.code == ERR_USAGE ? EXIT_USAGE : 1;
		}
		break;
	}
	out_flush(env->out);
	pager_end(pager);
	free(opts);
	return status;
}

int main(int argc, char **argv)
{
	struct out out;
	struct env env = {.out = &out, .argc = argc, .argv = argv};
	int status = 1;

	signal(SIGPIPE, SIG_IGN);
	out_init(&out, STDOUT_FILENO);
	if (argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-v")))
		argv[1] += strlen(argv[1]) > 2 ? 2 : 0;
	for (size_t i = 0; argc > 1 && commands[i]; i++)
		if (!strcmp(argv[1], commands[i]->name))
			status = run_command(commands[i], &env, argc - 1, argv + 1);
	out_flush(&out);
	out_release(&out);
	return status;
}
