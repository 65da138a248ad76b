/* SPDX-License-Identifier: MIT */
/* Probes on malloc() and its family, read by analysis/leaks/heap.h. */
#ifndef CMD_MEM_LEAK_PROBES_H
#define CMD_MEM_LEAK_PROBES_H

#include "cmd/options/words/command_words.h"
#include "symbol/dso.h"

/* Adds "-e EVENT" for each function of the family, in every file with malloc() that the processes
 * ("PID,PID") have mapped. 0, or -1 with *err. */
int leak_probes_add(struct command_words *w, const char *pids, const struct symbol_options *options,
		    struct err *err);

#endif
