// SPDX-License-Identifier: MIT
#include "data/extension/checksum.h"

static void end_chunk(struct checksum *c)
{
	vec_add(&c->sums, hash_stream_value(c->stream));
	hash_stream_reset(c->stream);
	c->in_chunk = 0;
}

void checksum_add(struct checksum *c, const void *p, size_t n)
{
	if (!c->stream)
		c->stream = hash_stream_new();
	c->size += n;
	while (n) {
		size_t step = MIN(n, (1u << CHECKSUM_CHUNK_LOG) - c->in_chunk);

		hash_stream_add(c->stream, p, step);
		c->in_chunk += step;
		p = (const char *)p + step;
		n -= step;
		if (c->in_chunk == 1u << CHECKSUM_CHUNK_LOG)
			end_chunk(c);
	}
}

void checksum_cut(struct checksum *c, uint64_t size, const void *last)
{
	if (!c->stream || size >= c->size)
		return;
	c->sums.n = (size_t)(size >> CHECKSUM_CHUNK_LOG);
	c->in_chunk = 0;
	c->size = size - checksum_rest(size);
	hash_stream_reset(c->stream);
	checksum_add(c, last, checksum_rest(size));
}

void checksum_put(struct checksum *c, uint64_t offset, struct buf *out)
{
	uint32_t head[2] = {1, CHECKSUM_CHUNK_LOG};
	uint64_t tail[2] = {0, CHECKSUM_MAGIC};

	if (c->in_chunk)
		end_chunk(c);
	buf_add(out, head, sizeof(head));
	buf_add(out, &offset, sizeof(offset));
	buf_add(out, &c->size, sizeof(c->size));
	buf_add(out, c->sums.at, c->sums.n * sizeof(uint64_t));
	tail[0] = 24 + c->sums.n * sizeof(uint64_t);
	buf_add(out, tail, sizeof(tail));
}

void checksum_release(struct checksum *c)
{
	hash_stream_free(c->stream);
	vec_release(&c->sums);
	*c = (struct checksum){0};
}

int checksum_table_read(struct checksum_table *t, const uint8_t *file, uint64_t n, bool swap)
{
	struct cursor c = cursor_over(file + (n < 16 ? 0 : n - 16), n < 16 ? 0 : 16, swap);
	uint64_t size = cursor_u64(&c), magic = cursor_u64(&c);
	uint32_t version, log;

	*t = (struct checksum_table){0};
	if (c.bad || magic != CHECKSUM_MAGIC)
		return 0;
	if (size > n - 16)
		return -1;
	c = cursor_over(file + n - 16 - size, size, swap);
	version = cursor_u32(&c);
	log = cursor_u32(&c);
	*t = (struct checksum_table){.swap = swap};
	t->offset = cursor_u64(&c);
	t->size = cursor_u64(&c);
	if (c.bad || version != 1 || log < 12 || log > 40)
		return -1;
	t->sums = c.p;
	if (cursor_left(&c) % 8 ||
	    cursor_left(&c) / 8 != (t->size >> log) + !!(t->size & ((1ull << log) - 1)))
		return -1;
	t->chunk = 1ull << log;
	return 1;
}

bool checksum_holds(const struct checksum_table *t, uint64_t i, const void *p, size_t n)
{
	uint64_t sum;

	memcpy(&sum, t->sums + 8 * i, sizeof(sum));
	return (t->swap ? __builtin_bswap64(sum) : sum) == hash_bytes(p, n, 0);
}
