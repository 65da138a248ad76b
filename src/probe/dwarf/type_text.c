// SPDX-License-Identifier: MIT
#include "probe/dwarf/type_text.h"

#include <dwarf.h>
#include <stdbool.h>

#define DEPTH_MOST 32

/* The type behind const and volatile; typedefs stay. */
static bool bare_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Die at = *die;

	for (int i = 0; i < DEPTH_MOST; i++) {
		Dwarf_Attribute a;

		if (!dwarf_attr_integrate(&at, DW_AT_type, &a) || !dwarf_formref_die(&a, type))
			return false;
		switch (dwarf_tag(type)) {
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_shared_type:
			at = *type;
			break;
		default:
			return true;
		}
	}
	return false;
}

static bool add_type(Dwarf_Die *die, struct buf *out, int depth)
{
	Dwarf_Die type;
	const char *kind = "", *name;

	if (depth > DEPTH_MOST || !bare_type(die, &type))
		return false;
	switch (dwarf_tag(&type)) {
	case DW_TAG_array_type:
	case DW_TAG_pointer_type:
		if (!add_type(&type, out, depth + 1))
			return false;
		buf_char(out, '*');
		return true;
	case DW_TAG_subroutine_type:
		buf_str(out, "(function_type)");
		return true;
	case DW_TAG_union_type:
		kind = "union ";
		break;
	case DW_TAG_structure_type:
		kind = "struct ";
		break;
	case DW_TAG_enumeration_type:
		kind = "enum ";
		break;
	}
	name = dwarf_diename(&type);
	if (!name)
		return false;
	buf_printf(out, "%s%s", kind, name);
	return true;
}

void type_text(Dwarf_Die *variable, struct buf *out)
{
	const size_t before = out->n;

	if (add_type(variable, out, 0))
		return;
	out->n = before;
	buf_str(out, "(unknown_type)");
}
