// SPDX-License-Identifier: MIT
#include "capture/chains.h"

#include "capture/open.h"

#include <string.h>
#include <sys/utsname.h>

/* As much as may be known of processes; some 100,000 of them. */
#define WORLD_MOST (64u << 20)

bool chains_wanted(const struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.at[i]->unwind_stack)
			return true;
	return false;
}

void stack_watch_add(struct stack_watch *w, uint64_t size, uint64_t valid, bool ended)
{
	/* Copies that were still on their way at a change, or were cut, tell nothing of this size. */
	if (size != w->size)
		return;
	w->copies++;
	/* Where the kernel could not read on, a larger copy has no more. */
	w->ended += ended && valid == size;
}

/* One in 20, so that a rare deep stack does not make all samples dearer. */
bool stack_watch_short(const struct stack_watch *w)
{
	return w->ended >= 20 && w->ended * 20 >= w->copies;
}

static void new_world(struct chains *c)
{
	const struct symbol_options no_options = {0};

	c->world = world_new(&c->live, &no_options);
	unwound_init(&c->unwound, c->world, &c->live);
}

void chains_init(struct chains *c, const struct capture *capture, const struct synth_options *synth)
{
	struct utsname host;

	*c = (struct chains){.events = capture->events, .synth = synth};
	capture_seen(capture, &c->raw);
	c->live.sample_id_all = true;
	c->live.arch = uname(&host) ? NULL : arena_strdup(&c->raw.arena, host.machine);
	for (size_t i = 0; i < c->events->events.n; i++)
		if (c->events->events.at[i]->unwind_auto)
			c->watch.size = capture_stack_size(c->events->events.at[i], 0);
	new_world(c);
}

static void drop_world(struct chains *c)
{
	for (int end = 0; end < UNWIND_ENDS; end++)
		c->ends[end] += c->unwound.ends[end];
	unwound_release(&c->unwound);
	world_free(c->world);
}

void chains_release(struct chains *c)
{
	if (!c->world)
		return;
	drop_world(c);
	event_set_release(&c->raw);
	buf_release(&c->scratch);
	buf_release(&c->wire);
	buf_release(&c->early);
	vec_release(&c->order);
}

static int decode(struct chains *c, const uint8_t *record, struct record *r)
{
	const struct record_decode how = {
		.sample_id_all = true, .scratch = &c->scratch, .events = &c->raw};
	struct record_header h;

	memcpy(&h, record, sizeof(h));
	return record_decode(&how, record, h.size, r);
}

void chains_see(struct chains *c, const uint8_t *record)
{
	struct record_header h;
	struct record r;

	if (decode(c, record, &r))
		return;
	memcpy(&h, record, sizeof(h));
	vec_add(&c->order, (struct chains_early){record_time(&c->live, &r), c->early.n});
	buf_add(&c->early, record, h.size);
}

static int by_time(const void *a, const void *b)
{
	const struct chains_early *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

void chains_settle(struct chains *c)
{
	qsort(c->order.at, c->order.n, sizeof(*c->order.at), by_time);
	for (size_t i = 0; i < c->order.n; i++) {
		struct record r;

		if (!decode(c, (const uint8_t *)c->early.at + c->order.at[i].at, &r))
			world_add(c->world, &r, c->order.at[i].time);
	}
	vec_clear(&c->order);
	buf_clear(&c->early);
}

/* Begins anew with what runs now. */
static void renew(struct chains *c)
{
	struct synth synth = {.opts = c->synth, .wire.b = &c->wire,
			      .wire.sample_type = c->raw.events.at[0]->attr.sample_type};

	drop_world(c);
	new_world(c);
	if (!synth_all(&synth))
		while (synth_step(&synth, 64)) {
			chains_see_all(c, c->wire.at, c->wire.n);
			buf_clear(&c->wire);
		}
	chains_see_all(c, c->wire.at, c->wire.n);
	chains_settle(c);
	buf_clear(&c->wire);
	synth_release(&synth);
}

void chains_see_all(struct chains *c, const void *p, size_t n)
{
	struct record_header h;

	for (size_t at = 0; at + sizeof(h) <= n; at += h.size) {
		memcpy(&h, (const uint8_t *)p + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > n - at)
			break;
		chains_see(c, (const uint8_t *)p + at);
	}
}

enum capture_verdict chains_unwind(struct chains *c, const uint8_t *record, bool may_wait,
				   struct buf *out)
{
	const struct event *ev;
	const struct thread *thread;
	struct sample *s;
	uint64_t before;
	struct record r;

	if (c->order.n)
		chains_settle(c);
	if (decode(c, record, &r) || !r.event)
		return CAPTURE_KEEP;
	ev = c->events->events.at[r.event->index];
	if (!ev->unwind_stack)
		return CAPTURE_KEEP;
	s = &r.sample;
	if (world_bytes(c->world) > WORLD_MOST)
		renew(c);
	thread = world_thread(c->world, s->pid, s->tid, s->type & SAMPLE_TIME ? s->time : WORLD_NOW);
	c->unwound.no_waiting = !may_wait;
	before = c->unwound.ends[UNWIND_STACK];
	unwound_chain(&c->unwound, world_epoch(c->world, thread, s->time), s, &s->callchain,
		      &s->callchain_nr);
	if (c->unwound.cold)
		return CAPTURE_COLD;
	if (ev->unwind_auto)
		stack_watch_add(&c->watch, s->user_stack_size, s->user_stack_dyn,
				c->unwound.ends[UNWIND_STACK] != before);
	s->type = ev->attr.sample_type;
	c->samples++;
	return record_encode(&r, 0, false, out) ? CAPTURE_KEEP : CAPTURE_TAKEN;
}
