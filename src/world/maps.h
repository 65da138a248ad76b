/* SPDX-License-Identifier: MIT */
/*
 * Persistent map sets: balanced trees of maps sorted by start, whose older states stay valid while
 * newer ones are made from them (path copying). One change costs O(log n) time and memory, so a
 * process with many thousands of maps can keep every state it ever had.
 *
 * A set is a root (NULL: empty). A generation says which nodes its owner may change in place: those
 * made with the same generation; all others are copied first.
 */
#ifndef WORLD_MAPS_H
#define WORLD_MAPS_H

#include "world/world.h"

struct map_node;

/* Where nodes and the pieces of cut maps come from. */
struct map_heap {
	struct arena arena;
	uint32_t seed;
};

/* Puts the map in; what it overlaps is trimmed, split or dropped, as a later mmap does. */
struct map_node *maps_cover(struct map_heap *heap, struct map_node *root, struct map *map,
			    uint32_t gen);
/* Puts it in beside what is there. */
struct map_node *maps_insert(struct map_heap *heap, struct map_node *root, struct map *map,
			     uint32_t gen);
struct map_node *maps_remove(struct map_heap *heap, struct map_node *root, const struct map *map,
			     uint32_t gen);
struct map *maps_find(const struct map_node *root, uint64_t ip); /* or NULL */
/* For maps that overlap (maps_insert): each ends where the next one starts, at the latest; of
 * several with one start the last that was inserted counts. */
struct map *maps_nearest(const struct map_node *root, uint64_t ip);
/* Does any map lie in [start, end)? */
bool maps_overlap(const struct map_node *root, uint64_t start, uint64_t end);
/* Is one of them executable? */
bool maps_executable(const struct map_node *root, uint64_t start, uint64_t end);
size_t maps_count(const struct map_node *root);
/* Writes the maps in order of address to list; returns the place after the last. */
const struct map **maps_list(const struct map_node *root, const struct map **list);

#endif
