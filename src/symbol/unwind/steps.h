/* SPDX-License-Identifier: MIT */
/*
 * Steps from a frame to its caller that were made before. Samples of one thread share most of their outer frames:
 * the same registers there, and the same words of the stack, lead to the same caller, whatever the rule says. Private
 * to symbol/unwind.
 */
#ifndef SYMBOL_UNWIND_STEPS_H
#define SYMBOL_UNWIND_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define STEPS_BITS  11
#define STEPS_READS 3

struct steps_frame {
	uint64_t ip, sp, fp, lr, kept;
};

/* What was read of the stack on the way: 8 bytes each, by their distance from the stack pointer. */
struct steps_reads {
	uint64_t value[STEPS_READS];
	uint16_t at[STEPS_READS];
	uint8_t n; /* above STEPS_READS: more than can be kept */
};

/* Two lines of a processor's cache. */
struct steps_known {
	_Alignas(64) struct steps_frame from;
	struct steps_frame to;
	struct steps_reads reads;
	bool exact_from, exact_to;
	uint32_t space;
};

static inline void steps_read(struct steps_reads *r, uint64_t distance, unsigned int size, uint64_t value)
{
	if (r->n >= STEPS_READS || size != 8 || distance > UINT16_MAX) {
		r->n = STEPS_READS + 1;
		return;
	}
	r->at[r->n] = (uint16_t)distance;
	r->value[r->n++] = value;
}

static inline struct steps_known *steps_slot(struct steps_known *table, const struct steps_frame *from, uint32_t space)
{
	uint64_t key = (from->ip ^ (from->sp + space) * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;

	return &table[key >> (64 - STEPS_BITS)];
}

/* Is that the step from there, over a stack of n bytes from the stack pointer up? */
static inline bool steps_same(const struct steps_known *k, const struct steps_frame *from, bool exact, uint32_t space,
			      const uint8_t *stack, size_t n)
{
	if (k->from.ip != from->ip || k->from.sp != from->sp || k->from.fp != from->fp || k->from.lr != from->lr ||
	    k->from.kept != from->kept || k->space != space || k->exact_from != exact || !from->ip)
		return false;
	for (unsigned int i = 0; i < k->reads.n; i++) {
		uint64_t v;

		if (n < sizeof(v) || k->reads.at[i] > n - sizeof(v))
			return false;
		memcpy(&v, stack + k->reads.at[i], sizeof(v));
		if (v != k->reads.value[i])
			return false;
	}
	return true;
}

#endif
