// SPDX-License-Identifier: MIT
/* Sums the code that threads were busy in, and how long others waited for it. */
#include "analysis/balance/balance_private.h"

#define MAX_CHAIN 16 /* threads that wait for each other */
#define NO_PART	  UINT32_MAX

/* The state of a thread at the current time. */
struct part_thread {
	const struct waits_interval *now; /* NULL: it does not live */
	enum balance_doing doing;
	uint32_t part;	/* in .parts; NO_PART: not looked up since it, or the phase, changed */
	uint32_t waker; /* index of the thread that it waits for */
};

struct parts_making {
	struct balance *b;
	struct part_thread *threads;
	uint32_t phase;
};

/* The id of the function of a stack, by its name; 0: not known. */
static uint32_t part_function(struct balance *b, uint32_t stack)
{
	uint32_t *id;

	if (stack == NO_STACK)
		return 0;
	if (stack >= b->function_of_stack.n)
		(void)vec_extend(&b->function_of_stack, stack + 1 - b->function_of_stack.n);
	id = &b->function_of_stack.at[stack];
	if (!*id) {
		const char *name = wait_stacks_function(&b->waits.stacks, stack);

		*id = 2 + (name ? intern_str(&b->functions, name) : (uint32_t)-1);
	}
	return *id - 1;
}

/* The part that a thread is busy in; valid until the next call. */
static struct balance_part *part_now(struct parts_making *m, uint32_t place)
{
	struct part_thread *t = &m->threads[place];
	struct balance *b = m->b;
	const char *doing, *caller = NULL;
	struct {
		uint32_t phase, place, function, caller, doing;
	} key;

	if (t->part != NO_PART)
		return &b->parts.at[t->part];
	doing = balance_doing_text(&b->waits, t->now);
	key.phase = m->phase;
	key.place = place;
	key.function = part_function(b, t->now->stack);
	if (waits_kind_of(t->now->state) == WAITS_BLOCKED)
		caller = wait_stacks_caller(&b->waits.stacks, t->now->stack);
	key.caller = caller ? 1 + intern_str(&b->functions, caller) : 0;
	key.doing = intern_str(&b->functions, doing);
	t->part = intern_put(&b->part_keys, &key, sizeof(key));
	if (t->part == b->parts.n)
		vec_add(&b->parts, (struct balance_part){
					   .phase = m->phase,
					   .thread = &b->waits.threads.at[place],
					   .function = key.function ? intern_text(&b->functions,
										  key.function - 1)
								    : NULL,
					   .caller = caller,
					   .doing = doing});
	return &b->parts.at[t->part];
}

/* The index of the busy thread at the end of the chain of waits of that one; NO_PART: there is
 * none. */
static uint32_t part_root(const struct parts_making *m, uint32_t place)
{
	for (size_t i = 0; i < MAX_CHAIN; i++) {
		const struct part_thread *t = &m->threads[place];

		if (!t->now)
			return NO_PART;
		if (t->doing == BALANCE_BUSY)
			return place;
		if (t->doing != BALANCE_WAITS)
			return NO_PART;
		place = t->waker;
	}
	return NO_PART;
}

static void part_add_waited(struct parts_making *m, uint32_t place, uint64_t ns)
{
	struct balance_phase *phase = &m->b->phases.at[m->phase];
	const uint32_t root = part_root(m, place);

	if (root == NO_PART) {
		phase->idle_ns += ns;
		m->b->threads.at[place].idle_ns += ns;
		return;
	}
	phase->waited_ns += ns;
	m->b->threads.at[place].waits_ns += ns;
	m->b->threads.at[root].waited_ns += ns;
	part_now(m, root)->waited_ns += ns;
}

/* Adds a time in which nothing changes. */
static void parts_add_time(struct parts_making *m, uint64_t ns)
{
	struct balance *b = m->b;
	struct balance_phase *phase = &b->phases.at[m->phase];

	for (uint32_t i = 0; ns && i < b->waits.threads.n; i++) {
		const struct part_thread *t = &m->threads[i];
		struct balance_thread *thread = &b->threads.at[i];
		const bool runs = t->now && t->now->state == WALL_ON_CPU;

		if (!t->now || t->doing == BALANCE_UNKNOWN)
			continue;
		thread->running_ns += runs ? ns : 0;
		thread->spinning_ns += runs && t->doing != BALANCE_BUSY ? ns : 0;
		phase->running_ns += runs && t->doing == BALANCE_BUSY ? ns : 0;
		if (t->doing == BALANCE_BUSY) {
			part_now(m, i)->busy_ns += ns;
			phase->busy_ns += ns;
			thread->busy_ns += ns;
		} else {
			part_add_waited(m, i, ns);
		}
	}
}

