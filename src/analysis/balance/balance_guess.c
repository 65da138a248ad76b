// SPDX-License-Identifier: MIT
/*
 * Guesses how long the program would take if a function took less time: replays the intervals, in
 * the order in which they ended, with other lengths.
 *
 * Busy time in the function or its callees shrinks, and with it the ready time in between, when the
 * thread was preempted. A wait for another thread ends when that thread gets to the place of its
 * wake-up; it takes no time when the waiting thread comes later than that. Ready time that ended
 * because another thread of the recording left the CPU ends no later than that thread leaves it in
 * the model. All other intervals keep their length.
 */
#include "analysis/balance/balance_private.h"

#define CANDIDATES 24
#define NO_THREAD  UINT32_MAX
#define HELPS	   200 /* a guess of less than this part of the program's time is left out */

struct guess_thread {
	uint64_t old, now; /* ns: the end of its intervals so far, in the recording and in the
			    * model */
	double factor;	   /* of its last busy interval */
	uint32_t next;	   /* the next interval */
	bool begun;
};

/* An interval, sorted by its end. */
struct guess_step {
	uint64_t time;
	uint32_t thread, interval;
};

struct guess {
	struct balance *b;
	struct {
		VEC(struct guess_step);
	} steps; /* in the order of time */
	struct guess_thread *threads;
	struct {
		VEC(bool);
	} scaled; /* stacks that have the function */
	double factor;
};

static int guess_compare_steps(const void *a, const void *b)
{
	const struct guess_step *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->interval > y->interval) - (x->interval < y->interval);
}

static void guess_list_steps(struct guess *g)
{
	const struct waits *w = &g->b->waits;

	for (uint32_t t = 0; t < w->threads.n; t++)
		for (uint32_t i = 0; i < w->threads.at[t].intervals.n; i++)
			vec_add(&g->steps,
				(struct guess_step){w->threads.at[t].intervals.at[i].to, t, i});
	if (g->steps.n)
		qsort(g->steps.at, g->steps.n, sizeof(*g->steps.at), guess_compare_steps);
}

/* What an interval's length is multiplied by. */
static double guess_factor(const struct guess *g, const struct waits_interval *i,
			   const struct guess_thread *t)
{
	if (i->state == WALL_PREEMPTED)
		return t->factor;
	if (i->stack == NO_STACK || !g->scaled.at[i->stack])
		return 1;
	return balance_doing_of(&g->b->waits, i) == BALANCE_BUSY &&
			       waits_kind_of(i->state) != WAITS_READY
		       ? g->factor
		       : 1;
}

/* The time in the model at which a thread gets to its state at a time of the recording. */
static uint64_t guess_time_at(const struct guess *g, uint32_t thread, uint64_t time)
{
	const struct guess_thread *t = &g->threads[thread];
	const struct waits_thread *of = &g->b->waits.threads.at[thread];
	const struct waits_interval *i =
		t->next < of->intervals.n ? &of->intervals.at[t->next] : NULL;

	if (!t->begun)
		return time;
	if (time <= t->old)
		return t->now;
	if (!i)
		return t->now + (time - t->old);
	return t->now + (uint64_t)((double)(time - t->old) * guess_factor(g, i, t));
}

static void guess_begin(struct guess *g, const struct waits_interval *i, struct guess_thread *t)
{
	struct waits *w = &g->b->waits;
	const struct waits_thread *maker =
		i->state == WALL_NEW ? waits_thread_of(w, i->waker) : NULL;

	t->begun = true;
	t->factor = 1;
	t->old = t->now = i->from;
	if (maker)
		t->now = guess_time_at(g, (uint32_t)(maker - w->threads.at), i->from);
}

static bool guess_leaves_cpu(const struct guess *g, const struct guess_step *s)
{
	const struct waits_thread *of = &g->b->waits.threads.at[s->thread];

	return waits_kind_of(of->intervals.at[s->interval].state) == WAITS_RUNNING &&
	       (s->interval + 1 == of->intervals.n ||
		waits_kind_of(of->intervals.at[s->interval + 1].state) != WAITS_RUNNING);
}

/* The thread whose CPU the step's thread got: one switch ends the intervals of both. NO_THREAD: it
 * is none of the recording. */
static uint32_t guess_thread_before(const struct guess *g, const struct guess_step *s)
{
	const struct guess_step *const end = g->steps.at + g->steps.n, *o = s;

	while (o > g->steps.at && o[-1].time == s->time)
		o--;
	for (; o < end && o->time == s->time; o++)
		if (o->thread != s->thread && guess_leaves_cpu(g, o))
			return o->thread;
	return NO_THREAD;
}

