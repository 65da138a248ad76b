// SPDX-License-Identifier: MIT
/* Objects of the slab allocators, by address: held against a plain list of them. */
#include "unit.h"

#include "analysis/kmem/kmem_parts.h"

#define OBJECTS 3000
#define CPUS	3

/* An address, and what happened there. */
struct object {
	uint64_t address;
	struct kmem_total total;
	uint64_t size; /* of the last allocation */
	uint32_t site; /* 0: it was never allocated */
	uint32_t cpu;  /* of the last allocation; UINT32_MAX: it is free */
};

struct model {
	struct object objects[OBJECTS];
	uint64_t pingpongs, freed, random;
};

static uint64_t next_random(struct model *m)
{
	m->random = m->random * 6364136223846793005u + 1442695040888963407u;
	return m->random >> 33;
}

/* Addresses of all kinds: blocks with objects of one size, one with an object at each byte, and
 * blocks with one object each, at both ends of the address space. */
static void spread_objects(struct model *m)
{
	for (uint64_t i = 0; i < OBJECTS; i++) {
		uint64_t *to = &m->objects[i].address;

		if (i < 1000)
			*to = 0xffff888100000000 + i / 39 * 4096 + i % 39 * 104;
		else if (i < 2000)
			*to = 0xffff888200000000 + i / 512 * 4096 + i % 512 * 8;
		else if (i < 2500)
			*to = 0xfffffffffffffe00 + i - 2000;
		else
			*to = (i - 2500) * 0x100000 + (i % 2 ? 4095 : 0);
	}
}

static void alloc_one(struct model *m, struct kmem *k, struct object *o, uint32_t cpu)
{
	const uint64_t size = 8 + next_random(m) % 4 * 8;

	o->site = kmem_site_put(k, 0xffffffff81000000 + next_random(m) % 50, size);
	o->size = size;
	o->cpu = cpu;
	o->total.hits++;
	o->total.requested += size - 1;
	o->total.allocated += size;
	kmem_object_alloc(k, o->address, o->site, size - 1, cpu);
}

/* An object that is free already is freed again: perf counts that, too. */
static void free_one(struct model *m, struct kmem *k, struct object *o, uint32_t cpu)
{
	if (o->site) {
		m->freed += o->size;
		m->pingpongs += o->cpu != cpu;
		o->total.pingpongs += o->cpu != cpu;
		o->cpu = UINT32_MAX;
	}
	kmem_object_free(k, o->address, cpu);
}

static const struct kmem_row *find_row(const struct kmem *k, uint64_t address)
{
	for (size_t i = 0; i < k->objects.n; i++)
		if (k->objects.at[i].address == address)
			return &k->objects.at[i];
	return NULL;
}

static void check_objects(const struct model *m, const struct kmem *k)
{
	size_t n = 0;

	for (size_t i = 0; i < OBJECTS; i++) {
		const struct object *o = &m->objects[i];
		const struct kmem_row *row = find_row(k, o->address);

		assert_int_equal(!o->site, !row);
		if (!row)
			continue;
		n++;
		assert_int_equal(row->caller, kmem_site(k, o->site)->caller);
		assert_int_equal(row->hits, o->total.hits);
		assert_int_equal(row->requested, o->total.requested);
		assert_int_equal(row->allocated, o->total.allocated);
		assert_int_equal(row->pingpongs, o->total.pingpongs);
	}
	assert_int_equal(k->objects.n, n);
}

static void change_objects(bool objects)
{
	const struct kmem_options opts = {.slab = true, .objects = objects};
	struct model *m = NEW(struct model);
	uint64_t pingpongs = 0;
	struct kmem k;

	m->random = 7;
	spread_objects(m);
	kmem_init(&k, &opts);
	for (int i = 0; i < 40000; i++) {
		struct object *o = &m->objects[next_random(m) % OBJECTS];
		const uint32_t cpu = next_random(m) % CPUS;

		if (next_random(m) % 2)
			alloc_one(m, &k, o, cpu);
		else
			free_one(m, &k, o, cpu);
	}
	kmem_objects_end(&k);
	assert_int_equal(k.freed, m->freed);
	for (size_t i = 0; i < k.callers.n; i++)
		pingpongs += k.callers.at[i].pingpongs;
	assert_int_equal(pingpongs, m->pingpongs);
	if (objects)
		check_objects(m, &k);
	else
		assert_int_equal(k.objects.n, 0);
	kmem_release(&k);
	free(m);
}

static void objects_are_found_again(void **state)
{
	(void)state;
	change_objects(true);
	change_objects(false);
}

static void no_object_is_no_row(void **state)
{
	const struct kmem_options opts = {.slab = true, .objects = true};
	struct kmem k;

	(void)state;
	kmem_init(&k, &opts);
	kmem_object_free(&k, 0xffff888100000040, 1);
	kmem_objects_end(&k);
	assert_int_equal(k.objects.n, 0);
	assert_int_equal(k.freed, 0);
	kmem_release(&k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(objects_are_found_again),
					   cmocka_unit_test(no_object_is_no_row)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
