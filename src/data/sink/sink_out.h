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
	bool named;	 /* in some directory, when it was opened */
	bool owned;	 /* close fd at the end */
	uint64_t pos;	 /* where the next byte goes */
	struct buf late; /* of a file: what ends at pos and is not written yet, or handed to the
			    queue */
	struct sink_queue *queue; /* NULL: writes are waited for */
	const char *path; /* for messages; owned */
};

int sink_out_open(struct sink_out *o, const struct sink_options *opts, struct err *err);
/* Appends both pieces. Little ones of a file wait until there is a block of them, or until anything
 * else is done with it. On failure pos tells how much went through. */
int sink_out_add(struct sink_out *o, const void *a, size_t a_len, const void *b, size_t b_len,
		 struct err *err);
/* Writes what waits, or hands it to the queue. */
int sink_out_flush(struct sink_out *o, struct err *err);
/* The same, and waits until the queue has written all. */
int sink_out_wait(struct sink_out *o, struct err *err);
/* The same, and from now on there is no queue. */
int sink_out_settle(struct sink_out *o, struct err *err);
/* Up to here all is written. */
uint64_t sink_out_written(const struct sink_out *o);
/* Writes over what is there; pos stays. */
int sink_out_at(struct sink_out *o, uint64_t pos, const void *p, size_t n, struct err *err);
/* Reads back; the bytes got. */
size_t sink_out_read(struct sink_out *o, uint64_t pos, void *p, size_t n);
/* Cuts the end off. */
void sink_out_cut(struct sink_out *o, uint64_t pos);
/* Is there no name left for what was opened by one? */
bool sink_out_gone(const struct sink_out *o);
void sink_out_close(struct sink_out *o);

#endif
