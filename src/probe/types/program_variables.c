// SPDX-License-Identifier: MIT
#include "probe/types/program_variables.h"

#include "base/sorted.h"
#include "probe/dwarf/die.h"

#include <dwarf.h>

#define VARIABLES_MOST 10000000 /* debug information may be damaged */

struct variables_walk {
	struct program_variables *v;
	struct probe_frame unit;
};

static enum die_walk add_variable(Dwarf_Die *die, void *ctx)
{
	struct variables_walk *w = ctx;
	struct typed_place whole;
	uint64_t address;
	int64_t size;

	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
		return DIE_INTO;
	case DW_TAG_variable:
		break;
	default:
		return DIE_PAST;
	}
	if (!variable_address(&w->unit, die, &address, &whole))
		return DIE_PAST;
	size = type_size(&whole.type);
	if (size > 0)
		vec_add(&w->v->all,
			((struct program_variable){address, (uint64_t)size, whole.type}));
	return w->v->all.n < VARIABLES_MOST ? DIE_PAST : DIE_STOP;
}

/* By start; of equal ones the longest first. */
static int program_variable_compare(const void *a, const void *b)
{
	const struct program_variable *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->size > y->size ? -1 : x->size < y->size;
}

static void program_variables_make(struct program_variables *v, struct probe_debug *debug)
{
	struct variables_walk w = {.v = v, .unit = {.debug = debug}};
	Dwarf_CU *next = NULL;

	v->made = true;
	while (probe_debug_unit(debug, NULL, &next, &w.unit.unit) == 1)
		if (die_walk_below(&w.unit.unit, add_variable, &w, NULL))
			break;
	if (v->all.n)
		qsort(v->all.at, v->all.n, sizeof(*v->all.at), program_variable_compare);
}

enum place_found program_variables_find(struct program_variables *v, struct probe_debug *debug,
					uint64_t address, struct typed_place *out)
{
	size_t low;

	if (!v->made)
		program_variables_make(v, debug);
	low = SORTED_UNTIL(v->all.at, v->all.n, start, address);
	while (low > 1 && v->all.at[low - 2].start == v->all.at[low - 1].start)
		low--;
	if (!low || address - v->all.at[low - 1].start >= v->all.at[low - 1].size)
		return PLACE_NONE;
	*out = (struct typed_place){v->all.at[low - 1].type,
				    (int64_t)(address - v->all.at[low - 1].start)};
	return PLACE_TYPED;
}

void program_variables_release(struct program_variables *v)
{
	vec_release(&v->all);
}
