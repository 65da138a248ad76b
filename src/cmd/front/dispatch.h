/* SPDX-License-Identifier: MIT */
/* From a command's name to its exit status. */
#ifndef CMD_DISPATCH_H
#define CMD_DISPATCH_H

#include "cmd/cmd.h"

const struct cmd *command_find(const char *name); /* or NULL */
/* Parses argv[1..], runs the command, sends the output, prints the error. Returns the exit
 * status. */
int command_run(const struct cmd *cmd, struct env *env, int argc, char **argv);
/* Appends what `perf CMD -h [WORD]` prints. */
void command_usage(const struct cmd *cmd, const char *word, struct buf *out);
/* Prints the list of commands with their summaries, as `perf` alone does. all: also the perf-CMD
 * programs. */
void commands_usage(struct env *env, bool all);

void show_err(const struct err *err); /* on standard error */

#endif
