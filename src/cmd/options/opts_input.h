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
/* Opens that. A long read shows its progress on standard error until out sends its first output;
 * out NULL: never. Returns NULL with *err. */
struct recording *input_open_recording(const struct input_opts *o, struct out *out,
				       struct err *err);
/* After reading: puts the ledger's line, after prefix, on standard error when it says anything.
 * Returns the exit status that damage, or with strict any loss, calls for. */
int input_account(const struct recording *rec, const char *prefix, bool strict);
/* The same where what is listed would be incomplete if the recording were. Losses that the recorder
 * told are no concern. */
int input_account_list(const struct recording *rec);

#endif