static void parts_add_until(struct parts_making *m, uint64_t from, uint64_t to)
{
	while (m->phase + 1 < m->b->phases.n && m->b->phases.at[m->phase].to < to) {
		const uint64_t end = m->b->phases.at[m->phase].to;

		parts_add_time(m, end - MIN(from, end));
		from = MAX(from, end);
		m->phase++;
		for (size_t i = 0; i < m->b->waits.threads.n; i++)
			m->threads[i].part = NO_PART;
	}
	parts_add_time(m, to - MIN(from, to));
}

static void parts_take_change(struct parts_making *m, const struct balance_change *c)
{
	struct waits *w = &m->b->waits;
	const struct waits_thread *thread = &w->threads.at[c->thread], *waker;
	struct part_thread *t = &m->threads[c->thread];

	t->now = c->interval < thread->intervals.n ? &thread->intervals.at[c->interval] : NULL;
	t->part = NO_PART;
	if (!t->now)
		return;
	t->doing = balance_doing_of(w, t->now);
	waker = t->doing == BALANCE_WAITS ? waits_thread_of(w, t->now->waker) : NULL;
	t->waker = waker ? (uint32_t)(waker - w->threads.at) : c->thread;
}

/* -- sums -- */

static int parts_compare(const void *a, const void *b)
{
	const struct balance_part *x = a, *y = b;

	if (x->waited_ns != y->waited_ns)
		return x->waited_ns > y->waited_ns ? -1 : 1;
	if (x->busy_ns != y->busy_ns)
		return x->busy_ns > y->busy_ns ? -1 : 1;
	if (x->phase != y->phase)
		return x->phase < y->phase ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

static uint64_t phase_waited_for(const struct balance *b, uint32_t phase,
				 const struct waits_thread *thread)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < b->parts.n; i++)
		if (b->parts.at[i].phase == phase && b->parts.at[i].thread == thread)
			ns += b->parts.at[i].waited_ns;
	return ns;
}

/* Sets .last of a phase. Parts are sorted: the first of each thread is the one that was waited for
 * longest. */
static void phase_name_last(struct balance *b, uint32_t number)
{
	struct balance_phase *phase = &b->phases.at[number];

	for (size_t i = 0; i < b->parts.n; i++) {
		const struct balance_part *part = &b->parts.at[i];
		uint64_t ns;

		if (part->phase != number)
			continue;
		if (!phase->most || part->busy_ns > phase->most->busy_ns)
			phase->most = part;
		if (!part->waited_ns || (phase->last && part->thread == phase->last->thread))
			continue;
		if (part->waited_ns * b->waits.threads.n < phase->last_ns)
			continue; /* its thread cannot be the one */
		ns = phase_waited_for(b, number, part->thread);
		if (ns > phase->last_ns) {
			phase->last = part;
			phase->last_ns = ns;
		}
	}
}

static void parts_sum_up(struct balance *b)
{
	for (uint32_t i = 0; i < b->phases.n; i++) {
		phase_name_last(b, i);
		b->busy_ns += b->phases.at[i].busy_ns;
		b->waited_ns += b->phases.at[i].waited_ns;
		b->idle_ns += b->phases.at[i].idle_ns;
	}
	for (size_t i = 0; i < b->threads.n; i++) {
		b->running_ns += b->threads.at[i].running_ns;
		b->spinning_ns += b->threads.at[i].spinning_ns;
	}
	b->ready_ns = b->waits.ns[WAITS_READY];
}

void balance_add_parts(struct balance *b, const struct balance_changes *changes)
{
	struct parts_making m = {.b = b};
	uint64_t time = b->waits.wall.begin;

	m.threads = mem_zero(b->waits.threads.n * sizeof(*m.threads));
	for (size_t i = 0; i < b->waits.threads.n; i++)
		vec_add(&b->threads, (struct balance_thread){.thread = &b->waits.threads.at[i]});
	for (size_t i = 0; i < changes->n; i++) {
		if (changes->at[i].time > time) {
			parts_add_until(&m, time, changes->at[i].time);
			time = changes->at[i].time;
		}
		parts_take_change(&m, &changes->at[i]);
	}
	free(m.threads);
	if (b->parts.n)
		qsort(b->parts.at, b->parts.n, sizeof(*b->parts.at), parts_compare);
	parts_sum_up(b);
}
