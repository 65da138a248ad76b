// SPDX-License-Identifier: MIT
/*
 * Objects of the slab allocators: a hash table with open addressing of 16 bytes a slot. The
 * address of an object says nothing of where its slot is, so that nearly each lookup of a large
 * table misses the caches: changes are kept for a while, and their slots prefetched.
 */
#include "analysis/kmem/kmem_parts.h"

#define ROOM_FIRST 1024 /* slots */

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

static size_t kmem_objects_first_slot(const struct kmem_objects *o, uint64_t address)
{
	return (address ^ address >> 32) * 0x9e3779b97f4a7c15u >> o->shift;
}

/* The slot of the object, or the free slot where it belongs. */
static size_t kmem_objects_slot(const struct kmem_objects *o, uint64_t address)
{
	size_t i = kmem_objects_first_slot(o, address);

	while (o->slots[i].site && o->slots[i].address != address)
		i = (i + 1) & (o->room - 1);
	return i;
}

static void kmem_objects_grow(struct kmem_objects *o, bool totals)
{
	const struct kmem_objects old = *o;

	o->room = old.room ? old.room * 2 : ROOM_FIRST;
	o->shift = 64 - (uint32_t)__builtin_ctzll(o->room);
	o->slots = mem_zero_table(o->room * sizeof(*o->slots));
	o->totals = totals ? mem_zero_table(o->room * sizeof(*o->totals)) : NULL;
	for (size_t i = 0; i < old.room; i++) {
		size_t to;

		if (!old.slots[i].site)
			continue;
		to = kmem_objects_slot(o, old.slots[i].address);
		o->slots[to] = old.slots[i];
		if (totals)
			o->totals[to] = old.totals[i];
	}
	free(old.slots);
	free(old.totals);
}

static void kmem_object_alloc(struct kmem *k, size_t slot, const struct kmem_change *c)
{
	struct kmem_objects *o = &k->table;
	struct kmem_total *total;

	o->n += !o->slots[slot].site;
	o->slots[slot] =
		(struct kmem_object){.address = c->address, .site = c->site, .cpu = c->cpu};
	if (!o->totals)
		return;
	total = &o->totals[slot];
	total->hits++;
	total->requested += c->requested;
	total->allocated += kmem_site(k, c->site)->allocated;
}

static void kmem_object_free(struct kmem *k, size_t slot, const struct kmem_change *c)
{
	struct kmem_object *object = &k->table.slots[slot];
	struct kmem_site *site;

	if (!object->site)
		return; /* allocated before the recording */
	site = kmem_site(k, object->site);
	k->freed += site->allocated;
	if (object->cpu != c->cpu) {
		site->pingpongs++;
		if (k->table.totals)
			k->table.totals[slot].pingpongs++;
	}
	object->cpu = -1;
}

static void kmem_objects_apply(struct kmem *k)
{
	struct kmem_objects *o = &k->table;

	/* at most four fifths of the slots are used */
	while ((o->n + o->waiting) * 5 > o->room * 4)
		kmem_objects_grow(o, k->opts->objects);
	for (uint32_t i = 0; i < o->waiting; i++) {
		const struct kmem_change *c = &o->changes[i];
		const size_t slot = kmem_objects_slot(o, c->address);

		if (c->site)
			kmem_object_alloc(k, slot, c);
		else
			kmem_object_free(k, slot, c);
	}
	o->waiting = 0;
}

void kmem_object_change(struct kmem *k, const struct kmem_change *change)
{
	struct kmem_objects *o = &k->table;
	size_t slot;

	if (o->room) {
		slot = kmem_objects_first_slot(o, change->address);
		__builtin_prefetch(&o->slots[slot]);
		if (o->totals)
			__builtin_prefetch(&o->totals[slot]);
	}
	o->changes[o->waiting++] = *change;
	if (o->waiting == ARRAY_SIZE(o->changes))
		kmem_objects_apply(k);
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

static void kmem_make_objects(struct kmem *k)
{
	const struct kmem_objects *o = &k->table;

	vec_reserve(&k->objects, o->n);
	for (size_t i = 0; i < o->room; i++) {
		if (!o->slots[i].site)
			continue;
		vec_add(&k->objects,
			(struct kmem_row){.address = o->slots[i].address,
					  .caller = kmem_site(k, o->slots[i].site)->caller,
					  .requested = o->totals[i].requested,
					  .allocated = o->totals[i].allocated,
					  .hits = o->totals[i].hits,
					  .pingpongs = o->totals[i].pingpongs});
	}
}

void kmem_objects_end(struct kmem *k)
{
	kmem_objects_apply(k);
	kmem_make_callers(k);
	if (k->opts->objects)
		kmem_make_objects(k);
	free(k->table.slots);
	free(k->table.totals);
	k->table = (struct kmem_objects){0};
}

void kmem_objects_release(struct kmem *k)
{
	vec_release(&k->callers);
	vec_release(&k->objects);
	vec_release(&k->sites);
	id_slots_release(&k->site_slots);
}
