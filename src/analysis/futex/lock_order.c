// SPDX-License-Identifier: MIT
#include "analysis/futex/lock_order.h"

#include "base/mem.h"

#define NO_EDGE UINT32_MAX

/* A search for the shortest way back to the lock where the first edge begins. */
struct circle_search {
	struct lock_order *o;
	uint32_t *by_from;  /* edges, sorted by the lock that they begin at */
	uint32_t *first_of; /* of each lock: its first place in by_from; one more at the end */
	uint32_t *before;   /* of each edge: the one on whose way it was found */
	uint32_t *seen;	    /* of each edge: the search that has found it, counted from 1 */
	uint32_t *queue;
	uint32_t searches;
};

static int lock_edges_compare(const void *a, const void *b)
{
	const struct lock_edge *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->from_shared + 2 * x->to_shared - y->from_shared - 2 * y->to_shared;
}

/* Counting sort of the edges by the lock where they begin. */
static void circle_search_init(struct circle_search *s, struct lock_order *o)
{
	const size_t edges = o->edges.n, locks = o->locks.n;

	*s = (struct circle_search){.o = o,
				    .by_from = mem_zero(edges * sizeof(uint32_t)),
				    .first_of = mem_zero((locks + 2) * sizeof(uint32_t)),
				    .before = mem_zero(edges * sizeof(uint32_t)),
				    .seen = mem_zero(edges * sizeof(uint32_t)),
				    .queue = mem_zero(edges * sizeof(uint32_t))};
	for (size_t i = 0; i < edges; i++)
		s->first_of[o->edges.at[i].from + 2]++;
	for (size_t i = 2; i < locks + 2; i++)
		s->first_of[i] += s->first_of[i - 1];
	for (size_t i = 0; i < edges; i++)
		s->by_from[s->first_of[o->edges.at[i].from + 1]++] = (uint32_t)i;
}

static void circle_search_release(struct circle_search *s)
{
	free(s->by_from);
	free(s->first_of);
	free(s->before);
	free(s->seen);
	free(s->queue);
}

/* True: who follows b blocks who follows a, at the lock between them. */
static bool edges_conflict(const struct lock_edge *a, const struct lock_edge *b)
{
	return a->to == b->from && !(a->to_shared && b->from_shared);
}

/* The last edge of the shortest circle that begins with an edge and goes through no lock before the
 * edge's own; NO_EDGE: there is none. */
static uint32_t circle_search_run(struct circle_search *s, uint32_t start)
{
	const struct lock_edge *edges = s->o->edges.at, *first = &edges[start];
	size_t n = 0, done = 0;

	s->searches++;
	s->queue[n++] = start;
	s->seen[start] = s->searches;
	while (done < n) {
		const uint32_t at = s->queue[done++];
		const struct lock_edge *e = &edges[at];

		if (edges_conflict(e, first))
			return at;
		for (uint32_t i = s->first_of[e->to]; i < s->first_of[e->to + 1]; i++) {
			const uint32_t next = s->by_from[i];

			if (s->seen[next] == s->searches || edges[next].to < first->from ||
			    !edges_conflict(e, &edges[next]))
				continue;
			s->seen[next] = s->searches;
			s->before[next] = at;
			s->queue[n++] = next;
		}
	}
	return NO_EDGE;
}

static bool edge_holds(const struct lock_edge *e, uint32_t lock)
{
	if (e->from == lock && !e->from_shared)
		return true;
	for (size_t i = 0; i < LOCK_ORDER_MAX_GUARDS; i++)
		if (e->guards[i] == lock + 1)
			return true;
	return false;
}

/* Two threads cannot follow both edges at the same time: both hold the same lock. */
static bool edges_are_guarded(const struct lock_edge *a, const struct lock_edge *b)
{
	if (!a->from_shared && edge_holds(b, a->from))
		return true;
	for (size_t i = 0; i < LOCK_ORDER_MAX_GUARDS; i++)
		if (a->guards[i] && edge_holds(b, a->guards[i] - 1))
			return true;
	return false;
}

static enum lock_circle_kind circle_kind(const struct lock_order *o, const struct lock_circle *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		for (uint32_t j = 0; j < i; j++) {
			const struct lock_edge *a = &o->edges.at[o->steps.at[c->first + i]],
					       *b = &o->edges.at[o->steps.at[c->first + j]];

			if (edges_are_guarded(a, b))
				return LOCK_CIRCLE_GUARDED;
			if (a->tid && a->tid == b->tid && !a->several && !b->several)
				return LOCK_CIRCLE_ONE_THREAD;
		}
	return LOCK_CIRCLE_CLOSES;
}

static void circle_add(struct circle_search *s, uint32_t start, uint32_t last)
{
	struct lock_order *o = s->o;
	struct lock_circle c = {.first = (uint32_t)o->steps.n};

	for (uint32_t at = last;; at = s->before[at]) {
		vec_add(&o->steps, at);
		if (at == start)
			break;
	}
	c.n = (uint32_t)o->steps.n - c.first;
	for (uint32_t i = 0; i < c.n / 2; i++) {
		uint32_t *a = &o->steps.at[c.first + i], *b = &o->steps.at[c.first + c.n - 1 - i];
		const uint32_t swapped = *a;

		*a = *b;
		*b = swapped;
	}
	c.kind = circle_kind(o, &c);
	vec_add(&o->circles, c);
}

static int circles_compare(const void *a, const void *b)
{
	const struct lock_circle *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	return x->first < y->first ? -1 : 1;
}

void lock_order_find(struct lock_order *o)
{
	struct circle_search s;

	if (!o->edges.n)
		return;
	qsort(o->edges.at, o->edges.n, sizeof(*o->edges.at), lock_edges_compare);
	circle_search_init(&s, o);
	for (uint32_t i = 0; i < o->edges.n && o->circles.n < LOCK_ORDER_MAX; i++) {
		uint32_t last;

		/* each circle once: from its first lock */
		if (o->edges.at[i].to < o->edges.at[i].from)
			continue;
		last = circle_search_run(&s, i);
		if (last != NO_EDGE)
			circle_add(&s, i, last);
	}
	circle_search_release(&s);
	if (o->circles.n)
		qsort(o->circles.at, o->circles.n, sizeof(*o->circles.at), circles_compare);
}

void lock_order_release(struct lock_order *o)
{
	vec_release(&o->locks);
	vec_release(&o->edges);
	vec_release(&o->steps);
	vec_release(&o->circles);
}
