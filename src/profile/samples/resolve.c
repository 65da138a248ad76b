// SPDX-License-Identifier: MIT
/* Resolves the addresses and raw chains of cells, once for each cell. */
#include "profile/samples/samples_private.h"
#include "profile/samples/line_questions.h"

#include "base/keyed.h"

#define PASSED_EVERY 256 /* cells: the words of their chains may be in pages of the file */
#define GIVE_BACK_EVERY 8192 /* cells: symbol lookups keep pages of files in memory */

void samples_forget_chains(struct samples *s)
{
	idmap_release(&s->chain_of_words);
	vec_release(&s->last_chains);
}

static uint32_t chain_resolve(struct samples *s, uint32_t epoch, uint64_t raw, bool cut_already)
{
	const struct intern_entry *words = &s->cells.chains.entries.at[raw];
	const uint32_t max_stack = cut_already ? UINT32_MAX : s->opts.max_stack;

	return frames_chain(&s->frames, epoch, words->p, words->n / sizeof(uint64_t), max_stack,
			    s->opts.keep_outer);
}

static uint32_t chain_of(struct samples *s, const struct event *ev, uint32_t epoch, uint64_t raw)
{
	/* chains made of stack dumps were cut when they were gathered */
	const bool cut_already = ev->attr.sample_type & SAMPLE_STACK_USER;
	uint32_t *known;

	if (raw == HASH_NONE)
		return HASH_NONE;
	if (s->cells.own_chains)
		return chain_resolve(s, epoch, raw, cut_already);
	if (s->last_chains.at[raw].epoch == epoch)
		return s->last_chains.at[raw].chain;
	known = idmap_put(&s->chain_of_words, (uint64_t)epoch << 32 | raw);
	if (*known == HASH_NONE)
		*known = chain_resolve(s, epoch, raw, cut_already);
	s->last_chains.at[raw].epoch = epoch;
	s->last_chains.at[raw].chain = *known;
	return *known;
}

/* True for a chain that the default max_stack or the kernel has cut. Chains made of stack dumps
 * were cut, and counted, when they were gathered. */
static bool chain_is_cut(const struct samples *s, const struct event *ev, uint64_t raw)
{
	const uint64_t kernels =
		ev->attr.sample_max_stack ? ev->attr.sample_max_stack : MAX_STACK_DEFAULT;
	const struct intern_entry *words;
	uint64_t addresses = 0;

	if (raw == HASH_NONE || ev->attr.sample_type & SAMPLE_STACK_USER)
		return false;
	words = &s->cells.chains.entries.at[raw];
	if (words->n / sizeof(uint64_t) < MIN(kernels, MAX_STACK_DEFAULT))
		return false;
	for (size_t i = 0; i < words->n / sizeof(uint64_t); i++)
		addresses += ((const uint64_t *)words->p)[i] < CONTEXT_MAX;
	return addresses > MAX_STACK_DEFAULT || (s->follows_frame_pointers && addresses == kernels);
}

static void lines_resolve(struct samples *s, uint32_t id)
{
	if (s->opts.lines)
		frames_lines(&s->frames, id);
}

static void cell_resolve(struct samples *s, uint32_t cell)
{
	struct cell_ids *ids = &s->ids;
	uint64_t v[COLUMNS];
	const struct event *ev;
	uint32_t epoch;
	uint8_t cpumode;

	cells_spread(&s->cells, cell, v);
	ev = s->m->events.events.at[v[COL_EVENT]];
	epoch = (uint32_t)(v[COL_SPACE] >> 8);
	cpumode = (uint8_t)v[COL_SPACE];
	if (ids->frames)
		ids->frames[cell] = frames_get(&s->frames, epoch, cpumode, v[COL_IP], false);
	if (ids->from) {
		ids->from[cell] = frames_get(&s->frames, epoch, cpumode, v[COL_FROM], true);
		ids->to[cell] = frames_get(&s->frames, epoch, cpumode, v[COL_TO], true);
		lines_resolve(s, ids->from[cell]);
		lines_resolve(s, ids->to[cell]);
	} else if (ids->frames) {
		lines_resolve(s, ids->frames[cell]);
	}
	if (ids->data)
		ids->data[cell] = frames_get(&s->frames, epoch, cpumode, v[COL_ADDR], false);
	if (ids->chains)
		ids->chains[cell] = chain_of(s, ev, epoch, v[COL_CHAIN]);
	if (ids->cut)
		ids->cut[cell] = chain_is_cut(s, ev, v[COL_CHAIN]);
}

