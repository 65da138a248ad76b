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

/* The input's path: -i, else "-" when standard input is a pipe, else perf.data. */
const char *input_path(const struct input_opts *o);
/* Opens input_path(). While reading takes long, progress is shown on standard error until out sends
 * its first output; out NULL: never. NULL with *err. */
struct recording *input_open_recording(const struct input_opts *o, struct out *out,
				       struct err *err);
/* Call it after reading. Prints the losses after prefix on standard error, when there are any.
 * Returns the exit status: EXIT_DAMAGE after damage, or with strict after any loss, else 0. */
int input_account(const struct recording *rec, const char *prefix, bool strict);
/* True when the descriptions of the recording's tracepoints were in a part of the file that is
 * missing or damaged, so that no event has a tracepoint's name; *err then says so. */
bool input_lost_tracepoints(const struct recording *rec, struct err *err);
/* -D: prints the records of the input as they are. Returns the exit status, with the losses told as
 * by input_account(), or -1 with *err. */
int input_dump(const struct input_opts *o, const struct symbol_options *symbols, bool strict,
	       struct env *env, struct err *err);
/* For an analysis of a recording: tells what records that were lost may have falsified. what: what
 * it measures, in the plural ("waits"); n: how many of them records were lost during, ns: how long
 * these took in all (0: not known). Prints nothing when nothing was lost. */
void input_tell_doubts(const struct recording *rec, const char *what, uint64_t n, uint64_t ns);
/* Like input_account(), for lists: tells only damage and a stream that was cut. Losses while
 * recording do not make a list incomplete. */
int input_account_list(const struct recording *rec);

#endif
