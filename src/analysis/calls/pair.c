// SPDX-License-Identifier: MIT
#include "analysis/calls/pair.h"

#include "base/hash.h"
#include "base/mem.h"

/* A thread, with the call that it is in. */
struct pending {
	bool in_call, told;
	struct call call;
	struct buf bytes; /* .call's memory */
	char comm[64];
};

struct call_pairs {
	struct call_listener to;
	struct idmap by_tid;
	VEC(struct pending *) threads;
	VEC(uint32_t) spare;	 /* of threads: those that have ended */
	struct pending *current; /* whose call began last */
	bool once;		 /* a call is delivered once, at its end */
};

struct call_pairs *call_pairs_new(const struct call_listener *to)
{
	struct call_pairs *p = NEW(struct call_pairs);

	p->to = *to;
	return p;
}

void call_pairs_tell_once(struct call_pairs *p)
{
	p->once = true;
}

void call_pairs_free(struct call_pairs *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->threads.n; i++) {
		buf_release(&p->threads.at[i]->bytes);
		free(p->threads.at[i]);
	}
	vec_release(&p->threads);
	vec_release(&p->spare);
	idmap_release(&p->by_tid);
	free(p);
}

static struct pending *pair_thread_of(struct call_pairs *p, uint32_t tid)
{
	uint32_t *id = idmap_put(&p->by_tid, tid);

	if (*id == HASH_NONE && p->spare.n) {
		*id = p->spare.at[--p->spare.n];
	} else if (*id == HASH_NONE) {
		*id = (uint32_t)p->threads.n;
		vec_add(&p->threads, NEW(struct pending));
	}
	return p->threads.at[*id];
}

/* Frees what is kept of a thread that has ended. */
static void pair_thread_ended(struct call_pairs *p, struct pending *t, uint32_t tid)
{
	uint32_t *id = idmap_put(&p->by_tid, tid);

	if (p->current == t)
		p->current = NULL;
	buf_release(&t->bytes);
	*t = (struct pending){0};
	vec_add(&p->spare, *id);
	*id = HASH_NONE;
}

static bool is_endless(const struct call *c)
{
	return c->desc && (c->desc->id == CALL_ID_exit || c->desc->id == CALL_ID_exit_group);
}

static void tell_begun(struct call_pairs *p, struct pending *t)
{
	if (!t->in_call || t->told || p->once)
		return;
	t->told = true;
	p->to.tell(p->to.ctx, &t->call, CALL_BEGUN);
}

void call_pairs_idle(struct call_pairs *p)
{
	if (p->current)
		tell_begun(p, p->current);
}

void call_pairs_end(struct call_pairs *p)
{
	p->once = false;
	for (size_t i = 0; i < p->threads.n; i++)
		tell_begun(p, p->threads.at[i]);
}

static void keep_entry(struct pending *t, const struct call *c)
{
	t->call = *c;
	buf_clear(&t->bytes);
	buf_add(&t->bytes, c->memory.at, c->memory.n);
	t->call.memory.at = (const uint8_t *)t->bytes.at;
	t->call.memory.n = t->bytes.n;
	strncpy(t->comm, c->comm, sizeof(t->comm) - 1);
	t->call.comm = t->comm;
	t->in_call = true;
	t->told = false;
}

/* Joins the kept beginning of a call and its end. */
static void join(struct pending *t, const struct call *end, struct call *whole)
{
	*whole = t->call;
	whole->comm = end->comm;
	whole->tid = end->tid;
	whole->returned = true;
	whole->exit_ns = end->exit_ns;
	whole->result = end->result;
	whole->cpu = end->cpu;
	buf_add(&t->bytes, end->memory.at, end->memory.n);
	whole->memory.at = (const uint8_t *)t->bytes.at;
	whole->memory.n = t->bytes.n;
}

static bool is_exec(const struct call *c)
{
	return c->desc && (c->desc->id == CALL_ID_execve || c->desc->id == CALL_ID_execveat);
}

/* The thread that a call which returns began in. An exec gives its thread the id of the process. */
static struct pending *pair_begun_in(const struct call_pairs *p, struct pending *t,
				     const struct call *c)
{
	if (!is_exec(c) || call_failed(c) || c->tid != c->pid ||
	    (t->in_call && t->call.number == c->number))
		return t;
	for (size_t i = 0; i < p->threads.n; i++) {
		struct pending *other = p->threads.at[i];

		if (other->in_call && other->call.pid == c->pid && other->call.number == c->number)
			return other;
	}
	return t;
}

static void add_end(struct call_pairs *p, struct pending *t, const struct call *c)
{
	struct call whole;
	bool told;

	t = pair_begun_in(p, t, c);
	told = t->told;
	/* Tracepoints give the return from a signal handler the number -1. */
	if (!t->in_call || (t->call.number != c->number && c->number != -1)) {
		t->in_call = false;
		if (c->number != -1)
			p->to.tell(p->to.ctx, c, CALL_CONTINUED);
		return;
	}
	join(t, c, &whole);
	t->in_call = false;
	p->to.tell(p->to.ctx, &whole, told ? CALL_CONTINUED : CALL_WHOLE);
}

static enum call_told told_of_whole(const struct pending *t, const struct call *c)
{
	if (!c->early)
		return CALL_WHOLE;
	return t->in_call && t->told && t->call.early && t->call.number == c->number
		       ? CALL_CONTINUED
		       : CALL_EARLY;
}

void call_pairs_add(struct call_pairs *p, const struct call *c)
{
	struct pending *t = pair_thread_of(p, c->tid);

	if (c->entered && p->current && p->current != t)
		tell_begun(p, p->current);
	if (c->entered && c->returned) {
		const enum call_told what = told_of_whole(t, c);

		t->in_call = false;
		p->current = t;
		p->to.tell(p->to.ctx, c, what);
	} else if (c->refused) {
		t->in_call = false;
		p->to.tell(p->to.ctx, c, CALL_ENDLESS);
	} else if (c->entered && is_endless(c)) {
		p->to.tell(p->to.ctx, c, CALL_ENDLESS);
		pair_thread_ended(p, t, c->tid);
	} else if (c->entered) {
		keep_entry(t, c);
		p->current = t;
	} else {
		add_end(p, t, c);
	}
}
