// SPDX-License-Identifier: MIT
#include "data/extension/time_index.h"

#include "base/hash.h"
#include "data/record/record.h"

#define VERSION 1
#define ENTRY	40
/* Bounds of a run in bytes. A shorter run is read in less time than its entry takes; of a longer
 * one too much would be read for one sample. */
#define RUN_LEAST 4096
#define RUN_MOST  (128 * 1024)
/* A run shorter than RUN_LEAST gets an entry when it is at least so far from the last one that did:
 * between two long runs it would cost a page of reading each time. */
#define SHORT_APART (64 * 1024)

/* Bytes in two pieces. */
struct pieces {
	const uint8_t *a, *b;
	size_t a_len, n; /* n: bytes of both */
};

static bool time_index_peek(const struct pieces *p, size_t pos, void *to, size_t n)
{
	if (pos > p->n || n > p->n - pos)
		return false;
	if (pos + n <= p->a_len)
		memcpy(to, p->a + pos, n);
	else if (pos >= p->a_len)
		memcpy(to, p->b + (pos - p->a_len), n);
	else
		for (size_t i = 0; i < n; i++)
			((uint8_t *)to)[i] =
				pos + i < p->a_len ? p->a[pos + i] : p->b[pos + i - p->a_len];
	return true;
}

/* The offset of the time in samples, when it is the same for all events; else 0. See
 * PERF_RECORD_SAMPLE in the kernel's perf_event.h. */
static uint32_t time_place(const struct event_set *events)
{
	const uint64_t before = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID;
	uint64_t first = events->events.n ? events->events.at[0]->attr.sample_type : 0;

	for (size_t i = 0; i < events->events.n; i++) {
		uint64_t type = events->events.at[i]->attr.sample_type;

		if (!(type & SAMPLE_TIME) || (type & before) != (first & before))
			return 0;
	}
	return first ? (uint32_t)sizeof(struct record_header) +
			       8 * (uint32_t)__builtin_popcountll(first & before)
		     : 0;
}

void time_index_begin(struct time_index *x, const struct event_set *events, uint64_t pos)
{
	x->time_at = time_place(events);
	x->pos = pos;
}

static void end_run(struct time_index *x)
{
	const struct time_run *run = &x->open;
	struct time_run *before = x->runs.n ? vec_last(&x->runs) : NULL;
	bool adjacent = before && before->offset + before->size == run->offset;

	if (run->size >= RUN_LEAST) {
		vec_add(&x->runs, *run);
	} else if (run->size && adjacent) {
		/* the short rest of a ring's contents: outside of a run it would cost a page of
		 * reading each time */
		before->size += run->size;
		before->samples += run->samples;
		before->least = MIN(before->least, run->least);
		before->greatest = MAX(before->greatest, run->greatest);
		before->last = run->last;
	} else if (run->size && before && run->offset >= x->short_from) {
		vec_add(&x->runs, *run);
		x->short_from = run->offset + SHORT_APART;
	}
	x->open.size = 0;
}

static void time_index_add_sample(struct time_index *x, uint64_t pos, uint32_t size, uint64_t time)
{
	struct time_run *run = &x->open;

	if (run->size && run->size + size > RUN_MOST)
		end_run(x);
	if (!run->size)
		*run = (struct time_run){.offset = pos, .least = time, .greatest = time};
	run->size += size;
	run->samples++;
	run->least = MIN(run->least, time);
	run->greatest = MAX(run->greatest, time);
	run->last = time;
}

void time_index_add(struct time_index *x, const void *a, size_t a_len, const void *b, size_t b_len)
{
	const struct pieces p = {a, b, a_len, a_len + b_len};
	struct record_header h;
	size_t pos = 0;

	if (!x->time_at)
		return;
	while (time_index_peek(&p, pos, &h, sizeof(h)) && h.size >= sizeof(h) &&
	       h.size <= p.n - pos) {
		uint64_t time = 0, follow = 0;

		/* a sample without a time belongs to no run: it is delivered whatever times are
		 * wanted */
		if (h.type == RECORD_SAMPLE && h.size >= x->time_at + sizeof(time) &&
		    time_index_peek(&p, pos + x->time_at, &time, sizeof(time)) && time &&
		    time != UINT64_MAX) {
			time_index_add_sample(x, x->pos + pos, h.size, time);
		} else {
			end_run(x);
			if (h.type == RECORD_AUXTRACE && h.size >= 16)
				time_index_peek(&p, pos + sizeof(h), &follow, sizeof(follow));
			if (follow > p.n - pos - h.size)
				break;
		}
		pos += h.size + (size_t)follow;
	}
	x->pos += p.n;
	if (pos != p.n)
		x->time_at = 0; /* these were no records */
}

static void time_index_add_entry(struct buf *out, const struct time_run *run)
{
	buf_add(out, &run->offset, 8);
	buf_add(out, &run->size, 4);
	buf_add(out, &run->samples, 4);
	buf_add(out, &run->least, 8);
	buf_add(out, &run->greatest, 8);
	buf_add(out, &run->last, 8);
}

bool time_index_put(struct time_index *x, uint64_t offset, uint64_t size, struct buf *out)
{
	uint32_t words[2] = {VERSION, ENTRY};
	AUTO_BUF entries = {0};
	uint64_t sum;

	end_run(x);
	if (!x->time_at || !x->runs.n)
		return false;
	for (size_t i = 0; i < x->runs.n; i++)
		time_index_add_entry(&entries, &x->runs.at[i]);
	sum = hash_bytes(entries.at, entries.n, 0);
	buf_add(out, words, sizeof(words));
	buf_add(out, &offset, sizeof(offset));
	buf_add(out, &size, sizeof(size));
	buf_add(out, &sum, sizeof(sum));
	buf_add(out, entries.at, entries.n);
	return true;
}

void time_index_release(struct time_index *x)
{
	vec_release(&x->runs);
	*x = (struct time_index){0};
}

static bool read_entry(struct cursor *c, uint64_t from, uint64_t to, struct time_run *run)
{
	*run = (struct time_run){.offset = cursor_u64(c)};
	run->size = cursor_u32(c);
	run->samples = cursor_u32(c);
	run->least = cursor_u64(c);
	run->greatest = cursor_u64(c);
	run->last = cursor_u64(c);
	return !c->bad && run->offset >= from && run->offset <= to &&
	       run->size <= to - run->offset && run->samples &&
	       run->samples <= run->size / sizeof(struct record_header) &&
	       run->least <= run->last && run->last <= run->greatest;
}

bool time_runs_read(struct time_runs *t, struct cursor c, uint64_t offset, uint64_t size)
{
	uint32_t version = cursor_u32(&c), entry = cursor_u32(&c);
	uint64_t from = cursor_u64(&c), n = cursor_u64(&c), sum = cursor_u64(&c),
		 to = position_after(offset, size);
	struct time_run run;

	if (c.bad || version != VERSION || entry != ENTRY || from != offset || n != size ||
	    cursor_left(&c) % ENTRY || hash_bytes(c.p, cursor_left(&c), 0) != sum)
		return false;
	while (cursor_left(&c)) {
		if (!read_entry(&c, from, to, &run)) {
			vec_clear(&t->runs);
			return false;
		}
		vec_add(&t->runs, run);
		from = run.offset + run.size;
	}
	return true;
}

void time_runs_release(struct time_runs *t)
{
	vec_release(&t->runs);
}
