// SPDX-License-Identifier: MIT
#include "capture/session/chains.h"

#include "capture/open/open.h"

#include <string.h>
#include <sys/utsname.h>

/* Bytes that a world may hold: some 100,000 processes. */
#define WORLD_MOST (64u << 20)
/* Bytes of side-band records that may wait for a younger sample. */
#define EARLY_MOST (1u << 20)

bool chains_wanted(const struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.at[i]->unwind_stack)
			return true;
	return false;
}

void stack_watch_add(struct stack_watch *w, uint64_t size, uint64_t valid, bool ended)
{
	/* Dumps that were in the rings at a change of size, or were cut, say nothing about this
	 * size. */
	if (size != w->size)
		return;
	w->copies++;
	/* A dump is full when all its bytes are valid. Otherwise the kernel could not read more of
	 * the stack, and a larger dump would not help. */
	w->ended += ended && valid == size;
}

/* 1 in 20, so that a rare deep stack does not make all samples more expensive. */
bool stack_watch_short(const struct stack_watch *w)
{
	return w->ended >= 20 && w->ended * 20 >= w->copies;
}

static void new_world(struct chains *c)
{
	const struct symbol_options no_options = {0};

	c->world = world_new(&c->m, &no_options);
	unwound_init(&c->unwound, c->world, &c->m);
}

void chains_init(struct chains *c, const struct capture *capture, const struct synth_options *synth)
{
	struct utsname host;

	*c = (struct chains){
		.events = capture->events, .synth = synth, .one_ring = capture->one_ring};
	capture_seen(capture, &c->m.events);
	c->m.sample_id_all = true;
	c->m.arch = uname(&host) ? NULL : arena_strdup(&c->m.events.arena, host.machine);
	for (size_t i = 0; i < c->events->events.n; i++)
		if (c->events->events.at[i]->unwind_auto)
			c->watch.size = capture_stack_size(c->events->events.at[i], 0);
	new_world(c);
}

/* Bytes of lines about given-up files that are kept: few worlds are dropped for their size. */
#define GIVEN_UP_MOST 16384

static void drop_world(struct chains *c)
{
	if (c->given_up.n < GIVEN_UP_MOST)
		dso_set_given_up(world_dsos(c->world), &c->given_up);
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
	measurement_release(&c->m);
	buf_release(&c->scratch);
	buf_release(&c->synthesized);
	buf_release(&c->early);
	vec_release(&c->order);
	idmap_release(&c->lived);
}

static int chains_decode(struct chains *c, const uint8_t *record, struct record *r)
{
	const struct record_decode how = measurement_decode(&c->m, &c->scratch);
	struct record_header h;

	memcpy(&h, record, sizeof(h));
	return record_decode(&how, record, h.size, r);
}

void chains_see(struct chains *c, const uint8_t *record)
{
	struct record_header h;
	struct record r;

	if (chains_decode(c, record, &r))
		return;
	memcpy(&h, record, sizeof(h));
	vec_add(&c->order, (struct chains_early){record_time(&c->m, &r), c->early.n});
	buf_add(&c->early, record, h.size);
	c->sorted = false;
}

