/* SPDX-License-Identifier: MIT */
/*
 * Small files and folders of /sys and tracefs: read whole, listed whole.
 */
#ifndef OS_TEXT_H
#define OS_TEXT_H

#include "base/buf.h"
#include "base/mem.h"

/* Appends what the file DIR/NAME (or NAME when dir is NULL) holds: at most max bytes. 0, or -1 with
 * errno set (EFBIG when there is more). */
int text_read(const char *dir, const char *name, size_t max, struct buf *out);
/* Its first line, without the newline, copied into the arena; NULL with errno set. */
const char *text_line(const char *dir, const char *name, struct arena *arena);

struct names {
	VEC(const char *);
};
/* The names in an open directory, unsorted; else as text_names(). */
int text_names_in(int dir, struct arena *arena, struct names *out);
/* The names in DIR/SUB (sub may be NULL) that don't begin with a dot, in byte order when sorted,
 * copied into the arena. only_dirs leaves out what is known not to be a folder. 0, or -1 with errno
 * set. */
int text_names(const char *dir, const char *sub, bool sorted, bool only_dirs, struct arena *arena,
	       struct names *out);

#endif
