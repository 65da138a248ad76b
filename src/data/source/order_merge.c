// SPDX-License-Identifier: MIT
/* Batches of waiting records: the oldest of each run's queue, merged by their times. */
#include "base/sorted.h"
#include "data/source/order.h"

/* Records of a batch, at most about, and of each of many runs in it. */
#define MERGE_BATCH 1024
#define MERGE_LEAST 64
/* Records that a run without a queue has in a queue of its own. */
#define MERGE_OWN 512

/* Bytes of taken records whose memory is worth giving back: of one run; before the first record
 * that waits. */
#define MERGE_PASSED_RUN (1u << 20)
#define MERGE_PASSED	 (512u << 10)

static struct queued *run_queue(const struct order *o, const struct queued_run *run)
{
	return (run->own ? run->own : o->queues[run->round].at) + run->first;
}

/* The offset of the run's first record that waits. */
static uint64_t run_offset(const struct order *o, const struct queued_run *run)
{
	const uint8_t *p = run->n ? run->base + run_queue(o, run)->at : run->rest;

	return run->offset + (uint64_t)(p - run->base);
}

static bool run_is_mapped(const struct queued_run *run)
{
	return !run->owner && !run->part && !run->expanded;
}

static void order_note_passed(struct order *o, uint64_t *passed, uint64_t to, uint64_t least)
{
	if (to < *passed + least)
		return;
	vec_add(&o->passed, (struct order_passed){*passed, to});
	*passed = to;
}

/* Notes bytes whose records were taken: in the middle of long runs, and all before the first record
 * that waits. The former may come back to memory, mapped with what is read beside them. */
static void order_note_taken(struct order *o)
{
	uint64_t to = o->ended;

	for (size_t i = 0; i < o->runs.n; i++) {
		struct queued_run *run = o->runs.at[i];

		if (!run_is_mapped(run))
			continue;
		if (!i)
			to = run_offset(o, run);
		order_note_passed(o, &run->passed, run_offset(o, run), MERGE_PASSED_RUN);
	}
	order_note_passed(o, &o->given_back, to, MERGE_PASSED);
}

/* After all records of the batch were taken: drops the runs of which no record waits. */
static void order_settle(struct order *o)
{
	size_t n = 0;

	for (size_t i = 0; i < o->runs.n; i++) {
		struct queued_run *run = o->runs.at[i];

		if (run->n || run->rest < run->end) {
			o->runs.at[n++] = run;
			continue;
		}
		if (i + 1 == o->runs.n)
			o->has_open = false;
		if (run_is_mapped(run))
			o->ended = MAX(o->ended, run_offset(o, run));
		o->bytes -= run->owner ? (size_t)(run->end - run->base) : 0;
		shared_bytes_drop(run->owner);
		run->owner = NULL;
		free(run->own);
		run->own = NULL;
		vec_add(&o->unused, run);
	}
	o->runs.n = n;
	order_note_taken(o);
	for (size_t i = 0; !n && i < ARRAY_SIZE(o->queues); i++)
		vec_clear(&o->queues[i]);
	vec_clear(&o->batch);
	o->taken = 0;
}

static uint64_t queued_time(const struct order_how *how, const uint8_t *p, size_t size)
{
	uint64_t time;
	uint32_t type;

	memcpy(&type, p, sizeof(type));
	if (how->layout && type == RECORD_SAMPLE)
		return sample_layout_time(how->layout, p);
	return record_raw_time(&how->decode, p, size, &time) ? time : 0;
}

/* Queues more of the run's records, which had times when they were put. */
static void run_queue_rest(struct queued_run *run, const struct order_how *how)
{
	uint64_t time = run->time;

	if (!run->own)
		run->own = mem_alloc(MERGE_OWN * sizeof(*run->own));
	run->first = run->n = 0;
	while (run->rest < run->end && run->n < MERGE_OWN) {
		const size_t size = record_size_at(run->rest, how->decode.swap);

		time = MAX(time, queued_time(how, run->rest, size));
		run->own[run->n++] = (struct queued){.time = time,
						     .at = (uint32_t)(run->rest - run->base),
						     .nth = run->rest_nth++,
						     .run = run->slot,
						     .event = QUEUED_UNSEEN};
		run->rest += size;
	}
}

