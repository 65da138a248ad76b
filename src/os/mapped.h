/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a file, to read from: mapped where that works, else read (files of /proc and /sys,
 * which say they are empty). All zero is valid and released.
 *
 * The owner of a mapped file may write to it or cut it short at any moment: its bytes can change
 * between two looks. What was cut off reads as zeros (mapped_survive_cuts), and so does a page
 * behind the end: a string without an end, where one was seen before, ends there.
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
	/* What the file takes on the disk: sparse ones take less than n. 0: unknown */
	size_t held;
	uint64_t dev, ino, mtime_ns;
};

/* Only regular files, nothing else is ever opened (no device, no fifo). 0, or -1 with *err. */
int mapped_open(struct mapped *m, const char *path, struct err *err);
/* n bytes (not 0) of an open file, with more MAP_* flags, for a struct mapped; NULL: errno says
 * why. */
void *mapped_map(int fd, size_t n, int flags);
/* The same as mapped_open, but always read into memory, and not more than max bytes: more is an
 * error. */
int mapped_read(struct mapped *m, const char *path, size_t max, struct err *err);
/* The same of a file that anybody could have put there: nothing is read of another user's, root
 * apart (ERR_RIGHTS), unless any_owner. */
int mapped_read_own(struct mapped *m, const char *path, size_t max, bool any_owner,
		    struct err *err);
/* The same file, to read parts of, for what others may cut short meanwhile: a descriptor, or -1
 * with *err. */
int file_open(const char *path, uint32_t *owner, struct err *err);
/* How many of n bytes there were at that offset. */
size_t file_read_at(int fd, uint64_t offset, void *p, size_t n);
void mapped_release(struct mapped *m);
/* Gives the pages that were read so far back to the system. They are mapped again, one by one, when
 * they are read again. */
void mapped_give_back(const struct mapped *m);
/* For the whole process, once: reading a mapped file behind its new end finds zeros instead of
 * ending the process by SIGBUS. */
void mapped_survive_cuts(void);
/* Was the file, if it still has that name, written to since it was mapped? */
bool mapped_changed(const struct mapped *m, const char *path);
bool file_is_regular(const char *path);

#endif
