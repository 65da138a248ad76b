// SPDX-License-Identifier: MIT
#include "data/sink/sink_state.h"

static struct sink *sink_new(const struct sink_options *opts)
{
	struct sink *s = NEW(struct sink);

	s->out.fd = -1;
	if (opts) {
		s->max_size = opts->max_size;
		s->level = opts->compress;
		s->spare_ids = opts->spare_ids;
	}
	return s;
}

struct sink *sink_open(const struct sink_options *opts, struct err *err)
{
	struct sink *s = sink_new(opts);

	if (sink_out_open(&s->out, opts, err) ||
	    (opts->compress && !(s->zip = sink_zip_new(opts->compress, err)))) {
		sink_free(s);
		return NULL;
	}
	s->pipe = opts->as_pipe || s->out.is_pipe;
	return s;
}

struct sink *sink_open_memory(bool as_pipe, struct buf *out)
{
	struct sink *s = sink_new(NULL);

	s->out.mem = out;
	s->pipe = as_pipe;
	buf_clear(out);
	return s;
}

void sink_free(struct sink *s)
{
	if (!s)
		return;
	for (int f = 0; f < FEATURE_MAX; f++)
		free(s->features[f].p);
	buf_release(&s->gathered);
	buf_release(&s->staged);
	buf_release(&s->lost);
	vec_release(&s->batches);
	vec_release(&s->checkpoints);
	vec_release(&s->id_room);
	checksum_release(&s->sums);
	time_index_release(&s->times);
	sink_zip_free(s->zip);
	sink_out_close(&s->out);
	free(s);
}

int sink_write(struct sink *s, const void *a, size_t a_len, const void *b, size_t b_len,
	       struct err *err)
{
	if (s->failed)
		return err_set(err, ERR_SYSTEM, "'%s' takes no more", s->out.path);
	if ((!s->started && sink_start_data(s, err)) ||
	    sink_out_add(&s->out, a, a_len, b, b_len, err)) {
		s->failed = true;
		return -1;
	}
	if (!s->pipe) {
		checksum_add(&s->sums, a, a_len);
		checksum_add(&s->sums, b, b_len);
		time_index_add(&s->times, a, a_len, b, b_len);
	}
	return 0;
}

/* The bytes of both pieces that are whole records and fit into room. A ring's wrap never cuts a
 * header. */
static size_t fitting_records(const void *a, size_t a_len, const void *b, size_t b_len,
			      uint64_t room)
{
	size_t pos = 0;

	while (pos < a_len + b_len) {
		const uint8_t *p = pos < a_len ? (const uint8_t *)a + pos
					       : (const uint8_t *)b + (pos - a_len);
		struct record_header h;

		if ((pos < a_len ? a_len - pos : a_len + b_len - pos) < sizeof(h))
			break;
		memcpy(&h, p, sizeof(h));
		if (h.size < sizeof(h) || pos + h.size > MIN(a_len + b_len, room))
			break;
		pos += h.size;
	}
	return pos;
}

static uint64_t sink_count_samples(const struct buf *b)
{
	struct record_header h;
	uint64_t n = 0;

	for (size_t at = 0; at + sizeof(h) <= b->n; at += h.size) {
		memcpy(&h, b->at + at, sizeof(h));
		if (h.size < sizeof(h))
			break;
		n += h.type == RECORD_SAMPLE;
	}
	return n;
}

/* The offset that the data may not exceed. */
static uint64_t sink_limit(const struct sink *s)
{
	return s->max_size - MIN(s->max_size, LOST_ROOM);
}

int sink_compress(struct sink *s, struct err *err)
{
	uint64_t samples = sink_count_samples(&s->gathered);
	int got;

	if (!s->gathered.n)
		return 0;
	buf_clear(&s->staged);
	got = sink_zip_add(s->zip, s->gathered.at, s->gathered.n, &s->staged, err);
	s->plain += s->gathered.n;
	s->packed += s->staged.n;
	buf_clear(&s->gathered);
	if (got)
		return -1;
	if (s->max_size && s->out.pos + s->staged.n > sink_limit(s)) {
		s->cut = true;
		return SINK_FULL;
	}
	got = sink_write(s, s->staged.at, s->staged.n, NULL, 0, err);
	if (!got)
		vec_add(&s->batches, (struct sample_mark){s->out.pos, samples});
	return got;
}

int sink_put(struct sink *s, const void *a, size_t a_len, const void *b, size_t b_len,
	     struct err *err)
{
	if (s->zip) {
		buf_add(&s->gathered, a, a_len);
		buf_add(&s->gathered, b, b_len);
		return s->gathered.n < SINK_ZIP_CHUNK ? 0 : sink_compress(s, err);
	}
	if (s->max_size && s->out.pos + a_len + b_len > sink_limit(s)) {
		size_t n = fitting_records(a, a_len, b, b_len,
				   sink_limit(s) > s->out.pos ? sink_limit(s) - s->out.pos : 0);
		size_t first = MIN(n, a_len);

		s->cut = true;
		return n && sink_write(s, a, first, b, n - first, err) ? -1 : SINK_FULL;
	}
	return sink_write(s, a, a_len, b, b_len, err);
}

int sink_put_record(struct sink *s, const struct record *r, struct err *err)
{
	const struct attr *a = r->event ? &r->event->attr : NULL;
	struct buf b = {0};
	int got;

	if (record_encode(r, a ? a->sample_type : 0, a && a->flags & ATTR_SAMPLE_ID_ALL, &b))
		got = err_set(err, ERR_INPUT, "a record is too large to be written");
	else
		got = sink_put(s, b.at, b.n, NULL, 0, err);
	buf_release(&b);
	return got;
}

void sink_samples(struct sink *s, uint64_t n)
{
	s->samples = n;
}

void sink_lost_record(struct sink *s, const void *record, size_t n)
{
	buf_clear(&s->lost);
	buf_add(&s->lost, record, n);
}

uint64_t sink_samples_missing(const struct sink *s)
{
	return s->missing;
}

bool sink_compresses(const struct sink *s)
{
	return s->zip;
}

bool sink_is_pipe(const struct sink *s)
{
	return s->pipe;
}

uint64_t sink_bytes(const struct sink *s)
{
	return s->out.pos;
}

uint64_t sink_bytes_plain(const struct sink *s)
{
	return s->plain;
}

uint64_t sink_bytes_packed(const struct sink *s)
{
	return s->packed;
}
