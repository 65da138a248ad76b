// SPDX-License-Identifier: MIT
#include "data/feature/cpu_map.h"

enum { MAP_CPUS, MAP_MASK, MAP_RANGE };

static void decode_mask(struct cursor *c, uint16_t n, struct cpu_list *out)
{
	uint16_t size = cursor_u16(c);

	if (size != 4 && size != 8) {
		c->bad = true;
		return;
	}
	cursor_skip(c, size == 8 ? 4 : 0);
	for (unsigned int i = 0; i < n && !c->bad; i++) {
		uint64_t word = size == 8 ? cursor_u64(c) : cursor_u32(c);

		for (unsigned int bit = 0; bit < 8u * size; bit++)
			if (word >> bit & 1)
				vec_add(out, (int)(i * 8u * size + bit));
	}
}

int cpu_map_decode(struct cursor c, struct cpu_list *out)
{
	uint16_t form = cursor_u16(&c), n;

	vec_clear(out);
	if (form == MAP_RANGE) {
		uint8_t any = cursor_u8(&c);
		unsigned int first, last;

		cursor_skip(&c, 1);
		first = cursor_u16(&c);
		last = cursor_u16(&c);
		if (any)
			vec_add(out, -1);
		for (; !c.bad && first <= last; first++)
			vec_add(out, (int)first);
		return c.bad ? -1 : 0;
	}
	n = cursor_u16(&c);
	if (form == MAP_MASK) {
		decode_mask(&c, n, out);
	} else if (form == MAP_CPUS) {
		for (; n && !c.bad; n--) {
			uint16_t cpu = cursor_u16(&c);

			if (!c.bad)
				vec_add(out, cpu == UINT16_MAX ? -1 : cpu);
		}
	} else {
		c.bad = true;
	}
	return c.bad ? -1 : 0;
}

static void u16(struct buf *out, unsigned int v)
{
	uint16_t word = (uint16_t)v;

	buf_add(out, &word, sizeof(word));
}

void cpu_map_encode(const int *cpus, size_t n, struct buf *out)
{
	size_t start = out->n, room = UINT16_MAX / 2 - 64;

	if (n && cpus[0] >= 0 && (size_t)(cpus[n - 1] - cpus[0]) == n - 1) {
		u16(out, MAP_RANGE);
		u16(out, 0);
		u16(out, (unsigned int)cpus[0]);
		u16(out, (unsigned int)cpus[n - 1]);
	} else {
		u16(out, MAP_CPUS);
		n = MIN(n, room); /* so many fit a record */
		u16(out, (unsigned int)n);
		for (size_t i = 0; i < n; i++)
			u16(out, cpus[i] < 0 ? UINT16_MAX : (unsigned int)cpus[i]);
	}
	buf_fill(out, 0, -(out->n - start) & 7);
}
