/* SPDX-License-Identifier: MIT */
/*
 * Where a function ends: its instructions that return, and those that may jump to another function.
 *
 * Sources: Intel SDM volume 2 (ret, jmp, jcc); Arm ARM, A64 (ret, retaa, retab, b, br).
 */
#ifndef SYMBOL_FUNCTION_EXITS_H
#define SYMBOL_FUNCTION_EXITS_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct function_exit {
	uint64_t at; /* in the same space as the function's addresses */
	/* A jump out of the function, or to where a register says: it leaves the function when the
	 * stack pointer is what it was at the entry. */
	bool jump;
};

/* Code of one function: its own, and a part that the compiler moved elsewhere ("parse.cold"). */
struct function_part {
	uint64_t start, end; /* [start, end); addresses of one space, such as offsets in the file */
	const uint8_t *code;
};

struct function_exits {
	VEC(struct function_exit);
};

/* machine: EM_*, of a 64-bit file. False: the machine is not known (x86-64 and arm64 are), or the
 * bytes are no instructions; then *out is as it was. */
bool function_exits_find(uint16_t machine, const struct function_part *parts, size_t n,
			 struct function_exits *out);
bool function_exits_knows(uint16_t machine);

#endif
