/* SPDX-License-Identifier: MIT */
/* The perf-CMD programs that can be run as "perf CMD". */
#ifndef CMD_PROGRAMS_H
#define CMD_PROGRAMS_H

#include "base/buf.h"
#include "os/files/text.h"

/* Names without "perf-". All zero is valid and empty. */
struct programs {
	struct arena arena;
	struct names inside, elsewhere; /* in the exec path; only in PATH; by byte order */
};

void programs_find(struct programs *p, const char *exec_path, const char *path);
void programs_release(struct programs *p);
/* Prints both lists in columns, each after an empty line and a heading. */
void programs_show(const struct programs *p, const char *exec_path, int width, struct buf *out);

#endif
