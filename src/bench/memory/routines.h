/* SPDX-License-Identifier: MIT */
/* Ways to fill and copy memory, as this processor has them. */
#ifndef BENCH_ROUTINES_H
#define BENCH_ROUTINES_H

#include <stddef.h>

struct copy_routine {
	const char *name, *about;
	void *(*copy)(void *to, const void *from, size_t n);
};
struct fill_routine {
	const char *name, *about;
	void *(*fill)(void *at, int byte, size_t n);
};

extern const struct copy_routine copy_routines[]; /* ends with .name == NULL */
extern const struct fill_routine fill_routines[];

#endif
