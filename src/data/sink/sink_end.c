// SPDX-License-Identifier: MIT
/* Checkpoints, and the end of a file: the table of features, the extensions, and
 * room for them on a full disk. */
#include "data/sink/sink_state.h"

/*
 * The table of features, to stand at the end of the data. In a checkpoint its first 8 bytes are at
 * the same time the header of a record that holds the rest: bit 0 of the feature bits, which means
 * nothing, has an entry whose place is those bytes. Readers cannot go there and pass it over; read
 * as data, the record is of a type (HEADER_EVENT_TYPE) that has meant nothing since 2011.
 */
static void sink_make_table(struct sink *s, struct buf *b, bool checkpoint)
{
	memset(s->header.features, 0, sizeof(s->header.features));
	if (checkpoint) {
		s->header.features[0] = 1;
		sink_add_header(b, RECORD_HEADER_EVENT_TYPE, 0);
		buf_u64(b, 0);
	}
	for (int f = 1; f < FEATURE_EXTENSION; f++) {
		const struct stored *st = &s->features[f];

		if (!st->p || !st->offset)
			continue;
		s->header.features[f / 64] |= 1ull << f % 64;
		buf_u64(b, st->offset);
		buf_u64(b, st->n);
	}
	if (checkpoint) {
		uint16_t size = (uint16_t)b->n;

		memcpy(b->at + offsetof(struct record_header, size), &size, sizeof(size));
	}
}

static void drop_first_marks(struct sample_mark *at, size_t *n, size_t gone)
{
	if (gone)
		memmove(at, at + gone, (*n -= gone) * sizeof(*at));
}

/* Adds a checkpoint, and forgets those before the last one that is written. */
static void sink_add_checkpoint(struct sink *s, uint64_t end)
{
	uint64_t written = sink_out_written(&s->out);
	size_t past = 0, n = 0;

	vec_add(&s->checkpoints, (struct sample_mark){end, s->samples});
	while (past + 1 < s->checkpoints.n && s->checkpoints.at[past + 1].end <= written)
		past++;
	drop_first_marks(s->checkpoints.at, &s->checkpoints.n, past);
	while (n < s->batches.n && s->batches.at[n].end <= s->checkpoints.at[0].end)
		n++;
	drop_first_marks(s->batches.at, &s->batches.n, n);
	s->checkpoint = end;
}

int sink_sync(struct sink *s, struct err *err)
{
	struct buf table = {0};
	uint64_t end;
	int got;

	if (!s->failed && sink_compress(s, err) < 0)
		return -1;
	end = s->out.pos;
	if (s->pipe || s->failed || !s->started || end == s->synced)
		return 0;
	sink_make_table(s, &table, true);
	got = sink_write(s, table.at, table.n, NULL, 0, err);
	buf_release(&table);
	if (got)
		return -1;
	s->header.data.size = end - s->header.data.offset;
	if (sink_out_at(&s->out, 0, &s->header, sizeof(s->header), err)) {
		s->failed = true;
		return -1;
	}
	sink_add_checkpoint(s, end);
	s->synced = s->out.pos;
	return 0;
}

/* A walk over the records of the data, from the last checkpoint that was written before end. */
struct walk {
	uint64_t pos, end, samples; /* samples before pos */
	uint64_t block_at;
	size_t block_n;
	uint8_t block[65536];
};

static struct walk *sink_walk_new(const struct sink *s, uint64_t end)
{
	struct walk *w = NEW(struct walk);

	w->pos = s->header.data.offset;
	w->end = end;
	for (size_t i = 0; i < s->checkpoints.n; i++)
		if (s->checkpoints.at[i].end <= end) {
			w->pos = s->checkpoints.at[i].end;
			w->samples = s->checkpoints.at[i].samples;
		}
	return w;
}

/* Moves past the next record; false: there is no whole one. */
static bool sink_walk_on(struct sink *s, struct walk *w)
{
	struct record_header h;

	if (w->pos + sizeof(h) > w->end)
		return false;
	if (w->pos < w->block_at || w->pos + sizeof(h) > w->block_at + w->block_n) {
		w->block_at = w->pos;
		w->block_n = sink_out_read(&s->out, w->pos, w->block, sizeof(w->block));
		if (w->block_n < sizeof(h))
			return false;
	}
	memcpy(&h, w->block + (w->pos - w->block_at), sizeof(h));
	if (h.size < sizeof(h) || w->pos + h.size > w->end)
		return false;
	w->pos += h.size;
	w->samples += h.type == RECORD_SAMPLE;
	return true;
}

/* Finds the offset at which to end the data so that need bytes fit into the blocks that the file
 * already has. A batch of compressed data is kept or dropped as a whole: its parts need not end
 * with whole records. Counts the samples after that offset as missing. */
static uint64_t sink_make_room(struct sink *s, size_t need)
{
	struct walk *w = sink_walk_new(s, s->out.pos - MIN(s->out.pos, need));
	uint64_t last = w->pos, samples = w->samples;

	for (size_t i = 0; i < s->batches.n; i++)
		if (s->batches.at[i].end > w->pos && s->batches.at[i].end <= w->end) {
			last = s->batches.at[i].end;
			samples += s->batches.at[i].samples;
		}
	while (!s->zip && sink_walk_on(s, w)) {
		last = w->pos;
		samples = w->samples;
	}
	free(w);
	s->missing = s->samples - MIN(s->samples, samples);
	return last;
}

