// SPDX-License-Identifier: MIT
#include "data/record/record_table.h"

/* Recorders leave stray bytes in the padding. They are kept as long as the record has its original
 * string. */
static void encode_text(const struct record *r, const char *text, struct buf *out)
{
	const uint8_t *p = (const uint8_t *)text;
	size_t n = strlen(text), room = (n + 8) & ~(size_t)7;

	if (r->text_room && r->bytes && p > r->bytes && p < r->bytes + UINT16_MAX) {
		buf_add(out, text, r->text_room);
		return;
	}
	buf_add(out, text, n);
	buf_fill(out, 0, room - n);
}

static void encode_field(const struct record_field *f, const struct record *r, struct buf *out)
{
	const uint8_t *from = (const uint8_t *)r + f->at;
	uint64_t n;

	switch (f->kind) {
	case FIELD_U8:
		buf_add(out, from, 1);
		break;
	case FIELD_U16:
		buf_add(out, from, 2);
		break;
	case FIELD_U32:
		buf_add(out, from, 4);
		break;
	case FIELD_U64:
		buf_add(out, from, 8);
		break;
	case FIELD_PAD:
		buf_fill(out, 0, f->arg);
		break;
	case FIELD_BYTES:
		buf_add(out, from, f->arg);
		break;
	case FIELD_TEXT:
		encode_text(r, *(const char *const *)from, out);
		break;
	case FIELD_WORDS:
		n = *(const uint64_t *)((const uint8_t *)r + f->arg);
		buf_add(out, *(const void *const *)from, n * f->each * 8);
		break;
	case FIELD_POKE:
		n = (uint64_t)r->text_poke.old_len + r->text_poke.new_len;
		buf_add(out, r->text_poke.bytes, n);
		/* the lengths before it take 4 bytes of a word */
		buf_fill(out, 0, -(n + 4) & 7);
		break;
	case FIELD_READ:
		sample_read_encode(&r->read.read, out);
		break;
	case FIELD_SAMPLE:
		sample_encode(&r->sample, out);
		break;
	case FIELD_REST:
		buf_add(out, *(const void *const *)from,
			*(const uint64_t *)((const uint8_t *)r + f->arg));
		break;
	case FIELD_BUILD_ID:
		buf_add(out, r->build_id.build_id, 20);
		n = r->header.misc & MISC_EXT_RESERVED ? r->build_id.build_id_size : 0;
		buf_add(out, &n, 4);
		break;
	case FIELD_END:
		break;
	}
}

static void encode_trailer(const struct record_id *id, uint64_t type, struct buf *out)
{
	uint64_t cpu = id->cpu;

	if (type & SAMPLE_TID) {
		buf_add(out, &id->pid, 4);
		buf_add(out, &id->tid, 4);
	}
	if (type & SAMPLE_TIME)
		buf_add(out, &id->time, 8);
	if (type & SAMPLE_ID)
		buf_add(out, &id->id, 8);
	if (type & SAMPLE_STREAM_ID)
		buf_add(out, &id->stream_id, 8);
	if (type & SAMPLE_CPU)
		buf_add(out, &cpu, 8);
	if (type & SAMPLE_IDENTIFIER)
		buf_add(out, &id->id, 8);
}

int record_encode(const struct record *r, uint64_t trailer_type, bool sample_id_all,
		  struct buf *out)
{
	const struct record_kind *kind = record_kind(r->header.type);
	struct record_header h = r->header;
	size_t start = out->n;

	buf_add(out, &h, sizeof(h));
	if (!kind)
		buf_add(out, r->blob.bytes, r->blob.size);
	for (const struct record_field *f = kind ? kind->fields : NULL; f && f->kind; f++)
		if (record_has_field(r, f))
			encode_field(f, r, out);
	if (kind && !kind->no_trailer && sample_id_all)
		encode_trailer(&r->id, trailer_type, out);
	if (out->n - start > UINT16_MAX) {
		out->n = start;
		return -1;
	}
	h.size = (uint16_t)(out->n - start);
	memcpy(out->at + start, &h, sizeof(h));
	return 0;
}