static uint32_t *ids_extend(uint32_t *at, size_t n, bool wanted)
{
	return wanted ? mem_resize(at, n * sizeof(*at)) : NULL;
}

/* Makes room for the ids of n cells. */
static void cell_ids_extend(struct samples *s, size_t n)
{
	const bool frames = samples_have(s, COL_IP), chains = samples_have(s, COL_CHAIN);
	struct cell_ids *ids = &s->ids;

	ids->order = ids_extend(ids->order, n, true);
	ids->frames = ids_extend(ids->frames, n, frames);
	ids->from = ids_extend(ids->from, n, frames && samples_have(s, COL_FROM));
	ids->to = ids_extend(ids->to, n, frames && samples_have(s, COL_FROM));
	ids->data = ids_extend(ids->data, n, frames && samples_have(s, COL_ADDR));
	ids->chains = ids_extend(ids->chains, n, chains);
	if (chains && s->opts.max_stack == MAX_STACK_DEFAULT)
		ids->cut = mem_resize(ids->cut, n);
	if (chains && !s->cells.own_chains && s->cells.chains.entries.n > s->last_chains.n) {
		const size_t more = s->cells.chains.entries.n - s->last_chains.n;

		memset(vec_extend(&s->last_chains, more), 0xff,
		       more * sizeof(*s->last_chains.at));
	}
}

void cell_ids_release(struct cell_ids *ids)
{
	free(ids->order);
	free(ids->frames);
	free(ids->chains);
	free(ids->from);
	free(ids->to);
	free(ids->data);
	free(ids->cut);
	*ids = (struct cell_ids){0};
}

/* Sorts cells by the times of their first samples, then by the places of these in the file. */
static void sort_by_first(const struct cells *c, uint32_t *ids)
{
	struct keyed *order = mem_alloc(c->n * sizeof(*order));

	for (uint32_t i = 0; i < c->n; i++)
		order[i] = (struct keyed){cells_at(c, i)->seq, i};
	keyed_sort(order, c->n);
	for (uint32_t i = 0; i < c->n; i++)
		order[i].key = cells_at(c, order[i].id)->order;
	keyed_sort(order, c->n);
	for (uint32_t i = 0; i < c->n; i++)
		ids[i] = order[i].id;
	free(order);
}

void samples_chains_passed(const struct samples *s, uint32_t cells)
{
	if (s->rec && s->cells.own_chains && cells % PASSED_EVERY == 0)
		recording_passed_all(s->rec);
}

void samples_resolve(struct samples *s)
{
	const uint32_t n = s->cells.n, first = s->ids.n;
	struct cell_ids *ids = &s->ids;

	if (!n)
		return;
	/* not before: the events of a pipe come while it is read */
	s->follows_frame_pointers = measurement_follows_frame_pointers(s->m);
	samples_find_lines(s, first);
	cell_ids_extend(s, n);
	sort_by_first(&s->cells, ids->order);
	for (uint32_t i = 0; i < n; i++) {
		if (ids->order[i] >= first)
			cell_resolve(s, ids->order[i]);
		samples_chains_passed(s, i + 1);
		if (i % GIVE_BACK_EVERY == GIVE_BACK_EVERY - 1)
			dso_set_give_back(world_dsos(s->world));
	}
	samples_chains_passed(s, 0);
	ids->n = n;
	stretches_resolve(&s->cells.stretches, &s->frames);
}

void samples_settle(struct samples *s)
{
	samples_resolve(s);
	intern_release(&s->cells.chains);
	id_slots_release(&s->cells.slots);
	samples_forget_chains(s);
	frames_settle(&s->frames);
	dso_set_give_back(world_dsos(s->world));
}
