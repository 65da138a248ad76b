// SPDX-License-Identifier: MIT
#include "data/source/order.h"

static bool run_before(const struct order *o, uint32_t a, uint32_t b)
{
	const struct order_run *x = &o->runs.at[a], *y = &o->runs.at[b];

	return x->time != y->time ? x->time < y->time : x->seq < y->seq;
}

static void heap_up(struct order *o, size_t i)
{
	uint32_t *h = o->heap.at;

	while (i && run_before(o, h[i], h[(i - 1) / 2])) {
		uint32_t t = h[i];

		h[i] = h[(i - 1) / 2];
		h[(i - 1) / 2] = t;
		i = (i - 1) / 2;
	}
}

/* Restores the heap after the run at its root was changed or replaced. */
static void heap_down(struct order *o)
{
	uint32_t *h = o->heap.at;
	size_t i = 0, n = o->heap.n;

	if (n == 1)
		return;

	for (;;) {
		size_t least = i, child = 2 * i + 1;
		uint32_t t;

		if (child < n && run_before(o, h[child], h[least]))
			least = child;
		if (child + 1 < n && run_before(o, h[child + 1], h[least]))
			least = child + 1;
		if (least == i)
			return;
		t = h[i];
		h[i] = h[least];
		h[least] = t;
		i = least;
	}
}

/* Sets .until: in a heap, the next run is a child of the first. */
static void order_set_until(struct order *o)
{
	const uint32_t *h = o->heap.at;

	o->until = UINT64_MAX;
	for (size_t i = 1; i < MIN(o->heap.n, 3); i++)
		o->until = MIN(o->until, o->runs.at[h[i]].time);
}

void order_release(struct order *o)
{
	for (size_t i = 0; i < o->heap.n; i++)
		shared_bytes_drop(o->runs.at[o->heap.at[i]].owner);
	vec_release(&o->runs);
	vec_release(&o->heap);
	vec_release(&o->free);
	shared_bytes_drop(o->taken);
	*o = (struct order){0};
}

void order_pass(struct order *o, uint64_t time)
{
	if (!o->heap.n || time > o->max_time)
		o->max_time = time;
}

void order_pass_run(struct order *o, const struct time_run *run)
{
	order_pass(o, o->heap.n ? run->greatest : run->last);
}

void order_put(struct order *o, const struct raw_record *raw, uint64_t time)
{
	struct order_run *run = o->has_open ? &o->runs.at[o->open] : NULL;
	uint32_t at;

	order_pass(o, time);
	o->bytes += raw->owner ? raw->header.size : 0;
	if (run && run->end == raw->p && run->owner == raw->owner &&
	    run->expanded == raw->expanded && time >= run->last_time) {
		run->end += raw->header.size;
		run->last_time = time;
		return;
	}
	if (o->free.n) {
		at = *vec_last(&o->free);
		o->free.n--;
	} else {
		at = (uint32_t)o->runs.n;
		(void)vec_extend(&o->runs, 1);
	}
	shared_bytes_hold(raw->owner);
	o->runs.at[at] = (struct order_run){
		.time = time,
		.seq = raw->seq,
		.last_time = time,
		.offset = raw->offset,
		.passed = raw->offset,
		.part = raw->part,
		.p = raw->p,
		.end = raw->p + raw->header.size,
		.owner = raw->owner,
		.expanded = raw->expanded,
	};
	vec_add(&o->heap, at);
	heap_up(o, o->heap.n - 1);
	o->until = 0;
	o->open = at;
	o->has_open = true;
}

void order_extend(struct order *o, size_t bytes, uint64_t time)
{
	struct order_run *run = &o->runs.at[o->open];

	order_pass(o, time);
	run->end += bytes;
	run->last_time = time;
}

bool order_round(struct order *o, uint64_t *limit)
{
	*limit = o->next_flush;
	return *limit != 0;
}

void order_round_done(struct order *o)
{
	o->next_flush = o->max_time;
}

uint64_t order_middle(const struct order *o)
{
	uint64_t first = o->runs.at[o->heap.at[0]].time;

	return first + (o->max_time - first) / 2;
}

/* The runs lie in several places of memory, which are read in turns: bytes to prefetch ahead in
 * each. */
#define ORDER_AHEAD 512

static uint16_t record_size_at(const uint8_t *p, bool swap)
{
	uint16_t size;

	memcpy(&size, p + offsetof(struct record_header, size), sizeof(size));
	return swap ? __builtin_bswap16(size) : size;
}

