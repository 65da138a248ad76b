// SPDX-License-Identifier: MIT
/* Only samples, or all but samples, of an origin that gives both. */
#include "data/source/source_ops.h"

struct picked {
	struct source src;
	struct source *below;
	enum source_mode mode;
	struct source_passed passed;
};

static void picked_define(struct source *src, const struct raw_record *raw)
{
	struct source *below = ((struct picked *)src)->below;

	below->ops->define(below, raw);
}

static int picked_next_raw(struct source *src, struct raw_record *raw, struct err *err)
{
	struct picked *p = (struct picked *)src;
	int got;

	while ((got = p->below->ops->next_raw(p->below, raw, err)) > 0) {
		const bool sample = raw->header.type == RECORD_SAMPLE;

		if (sample == (p->mode == SOURCE_SAMPLES))
			return 1;
		if (raw->defines)
			picked_define(src, raw);
		if (sample && p->passed.see)
			p->passed.see(p->passed.ctx, &(struct span){.p = raw->p,
								    .n = raw->header.size,
								    .offset = raw->offset,
								    .seq = raw->seq});
	}
	return got;
}

/* For a source below with .next. */
static int picked_next(struct source *src, struct record *r, struct err *err)
{
	struct picked *p = (struct picked *)src;
	int got;

	while ((got = source_next(p->below, r, err)) > 0) {
		const bool sample = r->header.type == RECORD_SAMPLE;

		if (sample == (p->mode == SOURCE_SAMPLES))
			return 1;
		if (sample && p->passed.see)
			p->passed.see(p->passed.ctx, &(struct span){.p = r->bytes,
								    .n = r->header.size,
								    .offset = r->offset,
								    .seq = r->seq});
	}
	return got;
}

static void picked_free(struct source *src)
{
	struct picked *p = (struct picked *)src;

	source_free(p->below);
	source_release(src);
	free(p);
}

static const struct source_ops picked_ops = {
	.next_raw = picked_next_raw, .define = picked_define, .free = picked_free};
static const struct source_ops picked_ops_of_records = {.next = picked_next, .free = picked_free};

struct source *source_picked(struct source *below, enum source_mode mode,
			     const struct source_passed *passed)
{
	struct picked *p = NEW(struct picked);

	source_init_on(&p->src, below->ops->next_raw ? &picked_ops : &picked_ops_of_records, below);
	p->below = below;
	p->mode = mode;
	p->passed = *passed;
	return &p->src;
}
