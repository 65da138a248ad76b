// SPDX-License-Identifier: MIT
#include "data/counts.h"

#include <stdlib.h>
#include <string.h>

void counts_release(struct counts *c)
{
	for (size_t i = 0; i < c->events.n; i++) {
		vec_release(&c->events.at[i].cpus);
		vec_release(&c->events.at[i].at);
	}
	vec_release(&c->events);
	vec_release(&c->threads);
}

/* Replaces the elements of dst by a copy of src's. */
#define vec_take(dst, src)                                                                         \
	do {                                                                                       \
		size_t n_ = (src)->n;                                                              \
                                                                                                   \
		vec_clear(dst);                                                                    \
		if (n_)                                                                            \
			memcpy(vec_extend(dst, n_), (src)->at, n_ * sizeof(*(src)->at));           \
	} while (0)

void counts_copy(struct counts *dst, const struct counts *src)
{
	vec_take(&dst->threads, &src->threads);
	for (size_t i = src->events.n; i < dst->events.n; i++) {
		vec_release(&dst->events.at[i].cpus);
		vec_release(&dst->events.at[i].at);
	}
	if (dst->events.n > src->events.n)
		dst->events.n = src->events.n;
	while (dst->events.n < src->events.n)
		vec_add(&dst->events, (struct event_counts){0});
	for (size_t i = 0; i < src->events.n; i++) {
		struct event_counts *to = &dst->events.at[i];
		const struct event_counts *from = &src->events.at[i];

		to->state = from->state;
		vec_take(&to->cpus, &from->cpus);
		vec_take(&to->at, &from->at);
	}
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

void counts_subtract(struct counts *a, const struct counts *b)
{
	for (size_t i = 0; i < MIN(a->events.n, b->events.n); i++) {
		struct event_counts *from = &a->events.at[i];
		const struct event_counts *what = &b->events.at[i];

		for (size_t k = 0; k < MIN(from->at.n, what->at.n); k++) {
			struct count *c = &from->at.at[k];

			c->value = less(c->value, what->at.at[k].value);
			c->enabled = less(c->enabled, what->at.at[k].enabled);
			c->running = less(c->running, what->at.at[k].running);
		}
	}
}

static int counts_by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

void counts_shape(struct counts *c, uint32_t event, const int *cpus, size_t n_cpus)
{
	struct event_counts *e;
	size_t n = 0, cells;

	while (c->events.n <= event)
		vec_add(&c->events, (struct event_counts){.state = COUNT_NOT_SUPPORTED});
	e = &c->events.at[event];
	e->state = COUNT_OPEN;
	vec_clear(&e->cpus);
	vec_clear(&e->at);
	if (!n_cpus)
		return;
	memcpy(vec_extend(&e->cpus, n_cpus), cpus, n_cpus * sizeof(*cpus));
	qsort(e->cpus.at, n_cpus, sizeof(*e->cpus.at), counts_by_number);
	for (size_t i = 0; i < n_cpus; i++)
		if (!n || e->cpus.at[n - 1] != e->cpus.at[i])
			e->cpus.at[n++] = e->cpus.at[i];
	e->cpus.n = n;
	cells = n * c->threads.n;
	if (cells)
		(void)vec_extend(&e->at, cells);
}

struct count *counts_at(struct counts *c, uint32_t event, int cpu, uint32_t thread)
{
	struct event_counts *e;
	const int *row;

	if (event >= c->events.n || thread >= c->threads.n)
		return NULL;
	e = &c->events.at[event];
	if (!e->at.n)
		return NULL;
	row = bsearch(&cpu, e->cpus.at, e->cpus.n, sizeof(cpu), counts_by_number);
	return row ? &e->at.at[(size_t)(row - e->cpus.at) * c->threads.n + thread] : NULL;
}
