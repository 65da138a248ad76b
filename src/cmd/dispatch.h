/* SPDX-License-Identifier: MIT */
/* From a command's name to its exit status. */
#ifndef CMD_DISPATCH_H
#define CMD_DISPATCH_H

#include "cmd/cmd.h"

const struct cmd *command_find(const char *name); /* or NULL */
/* Parses argv[1..], runs, sends the output, prints the error. Returns the exit status. */
int command_run(const struct cmd *cmd, struct env *env, int argc, char **argv);
/* Appends what `perf CMD -h [WORD]` prints. */
void command_usage(const struct cmd *cmd, const char *word, struct buf *out);
/* Puts out what `perf` alone prints: the commands and what they are for; with all, also those that
 * are programs of their own. */
void commands_usage(struct env *env, bool all);

void show_err(const struct err *err); /* on standard error */

#endif
