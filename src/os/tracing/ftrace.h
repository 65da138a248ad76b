/* SPDX-License-Identifier: MIT */
/*
 * Settings of the kernel's function tracer: files below tracefs that are changed for a while. The
 * old contents of each are saved, and restored in the opposite order.
 *
 * Source: the kernel's Documentation/trace/ftrace.rst.
 */
#ifndef OS_FTRACE_H
#define OS_FTRACE_H

#include "base/err.h"
#include "base/mem.h"
#include "os/process/guard.h"

#include <stdint.h>

struct ftrace_saved {
	char *file, *text; /* path from the root; contents to write back */
};
struct ftrace_settings {
	const char *root; /* of tracefs; borrowed */
	VEC(struct ftrace_saved) saved;
};

/* Replaces the file's contents with n words, each in a write of its own; n 0 empties the file. 0,
 * or -1 with *err. */
int ftrace_write_all(struct ftrace_settings *s, const char *file, const char *const *words,
		     size_t n, struct err *err);
int ftrace_write(struct ftrace_settings *s, const char *file, const char *word, struct err *err);
/* Restores all files, also after one failed, and forgets the saved contents. 0, or -1 with *err
 * about the first file that failed. err may be NULL. */
int ftrace_put_back(struct ftrace_settings *s, struct err *err);
/* Begins a guard that restores all files changed so far when this process ends without having done
 * so. */
void ftrace_guard_begin(struct guard *g, struct ftrace_settings *s);
bool ftrace_has_file(const char *root, const char *file);
/* How many events all CPUs' buffers have lost since they were last emptied: overwritten before they
 * were read, or dropped. 0 where the kernel does not say. */
uint64_t ftrace_lost(const char *root);
/* True when available_tracers lists the tracer. */
bool ftrace_has_tracer(const char *root, const char *tracer);
/* The tracer in use, "nop" when none is; in the arena, NULL when it cannot be read. */
const char *ftrace_current_tracer(const char *root, struct arena *arena);
/* Opens per_cpu/NAME/trace_pipe of all CPUs without blocking; the caller closes what is in fds,
 * also after an error. 0, or -1 with *err. */
struct ftrace_pipes {
	VEC(int);
};
int ftrace_open_pipes(const char *root, struct ftrace_pipes *fds, struct err *err);

#endif
