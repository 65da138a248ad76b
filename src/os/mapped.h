/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a file, to read from: mapped where that works, else read (files of /proc and /sys,
 * which say they are empty). All zero is valid and released.
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
};

/* Only regular files, nothing else is ever opened (no device, no fifo). 0, or -1 with *err. */
int mapped_open(struct mapped *m, const char *path, struct err *err);
/* The same, but always read into memory, and not more than max bytes: more is an error. */
int mapped_read(struct mapped *m, const char *path, size_t max, struct err *err);
/* The same file, to read parts of, for what others may cut short meanwhile: a descriptor, or -1
 * with *err. */
int file_open(const char *path, uint32_t *owner, struct err *err);
/* How many of n bytes there were at that offset. */
size_t file_read_at(int fd, uint64_t offset, void *p, size_t n);
void mapped_release(struct mapped *m);
bool file_is_regular(const char *path);

#endif
