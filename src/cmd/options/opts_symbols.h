/* SPDX-License-Identifier: MIT */
/* Where symbols come from and how their names are shown: fills a struct symbol_options. */
#ifndef CMD_OPTS_SYMBOLS_H
#define CMD_OPTS_SYMBOLS_H

#include "cmd/cmd.h"
#include "symbol/dso.h"

extern const struct opt symbol_opts[];

/* Before parsing. */
void symbol_opts_defaults(struct symbol_options *o, const struct env *env);
/* How large the cache of lines and names may become, in bytes; 0: there is none. */
uint64_t symbol_cache_size(const struct config *config);
/* After parsing: can the files be read that were named? 0, or -1 with *err. */
int symbol_opts_check(struct symbol_options *o, struct err *err);
/* With -v, at the end: where the names came from. */
void symbols_explain(const struct dso_set *set, FILE *to);

#endif
