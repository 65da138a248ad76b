/* SPDX-License-Identifier: MIT */
/* Completion: the words that the last word of an unfinished command line can become. See
 * completion/. */
#ifndef CMD_COMPLETE_H
#define CMD_COMPLETE_H

#include "cmd/cmd.h"

/*
 * words[0] is the program, words[n - 1] what there is of the word to complete, perhaps "". Puts out
 * lines:
 *
 *   words | parts | files | command N
 *   PREFIX
 *   WORD <tab> HELP        any number
 *
 * PREFIX followed by WORD is what the last word can become. "words": it is then finished; "parts":
 * it may go on, so that no blank belongs behind it; "files": the name of a file comes behind
 * PREFIX; "command N": the words from number N on are a command line of their own.
 */
void complete(struct env *env, int n, char **words);

#endif
