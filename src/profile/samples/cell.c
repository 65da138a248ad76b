// SPDX-License-Identifier: MIT
#include "profile/samples/cell.h"

#define HEAD (sizeof(struct cell) / sizeof(uint64_t))

void cells_init(struct cells *c, uint32_t columns, bool latency)
{
	memset(c, 0, sizeof(*c));
	c->columns = columns;
	c->n_columns = (uint32_t)__builtin_popcount(columns);
	c->sums = latency || !(columns & COL_BIT(COL_SPACE));
	c->stride = (uint32_t)HEAD + c->n_columns + (c->sums ? CELL_SUMS : 0);
}

void cells_release(struct cells *c)
{
	free(c->rows);
	id_slots_release(&c->slots);
	intern_release(&c->chains);
	intern_release(&c->raws);
	stretches_release(&c->stretches);
	vec_release(&c->times);
}

static bool cell_is_earlier(const struct cell *a, uint64_t order, uint64_t seq)
{
	return a->order != order ? a->order < order : a->seq <= seq;
}

static void cell_pack(const struct cells *c, const uint64_t *v, uint64_t words[COLUMNS])
{
	size_t n = 0;

	for (uint32_t left = c->columns; left; left &= left - 1)
		words[n++] = v[__builtin_ctz(left)];
}

static uint64_t cell_hash(const struct cells *c, const uint64_t *words)
{
	return hash_bytes(words, c->n_columns * sizeof(*words), 0);
}

uint64_t cells_hash(const struct cells *c, const uint64_t v[COLUMNS])
{
	uint64_t words[COLUMNS];

	cell_pack(c, v, words);
	return cell_hash(c, words);
}

