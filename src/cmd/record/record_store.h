/* SPDX-License-Identifier: MIT */
/* Stores the files that a recording's symbols come from, when the user asked for it. */
#ifndef CMD_RECORD_STORE_H
#define CMD_RECORD_STORE_H

#include "cmd/cmd.h"
#include "cmd/record/record_opts.h"

/* Call it after the recording is written. record.build-id = cache adds the sampled files to the
 * store of files by build-id; --debuginfod adds their debug files. Failures are printed. */
void record_store(const struct record_opts *o, const struct env *env, const char *path);

#endif
