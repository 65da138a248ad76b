// SPDX-License-Identifier: MIT
#include "profile/cell.h"

void cells_init(struct cells *c, uint32_t columns)
{
	memset(c, 0, sizeof(*c));
	c->columns = columns;
}

void cells_release(struct cells *c)
{
	intern_release(&c->tuples);
	intern_release(&c->chains);
	intern_release(&c->raws);
	vec_release(&c->cells);
	stretches_release(&c->stretches);
}

static bool earlier(const struct first_sample *a, uint64_t order, uint64_t seq)
{
	return a->order != order ? a->order < order : a->seq <= seq;
}

/* Their size in bytes. */
static size_t pack(const struct cells *c, const uint64_t *v, uint64_t tuple[COLUMNS])
{
	size_t n = 0;

	for (uint32_t left = c->columns; left; left &= left - 1)
		tuple[n++] = v[__builtin_ctz(left)];
	return n * sizeof(*tuple);
}

uint64_t cells_hash(const struct cells *c, const uint64_t v[COLUMNS])
{
	uint64_t tuple[COLUMNS];
	size_t n = pack(c, v, tuple);

	return hash_bytes(tuple, n, 0);
}

static struct cell *cell_of(struct cells *c, const uint64_t *v, uint64_t hash)
{
	uint64_t tuple[COLUMNS];
	size_t n = pack(c, v, tuple);
	uint32_t id = intern_put_hashed(&c->tuples, tuple, n, hash);

	if (id == c->cells.n) {
		struct cell *cell = vec_extend(&c->cells, 1);

		cell->first.order = cell->first.seq = UINT64_MAX;
	}
	return &c->cells.at[id];
}

void cells_add(struct cells *c, const struct cell_sample *s)
{
	cells_add_hashed(c, s, cells_hash(c, s->v));
}

void cells_ask_cell(const struct cells *c, uint64_t hash)
{
	uint32_t id = c->tuples.mask ? c->tuples.slots[(uint32_t)hash & c->tuples.mask].id : HASH_NONE;

	if (id == HASH_NONE)
		return;
	__builtin_prefetch(&c->cells.at[id], 1);
	__builtin_prefetch((const char *)&c->cells.at[id] + 64, 1);
}

void cells_add_hashed(struct cells *c, const struct cell_sample *s, uint64_t hash)
{
	struct cell *cell = cell_of(c, s->v, hash);
	struct weights *w = &cell->weights;

	w->period += s->period;
	w->samples++;
	w->latency += s->period / MAX(s->v[COL_PARALLELISM], (uint64_t)1);
	switch (s->v[COL_SPACE] & 0xff) {
	case MISC_KERNEL:
		w->sys += s->period;
		break;
	case MISC_USER:
		w->us += s->period;
		break;
	case MISC_GUEST_KERNEL:
		w->guest_sys += s->period;
		break;
	case MISC_GUEST_USER:
		w->guest_us += s->period;
		break;
	}
	if (!earlier(&cell->first, s->order, s->seq)) {
		cell->first.order = s->order;
		cell->first.seq = s->seq;
		cell->first.thread = s->thread;
	}
}

void cells_spread(const struct cells *c, uint32_t cell, uint64_t v[COLUMNS])
{
	const uint64_t *tuple = c->tuples.entries.at[cell].p;
	size_t n = 0;

	memset(v, 0, COLUMNS * sizeof(*v));
	for (uint32_t left = c->columns; left; left &= left - 1)
		v[__builtin_ctz(left)] = tuple[n++];
}

/* The other's id in ours. */
static uint64_t moved(struct intern *to, const struct intern *from, uint64_t id)
{
	const struct intern_entry *e;

	if (id == HASH_NONE)
		return id;
	e = &from->entries.at[id];
	return intern_put_hashed(to, e->p, e->n, e->hash);
}

void cells_add_sums(struct cells *c, const uint64_t v[COLUMNS], const struct weights *w, const struct first_sample *first)
{
	struct cell *cell = cell_of(c, v, cells_hash(c, v));

	weights_add(&cell->weights, w);
	if (!earlier(&cell->first, first->order, first->seq))
		cell->first = *first;
}

void cells_merge(struct cells *c, struct cells *other)
{
	if (!c->cells.n && !c->stretches.places.entries.n) {
		struct cells empty = *c;

		*c = *other;
		*other = empty;
		return;
	}
	for (uint32_t i = 0; i < other->cells.n; i++) {
		const struct cell *from = &other->cells.at[i];
		uint64_t v[COLUMNS];

		cells_spread(other, i, v);
		if (c->columns & COL_BIT(COL_CHAIN))
			v[COL_CHAIN] = moved(&c->chains, &other->chains, v[COL_CHAIN]);
		if (c->columns & COL_BIT(COL_RAW))
			v[COL_RAW] = moved(&c->raws, &other->raws, v[COL_RAW]);
		cells_add_sums(c, v, &from->weights, &from->first);
	}
	stretches_merge(&c->stretches, &other->stretches);
}
