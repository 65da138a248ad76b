/* SPDX-License-Identifier: MIT */
/* Private to this folder. */
#ifndef ANALYSIS_KMEM_KMEM_PARTS_H
#define ANALYSIS_KMEM_KMEM_PARTS_H

#include "analysis/kmem/kmem.h"
#include "world/replay/replay.h"

/* kmem.c */
void kmem_leak_add(struct kmem *k, const struct record *r, uint64_t key, uint64_t caller,
		   uint64_t bytes, bool pages);

/* kmem_objects.c: the slab allocators' objects, by address. */
/* The allocation site, counted from 1; made when it is new. Ids stay, pointers do not. */
uint32_t kmem_site_put(struct kmem *k, uint64_t caller, uint64_t allocated);
static inline struct kmem_site *kmem_site(const struct kmem *k, uint32_t site)
{
	return &k->sites.at[site - 1];
}
/* Allocations and frees of objects, in the order of time. cpu: -1 when it is not known. */
void kmem_object_alloc(struct kmem *k, uint64_t address, uint32_t site, uint64_t requested,
		       uint32_t cpu);
void kmem_object_free(struct kmem *k, uint64_t address, uint32_t cpu);
/* After the last of them: makes k->callers and k->objects. */
void kmem_objects_end(struct kmem *k);
void kmem_objects_release(struct kmem *k);

/* kmem_pages.c */
extern const struct replay_field kmem_page_alloc_fields[], kmem_page_free_fields[];
struct kmem_page_args {
	uint64_t page, frame, order, gfp;
	int64_t migtype;
};
int kmem_take_page_alloc(struct replay *rp, const struct record *r, const void *args);
int kmem_take_page_free(struct replay *rp, const struct record *r, const void *args);

/* False: the sample is outside of --time. */
static inline bool kmem_wants(struct kmem *k, uint64_t time)
{
	if (k->filter && !filter_has_time(k->filter, time))
		return false;
	k->first = k->first ? MIN(k->first, time) : time;
	k->last = MAX(k->last, time);
	return true;
}

#endif
