/* SPDX-License-Identifier: MIT */
/*
 * Samples that hold registers and a copy of the stack instead of their user chain, unwound: what
 * `record --keep-stack`, and other recorders with --call-graph dwarf, leave to the reader.
 *
 * One for each thread that reads. Files are shared (dso_unwind_file); what is remembered of
 * addresses is each reader's own. A stack that is met again is unwound again: hashing a copy of 8
 * KiB takes as long as that.
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
	/* At most so many addresses of the kernel's part, the innermost ones or with keep_outer the
	 * outermost, and as many of the user's, which is unwound from the inside: perf's
	 * --max-stack. unwound_init says UINT32_MAX. */
	uint32_t max_stack;
	bool keep_outer;
	uint64_t ends[UNWIND_ENDS]; /* how chains ended, by enum unwind_end */
	uint64_t cut; /* chains that had more frames than max_stack, unless somebody chose that */
	uint32_t epoch;			   /* of the sample at hand */
	uint32_t files_of;		   /* has_files is of that epoch */
	bool has_files;
	/* Files that nobody has opened yet are not opened: the chain is then no good, and cold says
	 * so. */
	bool no_waiting, cold, forget;
};

/* The measurement must outlive it. Unwinders are made when needed. */
void unwound_init(struct unwound *u, struct world *world, const struct measurement *m);
void unwound_release(struct unwound *u);
/* Does the sample hold what can be unwound? */
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
/* The same limit for a chain that was not unwound; valid until the next call. */
void unwound_cut(struct unwound *u, const uint64_t **words, uint64_t *n);
/* Adds the incomplete ones of those that the recorder made. */
void unwound_before(struct recording *rec);
/* Adds the incomplete chains so far to the ledger, and forgets them. */
void unwound_losses(struct unwound *u, struct losses *losses);

#endif