/* Reads the time of the run's first record, which had one when it was put into the run. */
static void run_read_time(struct order_run *run, const struct record_decode *how,
			  const struct sample_layout *layout)
{
	uint32_t type;

	memcpy(&type, run->p, sizeof(type));
	if (layout && type == RECORD_SAMPLE)
		run->time = sample_layout_time(layout, run->p);
	else
		record_raw_time(how, run->p, record_size_at(run->p, how->swap), &run->time);
}

/* Bytes of a run whose memory is worth giving back: in the middle of a run, and at its end. */
#define ORDER_PASSED	 (256u << 10)
#define ORDER_PASSED_END (32u << 10)

static void order_note_passed(struct order *o, struct order_run *run)
{
	if (run->owner || run->part)
		return;
	o->passed_from = run->passed;
	o->passed_to = run->passed = run->offset;
}

bool order_passed(struct order *o, uint64_t *from, uint64_t *to)
{
	if (!o->passed_to)
		return false;
	*from = o->passed_from;
	*to = o->passed_to;
	o->passed_to = 0;
	return true;
}

/* Removes the first run, whose last record was taken. */
static void order_end_first_run(struct order *o)
{
	const uint32_t at = o->heap.at[0];

	if (o->runs.at[at].offset - o->runs.at[at].passed >= ORDER_PASSED_END)
		order_note_passed(o, &o->runs.at[at]);
	/* the last reference goes when its record has been used */
	o->taken = o->runs.at[at].owner;
	if (o->has_open && o->open == at)
		o->has_open = false;
	vec_add(&o->free, at);
	o->heap.at[0] = *vec_last(&o->heap);
	o->heap.n--;
}

/* Frees the bytes of the records taken before. */
static void order_drop_taken(struct order *o)
{
	if (o->taken)
		shared_bytes_drop(o->taken);
	o->taken = NULL;
}

/* Takes n records of the first run: its bytes up to p. time: that of the last one. */
static inline void order_advance(struct order *o, const struct record_decode *how,
				 const struct sample_layout *layout, const uint8_t *p, size_t n,
				 uint64_t time)
{
	struct order_run *run = &o->runs.at[o->heap.at[0]];
	const size_t bytes = (size_t)(p - run->p);

	o->last_flush = time;
	o->bytes -= run->owner ? bytes : 0;
	run->p = p;
	run->seq += n;
	if (!run->expanded)
		run->offset += bytes;
	if (run->offset - run->passed >= ORDER_PASSED)
		order_note_passed(o, run);
	if (run->p < run->end) {
		run_read_time(run, how, layout);
		if (run->time < o->until)
			return;
	} else {
		order_end_first_run(o);
	}
	heap_down(o);
	order_set_until(o);
}

bool order_take(struct order *o, const struct record_decode *how,
		const struct sample_layout *layout, uint64_t limit, struct raw_record *raw)
{
	struct order_run *run;
	uint16_t size;

	order_drop_taken(o);
	if (!o->heap.n)
		return false;
	run = &o->runs.at[o->heap.at[0]];
	if (run->time > limit)
		return false;
	size = record_size_at(run->p, how->swap);
	*raw = (struct raw_record){.header.size = size,
				   .p = run->p,
				   .owner = run->owner,
				   .offset = run->offset,
				   .seq = run->seq,
				   .part = run->part,
				   .expanded = run->expanded};
	__builtin_prefetch(run->p + size + ORDER_AHEAD);
	order_advance(o, how, layout, run->p + size, 1, run->time);
	return true;
}

bool order_stretch(const struct order *o, uint64_t limit, struct record_stretch *s)
{
	const struct order_run *run;

	if (!o->heap.n)
		return false;
	run = &o->runs.at[o->heap.at[0]];
	if (run->time > limit)
		return false;
	*s = (struct record_stretch){.p = run->p,
				     .end = run->end,
				     .before = limit == UINT64_MAX ? o->until
								   : MIN(o->until, limit + 1),
				     .offset = run->offset,
				     .seq = run->seq,
				     .part = run->part,
				     .expanded = run->expanded};
	return true;
}

void order_take_stretch(struct order *o, const struct record_decode *how,
			const struct sample_layout *layout, const uint8_t *to, size_t n,
			uint64_t time)
{
	order_drop_taken(o);
	order_advance(o, how, layout, to, n, time);
}
