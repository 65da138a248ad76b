// SPDX-License-Identifier: MIT
#include "profile/samples/reading/gather.h"
#include "profile/samples/samples_private.h"

/* Dictionaries are renewed when they have this many times as many elements as there are cells, plus
 * STALE_LEAST. */
#define STALE_TIMES 4
#define STALE_LEAST 16384

static void frames_begin(struct samples *s)
{
	frames_init(&s->frames, s->world, s->opts.long_names);
	s->frames.inlines = s->opts.inlines;
	s->frames.lines = s->opts.chain_lines;
	s->frames.full_paths = s->opts.full_paths;
}

struct samples *samples_new(const struct measurement *m, struct world *world,
			    const struct samples_options *opts)
{
	struct samples *s = NEW(struct samples);

	s->m = m;
	s->world = world;
	s->opts = *opts;
	s->opts.columns |= COL_BIT(COL_EVENT);
	if (world_guests(world)->wanted || world_guests(world)->without_host)
		s->opts.columns |= COL_BIT(COL_SPACE);
	s->opts.parallelism |=
		s->opts.columns & COL_BIT(COL_PARALLELISM) || opts->filter.parallelism.given;
	frames_begin(s);
	cells_init(&s->cells, s->opts.columns, s->opts.parallelism);
	s->cells.keeps_times = opts->times;
	s->cells.stretches.wanted = opts->blocks;
	s->cells.stretches.passes = opts->passes;
	s->cells.stretches.keeps_first = opts->block_first;
	chain_words_init(&s->words, world, m, opts->max_stack, opts->keep_outer);
	return s;
}

void samples_free(struct samples *s)
{
	if (!s)
		return;
	chain_words_release(&s->words);
	cell_ids_release(&s->ids);
	samples_forget_chains(s);
	frames_release(&s->frames);
	cells_release(&s->cells);
	waker_links_release(&s->waker_links);
	waker_links_release(&s->waker_stacks);
	intern_release(&s->tasks);
	free(s);
}

void samples_add(struct samples *s, const struct record *r)
{
	struct gatherer g = {s, &s->cells, &s->words};

	if (gather_sample(&g, r) && s->opts.parallelism) {
		s->kept++;
		s->kept_alone += s->parallelism == 1;
	}
}

bool samples_are_single_threaded(const struct samples *s)
{
	return s->kept && s->kept_alone * 100 >= s->kept * 99;
}

void samples_merge(struct samples *s, struct samples *other)
{
	cells_merge(&s->cells, &other->cells);
}

/* -- samples that fade -- */

/* The remainders of the divisions so far, in eighths. The next cell gets them, so that many small
 * weights fade as fast as a great one. */
struct fade_carry {
	uint64_t period, samples, sums[CELL_SUMS];
};

static uint64_t fade(uint64_t v, uint64_t *carry)
{
	const uint64_t eighths = v % 8 * 7 + *carry;

	*carry = eighths % 8;
	return v / 8 * 7 + eighths / 8;
}

/* False: the cell has no period any more. Its other weights are carried to the next cell. */
static bool cell_fade(const struct cells *c, struct cell *cell, struct fade_carry *carry)
{
	uint64_t *sums = cell->words + c->n_columns;

	if (!cell->period)
		return false;
	cell->period = fade(cell->period, &carry->period);
	cell->samples = fade(cell->samples, &carry->samples);
	for (uint32_t i = 0; c->sums && i < CELL_SUMS; i++)
		sums[i] = fade(sums[i], &carry->sums[i]);
	if (cell->period)
		return true;
	carry->samples += cell->samples * 8;
	for (uint32_t i = 0; c->sums && i < CELL_SUMS; i++)
		carry->sums[i] += sums[i] * 8;
	return false;
}

static void ids_move(struct cell_ids *ids, uint32_t to, uint32_t from)
{
	if (from >= ids->n)
		return;
	if (ids->frames)
		ids->frames[to] = ids->frames[from];
	if (ids->from) {
		ids->from[to] = ids->from[from];
		ids->to[to] = ids->to[from];
	}
	if (ids->data)
		ids->data[to] = ids->data[from];
	if (ids->chains)
		ids->chains[to] = ids->chains[from];
	if (ids->cut)
		ids->cut[to] = ids->cut[from];
}

/* Drops all resolved frames; those of the remaining cells are looked up again. */
static void forget_resolved(struct samples *s)
{
	frames_release(&s->frames);
	frames_begin(s);
	s->ids.n = 0;
	samples_forget_chains(s);
	s->cells.stretches.n_resolved = 0;
}

static void forget_stale(struct samples *s)
{
	const size_t most = (size_t)s->cells.n * STALE_TIMES + STALE_LEAST;

	if (s->cells.chains.entries.n > most || s->cells.raws.entries.n > most) {
		cells_renew_dictionaries(&s->cells);
		samples_forget_chains(s);
	}
	if (s->frames.chains.all.n > most || s->frames.frames.n > most * STALE_TIMES)
		forget_resolved(s);
}

void samples_decay(struct samples *s)
{
	struct fade_carry carry = {0};
	uint32_t kept = 0, resolved = 0;

	for (uint32_t i = 0; i < s->cells.n; i++) {
		if (!cell_fade(&s->cells, cells_at(&s->cells, i), &carry))
			continue;
		resolved += i < s->ids.n;
		ids_move(&s->ids, kept, i);
		if (kept != i)
			cells_move(&s->cells, kept, i);
		kept++;
	}
	s->ids.n = resolved;
	cells_cut(&s->cells, kept);
	forget_stale(s);
}

void samples_zero(struct samples *s)
{
	s->ids.n = 0;
	cells_cut(&s->cells, 0);
	forget_stale(s);
}
