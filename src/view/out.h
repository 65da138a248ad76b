/* SPDX-License-Identifier: MIT */
/*
 * Where text goes: a large buffer in front of a file descriptor, with what is known of the reader
 * (terminal, colour, width). Failures stick: they are asked for once, at the end.
 */
#ifndef VIEW_OUT_H
#define VIEW_OUT_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

struct progress {
	const char *what;
	uint64_t start_ns, last_ns; /* start_ns 0: nothing is shown */
	bool shown;
};

struct out {
	struct buf buf; /* append here with buf_*; then out_ready() */
	int fd;
	int failed; /* errno of the first failed write; EPIPE is no error, just the end */
	bool terminal, colour;
	bool coloured; /* a colour is on now */
	bool away; /* what is sent goes to a regular file, or nowhere */
	bool sent; /* something was */
	bool errors_apart; /* standard error stays itself while the pager runs */
	/* What is sent goes through it first: it appends the bytes to be sent to packed. NULL:
	 * nothing is changed. */
	void (*pack)(void *ctx, const struct buf *plain, struct buf *packed);
	void *pack_ctx;
	int width; /* columns of the terminal, 0 when it isn't one */

	struct progress progress;
	const char *pager; /* a shell command that is to show what is written, or NULL; borrowed */
	pid_t pager_pid;   /* once it runs */
	int error_fd;	   /* standard error while the pager has it, or -1 */
};

void out_init(struct out *o, int fd);
/* Puts the pager (a shell command) between us and the terminal, from the first bytes sent on: what
 * fails before there is output is said without it. Does nothing unless the output is a terminal; a
 * pager that cannot be started is said, and done without. */
void out_page(struct out *o, const char *pager);
/* On a terminal (and in its pager) control characters in what was gathered become \xNN, but for our
 * own colours: names that others chose must not steer it. Elsewhere bytes stay as they are. Sends
 * what has gathered when that is more than 64 KiB: call it after each line or record. False when
 * the reader has gone: stop then. */
static inline bool out_ready(struct out *o);
bool out_flush(struct out *o);
/* The same with a text that was gathered elsewhere, which is empty then. */
bool out_take(struct out *o, struct buf *text);
/* Flushes, lets the pager end; 0, or -1 with *err when something could not be written (disk
 * full); that is said once. */
int out_end(struct out *o, struct err *err);
void out_release(struct out *o); /* ends the pager too */

static inline bool out_ready(struct out *o)
{
	return o->buf.n < 65536 ? !o->failed : out_flush(o);
}

/* Colours, only when o->colour: percentages as perf does (red from 5 %, green over 0.5 %). */
void out_percent_colour(struct out *o, double percent);
void out_normal(struct out *o);

/* A progress line on standard error: only on a terminal, only after a second, and only until output
 * is sent that could mix with it. Another thread than the one that sends may update it. */
void out_progress_start(struct out *o, const char *what);
/* share: 0 to 1, and negative when only the bytes are known; 1 takes the line away. */
void out_progress(struct out *o, double share, uint64_t bytes);
void out_progress_end(struct out *o);

#endif
