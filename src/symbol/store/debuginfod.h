/* SPDX-License-Identifier: MIT */
/*
 * Fetches debug files from debuginfod servers, by build-id. libdebuginfod (elfutils) does the
 * transfer, and keeps the files in its own cache. It is loaded when it is first needed.
 */
#ifndef SYMBOL_DEBUGINFOD_H
#define SYMBOL_DEBUGINFOD_H

#include "symbol/dso.h"

/* The files that were fetched. symbol_options borrows them, so that dsos find them by build-id. */
struct debug_files {
	struct arena arena;
	VEC(struct debug_file { struct build_id id; const char *of, *path; }) files;
};
void debug_files_release(struct debug_files *f);
/* The path of the debug file for a build-id, or NULL. */
const char *debug_files_find(const struct debug_files *f, const struct build_id *id);

struct debuginfod;
/* Opens the library. urls: server URLs, separated by blanks; "" or "system": those of
 * DEBUGINFOD_URLS, which is set to urls otherwise. seconds: limit for all fetches together. NULL
 * with *err: the library is missing, or no server is named. To be called from one thread, before
 * other threads start. */
struct debuginfod *debuginfod_open(const char *urls, unsigned int seconds, struct err *err);
void debuginfod_close(struct debuginfod *d);
DEFINE_AUTO(debuginfod, debuginfod_close)
/* Fetches the debug file of the file with that name and build-id, and adds it to out. 0, or -1 with
 * *err. */
int debuginfod_fetch(struct debuginfod *d, const char *of, const struct build_id *id,
		     struct debug_files *out, struct err *err);

#endif
