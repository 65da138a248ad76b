/* SPDX-License-Identifier: MIT */
/*
 * The values of record's and top's options, as typed. All return 0, or -1 with *err (ERR_USAGE) and
 * their target unchanged.
 */
#ifndef CAPTURE_OPTION_VALUES_H
#define CAPTURE_OPTION_VALUES_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "capture/open/sampling.h"

#include <stddef.h>
#include <stdint.h>

/* "fp", "fp,64", "fp,defer", "dwarf", "dwarf,4096", "dwarf,auto", "lbr", "no" */
int value_callgraph(const char *text, struct sampling *s, struct err *err);
/* "mono", "CLOCK_REALTIME", "7" */
int value_clock(const char *text, int *clock, struct err *err);
/* Appends the names of clocks, separated by blanks. */
void clock_names(struct buf *out);
/* "ax,bx"; NULL: all registers of user space */
int value_registers(const char *text, uint64_t *mask, struct err *err);
uint64_t all_user_registers(void);
/* The register with the return address of a leaf function, which has no frame: sampled beside frame
 * pointers. */
uint64_t leaf_registers(void);
/* "128" pages or "1M"; what comes after a comma (for AUX) goes to *aux. Rounded up to a power of
 * two pages. */
int value_ring(const char *text, size_t *size, size_t *aux, struct err *err);
/* "4000" or "max" */
int value_frequency(const char *text, uint64_t max, uint64_t *hz, struct err *err);

/* "500", "-1", "10-20,30-40": milliseconds after the start at which events are on. */
struct on_span {
	uint64_t from, to; /* to 0: no end */
};
struct delay {
	bool given;
	bool never; /* -1: until --control enables them */
	VEC(struct on_span) spans;
};
int value_delay(const char *text, struct delay *d, struct err *err);

/* "signal", "30M", "10s" */
struct rotation {
	bool on, on_signal;
	uint64_t bytes, seconds;
};
int value_rotation(const char *text, struct rotation *r, struct err *err);

/* "no", "all", or a list of "task", "mmap", "cgroup" */
enum { SYNTH_TASK = 1, SYNTH_MMAP = 2, SYNTH_CGROUP = 4 };
int value_synth(const char *text, unsigned int *bits, struct err *err);

/* "5%" or "5": a share, above 0 and below 1 */
int value_share(const char *text, double *share, struct err *err);

/* "fd:3,4", "fifo:/path,/path" */
struct control_path {
	bool is_fifo;
	const char *text; /* after the colon; NULL: none */
};
int value_control(const char *text, struct control_path *c, struct err *err);

#endif
