// SPDX-License-Identifier: MIT
/* The header, attributes and features that stand before the data. */
#include "data/record/event_update.h"
#include "data/sink/sink_state.h"

/* The size to write of an attribute: its own, but without config3 and later fields when they are
 * zero. perf 6.1 refuses files with attributes longer than it knows. */
static uint32_t sink_attr_size(const struct attr *a)
{
	if (a->size > ATTR_SIZE_6_1 && !a->config3 && !a->config4)
		return ATTR_SIZE_6_1;
	return a->size >= ATTR_SIZE_VER0 && a->size <= sizeof(*a) ? a->size : ATTR_SIZE_6_1;
}

static void sink_add_attr(struct buf *b, const struct attr *a, uint32_t size)
{
	struct attr copy = *a;
	uint8_t bytes[sizeof(copy)] = {0};

	copy.size = size;
	attr_encode(&copy, bytes);
	buf_add(b, bytes, size);
}

static void sink_begin_pipe(struct buf *b, const struct event_set *events)
{
	buf_u64(b, MAGIC);
	buf_u64(b, 16);
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];
		uint32_t size = sink_attr_size(&ev->attr);
		size_t ids = MIN(ev->ids.n, (65528 - 8 - size) / 8);

		sink_add_header(b, RECORD_HEADER_ATTR,
				sizeof(struct record_header) + size + 8 * ids);
		sink_add_attr(b, &ev->attr, size);
		buf_add(b, ev->ids.at, 8 * ids);
	}
	for (size_t i = 0; i < events->events.n; i++)
		event_updates_encode(events->events.at[i], true, b);
}

static void sink_begin_file(struct sink *s, struct buf *b, const struct event_set *events)
{
	uint32_t size = events->events.n ? 0 : ATTR_SIZE_6_1;
	uint64_t at = sizeof(s->header);

	/* all attributes get the longest size: readers find the next entry by an attribute's own
	 * size field */
	for (size_t i = 0; i < events->events.n; i++)
		size = MAX(size, sink_attr_size(&events->events.at[i]->attr));
	buf_fill(b, 0, sizeof(s->header));
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];

		buf_add(b, ev->ids.at, 8 * ev->ids.n);
		buf_fill(b, 0, 8 * s->spare_ids);
		vec_add(&s->id_room, ev->ids.n + s->spare_ids);
	}
	s->header = (struct file_header){
		.magic = MAGIC, .size = sizeof(s->header), .attr_size = size + 16,
		.attrs = {b->n, events->events.n * (size + 16)}};
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];

		sink_add_attr(b, &ev->attr, size);
		buf_u64(b, at);
		buf_u64(b, 8 * ev->ids.n);
		at += 8 * s->id_room.at[i];
	}
	s->header.data.offset = b->n;
	memcpy(b->at, &s->header, sizeof(s->header));
}

int sink_begin(struct sink *s, const struct event_set *events, struct err *err)
{
	struct buf b = {0};
	int got;

	if (s->pipe)
		sink_begin_pipe(&b, events);
	else
		sink_begin_file(s, &b, events);
	got = sink_out_add(&s->out, b.at, b.n, NULL, 0, err);
	/* write at once: another recorder would take an empty file over, and a recorder that is
	 * killed now leaves a readable file */
	if (!got)
		got = sink_out_wait(&s->out, err);
	buf_release(&b);
	if (!s->pipe && !s->zip)
		time_index_begin(&s->times, events, 0);
	s->begun = true;
	s->synced = s->out.pos;
	s->failed = got < 0;
	return got;
}

size_t sink_id_room(const struct sink *s, const struct event_set *events)
{
	size_t room = SIZE_MAX;

	if (s->pipe || s->failed || !events->events.n || events->events.n != s->id_room.n)
		return 0;
	for (size_t i = 0; i < s->id_room.n; i++) {
		size_t n = events->events.at[i]->ids.n;

		room = MIN(room, n < s->id_room.at[i] ? s->id_room.at[i] - n : 0);
	}
	return room;
}

