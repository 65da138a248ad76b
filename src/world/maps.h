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

/* Inserts the map; trims, splits or drops the maps that it overlaps, as mmap does. */
struct map_node *maps_cover(struct map_heap *heap, struct map_node *root, struct map *map,
			    uint32_t gen);
/* Inserts the map and leaves the maps that it overlaps. */
struct map_node *maps_insert(struct map_heap *heap, struct map_node *root, struct map *map,
			     uint32_t gen);
struct map_node *maps_remove(struct map_heap *heap, struct map_node *root, const struct map *map,
			     uint32_t gen);
struct map *maps_find(const struct map_node *root, uint64_t ip); /* or NULL */
/* The map at ip, or NULL, where maps may overlap (maps_insert). A map ends where the next one
 * starts, at the latest. Of several maps with one start, the last inserted counts. */
struct map *maps_nearest(const struct map_node *root, uint64_t ip);
/* True when a map overlaps [start, end). */
bool maps_overlap(const struct map_node *root, uint64_t start, uint64_t end);
/* True when an executable map overlaps [start, end). */
bool maps_executable(const struct map_node *root, uint64_t start, uint64_t end);
size_t maps_count(const struct map_node *root);
/* Writes the maps in order of address to list; returns the place after the last. */
const struct map **maps_list(const struct map_node *root, const struct map **list);

#endif
