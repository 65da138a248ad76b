// SPDX-License-Identifier: MIT
/* From an address to the place in the source that a user would name. */
#include "probe/dwarf/die.h"
#include "probe/dwarf/finder.h"
#include "probe/dwarf/line_walk.h"

#include <string.h>

/* What is known of the code at an address while it is narrowed down. */
struct narrow {
	const char *function, *file;
	int line, base; /* base: of the function's name */
};

/* From the function to what was inlined into it. At the first instruction of an inlined function
 * its call is meant. */
static void go_into_inlined(struct narrow *n, Dwarf_Die *function, Dwarf_Addr address)
{
	Dwarf_Die at = *function, inlined;
	const char *own;
	Dwarf_Addr entry;

	for (int depth = 0; depth < 64 && die_first_inlined_at(&at, address, &inlined);
	     depth++, at = inlined) {
		if (die_entry(&inlined, &entry) && entry == address) {
			n->line = die_call_line(&inlined);
			n->file = die_call_file(&inlined);
			break;
		}
		if (!dwarf_diename(&inlined) || !die_decl_line(&inlined))
			break;
		n->function = die_name(&inlined);
		n->base = die_decl_line(&inlined);
	}
	own = die_decl_file(&at);
	if (!own || (n->file && strcmp(own, n->file)))
		n->line = 0;
}

bool probe_finder_place(struct probe_finder *f, uint64_t address, struct probe_place *out)
{
	Dwarf_Die unit, function;
	struct narrow n = {0};
	Dwarf_Addr entry = 0;

	*out = (struct probe_place){0};
	if (!probe_debug_unit_at(&f->debug, address, &unit))
		return false;
	line_of_address(&unit, address, &n.file, &n.line);
	if (die_function_at(&unit, address, &function) && dwarf_diename(&function)) {
		out->function = n.function = die_name(&function);
		n.base = die_decl_line(&function);
		if (!die_entry(&function, &entry) || !n.base) {
			n.line = 0;
		} else {
			n.file = die_decl_file(&function);
			if (address == entry)
				n.line = n.base;
			else
				go_into_inlined(&n, &function, address);
		}
	}
	out->file = n.file;
	out->line_known = n.line != 0;
	if (n.line) {
		out->line = (uint32_t)(n.line - n.base);
		out->function = n.function;
	} else if (out->function) {
		out->offset = address - entry;
	}
	return out->function || out->line_known;
}
