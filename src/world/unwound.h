/* SPDX-License-Identifier: MIT */
/*
 * Unwinds samples that hold registers and a stack dump instead of a user call chain: what `record
 * --keep-stack`, and other recorders with --call-graph dwarf, leave to the reader.
 *
 * Each thread that reads has a struct unwound of its own. Files are shared (dso_unwind_file);
 * cached rules are not. Equal stack dumps are unwound again: hashing a dump of 8 KiB takes as long
 * as unwinding it.
 */
#ifndef WORLD_UNWOUND_H
#define WORLD_UNWOUND_H

#include "symbol/unwind/unwind.h"
#include "world/world.h"

#define MAX_STACK_DEFAULT                                                                          \
	127 /* addresses of a chain that readers show: perf's, and the kernel's own limit */

struct unwound {
	struct world *world;
	const struct measurement *m;
	struct unwinder *wide, *narrow; /* for 64-bit and 32-bit processes */
	VEC(uint64_t) words;
	/* The most addresses of the kernel's part, and of the user's part (perf's --max-stack). The
	 * kernel's part keeps its innermost addresses, or with keep_outer its outermost; the user's
	 * part is unwound from the innermost. unwound_init sets UINT32_MAX. */
	uint32_t max_stack;
	bool keep_outer;
	uint64_t ends[UNWIND_ENDS]; /* how chains ended, by enum unwind_end */
	uint64_t cut; /* chains with more frames than max_stack, where that is the default */
	uint32_t epoch;			   /* of the sample at hand */
	uint32_t files_of;		   /* the epoch of has_files */
	bool has_files;
	/* no_waiting: files that are not open yet stay closed. A chain that needs one fails, with
	 * cold set. */
	bool no_waiting, cold, forget;
};

/* The measurement must outlive it. Unwinders are made when needed. */
void unwound_init(struct unwound *u, struct world *world, const struct measurement *m);
void unwound_release(struct unwound *u);
/* True when the sample holds registers and a stack dump. */
static inline bool unwound_needed(const struct sample *s)
{
	return (s->type & SAMPLE_REGS_USER) && (s->type & SAMPLE_STACK_USER) && s->user_regs.abi;
}
/*
 * The chain that the sample would have had: its own words (the kernel's part), then the user's, as
 * callers' addresses that lie inside the call. Valid until the next call. False when there is
 * nothing to unwind, or it cannot be.
 */
bool unwound_chain(struct unwound *u, uint32_t epoch, const struct sample *s,
		   const uint64_t **words, uint64_t *n);
/* Applies max_stack to a chain that was not unwound. The words are valid until the next call. */
void unwound_cut(struct unwound *u, const uint64_t **words, uint64_t *n);
/* Adds the incomplete chains that the recorder unwound to the recording's ledger. */
void unwound_before(struct recording *rec);
/* Adds the incomplete chains so far to the ledger and resets their counts. */
void unwound_losses(struct unwound *u, struct losses *losses);

#endif
