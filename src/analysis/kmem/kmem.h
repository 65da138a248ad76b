/* SPDX-License-Identifier: MIT */
/*
 * Allocations of the kernel: objects (slab) and pages, by caller and by object or page, and those
 * not freed at the end.
 *
 *   struct kmem k;
 *   kmem_init(&k, &opts);
 *   failed = kmem_read(&k, rec, world, &filter, &err);
 *   ... k.callers, k.objects, k.page_callers, k.pages, k.leaks
 *   kmem_release(&k);
 */
#ifndef ANALYSIS_KMEM_KMEM_H
#define ANALYSIS_KMEM_KMEM_H

#include "analysis/leaks/leaks.h"
#include "base/hash.h"
#include "os/machine/topology.h"
#include "world/filter.h"
#include "world/world.h"

enum kmem_key {
	KMEM_PTR,
	KMEM_CALLSITE,
	KMEM_BYTES,
	KMEM_HIT,
	KMEM_PINGPONG,
	KMEM_FRAG,
	KMEM_PAGE,
	KMEM_ORDER,
	KMEM_MIGTYPE,
	KMEM_GFP,
};

struct kmem_sort {
	VEC(enum kmem_key) keys; /* the first decides; the greatest first */
};
/* Adds the keys "frag,hit" to s: 0, or -1 with *err. pages: of rows of pages, else of objects. */
int kmem_sort_parse(struct kmem_sort *s, const char *text, bool pages, struct err *err);

struct kmem_options {
	bool slab, pages;
	bool objects; /* make kmem.objects */
	bool live;  /* pages: only what is not freed at the end */
	bool leaks; /* keep what is not freed, by call chain */
};

/* A caller of the slab allocator, or an object's address. */
struct kmem_row {
	uint64_t address, caller;
	uint64_t requested, allocated; /* bytes */
	uint64_t hits, pingpongs;      /* pingpongs: freed on another CPU */
	double fragmentation;	       /* private: of kmem_sort_rows() */
};

struct kmem_page {
	uint64_t page; /* frame number, or address; of a row by caller 0 */
	uint64_t caller;
	uint64_t gfp;
	uint32_t order;
	int32_t migtype;
	uint64_t bytes, hits;
	bool gone; /* it was freed */
};

/* Allocations of one size by one caller. */
struct kmem_site {
	uint64_t caller, allocated; /* allocated: bytes of each */
	uint64_t hits, requested, pingpongs;
};

/* A slot of the table of objects. */
struct kmem_object {
	uint16_t key;  /* its address in its block, plus 1; 0: the slot is free */
	uint16_t cpu;  /* of the last allocation; KMEM_FREED */
	uint32_t site; /* of the last allocation */
};
#define KMEM_FREED UINT16_MAX

/* All allocations at one address. */
struct kmem_total {
	uint64_t hits, requested, allocated, pingpongs;
};

/* The objects in 4 KiB of memory. */
#define KMEM_BLOCK_BITS 12
struct kmem_block {
	uint64_t number; /* address >> KMEM_BLOCK_BITS */
	uint32_t first;	 /* of its slots; 0: no such block */
	uint16_t used;	 /* slots */
	uint8_t bits;	 /* of the number of its slots */
};

struct kmem_objects {
	struct kmem_block *blocks; /* a hash table */
	uint32_t n_blocks, room;   /* room: a power of two, or 0 */
	uint32_t shift;		   /* of a hash: what is left is a place in .blocks */
	VEC(struct kmem_object) slots; /* runs of a power of two each; the first one is no object */
	VEC(struct kmem_total) totals; /* by slot, with .objects of the options */
	uint32_t unused[KMEM_BLOCK_BITS + 1]; /* slots of runs that outgrew their room, by bits: a
						 list through .site, or 0 */
	size_t n; /* objects */
};

#define KMEM_ORDERS   11
#define KMEM_MIGTYPES 6

struct kmem_gfp { /* flags of allocations */
	uint64_t flags;
	uint32_t text; /* in kmem.gfp_texts: as the format shows them */
};

struct kmem {
	const struct kmem_options *opts;
	VEC(struct kmem_row) callers, objects; /* objects: with .objects of the options */
	VEC(struct kmem_page) page_callers, pages;
	VEC(struct kmem_page) live_pages;
	struct leaks leaks;   /* kind 1: pages; .by: in chains */
	struct intern chains; /* words of call chains, or callers alone */
	uint64_t requested, allocated, freed; /* bytes of objects */
	uint64_t allocations, cross; /* cross: asked for from another node */
	uint64_t page_allocs, page_alloc_bytes, page_frees, page_free_bytes;
	uint64_t page_unknown, page_unknown_bytes; /* freed, but allocated before the recording */
	uint64_t page_fails, page_fail_bytes;
	int64_t orders[KMEM_ORDERS][KMEM_MIGTYPES];
	bool by_frame;		 /* pages have frame numbers */
	VEC(struct kmem_gfp) gfps; /* that came, in the order of their first use */
	struct intern gfp_texts;
	uint64_t first, last;	 /* ns: of the events */
	uint64_t losses;	 /* moments at which records were lost */
	/* private */
	VEC(struct kmem_site) sites;
	struct id_slots site_slots;
	struct kmem_objects table;
	struct idmap page_of, gfp_of;
	struct intern alloc_keys, caller_keys;
	struct tp_text *text;
	const struct filter *filter;
	struct topology topology;
};

void kmem_init(struct kmem *k, const struct kmem_options *opts);
void kmem_release(struct kmem *k);
/* Takes kmem:*. 0, or -1 with *err. */
int kmem_read(struct kmem *k, struct recording *rec, struct world *world,
	      const struct filter *filter, struct err *err);
/* In the order of perf: rows that are equal by ascending address (and what else tells them
 * apart). */
void kmem_sort_rows(struct kmem_row *rows, size_t n, const struct kmem_sort *by);
void kmem_sort_pages(struct kmem_page *rows, size_t n, const struct kmem_sort *by, bool callers,
		     bool live);
double kmem_fragmentation(uint64_t requested, uint64_t allocated);

#endif
