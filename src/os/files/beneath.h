/* SPDX-License-Identifier: MIT */
/*
 * Paths below a folder that another user may have filled: no symbolic link is followed, and no
 * component leads upwards. All return a descriptor or 0, or -1 with errno set; ELOOP: a component
 * is a link, or "..".
 */
#ifndef OS_BENEATH_H
#define OS_BENEATH_H

#include <stdbool.h>

/* True when no component of the path is "." or "..". */
bool beneath_is_plain(const char *path);
/* Opens the path relative to the folder top; an empty path is top itself. */
int beneath_open(int top, const char *path, int flags);
/* Opens a folder (O_PATH). Makes it, and its parents below top, when they are missing. */
int beneath_make_dir(int top, const char *path);
/* Removes an entry of the folder parent: a file, a link, or a folder with its contents on this file
 * system. */
int beneath_remove_tree(int parent, const char *name);
/* Removes the folder, then its parents below top, as long as they are empty. */
void beneath_remove_empty(int top, const char *path);

#endif
