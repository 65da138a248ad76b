// SPDX-License-Identifier: MIT
#include "cmd/options/opts_recorded.h"

#include "cmd/front/dispatch.h"
#include "cmd/front/front_opts.h"
#include "cmd/subcommand.h"

#include <string.h>

/* Returns how many words, of n, are perf's own: up to the first that is neither an option, nor an
 * option's value, nor the name of a command. words ends with NULL. */
static size_t own_words(int n, char **words)
{
	const struct cmd *cmd;
	struct opt_place at;
	int first;

	opt_find_place(front_groups, true, n, words, &at);
	first = at.word;
	cmd = first < n ? command_find(words[first]) : NULL;
	while (cmd) {
		struct cmd_groups groups = {0};

		subcommand_list_groups(cmd, &groups);
		opt_find_place(groups.at, true, n - first, words + first, &at);
		vec_release(&groups);
		first += at.word;
		cmd = first < n ? subcommand_find(cmd, words[first]) : NULL;
	}
	return (size_t)first;
}

bool recorded_with(const struct recording *rec, const char *option)
{
	VEC(char *) words = {0};
	bool found = false;
	size_t own;

	for (size_t i = 0; i < rec->cmdline.n; i++)
		vec_add(&words, (char *)rec->cmdline.at[i]);
	/* opt_find_place() takes the last word for an unfinished one */
	vec_add(&words, (char *)"");
	vec_add(&words, NULL);
	own = rec->cmdline.n ? own_words((int)words.n - 1, words.at) : 0;
	for (size_t i = 1; i < own && i < rec->cmdline.n && !found; i++)
		found = !strcmp(words.at[i], option);
	vec_release(&words);
	return found;
}