static int chains_by_time(const void *a, const void *b)
{
	const struct chains_early *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

static void forget_settled(struct chains *c)
{
	vec_clear(&c->order);
	buf_clear(&c->early);
	c->settled = 0;
}

/* Sets *pid to the process of a FORK, COMM or user MMAP record. False: another record. */
static bool about(const struct record *r, uint32_t *pid)
{
	switch (r->header.type) {
	case RECORD_FORK:
		*pid = r->task.pid;
		return true;
	case RECORD_COMM:
		*pid = r->comm.pid;
		return true;
	case RECORD_MMAP:
	case RECORD_MMAP2:
		*pid = r->mmap.pid;
		return (r->header.misc & MISC_CPUMODE_MASK) == MISC_USER;
	default:
		return false;
	}
}

/*
 * True for a record from /proc about a process whose fork or exec the kernel has told. Records from
 * /proc have no time and take effect when they come. For such a process they add nothing, but would
 * count as older than they are.
 */
static bool is_stale(struct chains *c, const struct record *r, uint64_t time)
{
	const uint32_t type = r->header.type;
	uint32_t pid;

	if (type == RECORD_LOST)
		idmap_release(&c->lived);
	if (!about(r, &pid))
		return false;
	if (!time)
		return idmap_find(&c->lived, pid) != HASH_NONE;
	if ((type == RECORD_FORK && r->task.tid == pid) ||
	    (type == RECORD_COMM && r->header.misc & MISC_COMM_EXEC))
		*idmap_put(&c->lived, pid) = 1;
	return false;
}

/* Feeds the side-band records up to that time to the world. Later records wait: an earlier one may
 * still come from a ring that this pass has already read. */
static void settle(struct chains *c, uint64_t time)
{
	if (c->settled == c->order.n)
		return;
	if (!c->sorted)
		qsort(c->order.at + c->settled, c->order.n - c->settled, sizeof(*c->order.at),
		      chains_by_time);
	c->sorted = true;
	for (; c->settled < c->order.n && c->order.at[c->settled].time <= time; c->settled++) {
		const struct chains_early *e = &c->order.at[c->settled];
		struct record r;

		if (!chains_decode(c, (const uint8_t *)c->early.at + e->at, &r) &&
		    !is_stale(c, &r, e->time))
			world_add(c->world, &r, e->time);
	}
	if (c->settled == c->order.n)
		forget_settled(c);
}

void chains_settle(struct chains *c)
{
	size_t n = c->order.n - c->settled;
	struct buf rest = {0};

	if (!c->settled && c->early.n <= EARLY_MOST)
		return;
	memmove(c->order.at, c->order.at + c->settled, n * sizeof(*c->order.at));
	c->order.n = n;
	c->settled = 0;
	for (size_t i = 0; i < n; i++) {
		const uint8_t *record = (const uint8_t *)c->early.at + c->order.at[i].at;
		struct record_header h;

		memcpy(&h, record, sizeof(h));
		c->order.at[i].at = rest.n;
		buf_add(&rest, record, h.size);
	}
	buf_release(&c->early);
	c->early = rest;
	if (rest.n > EARLY_MOST)
		settle(c, UINT64_MAX);
}

/* Drops the world and makes a new one from the processes that run now. */
static void renew(struct chains *c)
{
	struct synth synth = {.opts = c->synth, .writer.b = &c->synthesized,
			      .writer.sample_type = c->m.events.events.at[0]->attr.sample_type};

	drop_world(c);
	new_world(c);
	forget_settled(c);
	idmap_release(&c->lived);
	if (!synth_all(&synth))
		while (synth_step(&synth, 64)) {
			chains_see_all(c, c->synthesized.at, c->synthesized.n);
			buf_clear(&c->synthesized);
		}
	chains_see_all(c, c->synthesized.at, c->synthesized.n);
	settle(c, UINT64_MAX);
	buf_clear(&c->synthesized);
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

static uint32_t epoch_of(struct chains *c, const struct sample *s, uint64_t time)
{
	const struct thread *thread = world_thread(c->world, s->pid, s->tid, time);

	if (c->one_ring)
		return world_epoch(c->world, thread, time);
	return world_epoch_then(c->world, thread, time);
}

enum capture_verdict chains_unwind(struct chains *c, const uint8_t *record, bool may_wait,
				   struct buf *out)
{
	const struct event *ev;
	struct sample *s;
	uint64_t before, time;
	struct record r;

	if (chains_decode(c, record, &r) || !r.event)
		return CAPTURE_KEEP;
	ev = c->events->events.at[r.event->index];
	if (!ev->unwind_stack)
		return CAPTURE_KEEP;
	s = &r.sample;
	time = s->type & SAMPLE_TIME ? s->time : WORLD_NOW;
	settle(c, c->one_ring ? WORLD_NOW : time);
	if (world_bytes(c->world) > WORLD_MOST)
		renew(c);
	c->unwound.no_waiting = !may_wait;
	before = c->unwound.ends[UNWIND_STACK];
	unwound_chain(&c->unwound, epoch_of(c, s, time), s, &s->callchain, &s->callchain_nr);
	if (c->unwound.cold)
		return CAPTURE_COLD;
	if (ev->unwind_auto)
		stack_watch_add(&c->watch, s->user_stack_size, s->user_stack_dyn,
				c->unwound.ends[UNWIND_STACK] != before);
	s->type = ev->attr.sample_type;
	c->samples++;
	return record_encode(&r, 0, false, out) ? CAPTURE_KEEP : CAPTURE_TAKEN;
}
