// SPDX-License-Identifier: MIT
#include "capture/rings/spill.h"

#include "data/record/record.h"
#include "os/process/priority.h"

#include <pthread.h>
#include <time.h>

#define CUT_TO	   1024	  /* bytes of a stack */
#define EVERY_NS   4000000 /* between passes */
#define LOOK_NS	   2000000 /* between looks whether a ring is half full */
#define KEEP_FREE  16	  /* chunks that stay allocated */

struct spill {
	struct capture *capture;
	size_t most; /* bytes of samples that may be held */
	struct event_set seen; /* the events as the kernel writes them */
	pthread_t thread;
	/* the thread's own */
	struct spill_chunk *filling;
	struct buf whole;   /* a record in one piece */
	struct buf scratch;
	bool full;	    /* the current pass had to leave records in the rings */
	/* shared */
	pthread_mutex_t lock;
	pthread_cond_t change;
	struct spill_chunk *first, **end, *free;
	unsigned int idle; /* chunks in free */
	size_t waiting;	   /* chunks in first */
	size_t held;	   /* bytes of those that are not */
	uint64_t cuts;
	bool active, stop;
	bool began;  /* a pass began since spill_begin() */
	bool passed; /* that pass ended */
	bool busy;   /* a pass is running */
};

static size_t held(struct spill *s)
{
	size_t n;

	pthread_mutex_lock(&s->lock);
	n = s->held;
	pthread_mutex_unlock(&s->lock);
	return n;
}

static struct spill_chunk *chunk_new(size_t room)
{
	struct spill_chunk *c = mem_alloc(sizeof(*c) + room);

	*c = (struct spill_chunk){.room = room};
	return c;
}

static void chunk_free(struct spill_chunk *c)
{
	vec_release(&c->spans);
	free(c);
}

/* A new chunk; NULL: it would exceed the bound of held bytes. */
static struct spill_chunk *chunk_get(struct spill *s, bool side)
{
	size_t most = side ? s->most + s->most / 4 : s->most;
	struct spill_chunk *c = NULL;
	bool may;

	pthread_mutex_lock(&s->lock);
	may = s->held + SPILL_CHUNK <= most;
	if (may) {
		s->held += SPILL_CHUNK;
		c = s->free;
		if (c) {
			s->free = c->next;
			s->idle--;
		}
	}
	pthread_mutex_unlock(&s->lock);
	if (may && !c)
		c = chunk_new(SPILL_CHUNK);
	if (c) {
		c->next = NULL;
		vec_clear(&c->spans);
		c->side = side;
		c->last = c->end = c->whole = false;
		c->n = 0;
	}
	return c;
}

void spill_give_back(struct spill *s, struct spill_chunk *c)
{
	bool keep;

	pthread_mutex_lock(&s->lock);
	s->held -= c->room;
	keep = c->room == SPILL_CHUNK && s->idle < KEEP_FREE;
	if (keep) {
		c->next = s->free;
		s->free = c;
		s->idle++;
	}
	pthread_mutex_unlock(&s->lock);
	if (!keep)
		chunk_free(c);
}

/* Copies a chunk that is at most half full to one of its own size. */
static struct spill_chunk *fit(struct spill *s, struct spill_chunk *c)
{
	struct spill_chunk *small;

	if (c->n > SPILL_CHUNK / 2)
		return c;
	small = chunk_new(c->n);
	*small = *c;
	small->room = c->n;
	memcpy(small->bytes, c->bytes, c->n);
	c->spans.at = NULL;
	vec_release(&c->spans);
	pthread_mutex_lock(&s->lock);
	s->held += small->room;
	pthread_mutex_unlock(&s->lock);
	spill_give_back(s, c);
	return small;
}

static void spill_push(struct spill *s)
{
	struct spill_chunk *c = fit(s, s->filling);

	s->filling = NULL;
	pthread_mutex_lock(&s->lock);
	*s->end = c;
	s->end = &c->next;
	s->waiting++;
	pthread_mutex_unlock(&s->lock);
}

/* Makes room for n bytes of a ring's records; NULL: there is none. */
static uint8_t *room(struct spill *s, uint32_t slot, bool side, size_t n)
{
	struct spill_chunk *c = s->filling;
	struct spill_span *span;

	if (c && c->n + n > SPILL_CHUNK) {
		spill_push(s);
		c = NULL;
	}
	if (!c) {
		c = s->filling = chunk_get(s, side);
		if (!c)
			return NULL;
	}
	span = c->spans.n ? vec_last(&c->spans) : NULL;
	if (!span || span->slot != slot) {
		span = vec_extend(&c->spans, 1);
		*span = (struct spill_span){slot, (uint32_t)c->n, (uint32_t)c->n};
	}
	c->n += n;
	span->to = (uint32_t)c->n;
	return c->bytes + c->n - n;
}

