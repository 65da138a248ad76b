/* SPDX-License-Identifier: MIT */
/* Reads numbers in the encodings of DWARF and .eh_frame from a cursor. */
#ifndef SYMBOL_UNWIND_ENCODED_H
#define SYMBOL_UNWIND_ENCODED_H

#include "base/cursor.h"

/* The encoding of a pointer (DW_EH_PE_*): its format, and what it is relative to. */
#define PTR_FORMAT   0x0f
#define PTR_BASE     0x70
#define PTR_PCREL    0x10
#define PTR_DATAREL  0x30
#define PTR_INDIRECT 0x80
#define PTR_OMIT     0xff

/* Assemblers may pad LEB128 numbers with a few bytes; numbers of more bits than this are
 * damaged. */
#define LEB_MOST (7 * 20)

static inline uint64_t read_uleb(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned int shift = 0; !c->bad; shift += 7) {
		uint8_t b = cursor_u8(c);

		c->bad |= shift == LEB_MOST;
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			break;
	}
	return v;
}

static inline int64_t read_sleb(struct cursor *c)
{
	uint64_t v = 0;
	unsigned int shift = 0;
	uint8_t b = 0x80;

	while (b & 0x80 && !c->bad) {
		b = cursor_u8(c);
		c->bad |= shift == LEB_MOST;
		if (shift < 64)
			v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	}
	if (shift < 64 && b & 0x40)
		v |= ~0ull << shift;
	return (int64_t)v;
}

/* An address of word bytes. */
static inline uint64_t read_word(struct cursor *c, unsigned int word)
{
	return word == 4 ? cursor_u32(c) : cursor_u64(c);
}

/* Reads the number in an encoded pointer, without its base. */
static inline uint64_t read_pointer_format(struct cursor *c, uint8_t encoding, unsigned int word)
{
	switch (encoding & PTR_FORMAT) {
	case 0x00: return read_word(c, word);
	case 0x01: return read_uleb(c);
	case 0x02: return cursor_u16(c);
	case 0x03: return cursor_u32(c);
	case 0x04: return cursor_u64(c);
	case 0x09: return (uint64_t)read_sleb(c);
	case 0x0a: return (uint64_t)(int16_t)cursor_u16(c);
	case 0x0b: return (uint64_t)(int32_t)cursor_u32(c);
	case 0x0c: return cursor_u64(c);
	default: c->bad = true; return 0;
	}
}

#endif
