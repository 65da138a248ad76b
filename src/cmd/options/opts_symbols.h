/* SPDX-License-Identifier: MIT */
/* Options on where symbols come from and how names are shown: fill a struct symbol_options. */
#ifndef CMD_OPTS_SYMBOLS_H
#define CMD_OPTS_SYMBOLS_H

#include "cmd/cmd.h"
#include "symbol/dso.h"

extern const struct opt symbol_opts[];
/* Where the names of guests' code are: of a struct symbol_options, too. */
extern const struct opt guest_opts[];

/* Configuration variables that set these options. */
#define DEMANGLE_VARIABLES                                                                         \
	{"annotate.demangle", "demangle"}, {"annotate.demangle_kernel", "demangle-kernel"}

/* Call it before parsing. */
void symbol_opts_defaults(struct symbol_options *o, const struct env *env);
/* Limit of the cache of lines and names, in bytes; 0: no cache. */
uint64_t symbol_cache_size(const struct config *config);
/* Call it after parsing: checks that the named files can be read. 0, or -1 with *err. */
int symbol_opts_check(struct symbol_options *o, struct err *err);
/* With -v, at the end: prints where symbols came from. */
void symbols_explain(const struct dso_set *set, FILE *to);

#endif
