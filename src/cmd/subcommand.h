/* SPDX-License-Identifier: MIT */
/* The first word of commands that have subcommands: `perf sched record`. */
#ifndef CMD_SUBCOMMAND_H
#define CMD_SUBCOMMAND_H

#include "cmd/cmd.h"

/* True when word abbreviates name: at least its first three letters. */
bool subcommand_is(const char *word, const char *name);
/* The entry of cmd->subcommands that the word selects, or NULL. */
const struct cmd *subcommand_find(const struct cmd *cmd, const char *word);

struct cmd_groups {
	VEC(struct opt_group);
};
/* Lists a command's groups of options, and those of the command that it hands options on to. Ends
 * with .opts == NULL; the caller releases the vector. */
void subcommand_list_groups(const struct cmd *cmd, struct cmd_groups *out);
/* Sets the error of a command that needs one of its .words: the word is missing (NULL) or unknown.
 * called: the command as the user typed it ("kvm stat"). Returns -1 with *err. */
int subcommand_refuse(const struct cmd *cmd, const char *called, const char *word, struct err *err);

#endif
