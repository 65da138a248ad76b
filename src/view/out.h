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

struct out {
	struct buf buf; /* append here with buf_*; then out_ready() */
	int fd;
	int failed; /* errno of the first failed write; EPIPE is no error, just the end */
	bool terminal, colour;
	int width; /* columns of the terminal, 0 when it isn't one */
};

void out_init(struct out *o, int fd);
/* Sends what has gathered when that is more than 64 KiB: call it after each line or record. False
 * when the reader has gone: stop then. */
static inline bool out_ready(struct out *o);
bool out_flush(struct out *o);
/* Flushes; 0, or -1 with *err when something could not be written (disk full). */
int out_end(struct out *o, struct err *err);
void out_release(struct out *o);

static inline bool out_ready(struct out *o)
{
	return o->buf.n < 65536 ? !o->failed : out_flush(o);
}

/* Colours, only when o->colour: percentages as perf does (red from 5 %, green from 0.5 %). */
void out_percent_colour(struct out *o, double percent);
void out_normal(struct out *o);

/* Starts the pager in front of standard output when that is a terminal and pager isn't NULL.
 * pager_end waits for it. */
struct pager *pager_start(const char *pager, struct out *o);
void pager_end(struct pager *p);

/* A progress line on stderr: only on a terminal, only after a second. */
struct progress {
	const char *what;
	uint64_t start_ns, last_ns;
	bool shown;
};
void progress_start(struct progress *p, const char *what);
void progress_update(struct progress *p, double done);
void progress_end(struct progress *p);

#endif
