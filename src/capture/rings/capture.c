// SPDX-License-Identifier: MIT
#include "capture/rings/capture.h"

#include "base/monotonic.h"
#include "capture/open/open.h"
#include "capture/rings/spill.h"
#include "data/record/record.h"
#include "os/perf.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/* True for the counter whose stack size is in use now. */
static bool in_turn(const struct capture *c, const struct counter *k)
{
	return k->level == (k->event->unwind_auto && !k->side ? c->level : 0);
}

static int rings_capture_enable(struct counter *k, struct err *err)
{
	int got = k->fd < 0 ? 0 : perf_enable(k->fd);

	if (got)
		return err_sys(err, -got, "cannot start '%s'", k->event->name);
	k->on = true;
	return 0;
}

int capture_enable(struct capture *c, bool side, struct err *err)
{
	for (size_t i = 0; i < c->counters.n; i++) {
		struct counter *k = &c->counters.at[i];

		if (k->side != side || (!side && !event_is_leader(k->event)) || !in_turn(c, k))
			continue;
		if (rings_capture_enable(k, err))
			return -1;
	}
	return 0;
}

int capture_start(struct capture *c, bool events, struct err *err)
{
	for (int side = 1; side >= !events; side--)
		for (size_t i = 0; i < c->counters.n; i++) {
			struct counter *k = &c->counters.at[i];

			if (k->side != side || (!side && !event_is_leader(k->event)) ||
			    !in_turn(c, k))
				continue;
			if (k->on_exec)
				k->on = true;
			else if (rings_capture_enable(k, err))
				return -1;
		}
	return 0;
}

int capture_switch(struct capture *c, const struct event *ev, bool on, struct err *err)
{
	for (size_t i = 0; i < c->counters.n; i++) {
		struct counter *k = &c->counters.at[i];
		int got;

		if (k->side || k->event != ev || !in_turn(c, k) || k->fd < 0)
			continue;
		got = on ? perf_enable(k->fd) : perf_disable(k->fd);
		if (got)
			return err_sys(err, -got, "cannot switch '%s'", ev->name);
		k->on = on;
	}
	return 0;
}

static struct counter *next_level(struct capture *c, const struct counter *k, size_t *from)
{
	for (size_t n = 0; n < c->counters.n; n++) {
		struct counter *next = &c->counters.at[(*from + n) % c->counters.n];

		if (next->event == k->event && !next->side && next->level == k->level + 1 &&
		    next->slot == k->slot && next->tid == k->tid) {
			*from += n + 1;
			return next;
		}
	}
	return NULL;
}

int capture_grow(struct capture *c, struct err *err)
{
	unsigned int level = c->level++;
	size_t from = 0;

	for (size_t i = 0; i < c->counters.n; i++) {
		struct counter *k = &c->counters.at[i], *next;

		if (!k->on || k->side || !k->event->unwind_auto || k->level != level)
			continue;
		/* The counter's thread may have ended while the next level was opened. */
		next = next_level(c, k, &from);
		if (!next)
			continue;
		perf_disable(k->fd);
		k->on = false;
		if (rings_capture_enable(next, err))
			return -1;
	}
	return 0;
}

void capture_disable(struct capture *c)
{
	for (size_t i = 0; i < c->counters.n; i++)
		if (!c->counters.at[i].side) {
			perf_disable(c->counters.at[i].fd);
			c->counters.at[i].on = false;
		}
}

void capture_disable_all(struct capture *c)
{
	for (size_t i = 0; i < c->counters.n; i++)
		perf_disable(c->counters.at[i].fd);
}

int capture_watch(struct capture *c, int fd)
{
	struct epoll_event e = {.events = EPOLLIN, .data.u64 = (uint64_t)fd | 1ull << 32};

	return epoll_ctl(c->epoll, EPOLL_CTL_ADD, fd, &e);
}

void capture_unwatch(struct capture *c, int fd)
{
	epoll_ctl(c->epoll, EPOLL_CTL_DEL, fd, NULL);
}

bool capture_over(const struct capture *c)
{
	return !c->watched;
}

int capture_wait(struct capture *c, int timeout_ms, struct capture_ready *ready, struct err *err)
{
	struct epoll_event events[64];
	int n = epoll_wait(c->epoll, events, ARRAY_SIZE(events),
			   c->spilled ? 0 : timeout_ms);

	*ready = (struct capture_ready){0};
	if (n < 0)
		return errno == EINTR ? 0 : err_sys(err, errno, "cannot wait for events");
	for (int i = 0; i < n; i++) {
		int fd = (int)(events[i].data.u64 & UINT32_MAX);

		if (events[i].data.u64 >> 32) {
			if (ready->n_fds < (int)ARRAY_SIZE(ready->fds))
				ready->fds[ready->n_fds++] = fd;
			continue;
		}
		ready->records = true;
		if (events[i].events & (EPOLLHUP | EPOLLERR)) {
			epoll_ctl(c->epoll, EPOLL_CTL_DEL, fd, NULL);
			c->watched--;
		}
	}
	return n;
}

