// SPDX-License-Identifier: MIT
#include "probe/types/data_type.h"

#include "probe/types/variable_place.h"

#include <dwarf.h>

/* Bounds: debug information may be damaged. */
#define NESTED_MOST  16
#define MEMBERS_MOST 20000
#define NAME_DEPTH   32

static bool named_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, DW_AT_type, &a) && dwarf_formref_die(&a, type);
}

static void type_name_add(Dwarf_Die *type, struct buf *out, int depth)
{
	const int tag = type_unqualified(type) ? dwarf_tag(type) : DW_TAG_invalid;
	const bool array = tag == DW_TAG_array_type;
	const char *name = dwarf_diename(type);
	Dwarf_Die of;

	switch (tag) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_array_type:
		if (depth == NAME_DEPTH || !named_type(type, &of))
			buf_str(out, "void");
		else
			type_name_add(&of, out, depth + 1);
		buf_str(out, array ? "[]" : tag == DW_TAG_pointer_type ? "*" : "&");
		return;
	case DW_TAG_subroutine_type:
		buf_str(out, "(function_type)");
		return;
	case DW_TAG_structure_type:
		buf_str(out, "struct ");
		break;
	case DW_TAG_class_type:
		buf_str(out, "class ");
		break;
	case DW_TAG_union_type:
		buf_str(out, "union ");
		break;
	case DW_TAG_enumeration_type:
		buf_str(out, "enum ");
		break;
	case DW_TAG_invalid:
		buf_str(out, "void");
		return;
	default:
		break;
	}
	buf_safe(out, name ? name : "");
}

void data_type_name(Dwarf_Die *type, struct buf *out)
{
	Dwarf_Die at = *type;

	type_name_add(&at, out, 0);
}

/* The place of a member in its structure, in bytes. */
static uint64_t member_offset(Dwarf_Die *member)
{
	Dwarf_Attribute a;
	Dwarf_Word at = 0;

	if (dwarf_attr_integrate(member, DW_AT_data_member_location, &a) &&
	    !dwarf_formudata(&a, &at))
		return at;
	if (dwarf_attr_integrate(member, DW_AT_data_bit_offset, &a) && !dwarf_formudata(&a, &at))
		return at / 8;
	return 0;
}

static void add_members(struct data_type *t, Dwarf_Die *structure, uint64_t base,
			unsigned int depth, struct arena *arena)
{
	Dwarf_Die child;

	if (depth > NESTED_MOST || dwarf_child(structure, &child))
		return;
	do {
		Dwarf_Die type;
		struct data_member m = {.depth = depth};
		const char *name = dwarf_diename(&child);
		int64_t size;
		AUTO_BUF text = {0};
		size_t at;

		if (!type_is_part(&child) || !named_type(&child, &type))
			continue;
		size = type_size(&type);
		m.offset = base + member_offset(&child);
		if (size < 0 || m.offset + (uint64_t)size > t->size || t->members.n >= MEMBERS_MOST)
			continue;
		data_type_name(&type, &text);
		m.size = (uint64_t)size;
		m.type = arena_strdup(arena, buf_text(&text));
		buf_clear(&text);
		buf_safe(&text, name ? name : "");
		m.name = arena_strdup(arena, buf_text(&text));
		at = t->members.n;
		vec_add(&t->members, m);
		if (type_bare(&type) && (dwarf_tag(&type) == DW_TAG_structure_type ||
					 dwarf_tag(&type) == DW_TAG_class_type ||
					 dwarf_tag(&type) == DW_TAG_union_type))
			add_members(t, &type, m.offset, depth + 1, arena);
		t->members.at[at].has_members = t->members.n > at + 1;
	} while (!dwarf_siblingof(&child, &child));
}

void data_type_fill(struct data_type *t, Dwarf_Die *type, struct arena *arena)
{
	Dwarf_Die bare = *type;

	vec_add(&t->members, ((struct data_member){.type = t->name, .name = "", .size = t->size}));
	if (!type_bare(&bare) ||
	    (dwarf_tag(&bare) != DW_TAG_structure_type && dwarf_tag(&bare) != DW_TAG_class_type &&
	     dwarf_tag(&bare) != DW_TAG_union_type))
		return;
	add_members(t, &bare, 0, 1, arena);
	t->members.at[0].has_members = t->members.n > 1;
}

void data_type_path(const struct data_type *type, uint64_t offset, struct buf *out)
{
	unsigned int depth = 1;
	bool first = true;

	for (size_t i = 1; i < type->members.n; i++) {
		const struct data_member *m = &type->members.at[i];

		if (m->depth < depth)
			return;
		if (m->depth != depth || offset < m->offset || offset >= m->offset + m->size)
			continue;
		if (*m->name) {
			buf_printf(out, "%s%s", first ? "" : ".", m->name);
			first = false;
		}
		depth++;
	}
}
