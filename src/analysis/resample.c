// SPDX-License-Identifier: MIT
#include "analysis/resample.h"
#include "analysis/diff.h"

uint32_t resampling_add(struct resampling *r, uint64_t start, uint64_t period)
{
	uint32_t *id = idmap_put(&r->ids, start);

	if (*id == HASH_NONE) {
		*id = (uint32_t)r->periods.n;
		vec_add(&r->periods, 0);
	}
	r->periods.at[*id] += period;
	return *id;
}

/* SplitMix64: G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators, 2014. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static void draw_slices(struct resampling *r, uint64_t seed)
{
	const size_t n = r->periods.n;

	r->drawn = mem_zero(RESAMPLE_ROUNDS * n * sizeof(*r->drawn));
	r->totals = mem_zero(RESAMPLE_ROUNDS * sizeof(*r->totals));
	for (size_t round = 0; round < RESAMPLE_ROUNDS; round++)
		for (size_t i = 0; i < n; i++) {
			const size_t slice = next_random(&seed) % n;

			r->drawn[round * n + slice]++;
			r->totals[round] += (double)r->periods.at[slice];
		}
}

/* The cell's share of the periods that each round has drawn, in percent. */
static void shares_of(const struct resampling *r, const struct diff_cell *c, double *shares)
{
	memset(shares, 0, RESAMPLE_ROUNDS * sizeof(*shares));
	for (size_t i = 0; i < c->slices.n; i++) {
		const uint16_t *drawn = r->drawn + c->slices.at[i].slice;
		const double period = (double)c->slices.at[i].period;

		for (size_t round = 0; round < RESAMPLE_ROUNDS; round++)
			shares[round] += period * drawn[round * r->periods.n];
	}
	for (size_t round = 0; round < RESAMPLE_ROUNDS; round++)
		shares[round] = r->totals[round] > 0 ? 100 * shares[round] / r->totals[round] : 0;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void resample_deltas(struct diff *d, struct resampling *r)
{
	static const size_t tail = RESAMPLE_ROUNDS / 40; /* 2.5 % at each end */
	double *old = mem_alloc(2 * RESAMPLE_ROUNDS * sizeof(*old)),
	       *deltas = old + RESAMPLE_ROUNDS;

	for (size_t i = 0; i < d->n_tables; i++)
		draw_slices(&r[i], i);
	for (size_t row = 0; row < d->rows.n; row++) {
		struct diff_cell *cells = d->rows.at[row].cells;

		shares_of(&r[0], &cells[0], old);
		for (size_t i = 1; i < d->n_tables; i++) {
			if (!cells[i].compared)
				continue;
			shares_of(&r[i], &cells[i], deltas);
			for (size_t round = 0; round < RESAMPLE_ROUNDS; round++)
				deltas[round] -= old[round];
			qsort(deltas, RESAMPLE_ROUNDS, sizeof(*deltas), by_size);
			cells[i].low = deltas[tail];
			cells[i].high = deltas[RESAMPLE_ROUNDS - 1 - tail];
		}
	}
	free(old);
}

void resampling_release(struct resampling *r)
{
	idmap_release(&r->ids);
	vec_release(&r->periods);
	free(r->drawn);
	free(r->totals);
}