static void count_sample(struct capture *c, size_t size, const uint8_t *time_at)
{
	uint64_t time;

	c->samples++;
	if (!c->time_at || size < c->time_at + sizeof(time))
		return;
	memcpy(&time, time_at, sizeof(time));
	if (!c->first_time || time < c->first_time)
		c->first_time = time;
	if (time > c->last_time)
		c->last_time = time;
}

static void capture_count(struct capture *c, const struct record_header *h, const uint8_t *bytes,
			  bool side)
{
	uint64_t lost;

	switch (h->type) {
	case RECORD_LOST:
		if (h->size >= 24) {
			memcpy(&lost, bytes + 16, sizeof(lost));
			c->lost_events += lost;
			c->side_lost += side ? lost : 0;
		}
		break;
	case RECORD_FORK:
		c->sampled.tasks++;
		break;
	case RECORD_THROTTLE:
		c->throttles++;
		break;
	}
}

/* The record at p in one piece: copied when it wraps. */
static const uint8_t *capture_whole(struct capture *c, const struct ring *r, uint64_t pos,
				    const uint8_t *p, size_t size)
{
	if ((size_t)(r->data + r->size - p) >= size)
		return p;
	buf_clear(&c->scratch);
	buf_reserve(&c->scratch, size);
	return ring_peek(r, pos, size, c->scratch.at);
}

static int capture_put(const struct ring *r, uint64_t from, uint64_t to,
		       const struct capture_take *take, struct err *err)
{
	struct ring_bytes b = ring_bytes(r, from, to);

	return from == to ? 0 : take->put(take->ctx, &b, err);
}

/* The place of a sample's time in the ring. */
static const uint8_t *time_in(const struct capture *c, const struct ring *r, uint64_t pos)
{
	return r->data + ((pos + c->time_at) & (r->size - 1));
}

/* Handles a record whose callback said CAPTURE_COLD: copies it out of the ring, lends the rings to
 * the spill thread, and calls the callback again. */
static enum capture_verdict cold(struct capture *c, struct ring *r, uint64_t pos, const uint8_t *p,
				 size_t size, const struct capture_take *take)
{
	buf_clear(&c->cold);
	buf_add(&c->cold, p, size);
	ring_consume(r, pos + size);
	capture_lend(c);
	return take->keep(take->ctx, (const uint8_t *)c->cold.at, false, true);
}

/*
 * Hands out [tail, end) in as few pieces as the dropped records allow. Records begin at multiples
 * of 8, so a header never wraps. A record that wraps is copied out only for a callback that looks
 * at it. live: r is a ring of the kernel; handed-out bytes are given back to it, and the function
 * returns early when the rings are lent to the spill thread.
 */
static int hand_out(struct capture *c, struct ring *r, uint64_t end, bool side, bool live,
		    const struct capture_take *take, struct err *err)
{
	bool may_wait = !live || !c->spill;
	uint64_t from = r->tail, pos = from;

	while (pos < end) {
		const uint8_t *p = r->data + (pos & (r->size - 1));
		enum capture_verdict verdict = CAPTURE_KEEP;
		const uint8_t *time = time_in(c, r, pos);
		struct record_header h;

		memcpy(&h, p, sizeof(h));
		if (h.size < sizeof(h) || pos + h.size > end)
			break; /* not a record: what follows cannot be told apart */
		if (h.type == RECORD_SAMPLE)
			sampled_add(&c->sampled, r, pos, h.size);
		if (h.type != RECORD_SAMPLE || (take->keep && take->filter)) {
			bool see = side || take->filter || c->one_ring;

			p = capture_whole(c, r, pos, p, h.size);
			if (take->keep && see)
				verdict = take->keep(take->ctx, p, side || c->one_ring, may_wait);
			if (verdict != CAPTURE_KEEP) {
				if (capture_put(r, from, pos, take, err))
					return -1;
				from = pos + h.size;
			}
			if (verdict == CAPTURE_COLD) {
				verdict = cold(c, r, pos, p, h.size, take);
				time = (const uint8_t *)c->cold.at + c->time_at;
			}
			if (verdict == CAPTURE_DROP)
				c->filtered++;
		}
		if (verdict != CAPTURE_DROP && h.type == RECORD_SAMPLE)
			count_sample(c, h.size, time);
		else if (verdict != CAPTURE_DROP)
			capture_count(c, &h, p, side);
		if (live && c->spilled)
			return 0;
		pos += h.size;
	}
	if (capture_put(r, from, pos, take, err))
		return -1;
	if (live)
		ring_consume(r, end);
	return 0;
}

