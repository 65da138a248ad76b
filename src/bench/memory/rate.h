/* SPDX-License-Identifier: MIT */
/* What the suites of memory have in common: options, the size, a clock or counted cycles, the lines
 * of rates. */
#ifndef BENCH_RATE_H
#define BENCH_RATE_H

#include "bench/suites.h"

struct memory_opts {
	const char *size, *function, *page, *chunk;
	unsigned int loops;
	bool cycles, randomize;
};

struct rate {
	int fd; /* of the cycles counter, or -1: time is measured */
	uint64_t start;
	uint64_t spent; /* cycles or ns */
};

/* *out gets the bytes of o->size. 0, or -1 with *err. */
int memory_size(const struct memory_opts *o, uint64_t *out, struct err *err);
/* The flags of mmap(2) for pages of o->page; *page gets their size. -1 with *err. */
int memory_page_flags(const struct memory_opts *o, uint64_t *page, struct err *err);
/* Maps memory of whole pages with these flags. NULL with *err. */
void *memory_map(const struct memory_opts *o, uint64_t size, int flags, struct err *err);
int rate_open(struct rate *r, const struct memory_opts *o, struct err *err);
void rate_close(struct rate *r);
int rate_start(struct rate *r, struct err *err);
int rate_stop(struct rate *r, struct err *err);
/* "# function 'NAME' (ABOUT)" and, unless simple, "# VERB SIZE bytes ...". */
void rate_head(struct bench *b, const struct memory_opts *o, const char *name, const char *about,
	       const char *verb);
/* The line of so many bytes. */
void rate_show(struct bench *b, const struct rate *r, const char *name, double bytes);
/* The names and what they are, as "help" lists them. */
void rate_list_name(struct bench *b, const char *name, const char *about);
/* Is this routine asked for? */
bool rate_wants(const struct memory_opts *o, const char *name);

#endif
