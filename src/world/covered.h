/* SPDX-License-Identifier: MIT */
/*
 * Where an address space has maps, in 512 bytes: a bit for each 2 MiB of addresses, found by their
 * hash. Call chains of code without frame pointers hold many words that are no addresses. Testing
 * one bit rejects most of them.
 */
#ifndef WORLD_COVERED_H
#define WORLD_COVERED_H

#include "world/world.h"

#define COVERED_BITS  4096
#define COVERED_SHIFT 21

struct covered {
	uint64_t bits[COVERED_BITS / 64];
};

/* Fills *c with the user's part of an epoch's address space, JIT code included. */
void world_epoch_covered(const struct world *w, uint32_t epoch, struct covered *c);

static inline uint32_t covered_bit(uint64_t ip)
{
	return (uint32_t)((ip >> COVERED_SHIFT) * 0x9e3779b97f4a7c15ull >> 52);
}
/* False: no map of the user's part holds the address. */
static inline bool covered_may_hold(const struct covered *c, uint64_t ip)
{
	const uint32_t bit = covered_bit(ip);

	return c->bits[bit / 64] >> bit % 64 & 1;
}

#endif
