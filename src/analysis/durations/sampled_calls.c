// SPDX-License-Identifier: MIT
#include "analysis/durations/sampled_calls.h"

#include "analysis/wall/wall.h"
#include "probe/function_probes.h"

#include <math.h>

/* A run that has not ended, as far as is known. */
struct sampled_run {
	uint32_t function;
	uint64_t ns, waiting_ns, ready_ns;
};

struct sampled_thread {
	VEC(struct sampled_run) runs;
	/* Time without a known stack since the last one: it belongs to the runs that the next known
	 * stack is in, too. */
	struct sampled_run gap;
};

/* The functions of a stack that are wanted, the innermost first: a part of .functions. */
struct sampled_stack {
	uint32_t from, n;
};

struct sampled {
	struct durations *d;
	const char *globs;
	struct wait_stacks stacks;
	VEC(struct sampled_stack) known; /* by id of .stacks */
	VEC(uint32_t) functions;	 /* indices into d->functions; each once in a stack */
	VEC(uint64_t) pieces;		 /* by function: clock samples */
	struct idmap by_thread;
	VEC(struct sampled_thread) threads;
};

/* HASH_NONE: it is not wanted. */
static uint32_t sampled_function(struct sampled *s, const char *name)
{
	uint32_t id;

	if (!function_globs_match(s->globs, name))
		return HASH_NONE;
	id = intern_str(&s->d->names, name);
	if (id == s->d->functions.n) {
		vec_extend(&s->d->functions, 1)->name = arena_strdup(&s->d->arena, name);
		vec_add(&s->pieces, 0);
	}
	return id;
}

static bool stack_has(const struct sampled *s, const struct sampled_stack *stack, uint32_t function)
{
	for (uint32_t i = 0; i < stack->n; i++)
		if (s->functions.at[stack->from + i] == function)
			return true;
	return false;
}

static void sampled_read_stack(struct sampled *s, uint32_t id)
{
	const struct wait_stack *of = &s->stacks.stacks.at[id];
	struct sampled_stack stack = {.from = (uint32_t)s->functions.n};

	for (uint32_t i = 0; i < of->users_n; i++) {
		const uint32_t frame = s->stacks.users.at[of->users + i];
		const uint32_t function = sampled_function(s, s->stacks.frames.at[frame].name);

		if (function == HASH_NONE || stack_has(s, &stack, function))
			continue;
		vec_add(&s->functions, function);
		stack.n++;
	}
	vec_add(&s->known, stack);
}

static const struct sampled_stack *sampled_stack_at(struct sampled *s, uint32_t id)
{
	while (s->known.n <= id)
		sampled_read_stack(s, (uint32_t)s->known.n);
	return &s->known.at[id];
}

static struct sampled_thread *sampled_thread_at(struct sampled *s, const struct thread *t)
{
	uint32_t *index = idmap_put(&s->by_thread, t->index);

	if (!*index || *index == HASH_NONE) {
		(void)vec_extend(&s->threads, 1);
		*index = (uint32_t)s->threads.n;
	}
	return &s->threads.at[*index - 1];
}

static void run_add(struct sampled_run *run, const struct sampled_run *more)
{
	run->ns += more->ns;
	run->waiting_ns += more->waiting_ns;
	run->ready_ns += more->ready_ns;
}

static void run_end(struct sampled *s, const struct sampled_run *run)
{
	struct duration_function *f = &s->d->functions.at[run->function];

	f->total_ns += run->ns;
	f->waiting_ns += run->waiting_ns;
	f->ready_ns += run->ready_ns;
	histogram_add(&f->calls, run->ns);
}

/* Ends the runs that the stack is not in. */
static void sampled_end_others(struct sampled *s, struct sampled_thread *t,
			       const struct sampled_stack *stack)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->runs.n; i++) {
		struct sampled_run *run = &t->runs.at[i];

		if (!stack_has(s, stack, run->function)) {
			run_end(s, run);
			continue;
		}
		run_add(run, &t->gap);
		t->runs.at[kept++] = *run;
	}
	t->runs.n = kept;
	t->gap = (struct sampled_run){0};
}

