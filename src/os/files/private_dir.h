/* SPDX-License-Identifier: MIT */
/*
 * A folder that only this user can write to: its files are read and written by name, and never
 * through a link. All return 0 (or a descriptor), or -1 with errno set.
 */
#ifndef OS_PRIVATE_DIR_H
#define OS_PRIVATE_DIR_H

#include "os/files/mapped.h"

/* Opens the folder; with make, makes it (0700) and its parents when they are missing. EPERM: it
 * belongs to another user, or others may write to it. */
int private_dir_open(const char *path, bool make);
/* Reads a file of the folder into memory; EFBIG: it is larger than max bytes. Notes that the file
 * was used. */
int private_dir_read(int dir, const char *name, size_t max, struct mapped *out);
/* As private_dir_read(), but maps the file: for large files that are only ever replaced. */
int private_dir_map(int dir, const char *name, size_t max, struct mapped *out);
/* Replaces a file atomically: a reader has the whole old file or the whole new one. */
int private_dir_replace(int dir, const char *name, const void *p, size_t n);
/* As private_dir_replace(), in the folder of that path, which is made when it is missing. Then
 * trims the folder to max bytes. */
int private_dir_store(const char *path, const char *name, const void *p, size_t n, uint64_t max);
/* Removes the least recently used files until the rest takes at most max bytes. */
void private_dir_trim(int dir, uint64_t max);

#endif
