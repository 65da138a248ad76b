/* SPDX-License-Identifier: MIT */
/* -t and --percentage, for commands that show entries in rows. */
#ifndef CMD_OPTS_ROWS_H
#define CMD_OPTS_ROWS_H

#include "base/err.h"

#include <stdbool.h>

/* Converts a typed separator: "\\t" becomes a tab. NULL stays NULL. */
const char *rows_separator(const char *typed);
/* Checks the values of both options; each may be NULL. Sets *relative when percentages are of the
 * filtered total. 0, or -1 with *err. */
int rows_opts_check(const char *separator, const char *percentage, bool *relative, struct err *err);

#endif
