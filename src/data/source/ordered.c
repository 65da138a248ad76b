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

/* After a sample was queued: queues the samples behind it at once, as long as their times ascend
 * and they are not late. */
static void ordered_queue_ascending(struct ordered *o, const struct raw_record *raw, uint64_t time)
{
	const struct sample_layout *layout = ordered_layout(o);
	size_t n;

	if (!layout || raw->expanded || raw->header.type != RECORD_SAMPLE || o->times.wanted ||
	    !o->below->ops->ascending || time < o->order.last_flush)
		return;
	n = o->below->ops->ascending(o->below, layout, &time);
	if (n)
		order_extend(&o->order, n, time);
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
static inline void ordered_give_back(struct ordered *o)
{
	uint64_t from, to;

	if (order_passed(&o->order, &from, &to) && o->below->ops->passed)
		o->below->ops->passed(o->below, from, to);
}

/* Takes the next waiting record, up to the limit. */
static bool ordered_drain(struct ordered *o, struct raw_record *raw)
{
	const struct record_decode how = measurement_decode(o->src.m, &o->src.scratch);

	if (!o->draining)
		return false;
	if (order_take(&o->order, &how, ordered_layout(o), o->limit, raw)) {
		ordered_give_back(o);
		return true;
	}
	o->draining = false;
	if (o->round)
		order_round_done(&o->order);
	o->round = false;
	return false;
}

static bool ordered_stretch(struct source *src, struct record_stretch *s)
{
	struct ordered *o = (struct ordered *)src;
	const struct sample_layout *layout = ordered_layout(o);

	if (!layout || !o->src.m->sample_id_all || !o->draining ||
	    !order_stretch(&o->order, o->limit, s))
		return false;
	s->layout = layout;
	return true;
}

static void ordered_take_stretch(struct source *src, const uint8_t *to, size_t n, uint64_t time)
{
	struct ordered *o = (struct ordered *)src;
	const struct record_decode how = measurement_decode(o->src.m, &o->src.scratch);

	order_take_stretch(&o->order, &how, ordered_layout(o), to, n, time);
	ordered_give_back(o);
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
		if (o->without_rounds && !o->order.heap.n && runs->pass_empty(o->below, run))
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
	source_release(src);
	free(o);
}

static const struct source_ops ordered_ops = {.next_raw = ordered_next_raw,
					      .define = ordered_define,
					      .stretch = ordered_stretch,
					      .take_stretch = ordered_take_stretch,
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
