/* SPDX-License-Identifier: MIT */
/*
 * A folder that only this user can have put anything into: files in it are read and written by
 * name, and never through a link. All return 0 (or a descriptor), or -1 with errno set.
 */
#ifndef OS_PRIVATE_DIR_H
#define OS_PRIVATE_DIR_H

#include "os/mapped.h"

/* The folder, made (0700, and those above it) when that is wanted. EPERM: it belongs to somebody
 * else, or others may write to it. */
int private_dir_open(const char *path, bool make);
/* A file of it, into memory; EFBIG: it is larger than max. Notes that it was used. */
int private_dir_read(int dir, const char *name, size_t max, struct mapped *out);
/* The same, mapped: for what is large and is only ever replaced. */
int private_dir_map(int dir, const char *name, size_t max, struct mapped *out);
/* Replaces a file at once: who reads it meanwhile has the old one or the new one, whole. */
int private_dir_replace(int dir, const char *name, const void *p, size_t n);
/* The same of the folder of that path, which is made if need be; it is kept below max bytes. */
int private_dir_store(const char *path, const char *name, const void *p, size_t n, uint64_t max);
/* Removes what was not used for longest until the rest takes at most max bytes. */
void private_dir_trim(int dir, uint64_t max);

#endif