static struct sampled_run *sampled_run_of(struct sampled_thread *t, uint32_t function)
{
	for (size_t i = 0; i < t->runs.n; i++)
		if (t->runs.at[i].function == function)
			return &t->runs.at[i];
	vec_add(&t->runs, (struct sampled_run){.function = function});
	return vec_last(&t->runs);
}

static void sampled_take(void *ctx, const struct wall_interval *in)
{
	struct sampled *s = ctx;
	struct sampled_thread *t = sampled_thread_at(s, in->thread);
	const bool runs = in->state == WALL_ON_CPU;
	const bool ready = in->state == WALL_PREEMPTED || in->state == WALL_WOKEN ||
			   in->state == WALL_NEW;
	const struct sampled_run piece = {.ns = in->ns,
					  .ready_ns = ready ? in->ns : 0,
					  .waiting_ns = ready || runs ? 0 : in->ns};
	uint32_t id = NO_STACK;
	const struct sampled_stack *stack;

	if (in->stack && in->state != WALL_UNKNOWN)
		id = wait_stacks_add(&s->stacks, in->thread, &in->stack->sample);
	if (id == NO_STACK) {
		run_add(&t->gap, &piece);
		return;
	}
	stack = sampled_stack_at(s, id);
	sampled_end_others(s, t, stack);
	for (uint32_t i = 0; i < stack->n; i++) {
		const uint32_t function = s->functions.at[stack->from + i];

		run_add(sampled_run_of(t, function), &piece);
		s->pieces.at[function] += runs;
		if (!i)
			s->d->functions.at[function].self_ns += in->ns;
	}
}

static uint64_t sampled_period(const struct recording *rec)
{
	const struct event *clock = rec->m.events.events.n ? rec->m.events.events.at[0] : NULL;

	if (!clock || !clock->attr.sample_period)
		return 0;
	return clock->attr.flags & ATTR_FREQ ? 1000000000 / clock->attr.sample_period
					     : clock->attr.sample_period;
}

static void sampled_finish(struct sampled *s)
{
	struct durations *d = s->d;

	for (size_t i = 0; i < s->threads.n; i++) {
		struct sampled_thread *t = &s->threads.at[i];

		d->threads++;
		for (size_t k = 0; k < t->runs.n; k++)
			run_end(s, &t->runs.at[k]);
	}
	/* a piece of time is in the function or not: 95 of 100 sums are less than two deviations
	 * from their mean */
	for (size_t i = 0; i < d->functions.n; i++)
		d->functions.at[i].error_ns =
			(uint64_t)(2 * sqrt((double)s->pieces.at[i]) * (double)d->period_ns);
}

static void sampled_release(struct sampled *s)
{
	for (size_t i = 0; i < s->threads.n; i++)
		vec_release(&s->threads.at[i].runs);
	vec_release(&s->threads);
	vec_release(&s->known);
	vec_release(&s->functions);
	vec_release(&s->pieces);
	idmap_release(&s->by_thread);
	wait_stacks_release(&s->stacks);
}

int sampled_calls_read(struct durations *d, const char *globs, struct recording *rec,
		       struct world *world, struct err *err)
{
	struct sampled s = {.d = d, .globs = globs};
	struct wall wall;
	int failed;

	wait_stacks_init(&s.stacks, world, &rec->m);
	failed = wall_read_intervals(&wall, rec, world, sampled_take, &s, err);
	d->is_sampled = true;
	d->has_switches = true;
	d->open_ends = !wall.has_stacks;
	d->period_ns = sampled_period(rec);
	d->begin = wall.begin;
	d->end = MAX(wall.end, wall.begin);
	if (!failed)
		sampled_finish(&s);
	sampled_release(&s);
	return failed;
}
