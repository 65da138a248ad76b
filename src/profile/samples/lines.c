// SPDX-License-Identifier: MIT
#include "profile/samples/line_questions.h"
#include "profile/samples/samples_private.h"

/* With more addresses than this, all are forgotten, and may come again. */
#define KNOWN_MOST (1u << 20)

static void line_questions_forget(struct line_questions *q)
{
	for (size_t i = 0; i < q->n_spaces; i++)
		idmap_release(&q->spaces[i]);
	free(q->spaces);
	q->spaces = NULL;
	q->n_spaces = q->n_known = 0;
	intern_release(&q->keys);
}

void line_questions_release(struct line_questions *q)
{
	line_questions_forget(q);
	vec_release(&q->asked);
}

void line_questions_add(struct line_questions *q, uint32_t epoch, uint8_t cpumode, uint64_t ip)
{
	const uint32_t key[2] = {epoch, cpumode};
	uint32_t *seen;
	struct place place;

	if (q->n_known > KNOWN_MOST)
		line_questions_forget(q);
	if (!q->n_spaces || key[0] != q->last[0] || key[1] != q->last[1]) {
		q->last_id = intern_put(&q->keys, key, sizeof(key));
		memcpy(q->last, key, sizeof(key));
	}
	if (q->last_id == q->n_spaces) {
		q->spaces = mem_resize(q->spaces, ++q->n_spaces * sizeof(*q->spaces));
		q->spaces[q->last_id] = (struct idmap){0};
	}
	seen = idmap_put(&q->spaces[q->last_id], ip);
	if (*seen != HASH_NONE)
		return;
	*seen = 0;
	q->n_known++;
	place = world_place(q->world, epoch, cpumode, ip);
	if (place.map && dso_has_lines(place.dso))
		vec_add(&q->asked, (struct line_question){place.dso, place_rva(&place)});
}

/* Reads a chain as frames_chain does. */
void line_questions_chain(struct line_questions *q, uint32_t epoch, const uint64_t *words, size_t n,
			  size_t most)
{
	struct raw_chain walk = {.words = words, .n = n, .mode = MISC_USER};
	uint64_t ip;

	for (; most && raw_chain_next(&walk, &ip) && walk.mode; most--)
		line_questions_add(q, epoch, walk.mode, ip);
}

void samples_find_lines(struct samples *s, uint32_t first)
{
	const bool in_chains =
		(s->opts.inlines || s->opts.chain_lines) && samples_have(s, COL_CHAIN);
	const size_t n_chains = s->cells.chains.entries.n;
	struct line_questions q = {.world = s->world};
	uint32_t *asked; /* raw chain -> the epoch with which it was added last */
	uint64_t v[COLUMNS];

	if (!in_chains && !s->opts.lines)
		return;
	asked = mem_alloc((n_chains + 1) * sizeof(*asked));
	memset(asked, 0xff, (n_chains + 1) * sizeof(*asked));
	for (uint32_t i = first; i < s->cells.n; i++) {
		const struct intern_entry *raw;
		uint32_t epoch;

		cells_spread(&s->cells, i, v);
		epoch = (uint32_t)(v[COL_SPACE] >> 8);
		if (s->opts.lines && samples_have(s, COL_IP) && !samples_have(s, COL_FROM))
			line_questions_add(&q, epoch, (uint8_t)v[COL_SPACE], v[COL_IP]);
		if (!in_chains || v[COL_CHAIN] == HASH_NONE || asked[v[COL_CHAIN]] == epoch)
			continue;
		asked[v[COL_CHAIN]] = epoch;
		raw = &s->cells.chains.entries.at[v[COL_CHAIN]];
		line_questions_chain(&q, epoch, raw->p, raw->n / sizeof(uint64_t), SIZE_MAX);
		samples_chains_passed(s, i + 1);
	}
	free(asked);
	samples_chains_passed(s, 0);
	if (q.asked.n) {
		AUTO(pool) *pool = pool_new(0);

		dso_sources(pool, q.asked.at, q.asked.n);
	}
	line_questions_release(&q);
}
