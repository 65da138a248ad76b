// SPDX-License-Identifier: MIT
/* Samples, several at once, in recordings whose samples have their fields at fixed offsets. */
#include "data/record/sample_layout.h"
#include "world/replay/bound.h"

/* Bytes to prefetch ahead: stretches lie in several places of memory, which are read in turns. */
#define STRETCH_AHEAD 1024

/* The samples taken of a stretch. */
struct stretch_walk {
	const uint8_t *p; /* behind the last one */
	size_t n;
};

/* The beginning of a sample with a time and a known event. */
struct stretch_sample {
	size_t size;
	struct event *ev;
	uint64_t time;
};

/* False: no such sample stands at p, or another record comes before it. */
static inline bool stretch_sample_at(const struct record_stretch *s, const uint8_t *p,
				     struct stretch_sample *at)
{
	const struct sample_layout *layout = s->layout;
	struct record_header header;

	memcpy(&header, p, sizeof(header));
	if (header.type != RECORD_SAMPLE || header.size < layout->fixed)
		return false;
	at->size = header.size;
	at->time = sample_layout_time(layout, p);
	if (at->time >= s->before && (p != s->p || at->time == UINT64_MAX))
		return false;
	at->ev = sample_layout_event(layout, p);
	return at->ev;
}

/* As replay_bound_of(), of formats that have not changed. */
static inline const struct replay_bound *stretch_bound(struct replay *rp, const struct event *ev)
{
	const struct replay_bound *b = ev->index < rp->bound.n ? rp->bound.at[ev->index] : NULL;

	return b ? b : replay_bound_make(rp, ev);
}

/* Takes a sample whose raw data follows the fixed fields. False: it is damaged. */
static inline bool stretch_take_plain(struct replay *rp, const struct sample_layout *layout,
				      const struct replay_bound *b, const uint8_t *p, size_t size,
				      int *stop)
{
	struct sample *s = &rp->sample.sample;
	uint32_t raw_size;
	size_t padding;

	if (size - layout->fixed < sizeof(raw_size))
		return false;
	memcpy(&raw_size, p + layout->fixed, sizeof(raw_size));
	padding = size - layout->fixed - sizeof(raw_size) - raw_size;
	/* a negative one is a great number */
	if (padding >= 8 || raw_size < b->least)
		return false;
	memcpy(&s->pid, p + layout->ids_at, 2 * sizeof(s->pid)); /* and .tid */
	s->time = rp->time;
	if (layout->cpu_at)
		memcpy(&s->cpu, p + layout->cpu_at, sizeof(s->cpu));
	s->callchain_nr = 0;
	replay_bound_read_numbers(b, p + layout->fixed + sizeof(raw_size));
	*stop = b->row->take(rp, &rp->sample, b->args);
	return true;
}

/* Takes any other sample, or passes it when it has no handler. False: it is damaged. */
static bool stretch_take_other(struct replay *rp, const struct sample_layout *layout,
			       const struct replay_bound *b, const uint8_t *p,
			       const struct stretch_sample *at, int *stop)
{
	struct record *r = &rp->sample;
	struct sample_chain chain;

	if (!sample_is_whole(layout, at->ev, p, at->size, &chain))
		return false;
	if (!b->row && !rp->by_type[RECORD_SAMPLE])
		return true;
	if (!sample_layout_decode(layout, at->ev, p, &chain, r))
		return false;
	if (rp->filter && !replay_wants_sample(rp, r))
		return true;
	*stop = b->row ? replay_bound_take(rp, b, r) : rp->by_type[RECORD_SAMPLE](rp, r);
	return true;
}

static int stretch_take(struct replay *rp, const struct record_stretch *s, struct stretch_walk *w)
{
	const uint64_t *corrupt = &rp->m->losses.kind[LOSS_CORRUPT].times, damage = *corrupt;
	const uint8_t *p = s->p;
	struct stretch_sample at;
	int stop = REPLAY_GO;

	rp->sample.part = s->part;
	rp->sample.offset = s->offset;
	rp->sample.seq = s->seq;
	/* .lost is called between a damaged record and the next one */
	while (!stop && p < s->end && *corrupt == damage && stretch_sample_at(s, p, &at)) {
		const struct replay_bound *b = stretch_bound(rp, at.ev);
		const uint64_t before = rp->time;

		if (!b)
			return -1;
		__builtin_prefetch(p + STRETCH_AHEAD);
		__builtin_prefetch(p + STRETCH_AHEAD + 64);
		rp->time = at.time;
		if (!(b->plain ? stretch_take_plain(rp, s->layout, b, p, at.size, &stop)
			       : stretch_take_other(rp, s->layout, b, p, &at, &stop))) {
			rp->time = before;
			break;
		}
		p += at.size;
		rp->sample.seq++;
		rp->sample.offset += s->expanded ? 0 : at.size;
	}
	*w = (struct stretch_walk){.p = p, .n = rp->sample.seq - s->seq};
	rp->records += w->n;
	return stop;
}

int replay_take_stretches(struct replay *rp)
{
	const struct losses *losses = &rp->m->losses;
	struct source *src = rp->src;
	struct record_stretch s;
	struct stretch_walk w;
	int stop = REPLAY_GO;

	if (rp->formats != rp->m->formats.changes)
		replay_bound_release(rp);
	rp->formats = rp->m->formats.changes;
	/* replay_add() tells the analysis of damage */
	while (!stop && (!rp->how->lost || replay_damage_seen(losses) == rp->damage) &&
	       src->ops->stretch(src, &s)) {
		if (rp->laid_out != s.layout->events->events.n) {
			rp->laid_out = s.layout->events->events.n;
			memset(&rp->sample, 0, sizeof(rp->sample));
		}
		w = (struct stretch_walk){0};
		stop = stretch_take(rp, &s, &w);
		if (!w.n)
			break;
		src->ops->take_stretch(src, w.p, w.n, rp->time);
	}
	return stop;
}
