/* SPDX-License-Identifier: MIT */
/*
 * perfconfig: the defaults that the user and the system have set.
 *
 * A file is made of "[section]" or "[section "more"]" lines and "name = value" lines; # and ; begin
 * comments; a value may be quoted, and goes on after a backslash at the end of its line; a name
 * without a value is true. A variable is called "section.name" or "section.more.name".
 */
#ifndef BASE_CONFIG_H
#define BASE_CONFIG_H

#include "base/err.h"
#include "base/mem.h"

#include <stdbool.h>

struct config_var {
	const char *key, *value; /* owned by the config */
};
/* All zero is valid and empty. Variables of a section stand together, in order of first sight. */
struct config {
	struct arena arena;
	VEC(struct config_var) vars;
};

#define CONFIG_SYSTEM_PATH "/etc/perfconfig"
/* $HOME/.perfconfig, to be freed; NULL without a home. */
char *config_user_path(void);

/* Reads this user's configuration: the file $PERF_CONFIG, or when that isn't set the system's file
 * (unless PERF_CONFIG_NOSYSTEM) and then the user's (unless PERF_CONFIG_NOGLOBAL). Returns 0, or -1
 * with *err for a file that cannot be parsed; the variables before the bad line are kept. */
int config_load(struct config *c, struct err *err);
/* Adds one file. A file that is missing, or belongs neither to this user nor to root, adds
 * nothing and is no error. */
int config_read(struct config *c, const char *path, struct err *err);
/* Adds the variables of a text; path names the text in errors. */
int config_parse(struct config *c, const char *text, size_t n, const char *path, struct err *err);
void config_release(struct config *c);

const char *config_find(const struct config *c, const char *key); /* NULL: not set */
bool config_bool(const struct config *c, const char *key, bool otherwise);
long config_int(const struct config *c, const char *key, long otherwise);

/* Sets "section.name" in the file, which is made if need be; everything else in it stays as it
 * is. */
int config_write(const char *path, const char *key, const char *value, struct err *err);

#endif
