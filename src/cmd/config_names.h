/* SPDX-License-Identifier: MIT */
/* The configuration variables that the commands read. */
#ifndef CMD_CONFIG_NAMES_H
#define CMD_CONFIG_NAMES_H

#include "cmd/cmd.h"

/* In byte order, ends with NULL. "*" stands for a part that the user chooses. */
extern const char *const config_names[];

/* True when a command reads the variable. */
bool config_name_known(const char *key);
/* Prints on standard error which variables no command reads, with the closest known name. */
void config_names_check(const struct config *c);

#endif
