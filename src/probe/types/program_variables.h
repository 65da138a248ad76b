/* SPDX-License-Identifier: MIT */
/* All variables of a program that have an address of their own, in the order of their addresses:
 * those of functions, too. Made by one walk over its debug information. */
#ifndef PROBE_PROGRAM_VARIABLES_H
#define PROBE_PROGRAM_VARIABLES_H

#include "base/mem.h"
#include "probe/types/variable_place.h"

/* All zero is valid and empty. */
struct program_variables {
	bool made;
	VEC(struct program_variable {
		uint64_t start, size; /* virtual address; bytes */
		Dwarf_Die type;
	})
	all;
};

/* What lies at a virtual address. The variables are searched for when this is called first; they
 * refer to the debug information, which must be the same in all calls. */
enum place_found program_variables_find(struct program_variables *v, struct probe_debug *debug,
					uint64_t address, struct typed_place *out);
void program_variables_release(struct program_variables *v);

#endif
