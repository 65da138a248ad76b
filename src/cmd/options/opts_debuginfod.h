/* SPDX-License-Identifier: MIT */
/* --debuginfod: fetches the debug files that matter to a profile. */
#ifndef CMD_OPTS_DEBUGINFOD_H
#define CMD_OPTS_DEBUGINFOD_H

#include "cmd/cmd.h"
#include "data/recording.h"
#include "symbol/store/debuginfod.h"

#define DEBUGINFOD_SECONDS 30 /* limit for all files of a command together */

/* The configuration variable that sets the option. */
#define DEBUGINFOD_VARIABLE {"buildid-cache.debuginfod", "debuginfod"}

/*
 * When o->debuginfod is set, reads the recording an extra time to count the hits of each dso.
 * Fetches the debug files that the machine lacks of dsos with at least 1 % of the hits. o->fetched
 * is then files, which must outlive every use of o. Failures are printed to the stream and are not
 * fatal.
 */
void debuginfod_get(struct symbol_options *o, struct debug_files *files,
		    const struct recording *rec, FILE *to);
/* Fetches the debug file of the file at path into a store of files by build-id. 1: it was added. 0:
 * it was there already, or there is nothing to ask (urls is NULL, or the file has no build-id). -1
 * with *err. */
int debuginfod_store(const char *urls, const char *dir, const char *path, int32_t pid,
		     struct err *err);

#endif
