// SPDX-License-Identifier: MIT
/*
 * Objects of the slab allocators, in blocks of memory: a hash table of blocks, each with slots of 8
 * bytes for its objects. What the kernel allocates and frees in a row lies in few blocks, whose
 * slots stay in the caches.
 */
#include "analysis/kmem/kmem_parts.h"

#define BLOCKS_FIRST	256
#define SLOT_BITS_FIRST 2

uint32_t kmem_site_put(struct kmem *k, uint64_t caller, uint64_t allocated)
{
	const uint64_t hash = hash_pair(caller, allocated);
	uint32_t i = id_slots_begin(&k->site_slots, hash), id;

	while ((id = id_slots_next(&k->site_slots, hash, &i)) != HASH_NONE)
		if (k->sites.at[id].caller == caller && k->sites.at[id].allocated == allocated)
			return id + 1;
	id_slots_add(&k->site_slots, (uint32_t)k->sites.n, hash);
	vec_add(&k->sites, (struct kmem_site){.caller = caller, .allocated = allocated});
	return (uint32_t)k->sites.n;
}

static inline struct kmem_block *kmem_block_place(const struct kmem_objects *o, uint64_t number)
{
	size_t i = number * 0x9e3779b97f4a7c15u >> o->shift;

	while (o->blocks[i].first && o->blocks[i].number != number)
		i = (i + 1) & (o->room - 1);
	return &o->blocks[i];
}

static void kmem_blocks_grow(struct kmem_objects *o)
{
	struct kmem_block *old = o->blocks;
	const uint32_t n = o->room;

	o->room = n ? n * 2 : BLOCKS_FIRST;
	o->shift = 64 - (uint32_t)__builtin_ctz(o->room);
	o->blocks = mem_zero_table(o->room * sizeof(*o->blocks));
	for (uint32_t i = 0; i < n; i++)
		if (old[i].first)
			*kmem_block_place(o, old[i].number) = old[i];
	free(old);
}

/* A run of free slots. */
static uint32_t kmem_slots_get(struct kmem_objects *o, uint32_t bits, bool totals)
{
	uint32_t first = o->unused[bits];

	if (first) {
		o->unused[bits] = o->slots.at[first].site;
		o->slots.at[first].site = 0;
		return first;
	}
	first = (uint32_t)o->slots.n;
	(void)vec_extend(&o->slots, (size_t)1 << bits);
	if (totals)
		(void)vec_extend(&o->totals, o->slots.n - o->totals.n);
	return first;
}

/* The slot of the object, or the free slot where it belongs. Objects of a block mostly have one
 * size, and slots at equal distances. */
static inline uint32_t kmem_object_slot(const struct kmem_objects *o, const struct kmem_block *b,
					uint32_t key)
{
	const struct kmem_object *slots = &o->slots.at[b->first];
	uint32_t i = (key - 1) >> (KMEM_BLOCK_BITS - b->bits);

	while (slots[i].key != key && slots[i].key)
		i = (i + 1) & ((1u << b->bits) - 1);
	return b->first + i;
}

static void kmem_block_grow(struct kmem_objects *o, struct kmem_block *b, bool totals)
{
	const struct kmem_block old = *b;

	b->bits++;
	b->first = kmem_slots_get(o, b->bits, totals);
	for (uint32_t i = old.first; i < old.first + (1u << old.bits); i++) {
		uint32_t to;

		if (o->slots.at[i].key) {
			to = kmem_object_slot(o, b, o->slots.at[i].key);
			o->slots.at[to] = o->slots.at[i];
			if (totals)
				o->totals.at[to] = o->totals.at[i];
		}
		o->slots.at[i] = (struct kmem_object){0};
		if (totals)
			o->totals.at[i] = (struct kmem_total){0};
	}
	o->slots.at[old.first].site = o->unused[old.bits];
	o->unused[old.bits] = old.first;
}

static inline uint32_t kmem_object_key(uint64_t address)
{
	return (uint32_t)(address & ((1u << KMEM_BLOCK_BITS) - 1)) + 1;
}

