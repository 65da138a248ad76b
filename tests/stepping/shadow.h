/* SPDX-License-Identifier: MIT */
/*
 * The true call chain of a stepped thread: one entry for each return address that lies on a stack.
 *
 * An entry lives while its slot is at or above the stack pointer, so returns, longjmp and
 * exceptions need no cases of their own. A process may have several stacks (coroutines, signal
 * handlers): each is the mapping that holds it.
 */
#ifndef TESTS_STEPPING_SHADOW_H
#define TESTS_STEPPING_SHADOW_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct shadow_frame {
	uint64_t ip; /* the return address; of an interrupted frame the instruction that comes next
		      */
	uint64_t slot;	  /* where it lies */
	bool interrupted; /* a signal stopped this frame: it didn't call */
};

struct shadow_stack {
	uint64_t low, high; /* the mapping */
	VEC(struct shadow_frame) frames; /* the outermost first */
	size_t under;			 /* 0, or 1 + the number of the stack that a signal left */
};

struct shadow {
	VEC(struct shadow_stack) stacks;
	size_t now;   /* the current one */
	bool between; /* the stack pointer is on another stack, the code not yet */
	/* A function that pops its return address into a register (vfork) keeps it there. */
	bool floats;
	struct shadow_frame floating;
};

enum shadow_kind { INSN_OTHER, INSN_CALL, INSN_RET, INSN_JUMP, INSN_POP, INSN_PUSH, INSN_SYSCALL };

/* One instruction that was executed. */
struct shadow_step {
	enum shadow_kind kind;
	uint64_t next;	     /* where the instruction behind it begins */
	uint64_t sp_before, sp;
	uint64_t top;	     /* the word that sp points to now */
};

/* Finds the mapping of an address. False: it lies in none. */
typedef bool (*shadow_place)(void *ctx, uint64_t address, uint64_t *low, uint64_t *high);

bool shadow_begin(struct shadow *s, uint64_t sp, shadow_place place, void *ctx);
/* False: the stack pointer points to no memory. */
bool shadow_step(struct shadow *s, const struct shadow_step *step, shadow_place place, void *ctx);
/* A signal's handler begins: `restorer` lies at sp, and leads back to ip and sp_before. */
bool shadow_signal(struct shadow *s, uint64_t restorer, uint64_t sp, uint64_t ip,
		   uint64_t sp_before, shadow_place place, void *ctx);
/* Writes up to max frames, the innermost first, without the one that is executed; how many. */
size_t shadow_chain(const struct shadow *s, struct shadow_frame *out, size_t max);
void shadow_release(struct shadow *s);

/* What the instruction does to the stack; *length: its bytes, 0: unknown. */
enum shadow_kind shadow_kind_of(const uint8_t *p, size_t n, unsigned int *length);

#endif
