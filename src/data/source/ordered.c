// SPDX-License-Identifier: MIT
/* Records in the order of time. */
#include "data/source/order.h"

/* Bytes of records that may wait outside of a mapped file. */
#define ORDER_MEMORY (1ull << 30)

struct ordered {
	struct source src;
	struct source *below;
	struct order order;
	struct source_times times;
	struct sample_layout layout;
	size_t laid_out; /* events that the layout is of */
	bool alike;	 /* the layout is that of all samples */
	bool without_rounds;
	bool skips;    /* runs of unwanted samples are passed unread */
	bool draining; /* up to limit */
	bool round;    /* draining ends a round */
	bool end;      /* there is no more below */
	uint64_t limit;
	/* Events whose samples are wanted: see source_ops.leave_out. */
	bool (*wants)(void *ctx, const struct event *ev);
	void *wants_ctx;
	VEC(bool) wanted;
	uint32_t formats; /* .changes of the formats when they were found */
};

/* The layout of all samples; NULL: they differ, or must be decoded. */
static const struct sample_layout *ordered_layout(struct ordered *o)
{
	const size_t n = o->src.m->events.events.n;

	if (o->laid_out != n) {
		o->laid_out = n;
		o->alike = sample_layout_init(&o->layout, o->src.m);
	}
	return o->alike ? &o->layout : NULL;
}

/* By index of the event; NULL: all are wanted. */
static const bool *ordered_wanted(struct ordered *o)
{
	const struct event_set *set = &o->src.m->events;

	if (!o->wants)
		return NULL;
	if (o->wanted.n == set->events.n && o->formats == o->src.m->formats.changes)
		return o->wanted.at;
	vec_clear(&o->wanted);
	for (size_t i = 0; i < set->events.n; i++)
		vec_add(&o->wanted, o->wants(o->wants_ctx, set->events.at[i]));
	o->formats = o->src.m->formats.changes;
	return o->wanted.at;
}

/* After a sample was queued: queues the samples behind it at once, as long as their times ascend
 * and they are not late. */
static void ordered_queue_ascending(struct ordered *o, const struct raw_record *raw, uint64_t time)
{
	struct ascending a = {
		.layout = ordered_layout(o), .time = time, .wanted = ordered_wanted(o)};
	size_t n;

	if (!a.layout || raw->expanded || raw->header.type != RECORD_SAMPLE || o->times.wanted ||
	    !o->below->ops->ascending || time < o->order.last_flush)
		return;
	order_begin_ascending(&o->order, &a);
	n = o->below->ops->ascending(o->below, &a);
	if (!n)
		return;
	order_extend(&o->order, n, &a);
	o->src.left_out += a.to ? a.passed - a.noted : 0;
}

/* Queues the record, or drops an unwanted sample. False: it has no time and goes on at once. */
static bool ordered_queue(struct ordered *o, const struct raw_record *raw)
{
	const struct record_decode how = measurement_decode(o->src.m, &o->src.scratch);
	uint64_t time;

	if (!record_raw_time(&how, raw->p, raw->header.size, &time))
		return false;
	if (time < o->order.last_flush && o->src.counts_order)
		losses_add(&o->src.m->losses, LOSS_ORDER, 1, raw->offset);
	if (o->times.wanted && raw->header.type == RECORD_SAMPLE &&
	    !o->times.wanted(o->times.ctx, time, time)) {
		order_pass(&o->order, time);
		return true;
	}
	order_put(&o->order, raw, time);
	ordered_queue_ascending(o, raw, time);
	/* records of a pipe or a compressed file wait in memory, which must be bounded without
	 * rounds */
	if (o->order.bytes > ORDER_MEMORY) {
		o->draining = true;
		o->limit = order_middle(&o->order);
	}
	return true;
}

/* Gives back the memory of taken records. Waiting records were read before they were queued, and
 * read again when they are taken: far behind the reader. */
static void ordered_give_back(struct ordered *o)
{
	const struct order_passed *passed = o->order.passed.at;

	for (size_t i = 0; i < o->order.passed.n && o->below->ops->passed; i++)
		o->below->ops->passed(o->below, passed[i].from, passed[i].to);
	vec_clear(&o->order.passed);
}

static struct order_how ordered_how(struct ordered *o)
{
	return (struct order_how){.decode = measurement_decode(o->src.m, &o->src.scratch),
				  .layout = ordered_layout(o),
				  .limit = o->limit};
}

