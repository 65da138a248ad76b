/* SPDX-License-Identifier: MIT */
/* Files and folders, made and removed. All return 0, or -1 with errno set. */
#ifndef OS_FILES_H
#define OS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the folder and its missing parents. */
int files_make_dir(const char *path);
/* Copies a file. Never writes through an existing link; EEXIST: the name is taken. */
int files_copy(const char *from, const char *to);
/* As files_copy(), but the contents are n bytes of memory. */
int files_write(const void *p, size_t n, const char *to);
/* As the two above, with the new file in an open folder (O_PATH will do). */
int files_copy_at(const char *from, int dir, const char *to);
int files_write_at(const void *p, size_t n, int dir, const char *to);
/* Makes a file of n bytes that lies in memory, for programs that want a path. It is gone when the
 * descriptor, which is returned, is closed. */
#define FILES_MEMORY_PATH 48
int files_in_memory(const void *p, size_t n, char path[FILES_MEMORY_PATH]);
/* The descriptor that the path names ("/dev/stdout", "/dev/fd/3"), or -1. */
int files_descriptor(const char *path);
/* Renames a file, but never replaces another one; EEXIST: the new name is taken. */
int files_rename_new(const char *from, const char *to);
/* Removes a folder with its contents. Links are removed, never followed. */
int files_remove_tree(const char *path);

/* The file that a path names now, and the time of its last change. */
struct file_identity {
	uint32_t maj, min; /* of the device */
	uint64_t ino;
	uint64_t generation; /* of the inode, whose number may be used again; 0: not known */
	int64_t mtime_ns;    /* since the epoch */
};
bool file_identify(const char *path, struct file_identity *out);

#endif
