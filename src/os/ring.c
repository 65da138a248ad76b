// SPDX-License-Identifier: MIT
#include "os/ring.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Static_assert(offsetof(struct perf_event_mmap_page, data_head) == RING_HEAD_OFFSET, "the ABI");
_Static_assert(offsetof(struct perf_event_mmap_page, data_tail) == RING_TAIL_OFFSET, "the ABI");

int ring_open(struct ring *r, int fd, size_t size, bool backward)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	/* A mapping without PROT_WRITE makes the kernel overwrite old records: it ignores the
	 * tail. */
	int prot = backward ? PROT_READ : PROT_READ | PROT_WRITE;
	void *base = mmap(NULL, size + page, prot, MAP_SHARED, fd, 0);

	if (base == MAP_FAILED)
		return -errno;
	*r = (struct ring){.base = base,
			   .data = (uint8_t *)base + page,
			   .size = size,
			   .mapped = size + page,
			   .backward = backward};
	return 0;
}

void ring_close(struct ring *r)
{
	if (r->base)
		munmap(r->base, r->mapped);
	*r = (struct ring){0};
}

struct ring_bytes ring_bytes(const struct ring *r, uint64_t from, uint64_t to)
{
	size_t at = from & (r->size - 1), n = (size_t)(to - from), first = r->size - at;

	if (first > n)
		first = n;
	return (struct ring_bytes){
		.a = r->data + at, .a_len = first, .b = r->data, .b_len = n - first};
}

const void *ring_peek(const struct ring *r, uint64_t pos, size_t n, void *copy)
{
	struct ring_bytes s = ring_bytes(r, pos, pos + n);

	if (!s.b_len)
		return s.a;
	memcpy(copy, s.a, s.a_len);
	memcpy((uint8_t *)copy + s.a_len, s.b, s.b_len);
	return copy;
}

void ring_backward_span(const struct ring *r, uint64_t *from, uint64_t *to)
{
	struct perf_event_header h;
	uint64_t head = ring_head(r), pos = head;

	/* The head counts down from zero. What was never written reads as a header of size 0. */
	*from = *to = head;
	while (pos - head < r->size) {
		memcpy(&h, ring_peek(r, pos, sizeof(h), (uint8_t[sizeof(h)]){0}), sizeof(h));
		if (h.size < sizeof(h) || pos - head + h.size > r->size)
			break;
		pos += h.size;
	}
	*to = pos;
}
