/* SPDX-License-Identifier: MIT */
/* The variables of the configuration that some command reads. */
#ifndef CMD_CONFIG_NAMES_H
#define CMD_CONFIG_NAMES_H

#include "cmd/cmd.h"

/* In byte order, ends with NULL; "*" in a name stands for a name that the user chooses. */
extern const char *const config_names[];

/* Does some command read the variable? */
bool config_name_known(const char *key);
/* Says on standard error which of the variables nothing reads, and what may have been meant. */
void config_names_check(const struct config *c);

#endif
