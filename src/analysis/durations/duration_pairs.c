// SPDX-License-Identifier: MIT
/* Calls between two events that the user has named. */
#include "analysis/durations/durations_private.h"

#include <string.h>

/* More values than that share a row. */
#define VALUES_MAX 4096
/* Pairs that are open at the same time: further ones keep no stack. */
#define STACKS_MAX 4096

/* One that began and has not ended; .used is false where the place is free. */
struct open_pair {
	bool used;
	struct open_call call;
	struct thread *thread; /* where it began */
	uint64_t key;
};

int durations_add_pair(struct durations *d, const char *typed, struct err *err)
{
	return event_pairs_add(&d->pairs, &d->arena, typed, err);
}

/* -- calls -- */

static uint32_t pair_function(struct durations *d, const struct event_pair *p, uint64_t value)
{
	const bool by_value = d->by_value && p->field;
	AUTO_BUF key = {0};
	uint32_t id;

	buf_printf(&key, "%s .. %s", p->begin, p->end);
	if (by_value && d->functions.n < VALUES_MAX)
		buf_printf(&key, " %s=%llu", p->field, (unsigned long long)value);
	else if (by_value)
		buf_str(&key, " (other values)");
	id = intern_put(&d->names, key.at, key.n);
	if (id == d->functions.n) {
		struct duration_function *f = vec_extend(&d->functions, 1);

		f->name = arena_strndup(&d->arena, key.at, key.n);
	}
	return id;
}

/* Ends the innermost call of a function in the thread. Others that began later and have not ended
 * stay open: pairs may overlap. */
static void pair_end_inside(struct replay *rp, struct durations_thread *t, uint32_t function)
{
	const size_t place = t->innermost.at[function];
	struct open_call ended = t->calls.at[place - 1];

	for (size_t i = place; i < t->depth; i++) {
		struct open_call *call = &t->calls.at[i];

		call->outer -= call->outer > place;
		/* the innermost of its function, or an outer one that the next round changes */
		t->innermost.at[call->function] = (uint32_t)i;
		t->calls.at[i - 1] = *call;
	}
	t->innermost.at[function] = ended.outer;
	t->calls.at[--t->depth] = (struct open_call){.stack = ended.stack};
	durations_count_call(rp, t, &ended, rp->time > ended.begin ? rp->time - ended.begin : 0,
			     CALL_ENDED);
}

static void pair_end_in_thread(struct replay *rp, struct durations_thread *t, uint32_t function)
{
	const size_t place = function < t->innermost.n ? t->innermost.at[function] : 0;

	if (!place)
		durations_of(rp)->functions.at[function].before++;
	else if (place == t->depth)
		durations_end_call(rp, t, CALL_ENDED);
	else
		pair_end_inside(rp, t, function);
}

/* -- calls by the value of a field -- */

static uint64_t pair_key(const struct durations *d, const struct event_pair *p,
			 const struct durations_thread *t, uint64_t value)
{
	const struct {
		uint64_t pair, pid, value;
	} key = {(uint64_t)(p - d->pairs.at), t->thread->pid, value};

	return hash_bytes(&key, sizeof(key), 0);
}

/* Counts an open pair, and frees its place. t: the thread that ended it; NULL: none. */
static void open_pair_close(struct replay *rp, struct open_pair *o,
			    const struct durations_thread *t, enum call_end how)
{
	struct durations *d = durations_of(rp);
	const uint32_t place = (uint32_t)(o - d->open_pairs.at);
	/* what a thread waited meanwhile that did not end it says nothing */
	const struct durations_thread other = {
		.thread = o->thread, .waiting = o->call.waiting, .ready = o->call.ready};

	o->call.elsewhere = !t || t->thread != o->thread;
	durations_count_call(rp, o->call.elsewhere ? &other : t, &o->call,
			     rp->time > o->call.begin ? rp->time - o->call.begin : 0, how);
	o->used = false;
	*idmap_put(&d->open_by_value, o->key) = HASH_NONE;
	vec_add(&d->free_pairs, place);
}

static struct open_pair *open_pair_find(struct durations *d, uint64_t key)
{
	const uint32_t at = idmap_find(&d->open_by_value, key);

	return at == HASH_NONE ? NULL : &d->open_pairs.at[at];
}

static void open_pair_add(struct replay *rp, struct durations_thread *t, uint64_t key,
			  uint32_t function, const struct record *r)
{
	struct durations *d = durations_of(rp);
	struct open_pair *o;
	struct wall_stack stack;

	if (d->free_pairs.n)
		o = &d->open_pairs.at[d->free_pairs.at[--d->free_pairs.n]];
	else
		o = vec_extend(&d->open_pairs, 1);
	stack = o->call.stack;
	d->functions.at[function].entries = r->event;
	*o = (struct open_pair){.used = true,
				.thread = t->thread,
				.key = key,
				.call = {.function = function,
					 .begin = rp->time,
					 .waiting = t->waiting,
					 .ready = t->ready,
					 .losses = d->losses,
					 .stack = stack}};
	*idmap_put(&d->open_by_value, key) = (uint32_t)(o - d->open_pairs.at);
	if (d->slowest_max && d->open_pairs.n - d->free_pairs.n <= STACKS_MAX)
		wall_stack_keep(&o->call.stack, r);
	else
		wall_stack_forget(&o->call.stack);
}

static void pair_take(struct replay *rp, const struct event_pair *p, struct durations_thread *t,
		      const struct record *r, uint64_t value)
{
	struct durations *d = durations_of(rp);
	const bool begins = r->event == p->begin_event;
	const uint32_t function = pair_function(d, p, value);
	const uint64_t key = pair_key(d, p, t, value);
	struct open_pair *o = p->field ? open_pair_find(d, key) : NULL;

	if (!p->field && begins)
		durations_open_call(rp, t, function, r);
	else if (!p->field)
		pair_end_in_thread(rp, t, function);
	else if (!begins && !o)
		d->functions.at[function].before++;
	else if (o)
		open_pair_close(rp, o, t, begins ? CALL_LEFT : CALL_ENDED);
	if (p->field && begins)
		open_pair_add(rp, t, key, function, r);
}

static int durations_take_pair(struct replay *rp, const struct record *r, const void *v)
{
	const struct event_pair_args *args = v;
	struct durations *d = durations_of(rp);
	struct durations_thread *t = durations_thread_of(rp, r->sample.pid, r->sample.tid);

	durations_count_hit(rp, t);
	for (size_t i = 0; t && i < d->pairs.n; i++) {
		const struct event_pair *p = &d->pairs.at[i];

		if (r->event == p->begin_event || r->event == p->end_event)
			pair_take(rp, p, t, r, p->field ? args->value : 0);
	}
	return REPLAY_GO;
}

/* -- all of them -- */

int duration_pairs_bind(struct durations *d, const struct recording *rec,
			struct replay_tracepoint *rows, struct err *err)
{
	return event_pairs_bind(&d->pairs, &d->arena, rec, durations_take_pair, rows, err);
}

void duration_pairs_end(struct replay *rp)
{
	struct durations *d = durations_of(rp);

	for (size_t i = 0; i < d->open_pairs.n; i++)
		if (d->open_pairs.at[i].used)
			open_pair_close(rp, &d->open_pairs.at[i], NULL, CALL_OPEN);
}

void duration_pairs_release(struct durations *d)
{
	for (size_t i = 0; i < d->open_pairs.n; i++)
		wall_stack_release(&d->open_pairs.at[i].call.stack);
	vec_release(&d->open_pairs);
	vec_release(&d->free_pairs);
	vec_release(&d->pairs);
	idmap_release(&d->open_by_value);
}
