/* SPDX-License-Identifier: MIT */
/* Completion: the words that the last word of an unfinished command line can become. See
 * completion/. */
#ifndef CMD_COMPLETE_H
#define CMD_COMPLETE_H

#include "cmd/cmd.h"

/*
 * words[0] is the program, words[n - 1] the unfinished last word, perhaps "". Prints lines:
 *
 *   words | parts | files | command N
 *   PREFIX
 *   WORD <tab> HELP        any number
 *
 * The last word can become PREFIX followed by a WORD. "words": it is then finished. "parts": it may
 * continue, so the shell adds no blank. "files": the shell completes a file name after PREFIX.
 * "command N": the words from number N on are a command line of their own.
 */
void complete(struct env *env, int n, char **words);

#endif
