/* SPDX-License-Identifier: MIT */
/* How call chains are shown: the words of -g (--call-graph) of report and similar commands. */
#ifndef CMD_OPTS_CHAINS_H
#define CMD_OPTS_CHAINS_H

#include "cmd/cmd.h"
#include "profile/table/calltree.h"

/* Parses "graph,0.5,caller,function,percent". Words may be in any order; each sets one field. 0, or
 * -1 with *err. */
int chains_parse(struct calltree_params *t, const char *words, struct err *err);
/* Appends the words, separated by blanks. */
void chains_words(struct buf *out);
/* Sets t from the variables call-graph.*; unknown words are ignored. */
void chains_from_config(struct calltree_params *t, const struct config *config);

#endif