static bool spill_put(struct spill *s, const struct ring *r, uint64_t pos, size_t n, uint32_t slot,
		      bool side)
{
	uint8_t *to = room(s, slot, side, n);
	struct ring_bytes b = ring_bytes(r, pos, pos + n);

	if (!to) {
		s->full = true;
		return false;
	}
	memcpy(to, b.a, b.a_len);
	if (b.b_len)
		memcpy(to + b.a_len, b.b, b.b_len);
	return true;
}

/* Bytes of a stack dump that may be kept now. */
static size_t stack_most(struct spill *s)
{
	size_t n = held(s);

	return n >= SPILL_LEAVE_OUT ? 0 : n >= SPILL_CUT ? CUT_TO : SIZE_MAX;
}

/* Copies a sample with a shortened stack dump. False: it has no dump to shorten, or there is no
 * room. */
static bool put_cut(struct spill *s, const struct ring *r, uint64_t pos, struct record_header h,
		    uint32_t slot, size_t most)
{
	const struct record_decode how = {
		.sample_id_all = true, .scratch = &s->scratch, .events = &s->seen};
	const uint8_t *p;
	struct record rec;
	uint64_t dyn;
	size_t head, gone, tail;
	uint8_t *to;

	buf_clear(&s->whole);
	buf_reserve(&s->whole, h.size);
	p = ring_peek(r, pos, h.size, s->whole.at);
	if (record_decode(&how, p, h.size, &rec) || rec.sample.user_stack_size <= most)
		return false;
	head = (size_t)(rec.sample.user_stack - p); /* with the size in front of it */
	gone = rec.sample.user_stack_size - most;
	tail = h.size - head - rec.sample.user_stack_size - sizeof(dyn);
	dyn = MIN(rec.sample.user_stack_dyn, most);
	/* A dump of 0 bytes has no dyn_size field. */
	gone += most ? 0 : sizeof(dyn);
	h.size = (uint16_t)(h.size - gone);
	to = room(s, slot, false, h.size);
	if (!to)
		return false;
	memcpy(to, &h, sizeof(h));
	memcpy(to + sizeof(h), p + sizeof(h), head - sizeof(h));
	memcpy(to + head - 8, &(uint64_t){most}, 8);
	memcpy(to + head, rec.sample.user_stack, most);
	if (most)
		memcpy(to + head + most, &dyn, sizeof(dyn));
	memcpy(to + h.size - tail, p + head + rec.sample.user_stack_size + sizeof(dyn), tail);
	__atomic_fetch_add(&s->cuts, 1, __ATOMIC_RELAXED);
	return true;
}

/* Copies [tail, end) of a ring, as far as there is room. */
static void empty(struct spill *s, struct ring *r, uint64_t end, uint32_t slot, bool side)
{
	uint64_t pos = r->tail, from = pos;

	while (pos < end) {
		size_t most = SIZE_MAX;
		struct record_header h;

		memcpy(&h, r->data + (pos & (r->size - 1)), sizeof(h));
		if (h.size < sizeof(h) || pos + h.size > end) {
			/* not a record: what follows cannot be told apart */
			if (from == pos || spill_put(s, r, from, pos - from, slot, side))
				ring_consume(r, end);
			return;
		}
		if (pos + h.size - from > SPILL_CHUNK / 4) {
			if (!spill_put(s, r, from, pos - from, slot, side))
				return;
			ring_consume(r, from = pos);
		}
		if (!side && h.type == RECORD_SAMPLE && h.size > CUT_TO)
			most = stack_most(s);
		if (most != SIZE_MAX) {
			if (from != pos && !spill_put(s, r, from, pos - from, slot, side))
				return;
			ring_consume(r, from = pos);
			if (put_cut(s, r, pos, h, slot, most))
				ring_consume(r, from = pos + h.size);
		}
		pos += h.size;
	}
	if (from != pos && !spill_put(s, r, from, pos - from, slot, side))
		return;
	ring_consume(r, pos);
}

static void pass(struct spill *s)
{
	struct capture *c = s->capture;
	bool some;

	s->full = false;
	some = capture_look(c);
	for (int side = 1; some && !s->full && side >= 0; side--) {
		for (uint32_t i = 0; i < c->slots.n; i++) {
			struct slot *slot = &c->slots.at[i];
			struct ring *r = side ? &slot->side : &slot->data;
			uint64_t end = side ? slot->side_end : slot->data_end;

			if (r->base && (side || !r->backward) && r->tail != end)
				empty(s, r, end, i, side);
		}
		/* An empty chunk marks the end of a pass when no chunk is left. */
		if (!s->filling && !side && !s->full)
			s->filling = chunk_get(s, false);
		if (!s->filling)
			continue;
		s->filling->last = true;
		s->filling->end = !side;
		s->filling->whole = !s->full;
		s->filling->looked_ns = c->looked_ns;
		spill_push(s);
	}
}