/* Adds the missing samples to the lost record, whose count is behind its header. */
static void sink_count_lost(struct sink *s)
{
	uint64_t lost;

	if (s->lost.n < sizeof(struct record_header) + sizeof(lost) || s->lost.n > LOST_ROOM)
		buf_clear(&s->lost);
	if (!s->lost.n)
		return;
	memcpy(&lost, s->lost.at + sizeof(struct record_header), sizeof(lost));
	lost += s->missing;
	memcpy(s->lost.at + sizeof(struct record_header), &lost, sizeof(lost));
	if (!lost)
		buf_clear(&s->lost);
}

/* Ends a file with a maximal size that got more records than it may hold. */
static int sink_end_limited(struct sink *s, struct err *err)
{
	sink_make_room(s, 0);
	sink_count_lost(s);
	return s->lost.n ? sink_write(s, s->lost.at, s->lost.n, NULL, 0, err) : 0;
}

/* Appends the checksums of a file that ended as it should. A checkpoint that was cut off is taken
 * out of them. */
static void sink_add_checksums(struct sink *s, uint64_t end, struct buf *out)
{
	uint64_t size = end - s->header.data.offset;
	struct buf b = {0};

	if (size < s->sums.size) {
		buf_reserve(&b, checksum_rest(size) + 1);
		if (sink_out_read(&s->out, end - checksum_rest(size), b.at, checksum_rest(size)) !=
		    checksum_rest(size)) {
			buf_release(&b);
			return;
		}
		checksum_cut(&s->sums, size, b.at);
	}
	checksum_put(&s->sums, s->header.data.offset, out);
	buf_release(&b);
}

/* Behind all that the header knows of: perf 6.1's inject dies of features that it has no
 * name for. */
static void sink_add_extensions(const struct sink *s, struct buf *out)
{
	for (unsigned int f = FEATURE_EXTENSION; f < FEATURE_MAX; f++)
		if (s->features[f].p) {
			buf_add(out, s->features[f].p, s->features[f].n);
			buf_u64(out, s->features[f].n);
			buf_u64(out, FEATURE_EXTENSION_MAGIC | (uint64_t)f << 32);
		}
}

static void sink_store_times(struct sink *s)
{
	AUTO_BUF b = {0};

	if (time_index_put(&s->times, s->header.data.offset, s->out.pos - s->header.data.offset,
			   &b))
		sink_feature(s, FEATURE_TIME_INDEX, b.at, b.n, NULL);
}

static int sink_write_features(struct sink *s, struct err *err)
{
	struct buf b = {0};
	uint64_t end, at;
	int got;

	/* A checkpoint at the end of the data is no longer needed. */
	if (s->checkpoint && s->out.pos == s->synced)
		sink_out_cut(&s->out, s->checkpoint);
	if (!s->failed)
		sink_store_times(s);
	end = at = s->out.pos;
	for (int f = 1; f < FEATURE_EXTENSION; f++)
		at += s->features[f].p ? sizeof(struct section) : 0;
	for (int f = 1; f < FEATURE_EXTENSION; f++)
		if (s->features[f].p && !s->features[f].offset) {
			s->features[f].offset = at;
			at += s->features[f].n;
		}
	sink_make_table(s, &b, false);
	for (int f = 1; f < FEATURE_EXTENSION; f++)
		if (s->features[f].p && s->features[f].offset >= end)
			buf_add(&b, s->features[f].p, s->features[f].n);
	if (!s->failed) {
		sink_add_extensions(s, &b);
		sink_add_checksums(s, end, &b);
	}
	s->header.data.size = end - s->header.data.offset;
	got = sink_out_add(&s->out, b.at, b.n, NULL, 0, err);
	buf_release(&b);
	return got ? got : sink_out_at(&s->out, 0, &s->header, sizeof(s->header), err);
}

static int sink_close_failed(struct sink *s)
{
	size_t need = MIN(s->lost.n, LOST_ROOM);
	int got;

	/* Keep only the features that are in the file already. */
	for (int f = 1; f < FEATURE_MAX; f++)
		if (s->features[f].p && s->features[f].offset &&
		    s->features[f].offset < s->header.data.offset) {
			need += sizeof(struct section);
		} else {
			free(s->features[f].p);
			s->features[f].p = NULL;
		}
	/* Cut the file only after the table is written: the disk may give its blocks to others. */
	s->out.pos = sink_make_room(s, need);
	s->checkpoint = 0;
	sink_count_lost(s);
	got = s->lost.n ? sink_out_add(&s->out, s->lost.at, s->lost.n, NULL, 0, NULL) : 0;
	got |= sink_write_features(s, NULL);
	sink_out_cut(&s->out, s->out.pos);
	return got;
}

int sink_end(struct sink *s, struct err *err)
{
	int got = 0;

	if (s->ended || !s->begun)
		return 0;
	s->ended = true;
	if (!s->failed && sink_compress(s, err) < 0)
		got = -1;
	if (sink_out_settle(&s->out, got || s->failed ? NULL : err) && !s->failed) {
		s->failed = true;
		got = -1;
	}
	if (s->pipe) {
		s->missing = s->failed ? s->samples : 0;
		return got;
	}
	if (!s->failed) {
		if ((!s->started && sink_start_data(s, err)) ||
		    (s->cut && sink_end_limited(s, err)))
			s->failed = true;
		else if (sink_store_compression(s, err) || sink_write_features(s, err))
			s->failed = true;
		got = s->failed ? -1 : got;
		if (s->failed)
			s->out.pos = MIN(s->out.pos, s->header.data.offset + s->header.data.size);
	}
	if (s->failed && s->started)
		sink_close_failed(s);
	if (!got && sink_out_gone(&s->out))
		return err_set(err, ERR_SYSTEM,
			       "'%s' was deleted while it was written: nothing is left of it",
			       s->out.path);
	return got;
}
