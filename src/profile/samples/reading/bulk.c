// SPDX-License-Identifier: MIT
#include "profile/samples/reading/bulk.h"

#define EVENTS_MOST (1u << 24)

static const uint32_t columns_told = COL_BIT(COL_EVENT) | COL_BIT(COL_THREAD) | COL_BIT(COL_COMM) |
				     COL_BIT(COL_IP) | COL_BIT(COL_SPACE) | COL_BIT(COL_CHAIN);

/* True when a sample's chain is just the words in the record. */
static bool chains_are_plain(const struct measurement *m)
{
	for (size_t i = 0; i < m->events.events.n; i++) {
		const struct attr *a = &m->events.events.at[i]->attr;

		if (a->sample_type & SAMPLE_STACK_USER || a->branch_sample_type)
			return false;
	}
	return true;
}

bool bulk_can(const struct samples *samples, const struct measurement *m,
	      struct sample_layout *layout)
{
	const struct filter *f = &samples->opts.filter;

	return !(samples->cells.columns & ~columns_told) &&
	       samples->cells.columns & COL_BIT(COL_SPACE) && !samples->cells.sums &&
	       samples->opts.mode == MODE_NORMAL && !samples->opts.no_times &&
	       !samples->cells.keeps_times && !samples->cells.stretches.wanted && !f->cpus.given &&
	       !f->parallelism.given && m->events.events.n < EVENTS_MOST && chains_are_plain(m) &&
	       sample_layout_init(layout, m);
}

void bulk_init(struct bulk *b, const struct samples *samples, const struct sample_layout *layout)
{
	*b = (struct bulk){.samples = samples,
			   .layout = *layout,
			   .seed = hash_seed(),
			   .columns = samples->cells.columns};
	for (size_t i = 0; i < BULK_STATES; i++)
		b->states[i].from = 1;
}

void bulk_release(struct bulk *b)
{
	for (size_t i = 0; i < b->pages.n; i++)
		free(b->pages.at[i]);
	vec_release(&b->pages);
	id_slots_release(&b->slots);
}

/* -- rows -- */

static struct bulk_row *bulk_row_at(const struct bulk *b, uint32_t id)
{
	return &b->pages.at[id / BULK_PAGE]->rows[id % BULK_PAGE];
}

static struct bulk_first *bulk_first_at(const struct bulk *b, uint32_t id)
{
	return &b->pages.at[id / BULK_PAGE]->firsts[id % BULK_PAGE];
}

static uint32_t bulk_row_new(struct bulk *b, const struct hash128 *key)
{
	if (b->n == b->pages.n * BULK_PAGE)
		vec_add(&b->pages, mem_alloc_lines(sizeof(struct bulk_page)));
	id_slots_add(&b->slots, b->n, key->low);
	*bulk_row_at(b, b->n) =
		(struct bulk_row){.key = *key, .order = UINT64_MAX, .seq = UINT64_MAX};
	return b->n++;
}

static uint32_t bulk_row_of(struct bulk *b, const struct hash128 *key)
{
	uint32_t i = id_slots_begin(&b->slots, key->low), id;

	while ((id = id_slots_next(&b->slots, key->low, &i)) != HASH_NONE) {
		const struct bulk_row *row = bulk_row_at(b, id);

		if (row->key.low == key->low && row->key.high == key->high)
			return id;
	}
	return bulk_row_new(b, key);
}

static void bulk_prefetch_row(const struct bulk *b, uint64_t hash)
{
	uint32_t i = id_slots_begin(&b->slots, hash), id = id_slots_next(&b->slots, hash, &i);

	if (id != HASH_NONE)
		__builtin_prefetch(bulk_row_at(b, id), 1);
}

static void bulk_add_to_row(struct bulk *b, const struct bulk_row *more,
			    const struct bulk_first *first)
{
	const uint32_t id = bulk_row_of(b, &more->key);
	struct bulk_row *row = bulk_row_at(b, id);
	const uint64_t period = row->period + more->period, samples = row->samples + more->samples;

	if (more->order < row->order || (more->order == row->order && more->seq < row->seq)) {
		*row = *more;
		*bulk_first_at(b, id) = *first;
	}
	row->period = period;
	row->samples = samples;
}

/* -- samples -- */

static bool bulk_thread_state(const struct bulk *b, uint64_t ids, uint64_t time,
			      struct thread_state *s)
{
	return world_thread_state(b->samples->world, (uint32_t)(ids >> 32), time, s);
}

/* NULL: the thread is not known. */
static const struct bulk_state *bulk_find_state(struct bulk *b, uint64_t ids, uint64_t time)
{
	struct bulk_state *known = &b->states[ids * 0x9e3779b97f4a7c15u >> 56];
	struct thread_state s;

	if (known->ids == ids && known->from <= time && time <= known->to)
		return known;
	if (!bulk_thread_state(b, ids, time, &s))
		return NULL;
	*known = (struct bulk_state){.ids = ids, .from = s.from, .to = s.to};
	known->who[0] = s.epoch;
	if (b->columns & COL_BIT(COL_COMM))
		known->who[0] |= (uint64_t)s.comm << 32;
	if (b->columns & COL_BIT(COL_THREAD))
		known->who[1] = (uint64_t)s.thread->index << 32;
	return known;
}