static bool cell_has_columns(const struct cells *c, const uint64_t *a, const uint64_t *b)
{
	for (uint32_t i = 0; i < c->n_columns; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

static uint32_t cell_new(struct cells *c, const uint64_t *words)
{
	struct cell *cell;

	if (c->n == c->cap) {
		c->cap = c->cap ? c->cap + c->cap / 2 : 64;
		c->rows = mem_resize(c->rows, (size_t)c->cap * c->stride * sizeof(*c->rows));
	}
	cell = cells_at(c, c->n);
	memset(cell, 0, c->stride * sizeof(*c->rows));
	memcpy(cell->words, words, c->n_columns * sizeof(*words));
	cell->order = cell->seq = UINT64_MAX;
	return c->n++;
}

static uint32_t cell_of(struct cells *c, const uint64_t *v, uint64_t hash)
{
	uint64_t words[COLUMNS];
	uint32_t i = id_slots_begin(&c->slots, hash), id;

	cell_pack(c, v, words);
	while ((id = id_slots_next(&c->slots, hash, &i)) != HASH_NONE)
		if (cell_has_columns(c, cells_at(c, id)->words, words))
			return id;
	id_slots_add(&c->slots, c->n, hash);
	return cell_new(c, words);
}

void cells_add(struct cells *c, const struct cell_sample *s)
{
	cells_add_hashed(c, s, cells_hash(c, s->v));
}

void cells_prefetch_cell(const struct cells *c, uint64_t hash)
{
	uint32_t i = id_slots_begin(&c->slots, hash), id = id_slots_next(&c->slots, hash, &i);

	if (id == HASH_NONE)
		return;
	__builtin_prefetch(cells_at(c, id), 1);
	__builtin_prefetch((const char *)cells_at(c, id) + 64, 1);
}

static void cell_note_first(struct cell *cell, uint64_t order, uint64_t seq,
			    const struct thread *thread)
{
	if (cell_is_earlier(cell, order, seq))
		return;
	cell->order = order;
	cell->seq = seq;
	cell->thread = thread;
}

/* The sum that the periods of this cpumode are added to; CELL_SUMS: none. */
static enum cell_sum sum_of_mode(uint64_t space)
{
	switch (space & 0xff) {
	case MISC_KERNEL:
		return CELL_SYS;
	case MISC_USER:
		return CELL_US;
	case MISC_GUEST_KERNEL:
		return CELL_GUEST_SYS;
	case MISC_GUEST_USER:
		return CELL_GUEST_US;
	}
	return CELL_SUMS;
}

void cells_add_hashed(struct cells *c, const struct cell_sample *s, uint64_t hash)
{
	const uint32_t id = cell_of(c, s->v, hash);
	struct cell *cell = cells_at(c, id);

	cell->period += s->period;
	cell->samples++;
	if (c->sums) {
		uint64_t *sums = cell->words + c->n_columns;
		enum cell_sum mode = sum_of_mode(s->v[COL_SPACE]);

		sums[CELL_LATENCY] += s->period / MAX(s->v[COL_PARALLELISM], (uint64_t)1);
		if (mode != CELL_SUMS)
			sums[mode] += s->period;
	}
	cell_note_first(cell, s->order, s->seq, s->thread);
	if (c->keeps_times)
		vec_add(&c->times, (struct cell_time){s->time_kept, s->period, id});
}

/* The index of the column in a cell's words. */
static uint32_t column_at(const struct cells *c, enum column column)
{
	return (uint32_t)__builtin_popcount(c->columns & (COL_BIT(column) - 1));
}

void cells_weights(const struct cells *c, uint32_t id, struct weights *w)
{
	const struct cell *cell = cells_at(c, id);
	uint64_t of_mode[CELL_SUMS + 1] = {0};
	const uint64_t *sums = cell->words + c->n_columns;

	if (!c->sums) {
		of_mode[sum_of_mode(cell->words[column_at(c, COL_SPACE)])] = cell->period;
		of_mode[CELL_LATENCY] = cell->period;
		sums = of_mode;
	}
	*w = (struct weights){.period = cell->period,
			      .samples = cell->samples,
			      .sys = sums[CELL_SYS],
			      .us = sums[CELL_US],
			      .guest_sys = sums[CELL_GUEST_SYS],
			      .guest_us = sums[CELL_GUEST_US],
			      .latency = sums[CELL_LATENCY]};
}

void cells_spread(const struct cells *c, uint32_t cell, uint64_t v[COLUMNS])
{
	const uint64_t *words = cells_at(c, cell)->words;
	size_t n = 0;

	memset(v, 0, COLUMNS * sizeof(*v));
	for (uint32_t left = c->columns; left; left &= left - 1)
		v[__builtin_ctz(left)] = words[n++];
}

/* The id in to of an id in from. */
static uint64_t intern_move(struct intern *to, const struct intern *from, uint64_t id)
{
	const struct intern_entry *e;

	if (id == HASH_NONE)
		return id;
	e = &from->entries.at[id];
	return intern_put_hashed(to, e->p, e->n, e->hash);
}

static void cell_add_sums(const struct cells *c, uint32_t id, const struct cell_sums *sums)
{
	const struct weights *w = &sums->weights;
	struct cell *cell = cells_at(c, id);

	cell->period += w->period;
	cell->samples += w->samples;
	if (c->sums) {
		uint64_t *to = cell->words + c->n_columns;

		to[CELL_SYS] += w->sys;
		to[CELL_US] += w->us;
		to[CELL_GUEST_SYS] += w->guest_sys;
		to[CELL_GUEST_US] += w->guest_us;
		to[CELL_LATENCY] += w->latency;
	}
	cell_note_first(cell, sums->order, sums->seq, sums->thread);
}

void cells_add_sums(struct cells *c, const uint64_t v[COLUMNS], const struct cell_sums *sums)
{
	cell_add_sums(c, cell_of(c, v, cells_hash(c, v)), sums);
}

void cells_put_new(struct cells *c, const uint64_t v[COLUMNS], const struct cell_sums *sums)
{
	uint64_t words[COLUMNS];

	cell_pack(c, v, words);
	cell_add_sums(c, cell_new(c, words), sums);
}

uint64_t cells_put_chain(struct cells *c, const void *words, size_t n)
{
	const size_t size = n * sizeof(uint64_t);

	if (!n)
		return HASH_NONE;
	if ((uintptr_t)words % sizeof(uint64_t))
		words = memcpy(arena_alloc(&c->chains.arena, size), words, size);
	c->own_chains = true;
	vec_add(&c->chains.entries, (struct intern_entry){words, size, 0});
	return c->chains.entries.n - 1;
}

void cells_move(struct cells *c, uint32_t to, uint32_t from)
{
	memcpy(cells_at(c, to), cells_at(c, from), c->stride * sizeof(*c->rows));
}

/* Rebuilds the slots after cells were moved or their columns changed. */
static void cells_index(struct cells *c)
{
	id_slots_release(&c->slots);
	for (uint32_t i = 0; i < c->n; i++)
		id_slots_add(&c->slots, i, cell_hash(c, cells_at(c, i)->words));
}

void cells_cut(struct cells *c, uint32_t n)
{
	c->n = n;
	cells_index(c);
}

static void cells_renew_dictionary(struct cells *c, enum column column, struct intern *dictionary)
{
	struct intern before = *dictionary;
	uint32_t at = column_at(c, column);

	if (!(c->columns & COL_BIT(column)))
		return;
	*dictionary = (struct intern){0};
	for (uint32_t i = 0; i < c->n; i++) {
		uint64_t *word = &cells_at(c, i)->words[at];

		*word = intern_move(dictionary, &before, *word);
	}
	intern_release(&before);
}

void cells_renew_dictionaries(struct cells *c)
{
	cells_renew_dictionary(c, COL_CHAIN, &c->chains);
	cells_renew_dictionary(c, COL_RAW, &c->raws);
	cells_index(c);
}

/* Adds other's times. ids: the new ids of other's cells. */
static void cells_add_times(struct cells *c, const struct cells *other, const uint32_t *ids)
{
	const size_t n = other->times.n;
	struct cell_time *to = n ? vec_extend(&c->times, n) : NULL;

	for (size_t i = 0; i < n; i++) {
		to[i] = other->times.at[i];
		to[i].cell = ids[to[i].cell];
	}
}

/* An array for the new values of n ids, all HASH_NONE: not known yet. */
static uint32_t *ids_unknown(size_t n)
{
	uint32_t *ids = mem_alloc((n + 1) * sizeof(*ids));

	memset(ids, 0xff, (n + 1) * sizeof(*ids));
	return ids;
}

/* The id in c of one of other's chains, which many cells share. */
static uint64_t chain_move(struct cells *c, const struct cells *other, uint64_t id, uint32_t *moved)
{
	if (id == HASH_NONE)
		return id;
	if (moved[id] == HASH_NONE)
		moved[id] = (uint32_t)intern_move(&c->chains, &other->chains, id);
	return moved[id];
}

void cells_add_all(struct cells *c, const struct cells *other)
{
	uint32_t *moved = ids_unknown(other->chains.entries.n), *ids = ids_unknown(other->n);

	for (uint32_t i = 0; i < other->n; i++) {
		const struct cell *from = cells_at(other, i);
		struct cell_sums sums = {
			.order = from->order, .seq = from->seq, .thread = from->thread};
		uint64_t v[COLUMNS];

		cells_spread(other, i, v);
		if (c->columns & COL_BIT(COL_CHAIN))
			v[COL_CHAIN] = chain_move(c, other, v[COL_CHAIN], moved);
		if (c->columns & COL_BIT(COL_RAW))
			v[COL_RAW] = intern_move(&c->raws, &other->raws, v[COL_RAW]);
		cells_weights(other, i, &sums.weights);
		ids[i] = cell_of(c, v, cells_hash(c, v));
		cell_add_sums(c, ids[i], &sums);
	}
	cells_add_times(c, other, ids);
	free(moved);
	free(ids);
	stretches_merge(&c->stretches, &other->stretches);
}

void cells_merge(struct cells *c, struct cells *other)
{
	struct cells empty = *c;

	if (c->n || c->stretches.keys.entries.n) {
		cells_add_all(c, other);
		return;
	}
	*c = *other;
	*other = empty;
}