/* The time in the model at which a ready thread runs. end: if it was ready for as long as its own
 * code makes it. */
static uint64_t guess_run_at(const struct guess *g, const struct guess_step *s, uint64_t end)
{
	const uint32_t before = guess_thread_before(g, s);
	uint64_t left;

	if (before == NO_THREAD)
		return end;
	left = guess_time_at(g, before, s->time);
	return MIN(end, MAX(left, g->threads[s->thread].now));
}

static void guess_take_step(struct guess *g, const struct guess_step *s)
{
	struct waits *w = &g->b->waits;
	struct waits_thread *of = &w->threads.at[s->thread];
	const struct waits_interval *i = &of->intervals.at[s->interval],
				    *next = s->interval + 1 < of->intervals.n ? i + 1 : NULL;
	struct guess_thread *t = &g->threads[s->thread];
	const struct waits_thread *waker;
	uint64_t at;

	if (!t->begun)
		guess_begin(g, i, t);
	if (i->from > t->old) /* nothing is known of the time between */
		t->now += i->from - t->old;
	if (balance_doing_of(w, i) == BALANCE_WAITS) {
		waker = waits_thread_of(w, i->waker);
		/* spinning comes in pieces: the last one ends it */
		if (!balance_spins(w, i) || !next || !balance_spins(w, next)) {
			at = guess_time_at(g, (uint32_t)(waker - w->threads.at), i->to);
			t->now = MAX(t->now, at);
		}
	} else {
		const double factor = guess_factor(g, i, t);
		const uint64_t end = t->now + (uint64_t)((double)(i->to - i->from) * factor);

		if (waits_kind_of(i->state) == WAITS_READY) {
			t->now = guess_run_at(g, s, end);
		} else {
			t->now = end;
			t->factor = factor;
		}
	}
	t->old = i->to;
	t->next = s->interval + 1;
}

/* The time in the model at which the first process's main thread ends. */
static uint64_t guess_end(struct guess *g, uint32_t last)
{
	memset(g->threads, 0, g->b->waits.threads.n * sizeof(*g->threads));
	for (size_t i = 0; i < g->steps.n; i++)
		guess_take_step(g, &g->steps.at[i]);
	return g->threads[last].now;
}

static void guess_scale(struct guess *g, const char *function, unsigned int percent)
{
	const struct wait_stacks *stacks = &g->b->waits.stacks;

	vec_clear(&g->scaled);
	for (uint32_t i = 0; i < stacks->stacks.n; i++)
		vec_add(&g->scaled, function && wait_stacks_has(stacks, i, function));
	g->factor = (100 - percent) / 100.;
}

/* The ns of all threads that are scaled. */
static uint64_t guess_scaled_ns(const struct guess *g)
{
	const struct guess_thread none = {.factor = 1};
	uint64_t ns = 0;

	for (size_t i = 0; i < g->steps.n; i++) {
		const struct guess_step *s = &g->steps.at[i];
		const struct waits_interval *in =
			&g->b->waits.threads.at[s->thread].intervals.at[s->interval];

		if (guess_factor(g, in, &none) != 1)
			ns += in->to - in->from;
	}
	return ns;
}

/* Adds a guess. base: the program's end in the model with nothing scaled. Errors of the model are
 * in both ends, so that they cancel out. */
static void guess_add(struct guess *g, uint32_t last, uint64_t base,
		      const struct balance_less *less)
{
	uint64_t end;

	guess_scale(g, less->function, less->percent);
	end = guess_end(g, last);
	vec_add(&g->b->guesses,
		(struct balance_guess){.function = less->function,
				       .percent = less->percent,
				       .ns = guess_scaled_ns(g),
				       .wall_ns = g->b->program_ns -
						  MIN(base - MIN(base, end), g->b->program_ns)});
}

static int guess_compare(const void *a, const void *b)
{
	const struct balance_guess *x = a, *y = b;

	if (x->wall_ns != y->wall_ns)
		return x->wall_ns < y->wall_ns ? -1 : 1;
	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return strcmp(x->function, y->function);
}

/* -- functions that may help -- */

struct guess_function {
	const char *name;
	uint64_t ns;	   /* busy in it, and in what it calls */
	uint64_t inner_ns; /* of that: in itself, or in libraries that it calls */
	uint64_t outer_ns; /* of that: it has no callers but libraries */
};
struct guess_functions {
	VEC(struct guess_function) all; /* by id in .names */
	struct intern names;
};