static void look_ahead(struct capture *c, const struct ring *r, uint64_t end,
		       const struct capture_take *take)
{
	for (uint64_t pos = r->tail; pos < end;) {
		const uint8_t *p = r->data + (pos & (r->size - 1));
		struct record_header h;

		memcpy(&h, p, sizeof(h));
		if (h.size < sizeof(h) || pos + h.size > end)
			break;
		take->peek(take->ctx, capture_whole(c, r, pos, p, h.size));
		pos += h.size;
	}
}

void capture_lend(struct capture *c)
{
	if (c->spilled)
		return;
	c->spilled = true;
	spill_begin(c->spill);
}

bool capture_look(struct capture *c)
{
	bool some = false;

	c->looked_ns = monotonic_ns();
	/*
	 * Heads of sample rings before those of side-band rings, and side-band handed out first: a
	 * sample that is seen then always finds the fork and the name of its task already seen.
	 */
	for (size_t i = 0; i < c->slots.n; i++) {
		struct slot *s = &c->slots.at[i];

		if (!s->data.base || s->data.backward)
			continue;
		s->data_end = ring_head(&s->data);
		some |= s->data_end != s->data.tail;
	}
	for (size_t i = 0; i < c->slots.n; i++) {
		struct slot *s = &c->slots.at[i];

		if (!s->side.base)
			continue;
		s->side_end = ring_head(&s->side);
		some |= s->side_end != s->side.tail;
	}
	return some;
}

/* A span of a chunk in the form of a ring. */
static struct ring span_ring(struct spill_chunk *chunk, const struct spill_span *span)
{
	return (struct ring){.data = chunk->bytes, .size = SPILL_CHUNK, .tail = span->from};
}

static int hand_out_chunk(struct capture *c, struct spill_chunk *chunk,
			  const struct capture_take *take, struct err *err)
{
	for (size_t i = 0; i < chunk->spans.n; i++) {
		struct ring r = span_ring(chunk, &chunk->spans.at[i]);

		if (hand_out(c, &r, chunk->spans.at[i].to, chunk->side, false, take, err))
			return -1;
	}
	return 0;
}

/* Hands out the side-band chunks of a pass, once all of them have come. */
static int hand_out_ahead(struct capture *c, const struct capture_take *take, struct err *err)
{
	int got = 0;

	for (size_t i = 0; take->peek && i < c->ahead.n; i++)
		for (size_t n = 0; n < c->ahead.at[i]->spans.n; n++) {
			struct ring r = span_ring(c->ahead.at[i], &c->ahead.at[i]->spans.at[n]);

			look_ahead(c, &r, c->ahead.at[i]->spans.at[n].to, take);
		}
	if (take->settle)
		take->settle(take->ctx);
	for (size_t i = 0; i < c->ahead.n; i++) {
		if (!got)
			got = hand_out_chunk(c, c->ahead.at[i], take, err);
		spill_give_back(c->spill, c->ahead.at[i]);
	}
	vec_clear(&c->ahead);
	return got;
}

/* Takes a chunk from the spill thread, with the side-band records before it. One chunk at a time:
 * the caller must be able to check the clock. */
static int spilled_pass(struct capture *c, const struct capture_take *take, struct err *err)
{
	struct spill_chunk *chunk;
	bool all;
	int got;

	while ((chunk = spill_next(c->spill)) && chunk->side) {
		vec_add(&c->ahead, chunk);
		if (chunk->last && hand_out_ahead(c, take, err))
			return -1;
	}
	if (!chunk) {
		c->spilled = !spill_end(c->spill);
		return 0;
	}
	all = chunk->end && chunk->whole;
	if (all)
		c->handed_ns = chunk->looked_ns;
	got = hand_out_chunk(c, chunk, take, err);
	spill_give_back(c->spill, chunk);
	return got ? -1 : all;
}

int capture_finish(struct capture *c, const struct capture_take *take, struct err *err)
{
	bool early = c->spilled;
	int got = capture_pass(c, take, err);

	while (got >= 0 && (c->spilled || early)) {
		/* The spill thread may have left records in the rings. */
		early = c->spilled;
		got = capture_pass(c, take, err);
	}
	return got;
}

