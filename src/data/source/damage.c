// SPDX-License-Identifier: MIT
/*
 * Finding the next record after damaged bytes.
 *
 * Records stand at multiples of 8 from each other, except for some records of the tools, which
 * stand at multiples of 4: so the search goes in steps of 4. A record may begin at a place when the
 * header there, and the two after it, can be those of records: a known type, room for its least
 * content, an event that exists.
 */
#include "data/source/reader.h"

#define DAMAGE_CHAIN 3

static bool plausible_one(const struct recording *rec, const uint8_t *p, size_t n, size_t *size)
{
	AUTO_BUF scratch = {0};
	const struct record_decode how = measurement_decode(&rec->m, &scratch);
	struct record_header h;
	uint32_t least;

	memcpy(&h, p, sizeof(h));
	if (rec->m.swap) {
		h.type = __builtin_bswap32(h.type);
		h.misc = __builtin_bswap16(h.misc);
		h.size = __builtin_bswap16(h.size);
	}
	*size = h.size;
	least = record_min_size(h.type);
	if (!least || h.size < least || h.size % 8)
		return false;
	if (h.type < RECORD_KERNEL_MAX && h.size <= n && rec->m.events.events.n) {
		struct record r;

		return !record_decode(&how, p, h.size, &r);
	}
	return true;
}

bool damage_plausible(const struct recording *rec, const uint8_t *p, size_t n)
{
	size_t size;

	for (int i = 0; i < DAMAGE_CHAIN; i++) {
		if (n < sizeof(struct record_header))
			return i && !n;
		if (!plausible_one(rec, p, n, &size))
			return false;
		if (size > n)
			return i > 0; /* cut off, but what came before was good */
		p += size;
		n -= size;
	}
	return true;
}

size_t damage_skip(const struct recording *rec, const uint8_t *p, size_t n)
{
	for (size_t at = 4; at < n; at += 4)
		if (damage_plausible(rec, p + at, n - at))
			return at;
	return n;
}