/* Adds busy time to the functions of a stack, once to each function. */
static void guess_add_stack(const struct wait_stacks *s, uint32_t id, struct guess_functions *f,
			    uint64_t ns)
{
	const struct wait_stack *stack = &s->stacks.at[id];
	uint32_t inner = HASH_NONE, outer = HASH_NONE;

	for (uint32_t i = 0; i < stack->users_n; i++) {
		const struct wait_frame *frame = &s->frames.at[s->users.at[stack->users + i]];
		bool again = false;
		uint32_t name;

		if (frame->library)
			continue;
		for (uint32_t k = 0; k < i && !again; k++)
			again = s->users.at[stack->users + k] == s->users.at[stack->users + i];
		name = intern_str(&f->names, frame->name);
		if (name == f->all.n)
			vec_add(&f->all, (struct guess_function){.name = frame->name});
		inner = inner == HASH_NONE ? name : inner;
		outer = name;
		f->all.at[name].ns += again ? 0 : ns;
	}
	if (inner == HASH_NONE)
		return;
	f->all.at[inner].inner_ns += ns;
	f->all.at[outer].outer_ns += ns;
}

static int guess_compare_functions(const void *a, const void *b)
{
	const struct guess_function *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The functions in which threads are busy longest, without those that only call others from the
 * beginning of a thread, such as main(). */
static size_t guess_candidates(const struct guess *g, struct balance_less out[CANDIDATES])
{
	struct waits *w = &g->b->waits;
	struct guess_functions f = {0};
	size_t n = 0;

	for (size_t i = 0; i < g->steps.n; i++) {
		const struct guess_step *s = &g->steps.at[i];
		const struct waits_interval *in =
			&w->threads.at[s->thread].intervals.at[s->interval];

		if (in->stack != NO_STACK && waits_kind_of(in->state) != WAITS_READY &&
		    balance_doing_of(w, in) == BALANCE_BUSY)
			guess_add_stack(&w->stacks, in->stack, &f, in->to - in->from);
	}
	if (f.all.n)
		qsort(f.all.at, f.all.n, sizeof(*f.all.at), guess_compare_functions);
	for (size_t i = 0; i < f.all.n && n < CANDIDATES; i++) {
		const struct guess_function *function = &f.all.at[i];

		if (function->outer_ns * 2 < function->ns || function->inner_ns * 2 >= function->ns)
			out[n++] = (struct balance_less){function->name, 50};
	}
	vec_release(&f.all);
	intern_release(&f.names);
	return n;
}

static void guess_drop_small(struct balance *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->guesses.n; i++)
		if ((b->program_ns - b->guesses.at[i].wall_ns) * HELPS >= b->program_ns)
			b->guesses.at[n++] = b->guesses.at[i];
	b->guesses.n = n;
}

static int guess_check(const struct balance *b, const struct balance_less *less, size_t n,
		       struct err *err)
{
	const struct wait_stacks *stacks = &b->waits.stacks;

	for (size_t i = 0; i < n; i++) {
		bool found = false;

		for (uint32_t s = 0; s < stacks->stacks.n && !found; s++)
			found = wait_stacks_has(stacks, s, less[i].function);
		if (!found)
			return err_set(err, ERR_INPUT, "no stack has the function '%s'",
				       less[i].function);
	}
	if (n && !b->waits.has_path)
		return err_set(err, ERR_INPUT,
			       "how long the program would take cannot be said: its end, or who "
			       "wakes up whom, is not in the recording");
	return 0;
}

int balance_guess(struct balance *b, const struct balance_less *less, size_t n, struct err *err)
{
	struct guess g = {.b = b};
	struct balance_less found[CANDIDATES];
	const struct waits_thread *last = b->waits.has_path ? b->waits.last : NULL;
	uint64_t base;

	if (guess_check(b, less, n, err))
		return -1;
	if (!last)
		return 0;
	b->program_ns = vec_last(&last->intervals)->to - last->intervals.at[0].from;
	guess_list_steps(&g);
	if (!n) {
		n = guess_candidates(&g, found);
		less = found;
	}
	g.threads = mem_zero(b->waits.threads.n * sizeof(*g.threads));
	guess_scale(&g, NULL, 0);
	base = guess_end(&g, (uint32_t)(last - b->waits.threads.at));
	for (size_t i = 0; i < n; i++)
		guess_add(&g, (uint32_t)(last - b->waits.threads.at), base, &less[i]);
	if (b->guesses.n)
		qsort(b->guesses.at, b->guesses.n, sizeof(*b->guesses.at), guess_compare);
	if (less == found)
		guess_drop_small(b);
	free(g.threads);
	vec_release(&g.scaled);
	vec_release(&g.steps);
	return 0;
}
