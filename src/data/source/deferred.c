// SPDX-License-Identifier: MIT
#include "data/source/deferred.h"

#include <string.h>

void deferred_init(struct deferred *d, struct recording *rec)
{
	*d = (struct deferred){.rec = rec};
}

void deferred_release(struct deferred *d)
{
	for (size_t i = 0; i < d->samples.n; i++)
		buf_release(&d->samples.at[i].bytes);
	vec_release(&d->samples);
	idmap_release(&d->tids);
	vec_release(&d->user);
	vec_release(&d->words);
	buf_release(&d->scratch);
}

static bool is_deferred(const struct sample *s)
{
	return s->callchain_nr >= 2 && s->callchain[s->callchain_nr - 2] == CONTEXT_USER_DEFERRED;
}

/* Sets aside a sample; false: it cannot be. */
static bool hold(struct deferred *d, const struct record *r)
{
	struct deferred_sample *s;
	struct buf bytes = {0};
	uint32_t *n;

	if (!r->event || !(r->sample.type & SAMPLE_TID) || record_encode(r, 0, false, &bytes)) {
		buf_release(&bytes);
		return false;
	}
	if (!d->waiting) {
		for (size_t i = 0; i < d->samples.n; i++)
			buf_release(&d->samples.at[i].bytes);
		vec_clear(&d->samples);
		d->first = 0;
	}
	s = vec_extend(&d->samples, 1);
	*s = (struct deferred_sample){.tid = r->sample.tid, .waits = true, .offset = r->offset,
				      .seq = r->seq, .part = r->part, .bytes = bytes};
	s->cookie = r->sample.callchain[r->sample.callchain_nr - 1];
	n = idmap_put(&d->tids, s->tid);
	*n = *n == HASH_NONE ? 1 : *n + 1;
	d->waiting++;
	return true;
}

static void deliver(struct deferred *d, bool all, uint32_t tid)
{
	d->delivers = true;
	d->all = all;
	d->tid = tid;
	d->at = d->first;
	vec_clear(&d->user);
}

static bool thread_waits(const struct deferred *d, uint32_t tid)
{
	uint32_t n = d->waiting ? idmap_find(&d->tids, tid) : 0;

	return n && n != HASH_NONE;
}

/* The sample with its user part, or without. */
static bool make(struct deferred *d, struct deferred_sample *held, struct record *r)
{
	const struct record_decode how = {.sample_id_all = d->rec->m.sample_id_all,
					  .scratch = &d->scratch,
					  .events = &d->rec->m.events};
	struct sample *s = &r->sample;
	bool joined = d->user.n && held->cookie == d->cookie;

	held->waits = false;
	d->waiting--;
	(*idmap_put(&d->tids, held->tid))--;
	if (record_decode(&how, held->bytes.at, held->bytes.n, r))
		return false;
	r->offset = held->offset;
	r->seq = held->seq;
	r->part = held->part;
	vec_clear(&d->words);
	for (uint64_t i = 0; i + 2 < s->callchain_nr; i++)
		vec_add(&d->words, s->callchain[i]);
	for (size_t i = 0; joined && i < d->user.n; i++)
		vec_add(&d->words, d->user.at[i]);
	s->callchain = d->words.at;
	s->callchain_nr = d->words.n;
	if (!joined)
		losses_add(&d->rec->m.losses, LOSS_UNWIND, 1, held->offset);
	return true;
}

static bool next_held(struct deferred *d, struct record *r)
{
	while (d->delivers && d->waiting && d->at < d->samples.n) {
		struct deferred_sample *s = &d->samples.at[d->at++];

		if (s->waits && (d->all || s->tid == d->tid) && make(d, s, r))
			return true;
	}
	d->delivers = false;
	while (d->first < d->samples.n && !d->samples.at[d->first].waits)
		d->first++;
	return false;
}

/* The record that a thread's samples wait for, or one that says that there is none. */
static bool ends_waiting(struct deferred *d, const struct record *r)
{
	const struct rec_callchain_deferred *c = &r->callchain_deferred;

	if (r->header.type == RECORD_EXIT && thread_waits(d, r->task.tid)) {
		deliver(d, false, r->task.tid);
		return true;
	}
	if (r->header.type != RECORD_CALLCHAIN_DEFERRED || !thread_waits(d, r->id.tid))
		return false;
	deliver(d, false, r->id.tid);
	d->cookie = c->cookie;
	if (c->nr && c->ips[0] < CONTEXT_MAX)
		vec_add(&d->user, CONTEXT_USER);
	for (uint64_t i = 0; i < c->nr; i++)
		vec_add(&d->user, c->ips[i]);
	return true;
}

int deferred_next(struct deferred *d, struct source *src, struct record *r, struct err *err)
{
	for (;;) {
		int got;

		if (next_held(d, r))
			return 1;
		if (d->has_after) {
			d->has_after = false;
			*r = d->after;
			return 1;
		}
		got = source_next(src, r, err);
		if (!got && d->waiting) {
			deliver(d, true, 0);
			continue;
		}
		if (got <= 0)
			return got;
		if (r->header.type == RECORD_SAMPLE && is_deferred(&r->sample) && hold(d, r)) {
			if (d->waiting >= DEFERRED_MOST)
				deliver(d, true, 0);
			continue;
		}
		if (!ends_waiting(d, r))
			return 1;
		d->after = *r;
		d->has_after = true;
	}
}
