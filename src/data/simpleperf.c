// SPDX-License-Identifier: MIT
#include "data/simpleperf.h"

#include "base/cursor.h"

enum { HEADER = 8 };

/* The largest size of a record that is believed. */
#define SPLIT_MAX (256u << 20)

static void split_begin(struct split_record *s, bool swap, const uint8_t *p, size_t n)
{
	struct cursor c = cursor_over(p, n, swap);
	uint32_t high;

	*s = (struct split_record){.begun = true, .bytes = s->bytes};
	buf_clear(&s->bytes);
	s->type = cursor_u32(&c);
	high = cursor_u16(&c);
	s->size = (uint64_t)high << 16 | cursor_u16(&c);
	s->bad = c.bad || s->size < HEADER || s->size > SPLIT_MAX;
}

void split_add(struct split_record *s, bool swap, const uint8_t *p, size_t n)
{
	if (!s->begun)
		split_begin(s, swap, p, n);
	s->bad |= n > s->size - s->got;
	if (s->bad)
		return;
	s->got += n;
	if (s->type == SIMPLEPERF_TRACING_DATA)
		buf_add(&s->bytes, p, n);
}

bool split_end(struct split_record *s)
{
	bool whole = s->begun && !s->bad && s->got == s->size;

	s->begun = false;
	return whole;
}

void split_release(struct split_record *s)
{
	buf_release(&s->bytes);
	*s = (struct split_record){0};
}

const uint8_t *simpleperf_formats(const uint8_t *p, size_t n, bool swap, uint32_t *size)
{
	struct cursor c = cursor_over(p, n, swap);

	cursor_skip(&c, HEADER);
	*size = cursor_u32(&c);
	return c.bad || *size > cursor_left(&c) ? NULL : p + HEADER + sizeof(*size);
}
