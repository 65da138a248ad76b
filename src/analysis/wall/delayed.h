/* SPDX-License-Identifier: MIT */
/* The waits of a recording that delayed the program, each known by its thread and its begin. */
#ifndef ANALYSIS_WALL_DELAYED_H
#define ANALYSIS_WALL_DELAYED_H

#include "base/hash.h"

#include <stdbool.h>

/* All zero is valid, and empty. */
struct wall_delayed {
	struct intern waits;
};

static inline void wall_delayed_add(struct wall_delayed *d, uint32_t tid, uint64_t from)
{
	const uint64_t key[] = {tid, from};

	intern_put(&d->waits, key, sizeof(key));
}

static inline bool wall_delayed_has(const struct wall_delayed *d, uint32_t tid, uint64_t from)
{
	const uint64_t key[] = {tid, from};

	return intern_find(&d->waits, key, sizeof(key)) != HASH_NONE;
}

static inline void wall_delayed_release(struct wall_delayed *d)
{
	intern_release(&d->waits);
}

#endif
