// SPDX-License-Identifier: MIT
/* Finds phases: parts of the time in which the same threads are busy. */
#include "analysis/balance/balance_private.h"

#define BINS	   1000 /* pieces of the time; phases begin at the beginning of one */
#define MIN_BINS   30
#define DIMENSIONS 16 /* one for each of the busiest threads; the last one for all others */
/* The cost of a phase, as a part of all squares. A program whose threads take turns more often than
 * 1 / PRICE times has one phase. */
#define PRICE 0.03
/* Below this mean square, and below this difference of means, nothing changes. */
#define STEADY	   0.002
#define DIFFERENCE 0.15
#define MAX_PHASES 9

struct phase_bins {
	double busy[DIMENSIONS]; /* parts of the bin; sums over all bins before this one */
	double squares;		 /* the same of squares, over dimensions */
};

struct phase_search {
	struct phase_bins bins[BINS + 1];
	double cost[BINS + 1];	  /* of the best parts of all before this bin */
	uint32_t begin[BINS + 1]; /* of the last one of them */
	size_t dimensions;
};

struct busy_thread {
	uint32_t place;
	uint64_t ns;
};

static int compare_busy_threads(const void *a, const void *b)
{
	const struct busy_thread *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* The dimension of each thread, by its place. */
static uint8_t *phase_dimensions(struct waits *w)
{
	struct busy_thread *order = mem_zero(w->threads.n * sizeof(*order));
	uint8_t *dimensions = mem_zero(w->threads.n);

	for (uint32_t t = 0; t < w->threads.n; t++) {
		const struct waits_thread *thread = &w->threads.at[t];

		order[t].place = t;
		for (size_t i = 0; i < thread->intervals.n; i++)
			if (balance_doing_of(w, &thread->intervals.at[i]) == BALANCE_BUSY)
				order[t].ns +=
					thread->intervals.at[i].to - thread->intervals.at[i].from;
	}
	qsort(order, w->threads.n, sizeof(*order), compare_busy_threads);
	for (uint32_t i = 0; i < w->threads.n; i++)
		dimensions[order[i].place] = (uint8_t)MIN(i, DIMENSIONS - 1u);
	free(order);
	return dimensions;
}

/* Spreads an interval, whose times are in bins, over the bins. */
static void phase_add_busy(struct phase_search *s, size_t dimension, double from, double to,
			   double weight)
{
	for (size_t bin = (size_t)from; bin < BINS && (double)bin < to; bin++) {
		const double begin = MAX(from, (double)bin), end = MIN(to, (double)bin + 1);

		s->bins[bin + 1].busy[dimension] += weight * (end - begin);
	}
}

static void phase_fill_bins(struct phase_search *s, struct balance *b)
{
	struct waits *w = &b->waits;
	const double ns = (double)b->wall_ns / BINS;
	uint8_t *dimensions = phase_dimensions(w);

	s->dimensions = MIN(w->threads.n, (size_t)DIMENSIONS);
	for (size_t t = 0; t < w->threads.n; t++) {
		const double weight = dimensions[t] < DIMENSIONS - 1
					      ? 1
					      : 1 / (double)(w->threads.n - DIMENSIONS + 1);

		for (size_t i = 0; i < w->threads.at[t].intervals.n; i++) {
			const struct waits_interval *in = &w->threads.at[t].intervals.at[i];

			if (balance_doing_of(w, in) == BALANCE_BUSY && in->from >= w->wall.begin)
				phase_add_busy(s, dimensions[t],
					       (double)(in->from - w->wall.begin) / ns,
					       (double)(in->to - w->wall.begin) / ns, weight);
		}
	}
	free(dimensions);
	for (size_t bin = 1; bin <= BINS; bin++) {
		s->bins[bin].squares = s->bins[bin - 1].squares;
		for (size_t d = 0; d < s->dimensions; d++) {
			s->bins[bin].squares += s->bins[bin].busy[d] * s->bins[bin].busy[d];
			s->bins[bin].busy[d] += s->bins[bin - 1].busy[d];
		}
	}
}

/* The sum of the squared distances from the mean, of the bins [from, to). */
static double phase_cost(const struct phase_search *s, size_t from, size_t to)
{
	double cost = s->bins[to].squares - s->bins[from].squares;

	for (size_t d = 0; d < s->dimensions; d++) {
		const double sum = s->bins[to].busy[d] - s->bins[from].busy[d];

		cost -= sum * sum / (double)(to - from);
	}
	return MAX(cost, 0.);
}

/* Optimal partitioning. Returns the number of parts. */
static size_t phase_search_parts(struct phase_search *s, double price)
{
	size_t n = 0;

	s->cost[0] = -price;
	for (uint32_t to = 1; to <= BINS; to++) {
		s->cost[to] = phase_cost(s, 0, to);
		s->begin[to] = 0;
		for (uint32_t from = MIN_BINS; from + MIN_BINS <= to; from++) {
			const double cost = s->cost[from] + price + phase_cost(s, from, to);

			if (cost < s->cost[to]) {
				s->cost[to] = cost;
				s->begin[to] = from;
			}
		}
	}
	for (uint32_t to = BINS; to; to = s->begin[to])
		n++;
	return n;
}

static bool phases_differ(const struct phase_search *s, size_t from, size_t middle, size_t to)
{
	for (size_t d = 0; d < s->dimensions; d++) {
		const double before = (s->bins[middle].busy[d] - s->bins[from].busy[d]) /
				      (double)(middle - from),
			     after = (s->bins[to].busy[d] - s->bins[middle].busy[d]) /
				     (double)(to - middle);

		if (before - after > DIFFERENCE || after - before > DIFFERENCE)
			return true;
	}
	return false;
}

/* The ends of phases as bins, in the order of time. Returns their number. */
static size_t phase_list_ends(struct phase_search *s, size_t n, size_t ends[MAX_PHASES])
{
	size_t kept = 0, from = 0;
	size_t all[MAX_PHASES];

	for (size_t i = n, to = BINS; i--; to = s->begin[to])
		all[i] = to;
	for (size_t i = 0; i < n; i++) {
		if (kept && !phases_differ(s, from, ends[kept - 1], all[i])) {
			ends[kept - 1] = all[i];
			continue;
		}
		from = kept ? ends[kept - 1] : 0;
		ends[kept++] = all[i];
	}
	return kept;
}

void balance_find_phases(struct balance *b)
{
	struct phase_search *s = NEW(struct phase_search);
	const uint64_t begin = b->waits.wall.begin;
	size_t ends[MAX_PHASES] = {BINS}, n = 1;
	uint64_t from = begin;
	double squares;

	if (b->wall_ns)
		phase_fill_bins(s, b);
	squares = phase_cost(s, 0, BINS);
	if (squares > STEADY * BINS) {
		for (double price = PRICE * squares;
		     (n = phase_search_parts(s, price)) > MAX_PHASES; price *= 1.5)
			;
		n = phase_list_ends(s, n, ends);
	}
	for (size_t i = 0; i < n; i++) {
		const uint64_t to = begin + (uint64_t)((double)b->wall_ns * (double)ends[i] / BINS);

		vec_add(&b->phases,
			(struct balance_phase){.from = from,
					       .to = i + 1 == n ? b->waits.wall.end : to});
		from = to;
	}
	free(s);
}
