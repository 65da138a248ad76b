/* SPDX-License-Identifier: MIT */
/*
 * Paths below a folder whose contents may have been made by somebody else: no link is followed on
 * the way, and nothing leads upwards. All return a descriptor or 0, or -1 with errno set; ELOOP: a
 * component is a link, or "..".
 */
#ifndef OS_BENEATH_H
#define OS_BENEATH_H

#include <stdbool.h>

/* True when no component of the path is "." or "..". */
bool beneath_is_plain(const char *path);
/* Opens what the path says below the folder top; an empty path is the folder itself. */
int beneath_open(int top, const char *path, int flags);
/* Opens a folder (O_PATH), which is made with those above it when it is not there. */
int beneath_make_dir(int top, const char *path);
/* Removes a file, a link or a folder of the folder parent, with all that is in it on this file
 * system. */
int beneath_remove_tree(int parent, const char *name);
/* Removes the folder and those above it, as long as they are empty, but not top. */
void beneath_remove_empty(int top, const char *path);

#endif
