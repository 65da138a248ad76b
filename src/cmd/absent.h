/* SPDX-License-Identifier: MIT */
/* Commands of perf that aren't there yet. */
#ifndef CMD_ABSENT_H
#define CMD_ABSENT_H

#include "base/err.h"
#include "os/text.h"

/* 1 with *err: there is such a command elsewhere, but not here yet, and the hint says what comes
 * nearest; 0: the name is none of those. */
int absent_explain(const char *name, struct err *err);
/* Appends their names. */
void absent_names(struct names *names);

#endif
