// SPDX-License-Identifier: MIT
#include "cmd/subcommand.h"

#include <string.h>

bool subcommand_is(const char *word, const char *name)
{
	size_t n = strlen(word);

	return n > 2 && !strncmp(name, word, n);
}

const struct cmd *subcommand_find(const struct cmd *cmd, const char *word)
{
	for (size_t i = 0; cmd->subcommands && cmd->subcommands[i]; i++)
		if (subcommand_is(word, cmd->subcommands[i]->name))
			return cmd->subcommands[i];
	return NULL;
}

void subcommand_list_groups(const struct cmd *cmd, struct cmd_groups *out)
{
	for (const struct opt_group *g = cmd->groups; g->opts; g++)
		vec_add(out, *g);
	for (const struct opt_group *g = cmd->hands_on_to ? cmd->hands_on_to->groups : NULL;
	     g && g->opts; g++)
		vec_add(out, *g);
	vec_add(out, (struct opt_group){0});
}

/* Formats the words "a b c" as "a, b" and the text last and "c". */
static void list_with(const char *words, const char *last, struct buf *out)
{
	for (size_t n; (n = strcspn(words, " ")); words += n + (words[n] == ' ')) {
		buf_add(out, words, n);
		if (words[n])
			buf_str(out, strchr(words + n + 1, ' ') ? ", " : last);
	}
}

int subcommand_refuse(const struct cmd *cmd, const char *called, const char *word, struct err *err)
{
	AUTO_BUF list = {0};

	list_with(cmd->words, word ? " and " : " or ", &list);
	if (!word)
		return err_set(err, ERR_USAGE, "which one: %s?", buf_text(&list));
	return err_set(err, ERR_USAGE, "%s has no '%s': %s", called, word, buf_text(&list));
}
