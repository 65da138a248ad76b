/* SPDX-License-Identifier: MIT */
/*
 * A thread that writes for a sink: handing bytes over never waits for the disk or for the reader of
 * a pipe, as long as no more than a bounded number of bytes wait. It may serve one sink after
 * another, and outlives them.
 *
 * Writes happen in the order in which they were handed over. After one that failed no more is
 * written.
 */
#ifndef DATA_SINK_QUEUE_H
#define DATA_SINK_QUEUE_H

#include "base/buf.h"
#include "base/err.h"

struct sink_queue;

/* Starts the thread. most: bytes that may wait. NULL with *err. */
struct sink_queue *sink_queue_new(size_t most, struct err *err);
/* Writes what still waits, then ends the thread. */
void sink_queue_free(struct sink_queue *q);
int sink_queue_tid(const struct sink_queue *q);

/* Sets the output, after sink_queue_wait(): a file that has its first pos bytes, or a pipe, where
 * positions only count bytes. */
void sink_queue_begin(struct sink_queue *q, int fd, bool is_pipe, uint64_t pos);
/* Takes the bytes of *b, to be written at pos, and leaves *b empty. Waits only while more than the
 * limit of bytes wait. 0, or the errno of a write that failed. */
int sink_queue_put(struct sink_queue *q, uint64_t pos, struct buf *b);
/* Waits until everything is written. 0, or the errno of a write that failed. */
int sink_queue_wait(struct sink_queue *q);
/* The first byte of the output that is not written. */
uint64_t sink_queue_written(struct sink_queue *q);

#endif
