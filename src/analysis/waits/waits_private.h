/* SPDX-License-Identifier: MIT */
/* What the files of waits/ share. Not for others. */
#ifndef ANALYSIS_WAITS_PRIVATE_H
#define ANALYSIS_WAITS_PRIVATE_H

#include "analysis/waits/waits.h"

struct waits_interval {
	uint64_t from, to;
	uint32_t comm, stack, waker_stack;
	uint32_t waker; /* as in struct wall_interval */
	enum wall_state state;
	bool delayed; /* the critical path goes through its end */
};

enum waits_kind waits_kind_of(enum wall_state state);
/* The thread of a value of COL_WAKER; NULL: it is none, or took no part. */
struct waits_thread *waits_thread_of(struct waits *w, uint32_t waker);
const char *waits_reason(const struct waits *w, const struct waits_interval *i);
/* waits_parallel.c: fills .running. */
void waits_count_running(struct waits *w);
/* waits_path.c: marks what delayed the program, and fills .steps. */
void waits_find_path(struct waits *w);

#endif
