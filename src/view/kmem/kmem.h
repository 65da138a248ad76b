/* SPDX-License-Identifier: MIT */
/* The output of `perf kmem stat`. */
#ifndef VIEW_KMEM_KMEM_H
#define VIEW_KMEM_KMEM_H

#include "analysis/kmem/kmem.h"
#include "view/out/rows.h"

struct kmem_view {
	struct out *out;
	struct world *world;
	bool callers, objects; /* --caller, --alloc */
	int64_t caller_lines, object_lines; /* -1: all */
	bool raw_ip, live;
	struct kmem_sort slab_callers, slab_objects, page_callers, pages;
	/* private: kmem_pages.c */
	size_t gfp_width;
};

void kmem_show_slab(struct kmem_view *v, struct kmem *k);
void kmem_show_pages(struct kmem_view *v, struct kmem *k);
/* The tables for programs and web browsers; by caller unless only objects are wanted. */
void kmem_show_tables(struct kmem_view *v, struct kmem *k, struct out *out,
		      const struct rows_form *form);
void kmem_show_leaks(struct kmem_view *v, const struct kmem *k);
/* Appends the kernel function at an address; offset: with "+12". Without a symbol, the address. */
void kmem_show_function(struct kmem_view *v, uint64_t address, bool offset, struct buf *out);

#endif
