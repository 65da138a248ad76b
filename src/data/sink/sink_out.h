/* SPDX-License-Identifier: MIT */
/* Bytes to a file, a pipe or memory: what a sink writes through. Private to sink*.c. */
#ifndef DATA_SINK_OUT_H
#define DATA_SINK_OUT_H

#include "base/buf.h"
#include "base/err.h"
#include "data/sink.h"
#include "data/sink/sink_queue.h"

#include <stdbool.h>
#include <stdint.h>

struct sink_out {
	int fd;		 /* -1: memory */
	struct buf *mem;
	bool is_pipe;	 /* no positions: pos only counts */
	bool named;	 /* it was opened by a name in a directory */
	bool owned;	 /* close fd at the end */
	uint64_t pos;	 /* where the next byte goes */
	struct buf late; /* of a file: bytes up to pos that are neither written yet nor handed to
			  * the queue */
	struct sink_queue *queue; /* NULL: the caller waits for writes */
	const char *path; /* for messages; owned */
};

int sink_out_open(struct sink_out *o, const struct sink_options *opts, struct err *err);
/* Appends both pieces. Small pieces of a file are gathered until there is a block, or until another
 * function is called. On failure pos is behind the last byte written. */
int sink_out_add(struct sink_out *o, const void *a, size_t a_len, const void *b, size_t b_len,
		 struct err *err);
/* Writes the gathered bytes, or hands them to the queue. */
int sink_out_flush(struct sink_out *o, struct err *err);
/* As sink_out_flush(), and waits until the queue has written everything. */
int sink_out_wait(struct sink_out *o, struct err *err);
/* As sink_out_wait(), and stops using the queue. */
int sink_out_settle(struct sink_out *o, struct err *err);
/* The offset up to which everything is written. */
uint64_t sink_out_written(const struct sink_out *o);
/* Overwrites n bytes at pos; o->pos stays. */
int sink_out_at(struct sink_out *o, uint64_t pos, const void *p, size_t n, struct err *err);
/* Reads up to n bytes back; returns their number. */
size_t sink_out_read(struct sink_out *o, uint64_t pos, void *p, size_t n);
/* Cuts the output to pos bytes. */
void sink_out_cut(struct sink_out *o, uint64_t pos);
/* True when the file was opened by a name and has none any more. */
bool sink_out_gone(const struct sink_out *o);
void sink_out_close(struct sink_out *o);

#endif
