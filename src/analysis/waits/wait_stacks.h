/* SPDX-License-Identifier: MIT */
/* Stacks of waiting threads and of those that woke them, each held once, and their functions to
 * show: the user's own, where there is one. */
#ifndef ANALYSIS_WAITS_WAIT_STACKS_H
#define ANALYSIS_WAITS_WAIT_STACKS_H

#include "base/hash.h"
#include "data/record/record.h"
#include "symbol/code.h"
#include "world/unwound.h"

#define NO_STACK UINT32_MAX

struct wait_stack {
	/* A word for why a thread waits there, or is ready to run and does not; NULL: not known */
	const char *reason;
	/* The innermost function of the user's that is not of the C or C++ library. Where that has
	 * no name, "[file]", as the caller of the innermost one if there is one. Else the innermost
	 * one; NULL: there is none. */
	const char *function;
	const char *caller; /* the next one out that is none of these libraries'; NULL: none is */
	bool spins; /* the innermost function, or the loop there, waits without leaving its CPU */
	uint32_t users, users_n; /* the user's functions in it: a part of .users */
};
struct wait_frame {
	const char *name; /* NULL: not known */
	const char *file; /* "[file]" of a place without a name; NULL: none is known */
	bool library;	  /* of C or C++, whose callers say more */
	bool openmp;
	/* Is the address in a loop that spins (symbol/spin_x86.h)? Of innermost frames only. */
	enum { LOOP_NOT_LOOKED_AT, LOOP_WORKS, LOOP_SPINS } loop;
};

struct wait_stacks {
	struct world *world;
	const struct measurement *m;
	struct unwound unwound;
	struct intern words;	       /* an epoch and the chain's words -> id */
	VEC(struct wait_stack) stacks; /* by id */
	VEC(uint32_t) users; /* indices into .frames, the innermost first; all have names */
	struct arena texts;
	struct idmap by_address; /* of an epoch: 1 + index into .frames */
	VEC(struct wait_frame) frames;
	struct code_files code;
};

void wait_stacks_init(struct wait_stacks *s, struct world *world, const struct measurement *m);
void wait_stacks_release(struct wait_stacks *s);
/* The id of a sample's stack, as that thread's maps are now; NO_STACK when it has none. */
uint32_t wait_stacks_add(struct wait_stacks *s, const struct thread *t,
			 const struct sample *sample);
static inline const char *wait_stacks_function(const struct wait_stacks *s, uint32_t id)
{
	return id == NO_STACK ? NULL : s->stacks.at[id].function;
}
static inline const char *wait_stacks_caller(const struct wait_stacks *s, uint32_t id)
{
	return id == NO_STACK ? NULL : s->stacks.at[id].caller;
}
static inline bool wait_stacks_spins(const struct wait_stacks *s, uint32_t id)
{
	return id != NO_STACK && s->stacks.at[id].spins;
}
/* Appends "send < reply < main": the user's functions of a stack, the innermost first. */
void wait_stacks_text(const struct wait_stacks *s, uint32_t id, struct buf *out);
/* Is a function of that name in the stack? */
bool wait_stacks_has(const struct wait_stacks *s, uint32_t id, const char *function);
static inline const char *wait_stacks_reason(const struct wait_stacks *s, uint32_t id)
{
	return id == NO_STACK ? NULL : s->stacks.at[id].reason;
}

#endif
