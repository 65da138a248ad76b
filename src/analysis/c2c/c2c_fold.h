/* SPDX-License-Identifier: MIT */
/*
 * Lines and places while samples come, packed: most lines are never shown. c2c_fold_line() makes a
 * struct c2c_line, with its entries, of one that is.
 *
 * Accesses that count alike (struct c2c_stats) are one kind. A place holds how many accesses of
 * which kind came from which node, and means of latencies; a line only what its places do not tell.
 */
#ifndef ANALYSIS_C2C_FOLD_H
#define ANALYSIS_C2C_FOLD_H

#include "analysis/c2c/c2c.h"

struct c2c_packed_line;
struct c2c_packed_entry;

/* A sample with the place of its data. */
struct c2c_access {
	const struct sample *s;
	struct thread *thread;
	struct c2c_stats stats;
	struct place data;
	uint64_t data_address; /* address in its file: equal in all processes that map it */
	uint32_t frame;	       /* of the code */
	uint32_t epoch;	       /* of the address space */
	uint32_t cpu_node;     /* UINT32_MAX: not known */
	uint32_t chain;	       /* in c2c.frames.chains; HASH_NONE: none */
	uint8_t cpumode;
	int node; /* of the memory, -1: not known */
};

void c2c_fold_add(struct c2c *c, const struct c2c_access *a);
/* The sums of a line, by index. */
void c2c_fold_stats(const struct c2c *c, uint32_t line, struct c2c_stats *sums);
struct c2c_line *c2c_fold_line(struct c2c *c, uint32_t line);
void c2c_fold_release(struct c2c_fold *f);

#endif