/* The free slot of a new object. */
static uint32_t kmem_object_add(struct kmem_objects *o, uint64_t address, bool totals)
{
	const uint64_t number = address >> KMEM_BLOCK_BITS;
	const uint32_t key = kmem_object_key(address);
	struct kmem_block *b;

	if (!o->slots.n)
		(void)vec_extend(&o->slots, 1);
	if ((o->n_blocks + 1) * 4ull > o->room * 3ull)
		kmem_blocks_grow(o);
	b = kmem_block_place(o, number);
	if (!b->first) {
		o->n_blocks++;
		*b = (struct kmem_block){.number = number,
					 .first = kmem_slots_get(o, SLOT_BITS_FIRST, totals),
					 .bits = SLOT_BITS_FIRST};
	}
	/* at most seven eighths of a block's slots are used, but for a block with a slot for each
	 * address */
	if ((b->used + 1u) * 8 > 7u << b->bits && b->bits < KMEM_BLOCK_BITS)
		kmem_block_grow(o, b, totals);
	b->used++;
	o->n++;
	return kmem_object_slot(o, b, key);
}

/* The object's slot; 0: there is none. */
static inline uint32_t kmem_object_find(const struct kmem_objects *o, uint64_t address)
{
	const struct kmem_block *b =
		o->room ? kmem_block_place(o, address >> KMEM_BLOCK_BITS) : NULL;
	const uint32_t slot =
		b && b->first ? kmem_object_slot(o, b, kmem_object_key(address)) : 0;

	return slot && o->slots.at[slot].key ? slot : 0;
}

void kmem_object_alloc(struct kmem *k, uint64_t address, uint32_t site, uint64_t requested,
		       uint32_t cpu)
{
	struct kmem_objects *o = &k->table;
	uint32_t slot = kmem_object_find(o, address);
	struct kmem_total *total;

	if (!slot)
		slot = kmem_object_add(o, address, k->opts->objects);
	o->slots.at[slot] = (struct kmem_object){.key = (uint16_t)kmem_object_key(address),
						 .cpu = (uint16_t)cpu,
						 .site = site};
	if (!o->totals.n)
		return;
	total = &o->totals.at[slot];
	total->hits++;
	total->requested += requested;
	total->allocated += kmem_site(k, site)->allocated;
}

void kmem_object_free(struct kmem *k, uint64_t address, uint32_t cpu)
{
	struct kmem_objects *o = &k->table;
	const uint32_t slot = kmem_object_find(o, address);
	struct kmem_object *object;
	struct kmem_site *site;

	if (!slot)
		return; /* allocated before the recording */
	object = &o->slots.at[slot];
	site = kmem_site(k, object->site);
	k->freed += site->allocated;
	if (object->cpu != (uint16_t)cpu) {
		site->pingpongs++;
		if (o->totals.n)
			o->totals.at[slot].pingpongs++;
	}
	object->cpu = KMEM_FREED;
}

static void kmem_make_callers(struct kmem *k)
{
	struct idmap row_of = {0};

	for (size_t i = 0; i < k->sites.n; i++) {
		const struct kmem_site *site = &k->sites.at[i];
		uint32_t *at = idmap_put(&row_of, site->caller);
		struct kmem_row *row;

		if (*at == HASH_NONE) {
			*at = (uint32_t)k->callers.n;
			vec_add(&k->callers, (struct kmem_row){.address = site->caller});
		}
		row = &k->callers.at[*at];
		row->hits += site->hits;
		row->requested += site->requested;
		row->allocated += site->hits * site->allocated;
		row->pingpongs += site->pingpongs;
	}
	idmap_release(&row_of);
}

static void kmem_make_objects_of(struct kmem *k, const struct kmem_block *b)
{
	const struct kmem_objects *o = &k->table;

	for (uint32_t i = b->first; i < b->first + (1u << b->bits); i++) {
		const struct kmem_object *object = &o->slots.at[i];

		if (!object->key)
			continue;
		vec_add(&k->objects,
			(struct kmem_row){.address = (b->number << KMEM_BLOCK_BITS) +
						     object->key - 1,
					  .caller = kmem_site(k, object->site)->caller,
					  .requested = o->totals.at[i].requested,
					  .allocated = o->totals.at[i].allocated,
					  .hits = o->totals.at[i].hits,
					  .pingpongs = o->totals.at[i].pingpongs});
	}
}

void kmem_objects_end(struct kmem *k)
{
	struct kmem_objects *o = &k->table;

	kmem_make_callers(k);
	vec_reserve(&k->objects, k->opts->objects ? o->n : 0);
	for (uint32_t i = 0; i < o->room && k->opts->objects; i++)
		if (o->blocks[i].first)
			kmem_make_objects_of(k, &o->blocks[i]);
	free(o->blocks);
	vec_release(&o->slots);
	vec_release(&o->totals);
	*o = (struct kmem_objects){0};
}

void kmem_objects_release(struct kmem *k)
{
	vec_release(&k->callers);
	vec_release(&k->objects);
	vec_release(&k->sites);
	id_slots_release(&k->site_slots);
}
