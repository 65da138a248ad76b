/* SPDX-License-Identifier: MIT */
/*
 * Text output: a large buffer in front of a file descriptor, with the properties of the reader
 * (terminal, colour, width). Failures are sticky: the caller checks once, at the end.
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
	bool away; /* output goes to a regular file or to /dev/null */
	bool sent; /* bytes were sent */
	bool errors_apart; /* standard error is not redirected while the pager runs */
	/* Transforms all output (compression): appends the bytes to send to packed. NULL: output is
	 * sent as it is. */
	void (*pack)(void *ctx, const struct buf *plain, struct buf *packed);
	void *pack_ctx;
	int width; /* columns of the terminal, 0 when it isn't one */

	struct progress progress;
	const char *pager; /* a shell command that shows the output, or NULL; borrowed */
	pid_t pager_pid;   /* once it runs */
	int error_fd;	   /* standard error while the pager has it, or -1 */
};

void out_init(struct out *o, int fd);
/* Sends the output through a pager (a shell command). The pager starts with the first bytes sent,
 * so errors before any output are printed without it. Does nothing unless the output is a terminal.
 * When the pager cannot be started, says so and writes to the terminal. */
void out_page(struct out *o, const char *pager);
/* Sends the buffer when it holds 64 KiB or more: call it after each line or record. On a terminal
 * (and in its pager) control characters are sent as \xNN, except our own colours: untrusted names
 * must not control the terminal. Other outputs get the bytes unchanged. False when the reader has
 * gone: stop then. */
static inline bool out_ready(struct out *o);
bool out_flush(struct out *o);
/* Appends text, empties it, and then does what out_ready() does. */
bool out_take(struct out *o, struct buf *text);
/* Flushes, and waits for the pager. 0, or -1 with *err when a write failed (disk full); only the
 * first call reports that. */
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
 * is sent that could mix with it. Any thread may update it, not only the one that sends output. */
void out_progress_start(struct out *o, const char *what);
/* share: 0 to 1; negative when only the bytes are known; 1 removes the line. */
void out_progress(struct out *o, double share, uint64_t bytes);
void out_progress_end(struct out *o);

#endif
