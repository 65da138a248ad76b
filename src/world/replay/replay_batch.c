// SPDX-License-Identifier: MIT
/* Samples, several at once, in recordings whose samples have their fields at fixed offsets. */
#include "data/record/sample_layout.h"
#include "world/replay/bound.h"

/* Samples to prefetch ahead: a batch's lie in several places of memory, which are read in turns. */
#define BATCH_AHEAD 8

/* As replay_bound_of(), of formats that have not changed. */
static inline const struct replay_bound *batch_bound(struct replay *rp, uint32_t event)
{
	const struct replay_bound *b = event < rp->bound.n ? rp->bound.at[event] : NULL;

	return b ? b : replay_bound_make(rp, rp->m->events.events.at[event]);
}

/* The event of a sample, which is whole. QUEUED_UNSEEN: it is another record, or damaged, or its
 * event is not known. */
static uint32_t batch_look_at(const struct sample_layout *layout, const uint8_t *p)
{
	struct record_header header;
	struct sample_chain chain;
	const struct event *ev;

	memcpy(&header, p, sizeof(header));
	if (header.type != RECORD_SAMPLE || header.size < layout->fixed)
		return QUEUED_UNSEEN;
	ev = sample_layout_event(layout, p);
	return ev && sample_is_whole(layout, ev, p, header.size, &chain) ? ev->index
									 : QUEUED_UNSEEN;
}

static inline void batch_set_place(struct replay *rp, const struct queued_run *run,
				   const struct queued *q)
{
	rp->sample.part = run->part;
	rp->sample.offset = run->offset + (run->expanded ? 0 : q->at);
	rp->sample.seq = run->seq + q->nth;
}

/* Reads the call chain behind the fixed fields. Returns where it ends; NULL: it is not aligned. */
static const uint8_t *batch_read_chain(struct record *r, const uint8_t *record, const uint8_t *p)
{
	struct sample *s = &r->sample;

	if ((uintptr_t)p & 7)
		return NULL;
	memcpy(&r->header, record, sizeof(r->header));
	s->callchain_nr = sample_word(p, 0);
	s->callchain = (const uint64_t *)p + 1;
	return (const uint8_t *)(s->callchain + s->callchain_nr);
}

/* Takes a sample of which its row needs little. False: it must be decoded by itself. */
static inline bool batch_take_plain(struct replay *rp, const struct sample_layout *layout,
				    const struct replay_bound *b, const uint8_t *p, int *stop)
{
	struct sample *s = &rp->sample.sample;
	const uint8_t *raw = p + layout->fixed;
	uint32_t raw_size;

	s->callchain_nr = 0;
	if (b->chained && !(raw = batch_read_chain(&rp->sample, p, raw)))
		return false;
	memcpy(&raw_size, raw, sizeof(raw_size));
	if (raw_size < b->least)
		return false;
	memcpy(&s->pid, p + layout->ids_at, 2 * sizeof(s->pid)); /* and .tid */
	s->time = rp->time;
	if (layout->cpu_at)
		memcpy(&s->cpu, p + layout->cpu_at, sizeof(s->cpu));
	replay_bound_read_numbers(b, raw + sizeof(raw_size));
	*stop = b->row->take(rp, &rp->sample, b->args);
	return true;
}

/* Takes any other sample. False: it must be decoded by itself. */
static bool batch_take_other(struct replay *rp, const struct sample_layout *layout,
			     const struct replay_bound *b, struct event *ev, const uint8_t *p,
			     int *stop)
{
	struct record *r = &rp->sample;
	struct sample_chain chain;
	struct record_header header;

	memcpy(&header, p, sizeof(header));
	if (!sample_is_whole(layout, ev, p, header.size, &chain) ||
	    !sample_layout_decode(layout, ev, p, &chain, r))
		return false;
	if (rp->filter && !replay_wants_sample(rp, r))
		return true;
	*stop = b->row ? replay_bound_take(rp, b, r) : rp->by_type[RECORD_SAMPLE](rp, r);
	return true;
}

/* Takes the sample, or passes it when it has no handler. False: it must be decoded by itself. */
static inline bool batch_take_sample(struct replay *rp, const struct queued_batch *batch,
				     const struct queued *q, int *stop)
{
	const struct queued_run *run = batch->runs[q->run];
	const uint8_t *p = run->base + q->at;
	const uint32_t event =
		q->event != QUEUED_UNSEEN ? q->event : batch_look_at(batch->layout, p);
	const struct replay_bound *b;
	const uint64_t before = rp->time;
	bool took;

	if (event == QUEUED_UNSEEN)
		return false;
	b = batch_bound(rp, event);
	if (!b) {
		*stop = -1;
		return true;
	}
	rp->time = q->time;
	if (!b->row && !rp->by_type[RECORD_SAMPLE])
		return true;
	batch_set_place(rp, run, q);
	took = b->plain ? batch_take_plain(rp, batch->layout, b, p, stop)
			: batch_take_other(rp, batch->layout, b, rp->m->events.events.at[event], p,
					   stop);
	if (!took)
		rp->time = before;
	return took;
}

static inline void batch_prefetch(const struct queued_batch *batch, size_t i)
{
	const struct queued *q = &batch->at[i < batch->n ? i : batch->n - 1];
	const uint8_t *p = batch->runs[q->run]->base + q->at;

	__builtin_prefetch(p + 24);
	__builtin_prefetch(p + 24 + 64);
}

/* Returns how many were taken. */
static size_t batch_take(struct replay *rp, const struct queued_batch *batch, int *stop)
{
	const uint64_t *corrupt = &rp->m->losses.kind[LOSS_CORRUPT].times, damage = *corrupt;
	size_t n = 0;

	/* .lost is called between a damaged record and the next one */
	while (!*stop && n < batch->n && *corrupt == damage) {
		batch_prefetch(batch, n + BATCH_AHEAD);
		if (!batch_take_sample(rp, batch, &batch->at[n], stop))
			break;
		n++;
	}
	rp->records += n;
	return n;
}

int replay_take_batches(struct replay *rp)
{
	const struct losses *losses = &rp->m->losses;
	struct source *src = rp->src;
	struct queued_batch batch;
	int stop = REPLAY_GO;
	size_t n;

	if (rp->formats != rp->m->formats.changes)
		replay_bound_release(rp);
	rp->formats = rp->m->formats.changes;
	/* replay_add() tells the analysis of damage */
	while (!stop && (!rp->how->lost || replay_damage_seen(losses) == rp->damage) &&
	       src->ops->batch(src, &batch)) {
		if (rp->laid_out != batch.layout->events->events.n) {
			rp->laid_out = batch.layout->events->events.n;
			memset(&rp->sample, 0, sizeof(rp->sample));
		}
		n = batch_take(rp, &batch, &stop);
		src->ops->take_batch(src, n);
		if (n < batch.n)
			break;
	}
	return stop;
}
