/* SPDX-License-Identifier: MIT */
/* -i and -f, as every command that reads a recording has them. */
#ifndef CMD_OPTS_INPUT_H
#define CMD_OPTS_INPUT_H

#include "cmd/cmd.h"
#include "data/recording.h"

struct input_opts {
	const char *path;
	bool force;
};

extern const struct opt input_opts[];

/* What is to be read: -i, else standard input ("-") when that is a pipe, else perf.data. */
const char *input_path(const struct input_opts *o);
/* Opens that. A long read shows its progress on standard error until out sends its first output; out NULL: never. Returns
 * NULL with *err. */
struct recording *input_open_recording(const struct input_opts *o, struct out *out, struct err *err);

#endif