int capture_pass(struct capture *c, const struct capture_take *take, struct err *err)
{
	uint64_t looked;
	bool some;

	if (c->spilled) {
		int got = spilled_pass(c, take, err);

		if (got || c->spilled)
			return got;
		/* falls through to records that the spill thread has left in the rings */
	}
	some = capture_look(c);
	looked = c->looked_ns; /* from the first cold record on the spill thread looks, too */
	if (!some) {
		c->handed_ns = looked;
		return 0;
	}
	for (size_t i = 0; take->peek && i < c->slots.n; i++)
		if (c->slots.at[i].side.base)
			look_ahead(c, &c->slots.at[i].side, c->slots.at[i].side_end, take);
	if (take->settle)
		take->settle(take->ctx);
	for (int side = 1; side >= 0; side--)
		for (size_t i = 0; i < c->slots.n; i++) {
			struct slot *s = &c->slots.at[i];
			struct ring *r = side ? &s->side : &s->data;
			uint64_t end = side ? s->side_end : s->data_end;

			if (!r->base || (!side && r->backward) || r->tail == end)
				continue;
			if (hand_out(c, r, end, side, true, take, err))
				return -1;
			if (c->spilled)
				return 0;
		}
	c->handed_ns = looked;
	return 1;
}

int capture_snapshot(struct capture *c, bool news, const struct capture_take *take, struct err *err)
{
	int got = 0;

	for (size_t i = 0; i < c->slots.n && !got; i++) {
		struct slot *s = &c->slots.at[i];
		uint64_t from, to;

		if (!s->data.backward)
			continue;
		perf_pause(s->data_fd, true);
		ring_backward_span(&s->data, &from, &to);
		/* positions count down, and wrap */
		if (news && s->data.tail - from < to - from)
			to = s->data.tail;
		s->data.tail = from;
		for (uint64_t pos = from; pos < to;) {
			struct record_header h;

			memcpy(&h, s->data.data + (pos & (s->data.size - 1)), sizeof(h));
			if (h.type == RECORD_SAMPLE)
				count_sample(c, h.size, time_in(c, &s->data, pos));
			pos += h.size;
		}
		got = capture_put(&s->data, from, to, take, err);
		perf_pause(s->data_fd, false);
	}
	return got;
}

/* The lost samples of a counter. read() gives value, times, id, lost; for a group the number of
 * members, times, and value, id, lost of each. */
static uint64_t lost_of(const struct counter *k)
{
	uint64_t words[3 + 3 * 64], format = k->event->attr.read_format;
	size_t times = !!(format & READ_TOTAL_TIME_ENABLED) + !!(format & READ_TOTAL_TIME_RUNNING);
	size_t id = !!(format & READ_ID), at = 1 + times, n;
	long got;

	if (!(format & READ_LOST))
		return 0;
	got = perf_read(k->fd, words, ARRAY_SIZE(words));
	n = got > 0 ? (size_t)got / sizeof(*words) : 0;
	if (!(format & READ_GROUP))
		return at + id < n ? words[at + id] : 0;
	for (; id && at + 2 < n; at += 3)
		if (words[at + 1] == k->id)
			return words[at + 2];
	return 0;
}

void capture_lost(struct capture *c,
		  void (*each)(void *ctx, const struct counter *k, uint64_t lost), void *ctx)
{
	for (size_t i = 0; i < c->counters.n; i++) {
		struct counter *k = &c->counters.at[i];
		uint64_t lost = lost_of(k);

		if (lost > k->lost)
			each(ctx, k, lost - k->lost);
		k->lost = lost;
	}
}

uint64_t capture_hits(const struct capture *c, const struct event *ev)
{
	uint64_t words[3 + 3 * 64], n = 0;

	for (size_t i = 0; i < c->counters.n; i++) {
		const struct counter *k = &c->counters.at[i];

		if (k->event != ev || k->side || k->fd < 0)
			continue;
		if (ev->attr.read_format & READ_GROUP ||
		    perf_read(k->fd, words, ARRAY_SIZE(words)) < (long)sizeof(*words))
			return UINT64_MAX;
		n += words[0];
	}
	return n;
}

bool capture_close_event(struct capture *c, const struct event *ev)
{
	if (ev->members > 1)
		return false;
	for (size_t i = 0; i < c->slots.n; i++)
		for (size_t k = 0; k < c->counters.n; k++)
			if (c->counters.at[k].event == ev &&
			    c->counters.at[k].fd == c->slots.at[i].data_fd)
				return false;
	for (size_t i = 0; i < c->counters.n; i++) {
		struct counter *k = &c->counters.at[i];

		if (k->event != ev || k->side || k->fd < 0)
			continue;
		close(k->fd);
		k->fd = -1;
		k->on = false;
		k->gone = true;
	}
	return true;
}

void capture_seen(const struct capture *c, struct event_set *out)
{
	for (size_t i = 0; i < c->events->events.n; i++) {
		const struct event *ev = c->events->events.at[i];

		capture_attr(c, ev, &event_set_add(out, ev->name)->attr);
	}
	for (size_t i = 0; i < c->counters.n; i++) {
		const struct counter *k = &c->counters.at[i];

		if (!k->side)
			event_set_add_id(out, out->events.at[k->event->index], k->id);
	}
}
