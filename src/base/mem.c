// SPDX-License-Identifier: MIT
#include "base/mem.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct arena_block {
	struct arena_block *before;
	uint64_t bytes[];
};

#define ARENA_BLOCK (64 * 1024)
#define LARGE_PAGE  (2u << 20)
/* An arena asks for large pages once it holds so many bytes: most of a large page will then be
 * used. */
#define LARGE_FROM (512 * 1024)

static void *must(void *p)
{
	static const char message[] = "perf: out of memory\n";

	if (!p) {
		if (write(2, message, sizeof(message) - 1) < 0)
			_exit(1);
		_exit(1);
	}
	return p;
}

void mem_begin(void)
{
	/* otherwise malloc raises the threshold to the size of the largest piece that was freed,
	 * and later tables stay in the heap */
	mallopt(M_MMAP_THRESHOLD, 1024 * 1024);
}

void *mem_alloc(size_t n)
{
	return must(malloc(n ? n : 1));
}

void *mem_zero(size_t n)
{
	return must(calloc(1, n ? n : 1));
}

void *mem_zero_table(size_t n)
{
	return memset(mem_alloc_large(n), 0, n);
}

void *mem_alloc_large(size_t n)
{
	void *p;

	if (n < LARGE_PAGE)
		return mem_alloc(n);
	p = must(aligned_alloc(LARGE_PAGE, (n + LARGE_PAGE - 1) & ~(size_t)(LARGE_PAGE - 1)));
	madvise(p, n & ~(size_t)(LARGE_PAGE - 1), MADV_HUGEPAGE);
	return p;
}

void *mem_alloc_lines(size_t n)
{
	return must(aligned_alloc(64, (n + 63) / 64 * 64));
}

void *mem_resize(void *p, size_t n)
{
	p = must(realloc(p, n ? n : 1));
	if (n >= 2 * LARGE_PAGE) {
		uintptr_t start = ((uintptr_t)p + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1);

		/* only the large pages that lie wholly inside */
		madvise((void *)start, ((uintptr_t)p + n - start) & ~(size_t)(LARGE_PAGE - 1),
			MADV_HUGEPAGE);
	}
	return p;
}

char *mem_strdup(const char *s)
{
	return must(strdup(s));
}

char *mem_strndup(const char *s, size_t n)
{
	return must(strndup(s, n));
}

char *mem_printf(const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	return must(n < 0 ? NULL : s);
}

void auto_fd_(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static void add_block(struct arena *a, struct arena_block *block, size_t size)
{
	block->before = a->last;
	a->last = block;
	a->used = 0;
	a->size = size;
	a->total += size;
}

static bool has_room(const struct arena *a, size_t n)
{
	return a->last && a->size - a->used >= n;
}

static void *mem_take(struct arena *a, size_t n)
{
	void *p = (char *)a->last->bytes + a->used;

	a->used += n;
	return p;
}

void *arena_alloc(struct arena *a, size_t n)
{
	n = (n + 7) & ~(size_t)7;
	if (!has_room(a, n)) {
		size_t size = MAX(n, (size_t)ARENA_BLOCK);

		add_block(a, mem_zero(sizeof(*a->last) + size), size);
	}
	return mem_take(a, n);
}

void *arena_alloc_large(struct arena *a, size_t n)
{
	n = (n + 7) & ~(size_t)7;
	if (!has_room(a, n)) {
		size_t least = a->total < LARGE_FROM ? ARENA_BLOCK : LARGE_PAGE;
		size_t size = MAX(n + sizeof(*a->last), least);

		add_block(a, mem_alloc_large(size), size - sizeof(*a->last));
	}
	return mem_take(a, n);
}

void *arena_copy(struct arena *a, const void *p, size_t n)
{
	void *copy = arena_alloc(a, n);

	if (n)
		memcpy(copy, p, n);
	return copy;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *copy = arena_alloc(a, len + 1);

	memcpy(copy, s, len);
	copy[len] = 0;
	return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	s = arena_alloc(a, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(s, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return s;
}

void arena_release(struct arena *a)
{
	struct arena_block *block = a->last;

	while (block) {
		struct arena_block *before = block->before;

		free(block);
		block = before;
	}
	memset(a, 0, sizeof(*a));
}

void *vec_grow_(void *at, size_t *cap, size_t need, size_t size)
{
	size_t want = *cap ? *cap * 2 : 8;

	if (want < need)
		want = need;
	if (want > SIZE_MAX / size)
		must(NULL);
	*cap = want;
	return mem_resize(at, want * size);
}

void *vec_room_(void *at, size_t *cap, size_t *n, size_t more, size_t size)
{
	if (*n + more > *cap || !at) /* memcpy must not get NULL, even for 0 bytes */
		at = vec_grow_(at, cap, *n + more, size);
	if (more)
		memset((char *)at + *n * size, 0, more * size);
	*n += more;
	return at;
}
