/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a file, to read from: mapped where that works, else read (files of /proc and /sys,
 * whose stated size is 0). All zero is valid and released.
 *
 * The owner of a mapped file may write to it or cut it short at any moment: its bytes can change
 * between two reads. The part that was cut off reads as zeros (mapped_survive_cuts), and so does a
 * page behind the end: a string that loses its terminator after a check ends there.
 */
#ifndef OS_MAPPED_H
#define OS_MAPPED_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapped {
	const uint8_t *p;
	size_t n;
	bool heap;	/* p was read into memory: it may be written to, and p[n] is 0 */
	uint32_t owner; /* uid */
	/* Bytes allocated on the disk: less than n for a sparse file. 0: unknown */
	size_t held;
	uint64_t dev, ino, mtime_ns;
};

/* Maps a regular file; refuses anything else (a device, a fifo). 0, or -1 with *err. */
int mapped_open(struct mapped *m, const char *path, struct err *err);
/* Maps n bytes (not 0) of an open file for a struct mapped; flags: further MAP_* flags. NULL with
 * errno. */
void *mapped_map(int fd, size_t n, int flags);
/* As mapped_open(), but always reads into memory. A file of more than max bytes is an error. */
int mapped_read(struct mapped *m, const char *path, size_t max, struct err *err);
/* As mapped_read(), for a file that any user could have put there: refuses a file of a user other
 * than this one and root (ERR_RIGHTS), unless any_owner. */
int mapped_read_own(struct mapped *m, const char *path, size_t max, bool any_owner,
		    struct err *err);
/* Opens a regular file, to read parts of it with file_read_at() while others may cut it short. A
 * descriptor, or -1 with *err. */
int file_open(const char *path, uint32_t *owner, struct err *err);
/* Reads up to n bytes at that offset; returns the number of bytes read. */
size_t file_read_at(int fd, uint64_t offset, void *p, size_t n);
void mapped_release(struct mapped *m);
/* Drops the pages that were read so far (MADV_DONTNEED). A page is faulted in again when it is read
 * again. */
void mapped_give_back(const struct mapped *m);
/* Installs a SIGBUS handler, once for the whole process: reading a mapped file behind its new end
 * then finds zeros instead of ending the process. */
void mapped_survive_cuts(void);
/* Was the file, if it still has that name, written to since it was mapped? */
bool mapped_changed(const struct mapped *m, const char *path);
bool file_is_regular(const char *path);

#endif
