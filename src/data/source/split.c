// SPDX-License-Identifier: MIT
/*
 * Samples that hold the values of several counters (SAMPLE_READ): such a sample is delivered once
 * for each counter that grew since the sample before, with the counter's event and its growth as
 * the period. The state is one value for each id, so samples of one id must come in the order of
 * time.
 */
#include "data/source/read_split.h"
#include "data/source/source_ops.h"

struct split_source {
	struct source src;
	struct source *below;
	struct read_split split;
	struct record sample; /* the sample being split */
	uint64_t next;	      /* of its counters */
	bool has_sample;
};

static int split_next(struct source *src, struct record *r, struct err *err)
{
	struct split_source *s = (struct split_source *)src;

	for (;;) {
		int got;

		if (s->has_sample) {
			*r = s->sample;
			if (read_split_next(&s->split, &src->m->events, &s->sample, &s->next,
					    &r->event, &r->sample.period))
				return 1;
			s->has_sample = false;
		}
		got = source_next(s->below, r, err);
		if (got <= 0 || r->header.type != RECORD_SAMPLE || !read_split_needed(r->event))
			return got;
		s->sample = *r;
		s->has_sample = true;
		s->next = 0;
	}
}

static uint64_t split_bytes(const struct source *src)
{
	return source_bytes(((const struct split_source *)src)->below);
}

static void split_free(struct source *src)
{
	struct split_source *s = (struct split_source *)src;

	source_free(s->below);
	read_split_release(&s->split);
	source_release(src);
	free(s);
}

static const struct source_ops split_ops = {
	.next = split_next, .bytes = split_bytes, .free = split_free};

struct source *source_split(struct source *below)
{
	struct split_source *s = NEW(struct split_source);

	source_init_on(&s->src, &split_ops, below);
	s->below = below;
	return &s->src;
}
