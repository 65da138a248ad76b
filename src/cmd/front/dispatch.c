// SPDX-License-Identifier: MIT
#include "cmd/front/dispatch.h"
#include "cmd/front/programs.h"
#include "cmd/subcommand.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct cmd *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

void show_err(const struct err *err)
{
	if (!err->drawn)
		fprintf(stderr, "%s\n", err->text);
	if (err->hint[0])
		fprintf(stderr, "%s\n", err->hint);
}

static void list_programs(const struct env *env, struct buf *out)
{
	struct programs programs = {0};

	programs_find(&programs, env->exec_path, getenv("PATH"));
	programs_show(&programs, env->exec_path, env->out->width, out);
	programs_release(&programs);
}

void commands_usage(struct env *env, bool all)
{
	struct buf *out = &env->out->buf;
	size_t widest = 15;

	for (size_t i = 0; commands[i]; i++)
		widest = MAX(widest, strlen(commands[i]->name));
	buf_str(out, "\n usage: perf [--version] [--help] [OPTIONS] COMMAND [ARGS]\n\n"
		     " The most commonly used perf commands are:\n");
	for (size_t i = 0; commands[i]; i++) {
		if (!commands[i]->summary)
			continue;
		buf_str(out, "   ");
		buf_left(out, commands[i]->name, widest);
		buf_printf(out, " %s\n", commands[i]->summary);
	}
	if (all)
		list_programs(env, out);
	buf_str(out, "\n See 'perf help COMMAND' for more information on a specific command.\n\n");
}

static void usage_lines(const struct cmd *cmd, struct buf *out)
{
	for (size_t i = 0; cmd->usage[i]; i++)
		buf_printf(out, "%s%s\n", i ? "    or: perf " : " Usage: perf ", cmd->usage[i]);
	buf_char(out, '\n');
}

void command_usage(const struct cmd *cmd, const char *word, struct buf *out)
{
	buf_char(out, '\n');
	usage_lines(cmd, out);
	opt_help(cmd->groups, word, out);
	buf_char(out, '\n');
}

/* Prints the help: through the pager when on a terminal, else on standard error. */
static int show_help(const struct cmd *cmd, const char *word, struct env *env)
{
	struct buf text = {0};

	command_usage(cmd, word, &text);
	if (env->out->terminal && isatty(STDERR_FILENO)) {
		out_page(env->out, env->pager);
		buf_add(&env->out->buf, text.at, text.n);
		out_end(env->out, NULL);
	} else {
		fputs(buf_text(&text), stderr);
	}
	buf_release(&text);
	return EXIT_USAGE;
}

/* Prints the error, and the help of the wrong option, or of all options when wrong is NULL. */
static int show_misuse(const struct cmd *cmd, const struct opt *wrong, const struct err *err)
{
	struct buf text = {0};

	buf_printf(&text, " Error: %s\n", err->text);
	if (err->hint[0])
		buf_printf(&text, "  %s\n", err->hint);
	if (wrong) {
		const struct opt one[] = {*wrong, {OPT_END}};
		const struct opt_group group[] = {{one, 0}, {0}};

		usage_lines(cmd, &text);
		opt_help(group, NULL, &text);
	} else {
		command_usage(cmd, NULL, &text);
	}
	fputs(buf_text(&text), stderr);
	buf_release(&text);
	return EXIT_USAGE;
}

/* The pager of this command, or NULL: pager.CMD of the configuration, else the default pager if the
 * command pages by itself. */
static const char *pager_of(const struct cmd *cmd, const struct env *env)
{
	AUTO_CHAR *key = mem_printf("pager.%s", cmd->name);
	const char *value = config_find(env->config, key);
	bool yes = cmd->pager;

	if (env->page_all || !env->pager)
		return env->pager;
	if (value && parse_bool(value, &yes))
		return value;
	return yes ? env->pager : NULL;
}

/* Sets options from configuration variables. A value that cannot be parsed is reported and
 * ignored. */
