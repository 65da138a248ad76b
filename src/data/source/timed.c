// SPDX-License-Identifier: MIT
/* Drops samples outside of the wanted times. */
#include "data/source/source_ops.h"

struct timed {
	struct source src;
	struct source *below;
	struct source_times times;
};

static bool timed_wants(const struct timed *t, const struct record *r)
{
	return r->header.type != RECORD_SAMPLE || !(r->sample.type & SAMPLE_TIME) ||
	       !r->sample.time || r->sample.time == UINT64_MAX ||
	       t->times.wanted(t->times.ctx, r->sample.time, r->sample.time);
}

static int timed_next(struct source *src, struct record *r, struct err *err)
{
	struct timed *t = (struct timed *)src;
	int got;

	do
		got = source_next(t->below, r, err);
	while (got > 0 && !timed_wants(t, r));
	return got;
}

static int timed_next_span(struct source *src, struct span *span, struct err *err)
{
	return source_next_span(((struct timed *)src)->below, span, err);
}

static uint64_t timed_bytes(const struct source *src)
{
	return source_bytes(((const struct timed *)src)->below);
}

static void timed_free(struct source *src)
{
	struct timed *t = (struct timed *)src;

	source_free(t->below);
	source_release(src);
	free(t);
}

static const struct source_ops timed_ops = {
	.next = timed_next, .bytes = timed_bytes, .free = timed_free};
static const struct source_ops timed_ops_with_spans = {
	.next = timed_next, .next_span = timed_next_span, .bytes = timed_bytes, .free = timed_free};

struct source *source_timed(struct source *below, const struct source_times *times)
{
	struct timed *t = NEW(struct timed);

	source_init_on(&t->src, source_has_spans(below) ? &timed_ops_with_spans : &timed_ops,
		       below);
	t->below = below;
	t->times = *times;
	return &t->src;
}
