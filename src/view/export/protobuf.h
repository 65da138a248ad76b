/* SPDX-License-Identifier: MIT */
/*
 * Protocol buffers, written field by field.
 * Source: https://protobuf.dev/programming-guides/encoding.
 */
#ifndef VIEW_EXPORT_PROTOBUF_H
#define VIEW_EXPORT_PROTOBUF_H

#include "base/buf.h"

static inline void proto_varint(struct buf *b, uint64_t v)
{
	for (; v > 127; v >>= 7)
		buf_char(b, (char)(v | 128));
	buf_char(b, (char)v);
}

/* A field that may be 0. */
static inline void proto_value(struct buf *b, unsigned int field, uint64_t v)
{
	proto_varint(b, field << 3);
	proto_varint(b, v);
}

/* A field whose default is 0: 0 is left out. */
static inline void proto_number(struct buf *b, unsigned int field, uint64_t v)
{
	if (v)
		proto_value(b, field, v);
}

/* A field of the type fixed64. */
static inline void proto_fixed(struct buf *b, unsigned int field, uint64_t v)
{
	proto_varint(b, field << 3 | 1);
	for (int i = 0; i < 8; i++)
		buf_char(b, (char)(v >> 8 * i));
}

static inline void proto_bytes(struct buf *b, unsigned int field, const void *p, size_t n)
{
	proto_varint(b, field << 3 | 2);
	proto_varint(b, n);
	buf_add(b, p, n);
}

static inline void proto_text(struct buf *b, unsigned int field, const char *text)
{
	proto_bytes(b, field, text, strlen(text));
}

/* Appends m as a field of a message type, and empties m. */
static inline void proto_message(struct buf *b, unsigned int field, struct buf *m)
{
	proto_bytes(b, field, m->at, m->n);
	buf_clear(m);
}

#endif
