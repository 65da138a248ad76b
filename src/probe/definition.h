/* SPDX-License-Identifier: MIT */
/*
 * A probe as the kernel takes it: a line of kprobe_events or uprobe_events.
 *
 *   p:GROUP/EVENT PATH:0xOFFSET[(0xCOUNTER)] {arg}      in a program or library
 *   r:GROUP/EVENT [MODULE:]SYMBOL+OFFSET {arg}          in the kernel, at a function's return
 *   arg := [NAME=]FETCH[:TYPE]
 *
 * Source: the kernel's Documentation/trace/kprobetrace.rst and uprobetracer.rst.
 */
#ifndef PROBE_DEFINITION_H
#define PROBE_DEFINITION_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

/* Memory that is read: at that offset from what was found before. */
struct probe_deref {
	int64_t offset;
	bool user; /* it is certainly the user's */
};

/* Where the kernel finds a value: a base, and memory that leads on from it. */
struct probe_fetch {
	const char *name; /* NULL: the kernel chooses one */
	const char
		*base; /* "%di", "@symbol", "\\5", "$retval"; NULL: the value cannot be had here */
	VEC(struct probe_deref) derefs; /* in the order in which they are followed */
	const char *type;		/* NULL: as the kernel takes it */
};

struct probe_def {
	const char *group, *event;
	bool retprobe;
	const char *file;   /* of a program's probe: its path; NULL: a probe of the kernel */
	uint64_t address;   /* in the file: offset in bytes; in the kernel, without a symbol: the
			       address */
	uint64_t counter;   /* offset of a marker's semaphore; 0: none */
	const char *module; /* NULL: none, or the kernel itself */
	const char *symbol; /* NULL: only the address is known */
	uint64_t offset;    /* from the symbol on */
	VEC(struct probe_fetch) args;
	const char *function; /* that the probe lies in, for its name and messages; or NULL */
};

struct probe_defs {
	struct arena arena; /* of all strings */
	VEC(struct probe_def);
};
void probe_def_release(struct probe_def *d);
void probe_defs_release(struct probe_defs *d);

/* The line, without an end of line. */
void probe_def_text(const struct probe_def *d, struct buf *out);
/* The line as a boot loader passes it on (kernel.kprobes of bootconfig). */
void probe_def_bootconfig(const struct probe_def *d, struct buf *out);
/* Appends " NAME=FETCH:TYPE". */
void probe_fetch_text(const struct probe_fetch *f, struct buf *out);
/* Reads a line of kprobe_events or uprobe_events; arguments keep their names only. False: it is
 * none of these. */
bool probe_def_parse(const char *line, size_t n, bool user, struct arena *arena,
		     struct probe_def *out);

#endif
