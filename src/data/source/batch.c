// SPDX-License-Identifier: MIT
#include "data/source/batch.h"

/* Bytes of a mapped file that stay in memory: workers use records of several batches at once. */
#define BATCHES_BEHIND (16u * 1024 * 1024)

bool source_has_batches(const struct source *src)
{
	return src->ops->next_raw && !src->ops->next;
}

static void batch_add(struct batch *b, const struct raw_record *raw, bool swap)
{
	struct record_header h;

	memcpy(&h, raw->p, sizeof(h));
	vec_add(&b->records,
		(struct batch_record){.p = raw->p,
				      .offset = raw->offset,
				      .seq = raw->seq,
				      .part = raw->part,
				      .type = swap ? __builtin_bswap32(h.type) : h.type,
				      .size = raw->header.size});
	b->bytes += raw->header.size;
	if (raw->owner && (!b->owners.n || *vec_last(&b->owners) != raw->owner)) {
		shared_bytes_hold(raw->owner);
		vec_add(&b->owners, raw->owner);
	}
}

int batch_next(struct batch_reader *rd, struct batch *b, size_t bytes, struct err *err)
{
	struct source *src = rd->src;
	struct raw_record raw;
	int got = 1;

	if (src->ops->keep_behind)
		src->ops->keep_behind(src, BATCHES_BEHIND);
	if (rd->has_definition)
		batch_add(b, &rd->definition, src->m->swap);
	rd->has_definition = false;
	while (b->bytes < bytes && (got = src->ops->next_raw(src, &raw, err)) > 0) {
		if (raw.defines) {
			rd->definition = raw;
			rd->has_definition = true;
			return 1;
		}
		batch_add(b, &raw, src->m->swap);
	}
	return got < 0 ? -1 : got || b->records.n;
}

void batch_take_definition(struct batch_reader *rd)
{
	if (rd->has_definition)
		rd->src->ops->define(rd->src, &rd->definition);
}

void batch_clear(struct batch *b)
{
	for (size_t i = 0; i < b->owners.n; i++)
		shared_bytes_drop(b->owners.at[i]);
	vec_clear(&b->owners);
	vec_clear(&b->records);
	b->bytes = 0;
}

void batch_release(struct batch *b)
{
	batch_clear(b);
	vec_release(&b->owners);
	vec_release(&b->records);
}

bool batch_decode(struct batch_decoder *d, const struct batch_record *at, struct record *r)
{
	const struct raw_record raw = {.header.size = at->size,
				       .p = at->p,
				       .offset = at->offset,
				       .seq = at->seq,
				       .part = at->part};

	return source_decode_to(d->src, &raw, &d->scratch, &d->losses, r);
}

void batch_decoder_release(struct batch_decoder *d)
{
	buf_release(&d->scratch);
}
