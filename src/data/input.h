/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a recording: a mapped file, memory of the caller's, or a descriptor that is read.
 *
 * input_at is the only access. With a map it is pointer arithmetic and every pointer lives as long
 * as the input; otherwise a window is kept, a pipe can only go forward, and a pointer is valid
 * until the next call.
 */
#ifndef DATA_INPUT_H
#define DATA_INPUT_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct input {
	const uint8_t *map; /* NULL: fd is read */
	uint64_t size;	    /* of a file; UINT64_MAX: not known (pipe) */
	int fd;
	bool mapped;   /* .map is to be unmapped */
	bool of_file;  /* .map is a file's: its pages come back when they are touched again */
	bool seekable; /* fd is read with pread */
	bool owns_fd;
	bool eof;
	int error; /* errno of the read that failed, and ended the bytes; or 0 */
	struct buf window;
	uint64_t window_at; /* offset of the window's first byte */
	int64_t mtime;	    /* seconds since the epoch */
	int64_t mtime_ns;   /* the same in ns; 0: no file */
};

struct input_options {
	bool no_mmap;	/* read, never mapped */
	bool any_owner; /* else only files of this user and of root; the opened descriptor is
			 * checked, not the path */
};
/* path "-" is standard input. Waits until a fifo has a writer. opts may be NULL. */
int input_open(struct input *in, const char *path, const struct input_options *opts,
	       struct err *err);
void input_over(struct input *in, const void *p, size_t n);
/* A second reader of the same file, with a window of its own; shares the map or the descriptor,
 * which must outlive it. Not for pipes. */
void input_share(struct input *in, const struct input *of);
void input_release(struct input *in);
/* The caller is past the bytes in [from, to): the pages of a mapped file are dropped from this
 * process's memory. Pointers into them stay valid. */
void input_passed(const struct input *in, uint64_t from, uint64_t to);

/* The bytes at offset: as many as there are, at most want; *got says how many. NULL only when there
 * are none (or when a pipe is past that offset). */
const uint8_t *input_at(struct input *in, uint64_t offset, size_t want, size_t *got);

/* Copies up to n bytes from offset on into to and returns their number. A pipe gives the bytes that
 * it has by now, but waits until they are at least least. Fewer than least: the end. */
size_t input_read(struct input *in, uint64_t offset, void *to, size_t least, size_t n);

#endif
