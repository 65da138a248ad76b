/* SPDX-License-Identifier: MIT */
/* What a recording's names come from, kept for later: only when that was asked for. */
#ifndef CMD_RECORD_STORE_H
#define CMD_RECORD_STORE_H

#include "cmd/cmd.h"
#include "cmd/record/record_opts.h"

/* Once the recording is written: record.build-id = cache puts the files that samples lie in into
 * the store of files by build-id, --debuginfod their debug files. What fails is told. */
void record_store(const struct record_opts *o, const struct env *env, const char *path);

#endif
