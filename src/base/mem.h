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
/* The same for tables that are filled, and looked at first: the kernel would give their pages
 * twice, and stop the other threads' processors for each. */
void *mem_zero_table(size_t n) __attribute__((malloc, returns_nonnull));
/* Uninitialised, for what will be filled from its beginning to its end: of 2 MiB or more the kernel
 * gives in large pages, where it has them, at a quarter of the time. */
void *mem_alloc_large(size_t n) __attribute__((malloc, returns_nonnull));
void *mem_alloc_lines(size_t n)
	__attribute__((malloc, returns_nonnull)); /* uninitialised, aligned to 64 */
void *mem_resize(void *p, size_t n)
	__attribute__((returns_nonnull)); /* in large pages from 4 MiB on, where there are some */
char *mem_strdup(const char *s) __attribute__((malloc, returns_nonnull));
char *mem_strndup(const char *s, size_t n) __attribute__((malloc, returns_nonnull));
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2), returns_nonnull));

/* To be called first: large pieces that are freed shall go back to the system, however large others
 * were before. */
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

/* An arena: things that live and die together. All zero is valid and empty. */
struct arena {
	struct arena_block *last;
	size_t used, size; /* of the last block */
	size_t total;	   /* bytes in all blocks */
};
void *arena_alloc(struct arena *a, size_t n); /* zeroed, aligned to 8 */
/* Not zeroed, aligned to 8, of blocks that become large: for an arena of which nothing is asked in
 * the other ways. */
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
/* Room for n more, zeroed; evaluates to a pointer to the first; the count is raised by n. */
#define vec_extend(v, more)                                                                        \
	((v)->at = vec_room_((v)->at, &(v)->cap, &(v)->n, (more), sizeof(*(v)->at)),               \
	 (v)->at + (v)->n - (more))
/* Makes room for n more that will be added one by one. */
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