int sink_ids(struct sink *s, const struct event_set *events, struct err *err)
{
	uint64_t at = sizeof(s->header);

	for (size_t i = 0; i < s->id_room.n; i++) {
		const struct event *ev = events->events.at[i];
		uint64_t size = 8 * ev->ids.n;
		uint64_t size_at =
			s->header.attrs.offset + (i + 1) * s->header.attr_size - sizeof(size);

		if (sink_out_at(&s->out, at, ev->ids.at, size, err) ||
		    sink_out_at(&s->out, size_at, &size, sizeof(size), err))
			return -1;
		at += 8 * s->id_room.at[i];
	}
	return 0;
}

static int sink_put_pipe_feature(struct sink *s, enum feature f, const void *p, size_t n,
				 struct err *err)
{
	struct buf b = {0};
	int got;

	if (f == FEATURE_TRACING_DATA) {
		uint32_t size = (uint32_t)((n + 7) & ~(size_t)7);

		/* The blob follows the record and isn't counted in its size. */
		sink_add_header(&b, RECORD_HEADER_TRACING_DATA, sizeof(struct record_header) + 4);
		buf_add(&b, &size, sizeof(size));
		buf_add(&b, p, n);
		buf_fill(&b, 0, size - n);
	} else {
		size_t padded = (n + 7) & ~(size_t)7;

		/* A feature that doesn't fit a record is left out of a pipe. */
		if (f == FEATURE_BUILD_ID || padded > 65528 - 16)
			return 0;
		sink_add_header(&b, RECORD_HEADER_FEATURE, 16 + padded);
		buf_u64(&b, f);
		buf_add(&b, p, n);
		buf_fill(&b, 0, padded - n);
	}
	got = sink_out_add(&s->out, b.at, b.n, NULL, 0, err);
	buf_release(&b);
	return got;
}

int sink_feature(struct sink *s, enum feature f, const void *p, size_t n, struct err *err)
{
	struct stored *st = &s->features[f];

	if (s->pipe)
		return sink_put_pipe_feature(s, f, p, n, err);
	free(st->p);
	st->p = mem_alloc(n + 1);
	if (n)
		memcpy(st->p, p, n);
	st->n = n;
	st->offset = 0;
	return 0;
}

int sink_store_compression(struct sink *s, struct err *err)
{
	uint32_t words[5] = {1, 1, (uint32_t)s->level, 0, SINK_ZIP_CHUNK}; /* version, zstd, ... */

	if (!s->zip)
		return 0;
	if (s->packed)
		words[3] = (uint32_t)(s->plain / s->packed);
	return sink_feature(s, FEATURE_COMPRESSED, words, sizeof(words), err);
}

int sink_features_done(struct sink *s, struct err *err)
{
	struct buf b = {0};
	int got;

	if (!s->pipe)
		return 0;
	if (sink_store_compression(s, err))
		return -1;
	/* A feature record of no feature: tools/perf's HEADER_LAST_FEATURE of 6.1. */
	sink_add_header(&b, RECORD_HEADER_FEATURE, 16);
	buf_u64(&b, FEATURE_PMU_CAPS + 1);
	got = sink_out_add(&s->out, b.at, b.n, NULL, 0, err);
	buf_release(&b);
	return got;
}

int sink_start_data(struct sink *s, struct err *err)
{
	s->started = true;
	if (!s->pipe) {
		if (sink_store_compression(s, err))
			return -1;
		for (int f = 0; f < FEATURE_MAX; f++) {
			struct stored *st = &s->features[f];

			if (!st->p || f >= FEATURE_EXTENSION)
				continue;
			st->offset = s->out.pos;
			if (sink_out_add(&s->out, st->p, st->n, NULL, 0, err))
				return -1;
		}
		if (s->out.pos & 7 && sink_out_add(&s->out, "\0\0\0\0\0\0\0", 8 - (s->out.pos & 7),
						   NULL, 0, err))
			return -1;
		s->header.data.offset = s->times.pos = s->out.pos;
	}
	return 0;
}
