/* SPDX-License-Identifier: MIT */
/* Files and folders, made and removed. All return 0, or -1 with errno set. */
#ifndef OS_FILES_H
#define OS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The folder and those above it. */
int files_make_dir(const char *path);
/* Never writes through a link that is already there; EEXIST: the name is taken. */
int files_copy(const char *from, const char *to);
/* The same with bytes for a file. */
int files_write(const void *p, size_t n, const char *to);
/* Both in an open folder (O_PATH will do). */
int files_copy_at(const char *from, int dir, const char *to);
int files_write_at(const void *p, size_t n, int dir, const char *to);
/* The descriptor that path is a name of ("/dev/stdout", "/dev/fd/3"), or -1. */
int files_descriptor(const char *path);
/* Gives a file a name that is free; EEXIST: it is not. */
int files_rename_new(const char *from, const char *to);
/* A folder with all that is in it. Links are removed, never followed. */
int files_remove_tree(const char *path);

/* Which file a path leads to now, and since when its bytes are what they are. */
struct file_identity {
	uint32_t maj, min; /* of the device */
	uint64_t ino;
	uint64_t generation; /* of the inode, whose number may be used again; 0: not known */
	int64_t mtime_ns;    /* since the epoch */
};
bool file_identify(const char *path, struct file_identity *out);

#endif
