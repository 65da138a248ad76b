/* SPDX-License-Identifier: MIT */
/* -t and --percentage, as the commands that show entries in rows share them. */
#ifndef CMD_OPTS_ROWS_H
#define CMD_OPTS_ROWS_H

#include "base/err.h"

#include <stdbool.h>

/* The separator that was typed: "\\t" is a tab. NULL stays NULL. */
const char *rows_separator(const char *typed);
/* Refuses what neither option takes; each may be NULL. *relative: percentages are of what filters
 * leave. 0, or -1 with *err. */
int rows_opts_check(const char *separator, const char *percentage, bool *relative, struct err *err);

#endif
