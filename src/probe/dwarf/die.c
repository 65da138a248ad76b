// SPDX-License-Identifier: MIT
#include "probe/dwarf/die.h"

#include "base/mem.h"
#include "base/options/options.h"
#include "symbol/demangle.h"

#include <dwarf.h>
#include <string.h>

#define DEPTH_MOST 64 /* of entries in entries */
#define TYPES_MOST 64 /* typedefs of typedefs */

static bool walk_below(Dwarf_Die *root, die_walk_fn fn, void *ctx, Dwarf_Die *found,
		       unsigned int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MOST || dwarf_child(root, &die))
		return false;
	do {
		const Dwarf_Off at = dwarf_dieoffset(&die);
		const enum die_walk how = fn(&die, ctx);

		if (how == DIE_STOP && found)
			*found = die;
		if (how == DIE_STOP ||
		    (how == DIE_INTO && walk_below(&die, fn, ctx, found, depth + 1)))
			return true;
		if (dwarf_siblingof(&die, &die))
			return false;
		if (dwarf_dieoffset(&die) <= at)
			return false; /* damaged: what leads back would be met again */
	} while (true);
}

bool die_walk_below(Dwarf_Die *root, die_walk_fn fn, void *ctx, Dwarf_Die *found)
{
	return walk_below(root, fn, ctx, found, 0);
}

const char *die_name(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name ? name : "(unnamed)";
}

bool die_has_name(Dwarf_Die *die, const char *name)
{
	const char *own = dwarf_diename(die);

	return own && !strcmp(own, name);
}

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &a));

	return name ? name
		    : dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a));
}

/* "Foo::bar" names ns::Foo::bar, too. */
static bool is_qualified(const char *linkage, const char *pattern)
{
	AUTO_CHAR *full = demangle(linkage, false);

	if (!full)
		return false;
	for (const char *tail = full; tail; tail = strstr(tail, "::")) {
		tail += tail != full ? 2 : 0;
		if (glob_match(pattern, tail))
			return true;
		if (tail == full && !strstr(tail, "::"))
			return false;
	}
	return false;
}

bool die_matches(Dwarf_Die *die, const char *pattern)
{
	const char *name = dwarf_diename(die);

	if (name && glob_match(pattern, name))
		return true;
	name = linkage_name(die);
	return name && (glob_match(pattern, name) ||
			(strstr(pattern, "::") && is_qualified(name, pattern)));
}

bool die_number(Dwarf_Die *die, unsigned int attribute, uint64_t *v)
{
	Dwarf_Attribute a;
	Dwarf_Word word;

	if (!dwarf_attr_integrate(die, attribute, &a) || dwarf_formudata(&a, &word))
		return false;
	*v = word;
	return true;
}

/* A file by its number in the table of the unit that names it; 0 counts since DWARF 5. */
static const char *file_of(Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Files *files;
	Dwarf_Attribute a;
	Dwarf_Word number;
	Dwarf_Die unit;
	size_t n;

	if (!dwarf_attr_integrate(die, attribute, &a) || dwarf_formudata(&a, &number) ||
	    !dwarf_cu_die(a.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &n))
		return NULL;
	return dwarf_filesrc(files, number, NULL, NULL);
}

const char *die_decl_file(Dwarf_Die *die)
{
	return file_of(die, DW_AT_decl_file);
}

const char *die_call_file(Dwarf_Die *die)
{
	return file_of(die, DW_AT_call_file);
}

int die_decl_line(Dwarf_Die *die)
{
	int line = 0;

	return dwarf_decl_line(die, &line) ? 0 : line;
}

int die_call_line(Dwarf_Die *die)
{
	uint64_t line;

	return die_number(die, DW_AT_call_line, &line) && line <= INT32_MAX ? (int)line : 0;
}

bool die_entry(Dwarf_Die *die, Dwarf_Addr *address)
{
	Dwarf_Addr base, end;

	return !dwarf_entrypc(die, address) || dwarf_ranges(die, 0, &base, address, &end) > 0;
}

bool die_is_function(Dwarf_Die *die)
{
	Dwarf_Attribute a;

	return dwarf_tag(die) == DW_TAG_subprogram && !dwarf_attr(die, DW_AT_declaration, &a);
}

struct search {
	Dwarf_Addr address;
};

/* Functions of C++ and Rust lie in namespaces and types, too. */
static enum die_walk is_function_at(Dwarf_Die *die, void *ctx)
{
	const struct search *s = ctx;

	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		return dwarf_haspc(die, s->address) > 0 ? DIE_STOP : DIE_PAST;
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return DIE_INTO;
	default:
		return DIE_PAST;
	}
}

bool die_function_at(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die *out)
{
	struct search s = {address};

	return die_walk_below(unit, is_function_at, &s, out);
}

static enum die_walk is_inlined_at(Dwarf_Die *die, void *ctx)
{
	const struct search *s = ctx;

	if (dwarf_tag(die) == DW_TAG_inlined_subroutine && dwarf_haspc(die, s->address) > 0)
		return DIE_STOP;
	return DIE_INTO;
}

bool die_first_inlined_at(Dwarf_Die *die, Dwarf_Addr address, Dwarf_Die *out)
{
	struct search s = {address};

	return die_walk_below(die, is_inlined_at, &s, out);
}

bool die_inlined_at(Dwarf_Die *function, Dwarf_Addr address, Dwarf_Die *out)
{
	Dwarf_Die die = *function, below;
	bool found = false;

	for (unsigned int depth = 0;
	     depth < DEPTH_MOST && die_first_inlined_at(&die, address, &below); depth++) {
		*out = die = below;
		found = true;
	}
	return found;
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, DW_AT_type, &a) && dwarf_formref_die(&a, type);
}

bool die_real_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Die at = *die;

	for (int i = 0; i < TYPES_MOST; i++) {
		if (!type_of(&at, type))
			return false;
		switch (dwarf_tag(type)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			at = *type;
			break;
		default:
			return true;
		}
	}
	return false;
}

int64_t die_byte_size(Dwarf_Die *die)
{
	uint64_t size;

	return die_number(die, DW_AT_byte_size, &size) && size <= INT32_MAX ? (int64_t)size : -1;
}

bool die_is_signed(Dwarf_Die *type)
{
	uint64_t encoding;

	return die_number(type, DW_AT_encoding, &encoding) &&
	       (encoding == DW_ATE_signed_char || encoding == DW_ATE_signed ||
		encoding == DW_ATE_signed_fixed);
}

bool die_file_ends(const char *file, const char *tail)
{
	size_t n = strlen(file), m = strlen(tail);

	/* the shorter one decides */
	return n >= m ? !strcmp(file + n - m, tail) : !strcmp(file, tail + m - n);
}
