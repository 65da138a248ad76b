/* SPDX-License-Identifier: MIT */
/* The system call that a thread waits in when tracing begins, from /proc/TID/syscall. */
#ifndef CAPTURE_CALLS_EARLY_CALL_H
#define CAPTURE_CALLS_EARLY_CALL_H

#include "os/bpf/state/trace_record.h"

struct early_call {
	struct trace_record record; /* TRACE_EARLY_ENTER */
	uint8_t bytes[TRACE_ROOM];  /* its pieces */
};

/* Fills the record, without pieces. .enter_ns is now. -1: the thread has gone, is in no call,
 * runs, or may not be looked at. root: "/proc", or a folder that stands for it. */
int early_call_find(struct early_call *c, const char *root, int tid);
/* Adds the memory that the plan copies when a call begins: strings, bytes, and structures of a
 * fixed size; not what vectors and messages point to. */
void early_call_copy(struct early_call *c, const char *root, const struct trace_plan *plan,
		     uint32_t string_size);

#endif
