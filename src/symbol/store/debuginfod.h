/* SPDX-License-Identifier: MIT */
/*
 * Debug files from debuginfod servers, by build-id. libdebuginfod (elfutils) asks them, and keeps
 * what it got in its own cache; it is loaded when it is first needed and missed by nobody else.
 */
#ifndef SYMBOL_DEBUGINFOD_H
#define SYMBOL_DEBUGINFOD_H

#include "symbol/dso.h"

/* Files that were fetched: symbol_options borrows them, so that dsos find them by build-id. */
struct debug_files {
	struct arena arena;
	VEC(struct debug_file { struct build_id id; const char *of, *path; }) files;
};
void debug_files_release(struct debug_files *f);
/* The path, or NULL. */
const char *debug_files_find(const struct debug_files *f, const struct build_id *id);

struct debuginfod;
/* urls: separated by blanks; "" or "system": those of DEBUGINFOD_URLS, which is set otherwise. All
 * that is asked for takes at most so many seconds together. NULL with *err: there is no library, or
 * no server is named. For one thread, before others start. */
struct debuginfod *debuginfod_open(const char *urls, unsigned int seconds, struct err *err);
void debuginfod_close(struct debuginfod *d);
DEFINE_AUTO(debuginfod, debuginfod_close)
/* Fetches the debug file of the file with that name and build-id, and adds it. 0, or -1
 * with *err. */
int debuginfod_fetch(struct debuginfod *d, const char *of, const struct build_id *id,
		     struct debug_files *out, struct err *err);

#endif
