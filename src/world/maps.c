// SPDX-License-Identifier: MIT
#include "world/maps.h"

#include <sys/mman.h>

/* A treap: the priorities are hashes of a counter, which no recording can choose, so the depth
 * stays near 2 log n whatever the order of addresses. */
struct map_node {
	struct map *map;
	struct map_node *left, *right;
	uint32_t priority, gen;
};

static struct map_node *node_new(struct map_heap *heap, struct map *map, uint32_t gen)
{
	struct map_node *n = arena_alloc(&heap->arena, sizeof(*n));
	uint32_t x = ++heap->seed * 0x9e3779b1u;

	x ^= x >> 16;
	x *= 0x85ebca6bu;
	x ^= x >> 13;
	n->map = map;
	n->priority = x;
	n->gen = gen;
	return n;
}

static struct map_node *node_own(struct map_heap *heap, struct map_node *n, uint32_t gen)
{
	if (n->gen == gen)
		return n;
	n = arena_copy(&heap->arena, n, sizeof(*n));
	n->gen = gen;
	return n;
}

/* Splits n: *low gets the maps that start below start, *high the others. */
static void maps_split(struct map_heap *heap, struct map_node *n, uint64_t start, uint32_t gen,
		       struct map_node **low, struct map_node **high)
{
	if (!n) {
		*low = *high = NULL;
		return;
	}
	n = node_own(heap, n, gen);
	if (n->map->start < start) {
		maps_split(heap, n->right, start, gen, &n->right, high);
		*low = n;
	} else {
		maps_split(heap, n->left, start, gen, low, &n->left);
		*high = n;
	}
}

static struct map_node *maps_join(struct map_heap *heap, struct map_node *low,
				  struct map_node *high, uint32_t gen)
{
	if (!low || !high)
		return low ? low : high;
	if (low->priority >= high->priority) {
		low = node_own(heap, low, gen);
		low->right = maps_join(heap, low->right, high, gen);
		return low;
	}
	high = node_own(heap, high, gen);
	high->left = maps_join(heap, low, high->left, gen);
	return high;
}

static struct map_node *pop_first(struct map_heap *heap, struct map_node *n, uint32_t gen,
				  struct map **map)
{
	if (!n->left) {
		*map = n->map;
		return n->right;
	}
	n = node_own(heap, n, gen);
	n->left = pop_first(heap, n->left, gen, map);
	return n;
}

static struct map_node *pop_last(struct map_heap *heap, struct map_node *n, uint32_t gen,
				 struct map **map)
{
	if (!n->right) {
		*map = n->map;
		return n->left;
	}
	n = node_own(heap, n, gen);
	n->right = pop_last(heap, n->right, gen, map);
	return n;
}

static const struct map *first_map(const struct map_node *n)
{
	while (n->left)
		n = n->left;
	return n->map;
}

static const struct map *last_map(const struct map_node *n)
{
	while (n->right)
		n = n->right;
	return n->map;
}

static struct map *piece_before(struct map_heap *heap, const struct map *of, uint64_t end)
{
	struct map *m = arena_copy(&heap->arena, of, sizeof(*m));

	m->end = end;
	return m;
}

static struct map *piece_after(struct map_heap *heap, const struct map *of, uint64_t start)
{
	struct map *m = arena_copy(&heap->arena, of, sizeof(*m));

	m->start = start;
	m->pgoff += start - of->start;
	return m;
}

struct map_node *maps_cover(struct map_heap *heap, struct map_node *root, struct map *map,
			    uint32_t gen)
{
	struct map_node *low, *high, *after = NULL, *n = node_new(heap, map, gen);
	struct map *old;

	maps_split(heap, root, map->start, gen, &low, &high);
	if (low && last_map(low)->end > map->start) {
		low = pop_last(heap, low, gen, &old);
		n = maps_join(heap, node_new(heap, piece_before(heap, old, map->start), gen), n,
			      gen);
		if (old->end > map->end)
			after = node_new(heap, piece_after(heap, old, map->end), gen);
	}
	while (high && first_map(high)->start < map->end) {
		high = pop_first(heap, high, gen, &old);
		if (old->end > map->end)
			after = node_new(heap, piece_after(heap, old, map->end), gen);
	}
	n = maps_join(heap, n, after, gen);
	return maps_join(heap, maps_join(heap, low, n, gen), high, gen);
}

struct map_node *maps_insert(struct map_heap *heap, struct map_node *root, struct map *map,
			     uint32_t gen)
{
	struct map_node *low, *high;

	/* after the maps with the same start */
	maps_split(heap, root, map->start + (map->start != UINT64_MAX), gen, &low, &high);
	return maps_join(heap, maps_join(heap, low, node_new(heap, map, gen), gen), high, gen);
}

struct map_node *maps_remove(struct map_heap *heap, struct map_node *root, const struct map *map,
			     uint32_t gen)
{
	struct map_node *low, *high, *kept = NULL;
	struct map *m;

	maps_split(heap, root, map->start, gen, &low, &high);
	while (high && first_map(high)->start == map->start) {
		high = pop_first(heap, high, gen, &m);
		if (m != map)
			kept = maps_join(heap, kept, node_new(heap, m, gen), gen);
	}
	return maps_join(heap, maps_join(heap, low, kept, gen), high, gen);
}

struct map *maps_find(const struct map_node *n, uint64_t ip)
{
	while (n) {
		if (ip < n->map->start)
			n = n->left;
		else if (ip >= n->map->end)
			n = n->right;
		else
			return n->map;
	}
	return NULL;
}

struct map *maps_nearest(const struct map_node *n, uint64_t ip)
{
	struct map *m = NULL;

	while (n) {
		if (ip < n->map->start) {
			n = n->left;
		} else {
			m = n->map;
			n = n->right;
		}
	}
	return m && ip < m->end ? m : NULL;
}

bool maps_executable(const struct map_node *n, uint64_t start, uint64_t end)
{
	if (!n)
		return false;
	if (n->map->start < end && n->map->end > start && n->map->prot & PROT_EXEC)
		return true;
	return (start < n->map->start && maps_executable(n->left, start, end)) ||
	       (end > n->map->end && maps_executable(n->right, start, end));
}

bool maps_overlap(const struct map_node *n, uint64_t start, uint64_t end)
{
	while (n) {
		if (end <= n->map->start)
			n = n->left;
		else if (start >= n->map->end)
			n = n->right;
		else
			return true;
	}
	return false;
}

size_t maps_count(const struct map_node *root)
{
	return root ? 1 + maps_count(root->left) + maps_count(root->right) : 0;
}

const struct map **maps_list(const struct map_node *root, const struct map **list)
{
	if (!root)
		return list;
	list = maps_list(root->left, list);
	*list++ = root->map;
	return maps_list(root->right, list);
}
