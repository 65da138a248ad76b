/* SPDX-License-Identifier: MIT */
/* -i and -f, as every command that reads a recording has them. */
#ifndef CMD_OPTS_INPUT_H
#define CMD_OPTS_INPUT_H

#include "cmd/cmd.h"

struct input_opts {
	const char *path;
	bool force;
};

extern const struct opt input_opts[];

/* What is to be read: -i, else standard input ("-") when that is a pipe, else perf.data. */
const char *input_path(const struct input_opts *o);

#endif