/* True when a ring is half full: the caller may not be back before it overflows. */
static bool is_pressed(const struct capture *c)
{
	for (size_t i = 0; i < c->slots.n; i++) {
		const struct ring *rings[] = {&c->slots.at[i].data, &c->slots.at[i].side};

		for (size_t k = 0; k < ARRAY_SIZE(rings); k++)
			if (rings[k]->base && !rings[k]->backward &&
			    ring_head(rings[k]) - rings[k]->tail >= rings[k]->size / 2)
				return true;
	}
	return false;
}

static void wait_for_change(struct spill *s, long ns)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until); /* the other can be set */
	until.tv_nsec += ns;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_cond_timedwait(&s->change, &s->lock, &until);
}

static void *spill_work(void *arg)
{
	struct spill *s = arg;

	/* Only when chains are made here: otherwise it would take CPU time from the measured
	 * programs. */
	if (s->capture->makes_chains)
		priority_above_all();
	pthread_mutex_lock(&s->lock);
	while (!s->stop) {
		if (!s->active) {
			pthread_cond_wait(&s->change, &s->lock);
			continue;
		}
		if (!s->began && !is_pressed(s->capture)) {
			wait_for_change(s, LOOK_NS);
			continue;
		}
		s->began = true;
		s->busy = true;
		pthread_mutex_unlock(&s->lock);
		pass(s);
		pthread_mutex_lock(&s->lock);
		s->busy = false;
		s->passed = true;
		pthread_cond_broadcast(&s->change);
		if (s->active && !s->stop)
			wait_for_change(s, EVERY_NS);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

struct spill *spill_new(struct capture *c, struct err *err)
{
	struct spill *s = NEW(struct spill);
	pthread_condattr_t by;
	int got;

	s->capture = c;
	s->most = c->makes_chains ? SPILL_MOST : SPILL_MOST_SMALL;
	s->end = &s->first;
	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&by);
	pthread_condattr_setclock(&by, CLOCK_MONOTONIC);
	pthread_cond_init(&s->change, &by);
	pthread_condattr_destroy(&by);
	capture_seen(c, &s->seen);
	got = pthread_create(&s->thread, NULL, spill_work, s);
	if (!got)
		return s;
	s->stop = true; /* there is no thread to end */
	spill_free(s);
	err_sys(err, got, "cannot start the thread that empties the rings");
	return NULL;
}

void spill_free(struct spill *s)
{
	struct spill_chunk *c;
	bool runs;

	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	runs = !s->stop;
	s->stop = true;
	pthread_cond_broadcast(&s->change);
	pthread_mutex_unlock(&s->lock);
	if (runs)
		pthread_join(s->thread, NULL);
	*s->end = s->free;
	while ((c = s->first)) {
		s->first = c->next;
		chunk_free(c);
	}
	event_set_release(&s->seen);
	buf_release(&s->whole);
	buf_release(&s->scratch);
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->change);
	free(s);
}

void spill_begin(struct spill *s)
{
	pthread_mutex_lock(&s->lock);
	s->active = true;
	s->began = s->passed = false;
	pthread_cond_broadcast(&s->change);
	pthread_mutex_unlock(&s->lock);
}

bool spill_end(struct spill *s)
{
	bool rest;

	pthread_mutex_lock(&s->lock);
	while (s->began && !s->first && !s->passed)
		pthread_cond_wait(&s->change, &s->lock);
	s->active = false;
	while (s->busy)
		pthread_cond_wait(&s->change, &s->lock);
	rest = s->first;
	s->active = rest;
	pthread_mutex_unlock(&s->lock);
	return !rest;
}

struct spill_chunk *spill_next(struct spill *s)
{
	struct spill_chunk *c;

	pthread_mutex_lock(&s->lock);
	c = s->first;
	if (c) {
		s->first = c->next;
		if (!s->first)
			s->end = &s->first;
		s->waiting--;
	}
	pthread_mutex_unlock(&s->lock);
	if (c)
		c->next = NULL;
	return c;
}

size_t spill_chunks_due(struct spill *s)
{
	size_t n;

	pthread_mutex_lock(&s->lock);
	n = s->waiting;
	pthread_mutex_unlock(&s->lock);
	return n + s->most / SPILL_CHUNK;
}

uint64_t spill_cuts(const struct spill *s)
{
	return __atomic_load_n(&s->cuts, __ATOMIC_RELAXED);
}
