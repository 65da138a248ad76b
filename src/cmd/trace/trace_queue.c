// SPDX-License-Identifier: MIT
/* Queues calls and events until all earlier ones have arrived. */
#include "cmd/trace/trace_events.h"

#include <stdlib.h>
#include <string.h>

static void queue_call(struct trace_events *e, uint64_t time, const struct trace_record *r)
{
	const size_t n = sizeof(*r) + r->bytes;

	vec_add(&e->queue,
		(struct trace_item){
			.time = time, .seq = e->seq++, .tid = r->tid, .at = e->bytes.n, .n = n});
	buf_add(&e->bytes, r, n);
	buf_fill(&e->bytes, 0, -n & 7);
}

void trace_events_add_call(struct trace_events *e, const struct trace_record *r)
{
	queue_call(e,
		   r->what == TRACE_ENTER ? r->enter_ns
		   : r->exit_ns		  ? r->exit_ns
					  : r->enter_ns,
		   r);
}

static int by_thread(const void *a, const void *b)
{
	const struct trace_item *l = a, *r = b;

	if (l->tid != r->tid)
		return l->tid < r->tid ? -1 : 1;
	return l->time < r->time ? -1 : l->time > r->time;
}

static int by_time(const void *a, const void *b)
{
	const struct trace_item *l = a, *r = b;

	if (l->time != r->time)
		return l->time < r->time ? -1 : 1;
	return l->seq < r->seq ? -1 : 1;
}

/* Finds the thread's first item after the time from, in n items sorted by thread and time; NULL:
 * none. */
static const struct trace_item *item_after(const struct trace_item *items, size_t n, uint32_t tid,
					   uint64_t from)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct trace_item *i = &items[mid];

		if (i->tid < tid || (i->tid == tid && i->time <= from))
			low = mid + 1;
		else
			high = mid;
	}
	return low < n && items[low].tid == tid ? &items[low] : NULL;
}

/* True when an event of the thread lies between both times. */
static bool event_within(const struct trace_events *e, uint32_t tid, uint64_t from, uint64_t to)
{
	const struct trace_item *i = item_after(e->spans.at, e->spans.n, tid, from);

	return i && i->time < to;
}

/* Splits each call with events of its thread inside: its beginning, the events and its end become
 * lines. */
static void split_calls(struct trace_events *e)
{
	vec_clear(&e->spans);
	for (size_t i = 0; i < e->queue.n; i++)
		if (e->queue.at[i].event && e->queue.at[i].event != e->exits &&
		    !event_is_fault(e->queue.at[i].event))
			vec_add(&e->spans, e->queue.at[i]);
	if (!e->spans.n)
		return;
	qsort(e->spans.at, e->spans.n, sizeof(*e->spans.at), by_thread);
	for (size_t i = 0, n = e->queue.n; i < n; i++) {
		struct trace_item *item = &e->queue.at[i];
		struct trace_record whole;

		if (item->event)
			continue;
		memcpy(&whole, e->bytes.at + item->at, sizeof(whole));
		if (whole.what != TRACE_CALL ||
		    !event_within(e, whole.tid, whole.enter_ns, whole.exit_ns))
			continue;
		whole.what = TRACE_ENTER;
		item->time = whole.enter_ns;
		memcpy(e->bytes.at + item->at, &whole, sizeof(whole));
		whole.what = TRACE_EXIT;
		whole.bytes = 0;
		queue_call(e, whole.exit_ns, &whole);
	}
}

static void sort_chains(struct trace_events *e)
{
	vec_clear(&e->chains);
	for (size_t i = 0; i < e->queue.n; i++)
		if (e->queue.at[i].event && e->queue.at[i].event == e->exits)
			vec_add(&e->chains, e->queue.at[i]);
	if (e->chains.n)
		qsort(e->chains.at, e->chains.n, sizeof(*e->chains.at), by_thread);
}

/* Longest time between a call's end and its chain's sample. The kernel writes the chain right
 * before or after the call's record, before the thread's next call begins. */
#define CHAIN_LATE_NS 100000000ull

static void show_chain(struct trace_events *e, const struct trace_record *r)
{
	const struct trace_item *i;
	struct trace_below_text *below;

	if (!e->chains.n ||
	    (r->what != TRACE_CALL && r->what != TRACE_EXIT && r->what != TRACE_EARLY_CALL))
		return;
	i = item_after(e->chains.at, e->chains.n, r->tid, r->enter_ns);
	if (!i || (i->number & ~CALL_X32_BIT) != (unsigned int)r->number ||
	    i->time > r->exit_ns + CHAIN_LATE_NS)
		return;
	below = trace_below_of(&e->show->below, r->tid);
	buf_add(&below->chain, e->bytes.at + i->at, i->n);
	below->frames = i->frames;
	below->has_chain = true;
}

static void show_item(struct trace_events *e, const struct trace_item *item)
{
	struct trace_show *s = e->show;
	const char *p = e->bytes.at + item->at;

	if (!item->event) {
		show_chain(e, (const struct trace_record *)(const void *)p);
		trace_show_record(s, (const struct trace_record *)(const void *)p);
		return;
	}
	if (item->event == e->exits)
		return;
	if (replay_switched_off(&e->switches, item->event) || trace_show_full(s))
		return;
	if (!event_is_fault(item->event))
		call_pairs_idle(s->pairs);
	event_line_time(&s->lines, item->time, &s->out.buf);
	buf_add(&s->out.buf, p, item->n);
	s->shown++;
}

void trace_events_show_queue(struct trace_events *e, uint64_t until)
{
	AUTO_BUF kept = {0};
	size_t n = 0, i;

	split_calls(e);
	sort_chains(e);
	if (e->queue.n)
		qsort(e->queue.at, e->queue.n, sizeof(*e->queue.at), by_time);
	for (i = 0; i < e->queue.n && e->queue.at[i].time <= until; i++)
		show_item(e, &e->queue.at[i]);
	/* keep the chains of calls that stay in the queue */
	for (size_t k = 0; k < e->queue.n; k++) {
		struct trace_item item = e->queue.at[k];

		if (k < i &&
		    !(item.event && item.event == e->exits &&
		      item.time > until - MIN(until, CHAIN_LATE_NS) && until != UINT64_MAX))
			continue;
		buf_add(&kept, e->bytes.at + item.at, (item.n + 7) & ~(size_t)7);
		item.at = kept.n - ((item.n + 7) & ~(size_t)7);
		e->queue.at[n++] = item;
	}
	e->queue.n = n;
	buf_clear(&e->bytes);
	buf_add(&e->bytes, kept.at, kept.n);
}