static void apply_variables(const struct cmd *cmd, const struct config *config, void *opts)
{
	for (const struct cmd_variable *v = cmd->variables; v && v->key; v++) {
		const char *value = config_find(config, v->key);
		struct err err = {0};

		if (!value || !opt_set(cmd->groups, opts, v->option, value, &err))
			continue;
		err_prefix(&err, v->key);
		show_err(&err);
	}
}

static int cmd_dispatch_run(const struct cmd *cmd, struct env *env, void *opts,
			    const struct opt_parse *parse)
{
	struct err err = {0}, late = {0};
	int status, ended;

	out_page(env->out, pager_of(cmd, env));
	status = cmd->run(env, opts, parse->n_words, parse->words, &err);
	out_progress_end(env->out);
	/* After a usage error the output is dropped. Other errors are printed after the output. */
	if (status < 0 && err.code == ERR_USAGE)
		buf_clear(&env->out->buf);
	ended = out_end(env->out, &late);
	if (status < 0) {
		show_err(&err);
		return err.code == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED;
	}
	if (ended) {
		show_err(&late);
		return EXIT_FAILED;
	}
	return status;
}

/* Sorts argv for a command that hands options on: its own options, "--", then the options and words
 * for the other command. */
static void split_words(const struct cmd *cmd, char **argv, struct opt_words *words)
{
	struct opt_words mine = {0}, rest = {0};

	opt_split(cmd->groups, cmd->hands_on_to->groups, argv + 1, &mine, &rest);
	vec_add(words, argv[0]);
	for (size_t i = 0; i < mine.n; i++)
		vec_add(words, mine.at[i]);
	vec_add(words, (char *)"--");
	for (size_t i = 0; i < rest.n; i++)
		vec_add(words, rest.at[i]);
	vec_add(words, NULL);
	vec_release(&mine);
	vec_release(&rest);
}

static int parse_and_run(const struct cmd *cmd, struct env *env, void *opts, int argc, char **argv);

static int parse_and_run_split(const struct cmd *cmd, struct env *env, void *opts, char **argv)
{
	struct opt_words words = {0};
	struct cmd plain = *cmd;
	int status;

	split_words(cmd, argv, &words);
	plain.hands_on_to = NULL;
	status = parse_and_run(&plain, env, opts, (int)words.n - 1, words.at);
	env->cmd = cmd;
	vec_release(&words);
	return status;
}

static int parse_and_run(const struct cmd *cmd, struct env *env, void *opts, int argc, char **argv)
{
	struct opt_parse parse = {
		.groups = cmd->groups, .base = opts, .stop_at_word = cmd->stop_at_word};
	const struct cmd *sub;
	struct err err = {0};

	if (cmd->hands_on_to)
		return parse_and_run_split(cmd, env, opts, argv);
	env->cmd = cmd;
	switch (opt_parse(&parse, argc, argv, &err)) {
	case OPT_HELP:
		return show_help(cmd, parse.help_word, env);
	case OPT_LIST:
		opt_list(cmd->groups, &env->out->buf);
		buf_char(&env->out->buf, '\n');
		out_flush(env->out);
		return 0;
	case OPT_FAILED:
		if (!parse.wrong || parse.wrong->kind != OPT_ABSENT)
			return show_misuse(cmd, parse.wrong, &err);
		show_err(&err);
		return EXIT_FAILED;
	case OPT_OK:
		break;
	}
	sub = parse.n_words ? subcommand_find(cmd, parse.words[0]) : NULL;
	if (sub)
		return parse_and_run(sub, env, opts, parse.n_words, parse.words);
	return cmd_dispatch_run(cmd, env, opts, &parse);
}

int command_run(const struct cmd *cmd, struct env *env, int argc, char **argv)
{
	void *opts = mem_zero(MAX(cmd->opts_size, (size_t)1));
	int status;

	env->cmd = cmd;
	if (cmd->defaults)
		cmd->defaults(opts, env);
	apply_variables(cmd, env->config, opts);
	status = parse_and_run(cmd, env, opts, argc, argv);
	free(opts);
	return status;
}
