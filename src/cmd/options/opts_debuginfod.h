/* SPDX-License-Identifier: MIT */
/* --debuginfod: which debug files are worth asking a server for. */
#ifndef CMD_OPTS_DEBUGINFOD_H
#define CMD_OPTS_DEBUGINFOD_H

#include "cmd/cmd.h"
#include "data/recording.h"
#include "symbol/store/debuginfod.h"

#define DEBUGINFOD_SECONDS 30 /* all files of a command together may take */

/* The variable that stands for the option. */
#define DEBUGINFOD_VARIABLE {"buildid-cache.debuginfod", "debuginfod"}

/*
 * When o->debuginfod is set, reads the recording once more and fetches what a visible share of its
 * samples wants and the machine lacks; o->fetched is then files, which outlives every use of o.
 * What fails is told, and stops nothing.
 */
void debuginfod_get(struct symbol_options *o, struct debug_files *files,
		    const struct recording *rec, FILE *to);
/* Fetches the debug file of the file at that path into a store of files by build-id. 1: it is new
 * there, 0: it was there, or nothing is to be asked (urls is NULL, or there is no build-id); -1
 * with *err. */
int debuginfod_store(const char *urls, const char *dir, const char *path, int32_t pid,
		     struct err *err);

#endif
