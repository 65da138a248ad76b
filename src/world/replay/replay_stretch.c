// SPDX-License-Identifier: MIT
/* Samples, several at once, in recordings whose samples have their fields at fixed offsets. */
#include "data/record/sample_layout.h"
#include "world/replay/bound.h"

/* Bytes to prefetch ahead: stretches lie in several places of memory, which are read in turns. */
#define STRETCH_AHEAD 512

/* The samples taken of a stretch. */
struct stretch_walk {
	const uint8_t *p; /* behind the last one */
	size_t n;
	uint64_t time; /* of the last one */
};

/* An undamaged sample with a time and a known event. */
struct stretch_sample {
	struct record_header header;
	const struct event *ev;
	uint64_t time;
	struct sample_chain chain;
};

/* False: no such sample stands at p, or another record comes before it. */
static inline bool stretch_sample_at(const struct record_stretch *s, const uint8_t *p,
				     struct stretch_sample *at)
{
	const struct sample_layout *layout = s->layout;

	memcpy(&at->header, p, sizeof(at->header));
	if (at->header.type != RECORD_SAMPLE || at->header.size < layout->fixed)
		return false;
	at->time = sample_layout_time(layout, p);
	if ((at->time >= s->before && p != s->p) || at->time == UINT64_MAX)
		return false;
	at->ev = sample_layout_event(layout, p);
	return at->ev && sample_is_whole(layout, at->ev, p, at->header.size, &at->chain);
}

/* Calls the handler of a decoded sample. */
static inline int stretch_handle(struct replay *rp, const struct replay_bound *b)
{
	const struct record *r = &rp->sample;

	if (rp->filter && !replay_wants_sample(rp, r))
		return REPLAY_GO;
	return b->row ? replay_bound_take(rp, b, r) : rp->by_type[RECORD_SAMPLE](rp, r);
}

static int stretch_take(struct replay *rp, const struct record_stretch *s, struct stretch_walk *w)
{
	const struct losses *losses = &rp->m->losses;
	const uint64_t corrupt = losses->kind[LOSS_CORRUPT].times;
	struct record *r = &rp->sample;
	struct stretch_sample at;
	int stop = REPLAY_GO;

	/* .lost is called between a damaged record and the next one */
	while (!stop && w->p < s->end && losses->kind[LOSS_CORRUPT].times == corrupt &&
	       stretch_sample_at(s, w->p, &at)) {
		const struct replay_bound *b = replay_bound_of(rp, at.ev);
		bool wanted;

		if (!b)
			return -1;
		wanted = b->row || rp->by_type[RECORD_SAMPLE];
		__builtin_prefetch(w->p + STRETCH_AHEAD);
		if (wanted) {
			if (!sample_layout_decode(s->layout, at.ev, w->p, &at.chain, r))
				break;
			r->offset = s->offset + (s->expanded ? 0 : (uint64_t)(w->p - s->p));
			r->part = s->part;
			r->seq = s->seq + w->n;
		}
		rp->records++;
		rp->time = w->time = at.time;
		w->p += at.header.size;
		w->n++;
		if (wanted)
			stop = stretch_handle(rp, b);
	}
	return stop;
}

int replay_take_stretches(struct replay *rp)
{
	const struct losses *losses = &rp->m->losses;
	struct source *src = rp->src;
	struct record_stretch s;
	struct stretch_walk w;
	int stop = REPLAY_GO;

	/* replay_add() tells the analysis of damage */
	while (!stop && (!rp->how->lost || replay_damage_seen(losses) == rp->damage) &&
	       src->ops->stretch(src, &s)) {
		if (rp->laid_out != s.layout->events->events.n) {
			rp->laid_out = s.layout->events->events.n;
			memset(&rp->sample, 0, sizeof(rp->sample));
		}
		w = (struct stretch_walk){.p = s.p};
		stop = stretch_take(rp, &s, &w);
		if (!w.n)
			break;
		src->ops->take_stretch(src, w.p, w.n, w.time);
	}
	return stop;
}