/* True when the run has queued records up to the limit. */
static bool run_is_due(struct order *o, struct queued_run *run, const struct order_how *how)
{
	if (run->time > how->limit)
		return false;
	if (!run->n)
		run_queue_rest(run, how);
	run->time = run_queue(o, run)->time;
	return run->time <= how->limit;
}

/* Up to which time the batch can go, so that no record is missing in it. */
struct merge_bound {
	size_t most; /* records of each run; 0: no record is due */
	uint64_t time;
	bool stuck; /* no record is older, and not all of this time may be queued */
};

static struct merge_bound order_bound(struct order *o, const struct order_how *how)
{
	struct merge_bound b = {.time = how->limit};
	uint64_t oldest = UINT64_MAX;
	size_t due = 0;

	for (size_t i = 0; i < o->runs.n; i++)
		due += run_is_due(o, o->runs.at[i], how);
	if (!due)
		return b;
	b.most = MAX(MERGE_BATCH / due, MERGE_LEAST);
	for (size_t i = 0; i < o->runs.n; i++)
		oldest = MIN(oldest, o->runs.at[i]->time);
	for (size_t i = 0; i < o->runs.n && !b.stuck; i++) {
		const struct queued_run *run = o->runs.at[i];
		const size_t n = MIN(run->n, b.most);
		uint64_t last;

		if (run->time > how->limit || (n == run->n && run->rest == run->end))
			continue;
		/* the next one may have the same time */
		last = run_queue(o, run)[n - 1].time;
		b.stuck = last == oldest;
		b.time = b.stuck ? oldest : MIN(b.time, last - 1);
	}
	return b;
}

/* The run's records up to the bound become a part of the batch. */
static size_t order_gather(struct order *o, struct queued_run *run, const struct merge_bound *b)
{
	const struct queued *from = run_queue(o, run);
	const size_t n = SORTED_UNTIL(from, MIN(run->n, b->most), time, b->time);

	vec_add(&o->parts, (struct queued_part){from, n});
	run->first += n;
	run->n -= n;
	run->time = run->n ? from[n].time : b->time;
	return n;
}

/* Merges two parts; of equal times, those of the first one come first. */
static struct queued *merge_two(const struct queued_part *first, const struct queued_part *second,
				struct queued *to)
{
	const struct queued *x = first->at, *x_end = x + first->n;
	const struct queued *y = second->at, *y_end = y + second->n;

	/* without a branch, which would be taken at random */
	while (x < x_end && y < y_end) {
		const uintptr_t later = y->time < x->time, mask = -later;
		const uintptr_t from = (uintptr_t)x ^ (((uintptr_t)x ^ (uintptr_t)y) & mask);

		*to++ = *(const struct queued *)from;
		x += !later;
		y += later;
	}
	while (x < x_end)
		*to++ = *x++;
	while (y < y_end)
		*to++ = *y++;
	return to;
}

/* Merges the first part with the second, the third with the fourth and so on. */
static void order_merge_pairs(struct order *o, size_t n)
{
	const struct queued_vec batch = o->batch;
	const struct queued_part none = {0};
	struct queued *to, *end;
	size_t parts = 0;

	o->merged.n = 0;
	vec_reserve(&o->merged, n);
	to = o->merged.at;
	for (size_t i = 0; i < o->parts.n; i += 2, to = end) {
		end = merge_two(&o->parts.at[i], i + 1 < o->parts.n ? &o->parts.at[i + 1] : &none,
				to);
		o->parts.at[parts++] = (struct queued_part){to, (size_t)(end - to)};
	}
	o->merged.n = n;
	o->parts.n = parts;
	o->batch = o->merged;
	o->merged = batch;
}

bool order_merge(struct order *o, const struct order_how *how)
{
	struct merge_bound bound;
	size_t n = 0;

	order_settle(o);
	bound = order_bound(o, how);
	if (!bound.most)
		return false;
	vec_clear(&o->parts);
	for (size_t i = 0; i < o->runs.n; i++) {
		if (o->runs.at[i]->time > bound.time)
			continue;
		n += order_gather(o, o->runs.at[i], &bound);
		/* of the oldest time, the file's first records alone */
		if (bound.stuck)
			break;
	}
	do
		order_merge_pairs(o, n);
	while (o->parts.n > 1);
	o->last_flush = vec_last(&o->batch)->time;
	return true;
}
