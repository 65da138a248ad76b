/* SPDX-License-Identifier: MIT */
/* --self-contained of inject and record: a recording that was just written gets the names, lines
 * and code of what was hit. */
#ifndef CMD_CONTAIN_FILE_H
#define CMD_CONTAIN_FILE_H

#include "cmd/cmd.h"
#include "symbol/dso.h"

/* The path must be of a file or directory that can be read again. Tells at env->debug what was
 * added, when symbols->verbose asks for it. 0, or -1 with *err. */
int contain_file(struct env *env, const char *path, const struct symbol_options *symbols,
		 struct err *err);
/* Refuses what cannot hold answers: a pipe, a terminal, a device. 0, or -1 with *err. */
int contain_file_check(const char *path, struct err *err);

#endif
