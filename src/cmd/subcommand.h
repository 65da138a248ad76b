/* SPDX-License-Identifier: MIT */
/* The first word of commands that are several: `perf sched record`. */
#ifndef CMD_SUBCOMMAND_H
#define CMD_SUBCOMMAND_H

#include "cmd/cmd.h"

/* Does the word stand for that name: at least three letters of its beginning? */
bool subcommand_is(const char *word, const char *name);
/* The one of cmd->subcommands that the word stands for, or NULL. */
const struct cmd *subcommand_find(const struct cmd *cmd, const char *word);
/* The error of a command that stands for nothing but its .words: none was given (word is NULL), or
 * another one. called: its name for the user ("kvm stat"). Returns -1 with *err. */
int subcommand_refuse(const struct cmd *cmd, const char *called, const char *word, struct err *err);

#endif
