/* SPDX-License-Identifier: MIT */
/* Memory that was not freed: of the kernel (kmem stat --leaks), of processes (mem leaks). */
#ifndef VIEW_LEAKS_LEAKS_H
#define VIEW_LEAKS_LEAKS_H

#include "analysis/leaks/heap.h"
#include "view/out/rows.h"

#define LEAK_FRAMES 32 /* frames of a stack shown at most */

struct leaks_table {
	struct out *out;
	uint64_t first, last; /* ns: the recorded time */
	int64_t lines;	      /* rows at most; -1: all */
	/* Appends the frame at that position of a stack; false: there is none. */
	bool (*frame)(void *ctx, uint32_t by, size_t i, struct buf *out);
	void *ctx;
};

/* Shows a row for each caller, with its stack in the last column. */
void leaks_show(const struct leaks_table *t, const struct leaks *l);

struct heap_view {
	struct out *out;
	uint32_t rows; /* at most */
};

/* Shows the memory not freed, the sums of all allocations, and the cost of the probes. */
void heap_show(const struct heap_view *v, const struct heap *h);
/* The memory not freed, for programs and web browsers; times in ns. */
void heap_show_rows(const struct heap_view *v, const struct heap *h, const struct rows_form *form);
void heap_show_json(const struct heap_view *v, const struct heap *h);

#endif
