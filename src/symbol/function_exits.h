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
	/* A jump out of the function, or an indirect one. It leaves the function only when the
	 * stack pointer has the value it had at the entry. */
	bool jump;
};

/* A part of a function's code: the function itself, or code that the compiler moved elsewhere
 * ("parse.cold"). */
struct function_part {
	uint64_t start, end; /* [start, end); addresses of one space, such as offsets in the file */
	const uint8_t *code;
};

struct function_exits {
	VEC(struct function_exit);
};

/* Appends the exits of the function that consists of these n parts to *out. machine: EM_*, of a
 * 64-bit file. False: the machine is not supported (x86-64 and arm64 are), or the bytes are no
 * instructions; *out is then unchanged. */
bool function_exits_find(uint16_t machine, const struct function_part *parts, size_t n,
			 struct function_exits *out);
bool function_exits_knows(uint16_t machine);

#endif