/* Folds all bits of the product, so that a bit of either factor changes half of them. */
static uint64_t multiply_fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Hashes three words as XXH3 does longer input. The constants are arbitrary odd numbers. */
static struct hash128 bulk_hash_words(const uint64_t w[3], uint64_t seed)
{
	uint64_t a = multiply_fold(w[0] ^ seed, w[1] ^ 0x9e3779b97f4a7c15u),
		 b = multiply_fold(w[2] ^ seed, w[1] ^ 0xd6e8feb86659fd93u);

	return (struct hash128){multiply_fold(a ^ 0xa0761d6478bd642fu, w[2] ^ b ^ seed),
				multiply_fold(b ^ 0xe7037ed1a0b428dbu, w[0] ^ a ^ seed)};
}

static struct hash128 bulk_key_of(const struct bulk *b, const struct bulk_state *state,
				  const struct bulk_coming *at)
{
	const uint64_t words[3] = {state->who[0], state->who[1] | at->row.event_mode, at->first.ip};
	struct hash128 key = bulk_hash_words(words, b->seed), chain;

	if (!at->row.n_words)
		return key;
	chain = hash_bytes128(at->row.chain, at->row.n_words * sizeof(uint64_t), key.low);
	chain.high ^= key.high;
	return chain;
}

bool bulk_add(struct bulk *b, const struct record_header *h, const uint8_t *record, uint64_t seq)
{
	const struct sample_layout *l = &b->layout;
	struct bulk_coming *at = &b->coming[b->n_coming];
	struct bulk_row *row = &at->row;
	const struct bulk_state *state;
	const struct event *ev;
	struct sample_chain chain;
	uint64_t time;

	if (h->size < l->fixed)
		return false;
	ev = sample_layout_event(l, record);
	time = sample_word(record, l->ids_at + 8);
	/* 0 and UINT64_MAX: perf takes such a time for none */
	if (!ev || !sample_is_whole(l, ev, record, h->size, &chain) || !time || time == UINT64_MAX)
		return false;
	if (b->samples->opts.filter.times_given && !filter_has_time(&b->samples->opts.filter, time))
		return true;
	at->first.ids = sample_word(record, l->ids_at);
	at->first.ip = l->ip_at && b->columns & COL_BIT(COL_IP) ? sample_word(record, l->ip_at) : 0;
	state = bulk_find_state(b, at->first.ids, time);
	if (!state)
		return false;
	row->period = l->period_at ? sample_word(record, l->period_at) : ev->attr.sample_period;
	row->samples = 1;
	row->order = time;
	row->seq = seq;
	row->chain = chain.words;
	row->n_words = b->columns & COL_BIT(COL_CHAIN) ? (uint32_t)chain.n : 0;
	row->event_mode = ev->index << 8 | (h->misc & MISC_CPUMODE_MASK);
	row->key = bulk_key_of(b, state, at);
	id_slots_ask(&b->slots, row->key.low);
	if (++b->n_coming == BULK_BATCH)
		bulk_flush(b);
	return true;
}

void bulk_flush(struct bulk *b)
{
	for (size_t i = 0; i < b->n_coming; i++)
		bulk_prefetch_row(b, b->coming[i].row.key.low);
	for (size_t i = 0; i < b->n_coming; i++)
		bulk_add_to_row(b, &b->coming[i].row, &b->coming[i].first);
	b->n_coming = 0;
}

/* -- at the end -- */

void bulk_add_all(struct bulk *b, const struct bulk *other)
{
	for (uint32_t i = 0; i < other->n; i++)
		bulk_add_to_row(b, bulk_row_at(other, i), bulk_first_at(other, i));
}

void bulk_merge(struct bulk *b, struct bulk *other)
{
	struct bulk empty = *b;

	if (b->n) {
		bulk_add_all(b, other);
		return;
	}
	*b = *other;
	*other = empty;
}

static void bulk_put_cell(const struct bulk *b, uint32_t id, struct cells *to)
{
	const struct bulk_row *row = bulk_row_at(b, id);
	const struct bulk_first *first = bulk_first_at(b, id);
	struct cell_sums sums = {.weights = {.period = row->period, .samples = row->samples},
				 .order = row->order,
				 .seq = row->seq};
	uint64_t v[COLUMNS];
	struct thread_state state;

	bulk_thread_state(b, first->ids, row->order, &state);
	sums.thread = state.thread;
	v[COL_EVENT] = row->event_mode >> 8;
	v[COL_THREAD] = state.thread->index;
	v[COL_COMM] = state.comm;
	v[COL_SPACE] = (uint64_t)state.epoch << 8 | (row->event_mode & 0xff);
	v[COL_IP] = first->ip;
	v[COL_CHAIN] = cells_put_chain(to, row->chain, row->n_words);
	cells_put_new(to, v, &sums);
}

void bulk_finish(struct bulk *b, struct cells *to)
{
	id_slots_release(&b->slots);
	for (uint32_t i = 0; i < b->n; i++) {
		bulk_put_cell(b, i, to);
		if (i % BULK_PAGE == BULK_PAGE - 1) {
			free(b->pages.at[i / BULK_PAGE]);
			b->pages.at[i / BULK_PAGE] = NULL;
		}
	}
	b->n = 0;
}
