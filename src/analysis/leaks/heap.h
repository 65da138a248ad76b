/* SPDX-License-Identifier: MIT */
/*
 * Memory that processes got from malloc() and its family and did not free, from probes of these
 * functions: one at each call ("uprobe:FILE:malloc"), with the argument `size`, and where they
 * apply `n` (calloc) and `old` (realloc, free), and one at each return ("uretprobe:FILE:malloc"),
 * with the result `ret` and the caller's stack.
 *
 * A call that makes others (realloc() of NULL is malloc() in glibc) counts once, by the outermost.
 */
#ifndef ANALYSIS_LEAKS_HEAP_H
#define ANALYSIS_LEAKS_HEAP_H

#include "analysis/leaks/leaks.h"
#include "world/replay/replay.h"
#include "world/unwound.h"

/* The functions, in the order of enum heap_function. */
enum heap_function {
	HEAP_MALLOC,
	HEAP_CALLOC,
	HEAP_REALLOC,
	HEAP_ALIGNED,
	HEAP_MEMALIGN,
	HEAP_FREE,
	HEAP_FUNCTIONS
};
extern const char *const heap_function_names[HEAP_FUNCTIONS];

/* A stack, its frames as text ("function+0x12 (file)"), each with a zero byte, innermost first. */
struct heap {
	/* after heap_read() */
	struct leaks leaks; /* .by: in .stacks */
	struct intern stacks;
	uint64_t allocated, allocations, failed; /* allocated: bytes; failed: returned NULL */
	uint64_t freed, frees;	    /* of what was allocated in the recording; freed: bytes */
	uint64_t frees_before;	    /* of memory allocated before the recording, or by other
				     * functions */
	uint64_t hits;		    /* of probes */
	uint64_t first, last;	    /* ns: of the probes */
	uint64_t losses, uncertain; /* moments at which records were lost; calls that span these */
	/* private */
	struct world *world;
	const struct measurement *m;
	struct unwound unwound;
	struct intern words;		 /* an epoch and a chain's words */
	VEC(uint32_t) stack_of;		 /* by id in .words: id in .stacks */
	VEC(struct heap_event *) events; /* by index of the event */
	uint32_t formats;
};

/* 0, or -1 with *err. The world must outlive it; release it in both cases. */
int heap_read(struct heap *h, struct recording *rec, struct world *world, struct err *err);
void heap_release(struct heap *h);
/* The frame at that position of a stack, or NULL. */
const char *heap_frame(const struct heap *h, uint32_t stack, size_t i);

#endif
