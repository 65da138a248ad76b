/* SPDX-License-Identifier: MIT */
/* How call chains are shown: the words of -g (--call-graph) of report and its like. */
#ifndef CMD_OPTS_CHAINS_H
#define CMD_OPTS_CHAINS_H

#include "cmd/cmd.h"
#include "profile/table/calltree.h"

/* "graph,0.5,caller,function,percent": each word, in any order, changes one part. 0, or -1 with
 * *err. */
int chains_parse(struct calltree_params *t, const char *words, struct err *err);
/* Appends the words, separated by blanks. */
void chains_words(struct buf *out);
/* The variables call-graph.*; words that aren't known change nothing. */
void chains_from_config(struct calltree_params *t, const struct config *config);

#endif