/* The next waiting records, up to the limit. False: there are none. */
static bool ordered_batch(struct source *src, struct queued_batch *b)
{
	struct ordered *o = (struct ordered *)src;
	const struct order_how how = ordered_how(o);

	if (!how.layout || !o->src.m->sample_id_all || !o->draining ||
	    !order_batch(&o->order, &how, b))
		return false;
	ordered_give_back(o);
	b->layout = how.layout;
	return true;
}

static void ordered_take_batch(struct source *src, size_t n)
{
	order_take_batch(&((struct ordered *)src)->order, n);
}

static void ordered_leave_out(struct source *src, bool (*wanted)(void *ctx, const struct event *ev),
			      void *ctx)
{
	struct ordered *o = (struct ordered *)src;

	o->wants = wanted;
	o->wants_ctx = ctx;
}

/* Takes the next waiting record, up to the limit. */
static bool ordered_drain(struct ordered *o, struct raw_record *raw)
{
	const struct order_how how = ordered_how(o);

	if (!o->draining)
		return false;
	if (order_take(&o->order, &how, raw)) {
		ordered_give_back(o);
		return true;
	}
	o->draining = false;
	if (o->round)
		order_round_done(&o->order);
	o->round = false;
	return false;
}

static void ordered_end_round(struct ordered *o)
{
	o->round = true;
	o->draining = true;
	if (!order_round(&o->order, &o->limit)) {
		order_round_done(&o->order);
		o->round = o->draining = false;
	}
}

static bool ordered_run_unwanted(const struct ordered *o, const struct time_run *run)
{
	/* late samples are counted one by one */
	return !o->times.wanted(o->times.ctx, run->least, run->greatest) &&
	       !(run->least < o->order.last_flush && o->src.counts_order);
}

/* Passes the unwanted runs of samples that come next. */
static void ordered_skip_runs(struct ordered *o)
{
	const struct source_runs *runs = o->below->ops->runs;
	const struct time_run *run;

	while (o->skips && (run = runs->next(o->below))) {
		if (!ordered_run_unwanted(o, run)) {
			runs->read(o->below, run);
			return;
		}
		runs->pass(o->below, run);
		order_pass_run(&o->order, run);
		/* a FINISHED_ROUND with no waiting record: reading it would cost a page of the
		 * file */
		if (o->without_rounds && !order_waits(&o->order) && runs->pass_empty(o->below, run))
			order_round_done(&o->order);
	}
}

static int ordered_next_raw(struct source *src, struct raw_record *raw, struct err *err)
{
	struct ordered *o = (struct ordered *)src;

	for (;;) {
		int got;

		if (ordered_drain(o, raw))
			return 1;
		if (o->end)
			return 0;
		ordered_skip_runs(o);
		got = o->below->ops->next_raw(o->below, raw, err);
		if (got < 0)
			return -1;
		if (!got) {
			o->end = o->draining = true;
			o->limit = UINT64_MAX;
			continue;
		}
		if (ordered_queue(o, raw))
			continue;
		if (raw->header.type == RECORD_FINISHED_ROUND)
			ordered_end_round(o);
		return 1;
	}
}

static void ordered_define(struct source *src, const struct raw_record *raw)
{
	struct source *below = ((struct ordered *)src)->below;

	below->ops->define(below, raw);
}

static void ordered_keep_behind(struct source *src, uint64_t bytes)
{
	struct source *below = ((struct ordered *)src)->below;

	if (below->ops->keep_behind)
		below->ops->keep_behind(below, bytes);
}

static uint64_t ordered_bytes(const struct source *src)
{
	return source_bytes(((const struct ordered *)src)->below);
}

static void ordered_free(struct source *src)
{
	struct ordered *o = (struct ordered *)src;

	source_free(o->below);
	order_release(&o->order);
	vec_release(&o->wanted);
	source_release(src);
	free(o);
}

static const struct source_ops ordered_ops = {.next_raw = ordered_next_raw,
					      .define = ordered_define,
					      .batch = ordered_batch,
					      .take_batch = ordered_take_batch,
					      .leave_out = ordered_leave_out,
					      .keep_behind = ordered_keep_behind,
					      .bytes = ordered_bytes,
					      .free = ordered_free};

struct source *source_ordered(struct source *below, const struct source_options *opts)
{
	struct ordered *o = NEW(struct ordered);

	source_init_on(&o->src, &ordered_ops, below);
	o->below = below;
	o->without_rounds = opts->without_rounds && opts->mode == SOURCE_ORDERED;
	if (opts->mode == SOURCE_ORDERED)
		o->times = opts->times;
	o->skips = o->times.wanted && below->ops->runs;
	return &o->src;
}
