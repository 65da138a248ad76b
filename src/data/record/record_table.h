/* SPDX-License-Identifier: MIT */
/*
 * The table of record types: one row a type, one list of fields a row. Decoding, encoding, byte
 * order, sizes and names all come from it. See doc/how-to-add-a-record-type.md.
 */
#ifndef DATA_RECORD_TABLE_H
#define DATA_RECORD_TABLE_H

#include "base/cursor.h"
#include "data/record/record.h"

enum field_kind {
	FIELD_END = 0,
	FIELD_U8,
	FIELD_U16,
	FIELD_U32,
	FIELD_U64,
	FIELD_PAD,    /* .arg bytes of zero */
	FIELD_BYTES,  /* .arg bytes, as they are */
	FIELD_TEXT,   /* a terminated string, padded to 8; takes all up to the trailer */
	FIELD_WORDS,  /* u64s; a u64 count stands at .arg of the struct, each counts .each words */
	FIELD_POKE,   /* TEXT_POKE's code bytes: old_len + new_len of them, padded to 8 */
	FIELD_READ,   /* a counter's values, by the event's read_format */
	FIELD_SAMPLE, /* a sample, by the event's sample_type */
	FIELD_REST,   /* the remaining bytes: a pointer; their number, a u64, is at .arg */
	FIELD_BUILD_ID, /* 24 bytes: up to 20 of build-id, at [20] its size when misc bit 15 is set
			 */
};

struct record_field {
	enum field_kind kind;
	uint16_t at;	 /* offset in struct record */
	uint16_t arg;	 /* see above */
	uint16_t each;
	uint16_t when;	 /* only in records with this misc bit; 0: always */
	uint16_t unless; /* only in records without it */
	bool newer;	 /* MMAP2: not in the oldest ones */
};

struct record_kind {
	const char *name;
	const struct record_field *fields;
	bool no_trailer; /* a tool's record: there is no id at its end */
};

/* NULL for unknown types. */
const struct record_kind *record_kind(uint32_t type);
/* True when the record has the field; its header and no_prot must be set. */
static inline bool record_has_field(const struct record *r, const struct record_field *f)
{
	if (f->newer && r->mmap.no_prot)
		return false;
	return (!f->when || r->header.misc & f->when) &&
	       (!f->unless || !(r->header.misc & f->unless));
}

/* sample.c: a sample's or READ's fields; -1 when c is too short. */
int sample_decode(struct cursor *c, const struct event *ev, struct buf *scratch, struct sample *s);
/* The members of *id that a sample's own fields tell. */
static inline void sample_record_id(const struct sample *s, struct record_id *id)
{
	id->has = s->type & (SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU);
	if (s->type & SAMPLE_IDENTIFIER)
		id->has |= SAMPLE_ID;
	id->pid = s->pid;
	id->tid = s->tid;
	id->time = s->time;
	id->id = s->id;
	id->stream_id = s->stream_id;
	id->cpu = s->cpu;
}
void sample_encode(const struct sample *s, struct buf *out);
int sample_read_decode(struct cursor *c, uint64_t format, struct buf *scratch,
		       struct sample_read *read);
void sample_read_encode(const struct sample_read *read, struct buf *out);
/* The n u64s at c, aligned and in this machine's byte order: in place where they are so already,
 * else copied to scratch. */
const uint64_t *sample_words(struct cursor *c, uint64_t n, struct buf *scratch);

#endif
