// SPDX-License-Identifier: MIT
#include "data/source/order.h"

/* Records in each of the two queues, at most about: 384 KiB. */
#define ORDER_QUEUED 16384
/* Bytes of a run in a buffer or a file, at most about: .at has 32 bits. */
#define ORDER_RUN_BYTES (1u << 31)

void order_release(struct order *o)
{
	for (size_t i = 0; i < o->slots.n; i++) {
		shared_bytes_drop(o->slots.at[i]->owner);
		free(o->slots.at[i]->own);
		free(o->slots.at[i]);
	}
	vec_release(&o->slots);
	vec_release(&o->runs);
	vec_release(&o->unused);
	for (size_t i = 0; i < ARRAY_SIZE(o->queues); i++)
		vec_release(&o->queues[i]);
	vec_release(&o->batch);
	vec_release(&o->merged);
	vec_release(&o->parts);
	vec_release(&o->passed);
	*o = (struct order){0};
}

bool order_waits(const struct order *o)
{
	return o->runs.n;
}

void order_pass(struct order *o, uint64_t time)
{
	if (!order_waits(o) || time > o->max_time)
		o->max_time = time;
}

void order_pass_run(struct order *o, const struct time_run *run)
{
	order_pass(o, order_waits(o) ? run->greatest : run->last);
}

/* The run that the record continues; NULL: none. */
static struct queued_run *order_open(const struct order *o, const struct raw_record *raw,
				     uint64_t time)
{
	struct queued_run *run = o->has_open ? *vec_last(&o->runs) : NULL;

	return run && run->end == raw->p && run->owner == raw->owner &&
			       run->expanded == raw->expanded && time >= run->last_time &&
			       run->end - run->base < ORDER_RUN_BYTES
		       ? run
		       : NULL;
}

static struct queued_run *order_new_run(struct order *o)
{
	struct queued_run *run;

	if (o->unused.n)
		return o->unused.at[--o->unused.n];
	run = NEW(struct queued_run);
	run->slot = (uint32_t)o->slots.n;
	vec_add(&o->slots, run);
	return run;
}

static struct queued_run *order_begin(struct order *o, const struct raw_record *raw, uint64_t time)
{
	struct queued_run *run = order_new_run(o);

	shared_bytes_hold(raw->owner);
	*run = (struct queued_run){
		.slot = run->slot,
		.base = raw->p,
		.end = raw->p,
		.offset = raw->offset,
		.seq = raw->seq,
		.part = raw->part,
		.expanded = raw->expanded,
		.owner = raw->owner,
		.time = time,
		.passed = raw->offset,
		.first = o->queues[o->round].n,
		.round = o->round,
		.rest = raw->p,
	};
	vec_add(&o->runs, run);
	o->has_open = true;
	return run;
}

/* True when the next record of the run can be queued together with those before it. */
static bool order_can_queue(const struct order *o, const struct queued_run *run)
{
	return run->rest == run->end && !run->own && o->queues[o->round].n < ORDER_QUEUED;
}

void order_put(struct order *o, const struct raw_record *raw, uint64_t time)
{
	struct queued_run *run = order_open(o, raw, time);

	order_pass(o, time);
	o->bytes += raw->owner ? raw->header.size : 0;
	if (!run)
		run = order_begin(o, raw, time);
	if (order_can_queue(o, run)) {
		vec_add(&o->queues[o->round],
			(struct queued){.time = time,
					.at = (uint32_t)(run->end - run->base),
					.nth = run->rest_nth,
					.run = run->slot,
					.event = QUEUED_UNSEEN});
		run->n++;
		run->rest_nth++;
		run->rest += raw->header.size;
	}
	run->end += raw->header.size;
	run->last_time = time;
}

void order_begin_ascending(struct order *o, struct ascending *a)
{
	const struct queued_run *run = *vec_last(&o->runs);

	a->base = run->base;
	a->nth = run->rest_nth;
	a->run = run->slot;
	a->to = NULL;
	if (!order_can_queue(o, run))
		return;
	a->room = READER_ASCENDING / a->layout->fixed;
	vec_reserve(&o->queues[o->round], a->room);
	a->to = o->queues[o->round].at + o->queues[o->round].n;
}

void order_extend(struct order *o, size_t bytes, const struct ascending *a)
{
	struct queued_run *run = *vec_last(&o->runs);

	order_pass(o, a->time);
	run->end += bytes;
	run->last_time = a->time;
	if (!a->to)
		return;
	o->queues[o->round].n += a->noted;
	run->n += a->noted;
	run->rest_nth += a->passed;
	run->rest = run->end;
}

bool order_round(struct order *o, uint64_t *limit)
{
	*limit = o->next_flush;
	return *limit != 0;
}

/* The run's queue ends with its queued records: they will be queued anew from their bytes. */
static void run_forget_queue(const struct order *o, struct queued_run *run)
{
	const struct queued *q;

	if (run->own || !run->n)
		return;
	q = &o->queues[run->round].at[run->first];
	run->rest = run->base + q->at;
	run->rest_nth = q->nth;
	run->time = q->time;
	run->n = 0;
}

void order_round_done(struct order *o)
{
	o->next_flush = o->max_time;
	o->round = !o->round;
	o->has_open = false;
	/* none, where rounds were taken up to the limit of order_round() */
	for (size_t i = 0; i < o->runs.n; i++)
		if (o->runs.at[i]->round == o->round)
			run_forget_queue(o, o->runs.at[i]);
	vec_clear(&o->queues[o->round]);
}

uint64_t order_middle(const struct order *o)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < o->runs.n; i++)
		first = MIN(first, o->runs.at[i]->time);
	return first + (o->max_time - first) / 2;
}

bool order_batch(struct order *o, const struct order_how *how, struct queued_batch *b)
{
	if (o->taken == o->batch.n && !order_merge(o, how))
		return false;
	b->runs = o->slots.at;
	b->at = o->batch.at + o->taken;
	b->n = o->batch.n - o->taken;
	return true;
}

void order_take_batch(struct order *o, size_t n)
{
	o->taken += n;
}

bool order_take(struct order *o, const struct order_how *how, struct raw_record *raw)
{
	struct queued_batch b;
	const struct queued_run *run;

	if (!order_batch(o, how, &b))
		return false;
	run = b.runs[b.at->run];
	*raw = (struct raw_record){.p = run->base + b.at->at,
				   .owner = run->owner,
				   .offset = run->offset + (run->expanded ? 0 : b.at->at),
				   .seq = run->seq + b.at->nth,
				   .part = run->part,
				   .expanded = run->expanded};
	raw->header.size = record_size_at(raw->p, how->decode.swap);
	o->taken++;
	return true;
}
