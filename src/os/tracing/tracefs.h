/* SPDX-License-Identifier: MIT */
/*
 * The tracing file system: where it is, which tracepoints it has, and its files.
 *
 * root is the mount point of tracefs ("/sys/kernel/tracing", or a folder of text files in tests).
 * Functions that read below the usual mount point mount tracefs there when it is missing, if this
 * process may.
 */
#ifndef OS_TRACEFS_H
#define OS_TRACEFS_H

#include "base/err.h"
#include "os/files/text.h"

#include <stdbool.h>

/* The usual mount point. */
#define TRACEFS_USUAL "/sys/kernel/tracing"

/* Where tracefs is on this machine: the first of the usual places that has an events folder, or
 * debugfs/tracing when the user named a debugfs (NULL: in PERF_DEBUGFS_DIR). Copied into the arena;
 * NULL when there is none. */
const char *tracefs_find(const char *debugfs, struct arena *arena);

/* True when a tracefs is mounted on the directory, whoever may read it. */
bool tracefs_is_mounted(const char *dir);

/* Systems, and events of one: names, in byte order when sorted. 0, or -1 with *err. */
int tracefs_systems(const char *root, bool sorted, struct arena *arena, struct names *out,
		    struct err *err);
int tracefs_events(const char *root, const char *system, bool sorted, struct arena *arena,
		   struct names *out, struct err *err);
/* Appends the text of events/SYSTEM/EVENT/format. 0, or -1 with *err. */
int tracefs_format(const char *root, const char *system, const char *event, struct buf *out,
		   struct err *err);
/* The number in events/SYSTEM/EVENT/id. 0, or -1 with *err. */
int tracefs_id(const char *root, const char *system, const char *event, uint64_t *id,
	       struct err *err);
/* Appends any other file, named from the root ("printk_formats"). 0, or -1 with errno set. */
int tracefs_read(const char *root, const char *name, struct buf *out);

#endif
