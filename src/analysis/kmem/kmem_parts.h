/* SPDX-License-Identifier: MIT */
/* Private to this folder. */
#ifndef ANALYSIS_KMEM_KMEM_PARTS_H
#define ANALYSIS_KMEM_KMEM_PARTS_H

#include "analysis/kmem/kmem.h"
#include "world/replay/replay.h"

/* kmem.c */
void kmem_leak_add(struct kmem *k, const struct record *r, uint64_t key, uint64_t caller,
		   uint64_t bytes, bool pages);

/* kmem_pages.c */
extern const struct replay_field kmem_page_alloc_fields[], kmem_page_free_fields[];
struct kmem_page_args {
	uint64_t page, frame, order, gfp;
	int64_t migtype;
};
int kmem_take_page_alloc(struct replay *rp, const struct record *r, const void *args);
int kmem_take_page_free(struct replay *rp, const struct record *r, const void *args);
/* False: the sample is outside of --time. */
bool kmem_wants(struct kmem *k, uint64_t time);

#endif
