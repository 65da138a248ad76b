// SPDX-License-Identifier: MIT
/*
 * Deferred call chains (Linux 6.19): a sample taken in the kernel ends its chain with
 * CONTEXT_USER_DEFERRED and a cookie. The user's part follows in a CALLCHAIN_DEFERRED record when
 * the thread returns to user space. This decorator makes one chain of both.
 *
 * A sample that waits for its user part is delivered just before the record that has it, or as soon
 * as no such record can come: the thread returned with another cookie, the thread ended, or the
 * records ended. It then has its kernel part alone, and counts as LOSS_UNWIND. All other records
 * are delivered as the source below gives them.
 */
#include "base/hash.h"
#include "data/source/source_ops.h"

/* The most samples that wait. */
#define JOINED_MOST 65536

struct waiting_sample {
	uint32_t tid;
	bool waits;
	uint64_t cookie, offset, seq;
	uint32_t part;
	struct event *event; /* .event, .period: split.c's, which .bytes lacks */
	uint64_t period;
	struct buf bytes;
};

struct joined {
	struct source src;
	struct source *below;
	VEC(struct waiting_sample) samples; /* in the order in which they came */
	size_t first;			    /* no sample before it waits */
	size_t waiting;
	struct idmap tids;	   /* tid -> how many of the thread's samples wait */
	VEC(uint64_t) user, words; /* the record's words; a sample's with them */
	/* while .delivers: the samples of .tid (.all: of all threads) from .at on are delivered,
	 * then the record .after */
	bool delivers, all;
	uint32_t tid;
	uint64_t cookie;
	size_t at;
	struct record after;
	bool has_after;
};

static bool sample_is_deferred(const struct sample *s)
{
	return s->callchain_nr >= 2 && s->callchain[s->callchain_nr - 2] == CONTEXT_USER_DEFERRED;
}

/* Keeps a sample until its user part comes. False: it cannot be kept. */
static bool joined_hold(struct joined *j, const struct record *r)
{
	struct waiting_sample *s;
	struct buf bytes = {0};
	uint32_t *n;

	if (!r->event || !(r->sample.type & SAMPLE_TID) || record_encode(r, 0, false, &bytes)) {
		buf_release(&bytes);
		return false;
	}
	if (!j->waiting) {
		for (size_t i = 0; i < j->samples.n; i++)
			buf_release(&j->samples.at[i].bytes);
		vec_clear(&j->samples);
		j->first = 0;
	}
	s = vec_extend(&j->samples, 1);
	*s = (struct waiting_sample){.tid = r->sample.tid,
				     .waits = true,
				     .offset = r->offset,
				     .seq = r->seq,
				     .part = r->part,
				     .event = r->event,
				     .period = r->sample.period,
				     .bytes = bytes};
	s->cookie = r->sample.callchain[r->sample.callchain_nr - 1];
	n = idmap_put(&j->tids, s->tid);
	*n = *n == HASH_NONE ? 1 : *n + 1;
	j->waiting++;
	return true;
}

static void joined_deliver(struct joined *j, bool all, uint32_t tid)
{
	j->delivers = true;
	j->all = all;
	j->tid = tid;
	j->at = j->first;
	vec_clear(&j->user);
}

static bool joined_thread_waits(const struct joined *j, uint32_t tid)
{
	uint32_t n = j->waiting ? idmap_find(&j->tids, tid) : 0;

	return n && n != HASH_NONE;
}

/* Makes the record of a sample that waited, with its user part if that came. */
static bool joined_make(struct joined *j, struct waiting_sample *held, struct record *r)
{
	const struct record_decode how = {.sample_id_all = j->src.m->sample_id_all,
					  .scratch = &j->src.scratch,
					  .events = &j->src.m->events};
	struct sample *s = &r->sample;
	bool joined = j->user.n && held->cookie == j->cookie;

	held->waits = false;
	j->waiting--;
	(*idmap_put(&j->tids, held->tid))--;
	if (record_decode(&how, held->bytes.at, held->bytes.n, r))
		return false;
	r->offset = held->offset;
	r->seq = held->seq;
	r->part = held->part;
	r->event = held->event;
	s->period = held->period;
	vec_clear(&j->words);
	for (uint64_t i = 0; i + 2 < s->callchain_nr; i++)
		vec_add(&j->words, s->callchain[i]);
	for (size_t i = 0; joined && i < j->user.n; i++)
		vec_add(&j->words, j->user.at[i]);
	s->callchain = j->words.at;
	s->callchain_nr = j->words.n;
	if (!joined)
		losses_add(&j->src.m->losses, LOSS_UNWIND, 1, held->offset);
	return true;
}

static bool joined_next_waiting(struct joined *j, struct record *r)
{
	while (j->delivers && j->waiting && j->at < j->samples.n) {
		struct waiting_sample *s = &j->samples.at[j->at++];

		if (s->waits && (j->all || s->tid == j->tid) && joined_make(j, s, r))
			return true;
	}
	j->delivers = false;
	while (j->first < j->samples.n && !j->samples.at[j->first].waits)
		j->first++;
	return false;
}

/* True for the record that a thread's samples wait for, and for one after which none can come. */
static bool joined_ends_waiting(struct joined *j, const struct record *r)
{
	const struct rec_callchain_deferred *c = &r->callchain_deferred;

	if (r->header.type == RECORD_EXIT && joined_thread_waits(j, r->task.tid)) {
		joined_deliver(j, false, r->task.tid);
		return true;
	}
	if (r->header.type != RECORD_CALLCHAIN_DEFERRED || !joined_thread_waits(j, r->id.tid))
		return false;
	joined_deliver(j, false, r->id.tid);
	j->cookie = c->cookie;
	if (c->nr && c->ips[0] < CONTEXT_MAX)
		vec_add(&j->user, CONTEXT_USER);
	for (uint64_t i = 0; i < c->nr; i++)
		vec_add(&j->user, c->ips[i]);
	return true;
}

static int joined_next(struct source *src, struct record *r, struct err *err)
{
	struct joined *j = (struct joined *)src;

	for (;;) {
		int got;

		if (joined_next_waiting(j, r))
			return 1;
		if (j->has_after) {
			j->has_after = false;
			*r = j->after;
			return 1;
		}
		got = source_next(j->below, r, err);
		if (!got && j->waiting) {
			joined_deliver(j, true, 0);
			continue;
		}
		if (got <= 0)
			return got;
		if (r->header.type == RECORD_SAMPLE && sample_is_deferred(&r->sample) &&
		    joined_hold(j, r)) {
			if (j->waiting >= JOINED_MOST)
				joined_deliver(j, true, 0);
			continue;
		}
		if (!joined_ends_waiting(j, r))
			return 1;
		j->after = *r;
		j->has_after = true;
	}
}

static uint64_t joined_bytes(const struct source *src)
{
	return source_bytes(((const struct joined *)src)->below);
}

static void joined_free(struct source *src)
{
	struct joined *j = (struct joined *)src;

	source_free(j->below);
	for (size_t i = 0; i < j->samples.n; i++)
		buf_release(&j->samples.at[i].bytes);
	vec_release(&j->samples);
	idmap_release(&j->tids);
	vec_release(&j->user);
	vec_release(&j->words);
	source_release(src);
	free(j);
}

static const struct source_ops joined_ops = {
	.next = joined_next, .bytes = joined_bytes, .free = joined_free};

struct source *source_joined(struct source *below)
{
	struct joined *j = NEW(struct joined);

	source_init_on(&j->src, &joined_ops, below);
	j->below = below;
	return &j->src;
}
