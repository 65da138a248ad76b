/* SPDX-License-Identifier: MIT */
/*
 * Memory: allocation that cannot fail, scoped ownership, arenas and growable arrays.
 *
 * Running out of memory ends the program with one line on stderr and status 1: no caller can do
 * better. Sizes that come from a file must be checked against the file before they get here.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

void *mem_alloc(size_t n) __attribute__((malloc, returns_nonnull)); /* uninitialised */
void *mem_zero(size_t n) __attribute__((malloc, returns_nonnull));  /* zeroed */
/* As mem_zero(), for tables that are read before they are written. It touches the pages at once:
 * otherwise the kernel maps each page twice (the zero page, then one of its own), and interrupts
 * the CPUs of the other threads each time. */
void *mem_zero_table(size_t n) __attribute__((malloc, returns_nonnull));
/* Uninitialised, for memory that will be filled from its beginning to its end. From 2 MiB on it is
 * in large pages where the kernel has them, which takes a quarter of the time to map. */
void *mem_alloc_large(size_t n) __attribute__((malloc, returns_nonnull));
void *mem_alloc_lines(size_t n)
	__attribute__((malloc, returns_nonnull)); /* uninitialised, aligned to 64 */
void *mem_resize(void *p, size_t n)
	__attribute__((returns_nonnull)); /* in large pages from 4 MiB on, where the kernel has
					   * them */
char *mem_strdup(const char *s) __attribute__((malloc, returns_nonnull));
char *mem_strndup(const char *s, size_t n) __attribute__((malloc, returns_nonnull));
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2), returns_nonnull));

/* Call first in main(): has large pieces go back to the system when they are freed, however large
 * the pieces freed before were. */
void mem_begin(void);

#define NEW(type) ((type *)mem_zero(sizeof(type)))

/*
 * AUTO(source) *src = source_open(...);   calls source_free(src) when src goes out of scope.
 * A type joins with DEFINE_AUTO(source, source_free) in its header, after the declaration; the
 * function must accept NULL.
 */
#define AUTO(name) __attribute__((cleanup(auto_##name))) struct name
#define DEFINE_AUTO(name, release)                                                                 \
	static inline void auto_##name(struct name **p)                                            \
	{                                                                                          \
		release(*p);                                                                       \
	}
#define AUTO_CHAR __attribute__((cleanup(auto_char_))) char
static inline void auto_char_(char **p)
{
	free(*p);
}
#define AUTO_FD __attribute__((cleanup(auto_fd_))) int
void auto_fd_(int *fd); /* closes *fd when it is >= 0 */

/* An arena: memory that is allocated piece by piece and freed at once. All zero is valid and
 * empty. */
struct arena {
	struct arena_block *last;
	size_t used, size; /* of the last block */
	size_t total;	   /* bytes in all blocks */
};
void *arena_alloc(struct arena *a, size_t n); /* zeroed, aligned to 8 */
/* Not zeroed, aligned to 8, from blocks that grow large. Not to be mixed with the other functions
 * in one arena. */
void *arena_alloc_large(struct arena *a, size_t n);
void *arena_copy(struct arena *a, const void *p, size_t n);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), nonnull(2)));
void arena_release(struct arena *a); /* frees all; a is empty again */

/*
 * A growable array: struct { VEC(int) numbers; }. All zero is valid and empty. The elements move
 * when it grows: keep indices, not pointers.
 */
#define VEC(...)                                                                                   \
	struct {                                                                                   \
		__VA_ARGS__ *at;                                                                   \
		size_t n, cap;                                                                     \
	}
#define vec_add(v, ...)                                                                            \
	do {                                                                                       \
		if ((v)->n == (v)->cap)                                                            \
			(v)->at = vec_grow_((v)->at, &(v)->cap, (v)->n + 1, sizeof(*(v)->at));     \
		(v)->at[(v)->n++] = (__VA_ARGS__);                                                 \
	} while (0)
/* Appends more zeroed elements and evaluates to a pointer to the first of them. */
#define vec_extend(v, more)                                                                        \
	((v)->at = vec_room_((v)->at, &(v)->cap, &(v)->n, (more), sizeof(*(v)->at)),               \
	 (v)->at + (v)->n - (more))
/* Reserves room for more elements, which the caller will add one by one. */
#define vec_reserve(v, more)                                                                       \
	((void)((v)->cap - (v)->n < (more) &&                                                      \
		((v)->at = vec_grow_((v)->at, &(v)->cap, (v)->n + (more), sizeof(*(v)->at)))))
#define vec_last(v)    ((v)->at + (v)->n - 1)
#define vec_clear(v)   ((void)((v)->n = 0))
#define vec_release(v) (free((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)
void *vec_grow_(void *at, size_t *cap, size_t need, size_t size);
void *vec_room_(void *at, size_t *cap, size_t *n, size_t more, size_t size);

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b)     ((a) < (b) ? (a) : (b))
#define MAX(a, b)     ((a) > (b) ? (a) : (b))

#endif
