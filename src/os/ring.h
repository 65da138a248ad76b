/* SPDX-License-Identifier: MIT */
/*
 * A perf ring: memory the kernel writes records into and we read from.
 *
 * A forward ring is read from tail to head and handed back with ring_consume. A backward
 * (overwrite) ring is mapped read-only and read as a snapshot while paused, newest record first.
 */
#ifndef OS_RING_H
#define OS_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
	uint8_t *base; /* the control page; NULL: not mapped */
	uint8_t *data;
	size_t size; /* of the data, a power of two */
	size_t mapped;
	uint64_t tail; /* read up to here; of a backward one: down to here */
	bool backward;
};

/* Up to two stretches of ring memory. */
struct ring_bytes {
	const uint8_t *a, *b;
	size_t a_len, b_len;
};

/* Maps size bytes of data (a power of two of at least a page). 0 or a negative errno. */
int ring_open(struct ring *r, int fd, size_t size, bool backward);
void ring_close(struct ring *r);

/* Where the kernel is writing. */
static inline uint64_t ring_head(const struct ring *r);
/* The bytes of [from, to), which must not be more than the ring's size apart. */
struct ring_bytes ring_bytes(const struct ring *r, uint64_t from, uint64_t to);
/* Everything before upto may be written over. */
static inline void ring_consume(struct ring *r, uint64_t upto);
/* n bytes at position pos, copied out when they wrap. */
const void *ring_peek(const struct ring *r, uint64_t pos, size_t n, void *copy);
/*
 * Of a paused backward ring: the positions [*from, *to) of whole records, newest first. The oldest
 * record, when partly overwritten, is left out.
 */
void ring_backward_span(const struct ring *r, uint64_t *from, uint64_t *to);

/* Offsets in the control page: struct perf_event_mmap_page of <linux/perf_event.h>. */
#define RING_HEAD_OFFSET 1024
#define RING_TAIL_OFFSET 1032

static inline uint64_t ring_head(const struct ring *r)
{
	return __atomic_load_n((const uint64_t *)(const void *)(r->base + RING_HEAD_OFFSET),
			       __ATOMIC_ACQUIRE);
}
static inline void ring_consume(struct ring *r, uint64_t upto)
{
	r->tail = upto;
	__atomic_store_n((uint64_t *)(void *)(r->base + RING_TAIL_OFFSET), upto, __ATOMIC_RELEASE);
}

#endif
