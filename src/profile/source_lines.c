// SPDX-License-Identifier: MIT
#include "profile/chain_words.h"
#include "profile/profile.h"
#include "symbol/lines/lines.h"

/* Each address of each state of each address space once. */
struct gathered {
	struct world *world;
	struct idmap *epochs; /* one an epoch and mode, by ip */
	struct intern spaces; /* {epoch, mode}: its id is the index of that */
	size_t n_epochs;
	VEC(struct line_question) questions;
};

static void add_address(struct gathered *g, uint32_t epoch, uint8_t cpumode, uint64_t ip)
{
	const uint32_t space[2] = {epoch, cpumode};
	uint32_t id = intern_put(&g->spaces, space, sizeof(space)), *seen;
	struct place place;

	if (id == g->n_epochs) {
		g->epochs = mem_resize(g->epochs, ++g->n_epochs * sizeof(*g->epochs));
		g->epochs[id] = (struct idmap){0};
	}
	seen = idmap_put(&g->epochs[id], ip);
	if (*seen != HASH_NONE)
		return;
	*seen = 0;
	place = world_place(g->world, epoch, cpumode, ip);
	if (place.map && dso_has_lines(place.dso))
		vec_add(&g->questions, (struct line_question){place.dso, place_rva(&place)});
}

/* Reads a chain as frames_chain does. */
static void add_chain(struct gathered *g, uint32_t epoch, const uint64_t *words, size_t n)
{
	uint8_t mode = MISC_USER;

	for (size_t i = 0; i < n && mode; i++) {
		if (words[i] >= CONTEXT_MAX)
			mode = chain_context_mode(words[i]);
		else
			add_address(g, epoch, mode, words[i]);
	}
}

void profile_find_lines(struct profile *p)
{
	const uint32_t columns = p->cells.columns;
	const bool in_chains = (p->frames.inlines || p->frames.lines) && columns & COL_BIT(COL_CHAIN);
	struct gathered g = {.world = p->world};
	struct intern chains = {0};
	uint64_t v[COLUMNS];

	if (!in_chains && !(p->layout.flags & KEY_LINES))
		return;
	for (uint32_t i = 0; i < p->cells.n; i++) {
		uint32_t key[2], known = (uint32_t)chains.entries.n;

		cells_spread(&p->cells, i, v);
		key[0] = (uint32_t)(v[COL_SPACE] >> 8);
		if (p->layout.flags & KEY_LINES && columns & COL_BIT(COL_IP))
			add_address(&g, key[0], (uint8_t)v[COL_SPACE], v[COL_IP]);
		if (!in_chains || v[COL_CHAIN] == HASH_NONE)
			continue;
		key[1] = (uint32_t)v[COL_CHAIN];
		if (intern_put(&chains, key, sizeof(key)) == known) {
			const struct intern_entry *raw = &p->cells.chains.entries.at[key[1]];

			add_chain(&g, key[0], raw->p, raw->n / sizeof(uint64_t));
		}
	}
	if (g.questions.n) {
		AUTO(pool) *pool = pool_new(0);

		dso_sources(pool, g.questions.at, g.questions.n);
	}
	for (size_t i = 0; i < g.n_epochs; i++)
		idmap_release(&g.epochs[i]);
	free(g.epochs);
	intern_release(&g.spaces);
	intern_release(&chains);
	vec_release(&g.questions);
}
