// SPDX-License-Identifier: MIT
#include "probe/dwarf/variable.h"

#include "probe/dwarf/die.h"

#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

#define NESTED_MOST 16 /* unnamed structures in each other */

struct named {
	const char *name;
	Dwarf_Addr address;
};

static bool has_place(Dwarf_Die *die)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, DW_AT_external, &a) || dwarf_attr(die, DW_AT_location, &a) ||
	       dwarf_attr(die, DW_AT_const_value, &a);
}

static enum die_walk is_named(Dwarf_Die *die, void *ctx)
{
	const struct named *n = ctx;
	const int tag = dwarf_tag(die);

	if ((tag == DW_TAG_formal_parameter || tag == DW_TAG_variable) &&
	    die_has_name(die, n->name) && has_place(die))
		return DIE_STOP;
	return dwarf_haspc(die, n->address) > 0 ? DIE_INTO : DIE_PAST;
}

bool probe_variable_find(const struct probe_frame *f, Dwarf_Die *scope, const char *name,
			 Dwarf_Die *out)
{
	struct named n = {name, f->address};

	if (die_walk_below(scope, is_named, &n, out))
		return true;
	n.address = 0;
	return die_walk_below((Dwarf_Die *)&f->unit, is_named, &n, out);
}

struct conversion {
	const struct probe_arg *arg;
	const char *text; /* of the spec, for messages */
	struct arena *arena;
	struct probe_fetch *out;
	struct err *err;
};

static int fail(const struct conversion *c, const char *fmt, const char *name)
{
	return probe_spec_fail(c->text, c->arg->at, c->err, fmt, name);
}

#define FAIL(c, fmt, name) probe_spec_fail((c)->text, (c)->arg->at, (c)->err, fmt, name)

/* Where a member of a structure begins, in bytes; of a bit field: the unit that holds it. */
static int64_t member_offset(Dwarf_Die *member)
{
	Dwarf_Attribute a;
	uint64_t at, bits;
	Dwarf_Op *ops;
	size_t n;

	if (die_number(member, DW_AT_data_member_location, &at) && at <= INT32_MAX)
		return (int64_t)at;
	/* DWARF 2 has an expression */
	if (dwarf_attr(member, DW_AT_data_member_location, &a) &&
	    !dwarf_getlocation(&a, &ops, &n) && n == 1 && ops->atom == DW_OP_plus_uconst &&
	    ops->number <= INT32_MAX)
		return (int64_t)ops->number;
	if (die_number(member, DW_AT_data_bit_offset, &bits) && bits <= INT32_MAX) {
		int64_t size = die_byte_size(member);
		Dwarf_Die type;

		if (size <= 0 && die_real_type(member, &type))
			size = die_byte_size(&type);
		return size > 0 ? (int64_t)(bits / (8 * (uint64_t)size) * (uint64_t)size)
				: (int64_t)(bits / 8);
	}
	return 0; /* of a union */
}

static bool find_member(Dwarf_Die *type, const char *name, Dwarf_Die *out, int64_t *offset,
			unsigned int depth)
{
	Dwarf_Die child, inner;
	int64_t below = 0;

	if (depth > NESTED_MOST || dwarf_child(type, &child))
		return false;
	do {
		const int tag = dwarf_tag(&child);

		if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
			continue;
		if (tag == DW_TAG_member && die_has_name(&child, name)) {
			*out = child;
			*offset = member_offset(&child);
			return true;
		}
		/* what has no name, and what is inherited, lends its members */
		if ((tag == DW_TAG_inheritance || !dwarf_diename(&child)) &&
		    die_real_type(&child, &inner) &&
		    find_member(&inner, name, out, &below, depth + 1)) {
			*offset = member_offset(&child) + below;
			return true;
		}
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

static bool is_structure(Dwarf_Die *type)
{
	const int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

static bool is_pointer(Dwarf_Die *type)
{
	const int tag = dwarf_tag(type);

	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

/* Adds to where the value lies, or with follow to where it points to. */
static void move(const struct conversion *c, int64_t offset, bool follow)
{
	if (follow)
		vec_add(&c->out->derefs, (struct probe_deref){0});
	vec_last(&c->out->derefs)->offset += offset;
	vec_last(&c->out->derefs)->user = c->arg->user;
}

/* A pointer that states no size has that of an address. */
static int64_t element_size(Dwarf_Die *type)
{
	uint8_t address = 0;
	Dwarf_Die unit;
	int64_t size = die_byte_size(type);

	if (size <= 0 && is_pointer(type) && dwarf_diecu(type, &unit, &address, NULL))
		size = address;
	return size;
}

/* "[INDEX]": of, whose type is an array or a pointer, becomes that type, as its elements are asked
 * for next. */
static int take_element(const struct conversion *c, const struct probe_field *f, const char *name,
			Dwarf_Die *of)
{
	Dwarf_Die type, element;
	int64_t size, step;

	if (!die_real_type(of, &type))
		return FAIL(c, "'%s' has no type", name);
	if (dwarf_tag(&type) != DW_TAG_array_type && !is_pointer(&type))
		return fail(c, "'%s' is neither a pointer nor an array", name);
	if (!die_real_type(&type, &element) || (size = element_size(&element)) <= 0)
		return FAIL(c, "the elements of '%s' have no size", name);
	if (__builtin_mul_overflow(size, f->index, &step))
		return FAIL(c, "'%s' has not so many elements", name);
	if (!is_pointer(&type) && !c->out->derefs.n)
		return FAIL(c, "'%s' lies in a register, where no element can be fetched", name);
	move(c, step, is_pointer(&type));
	*of = type;
	return 0;
}

static int take_member(const struct conversion *c, const struct probe_field *f, const char *name,
		       Dwarf_Die *of)
{
	Dwarf_Die type, member;
	int64_t offset = 0;
	bool pointer;

	if (!die_real_type(of, &type))
		return FAIL(c, "'%s' has no type", name);
	pointer = is_pointer(&type);
	if (pointer && !f->arrow)
		return FAIL(c, "'%s' is reached by '->'", f->name);
	if (pointer && !die_real_type(&type, &type))
		return FAIL(c, "nobody knows what '%s' points to", name);
	if (!is_structure(&type))
		return FAIL(c, "'%s' is neither a structure nor a union", name);
	if (!pointer && f->arrow && dwarf_diename(of))
		return FAIL(c, "'%s' is reached by '.'", f->name);
	if (!pointer && !c->out->derefs.n)
		return FAIL(c, "'%s' is a structure in a register, whose members cannot be fetched",
			    name);
	if (!find_member(&type, f->name, &member, &offset, 0))
		return probe_spec_fail(c->text, c->arg->at, c->err, "'%s' (%s) has no member '%s'",
				       name, die_name(&type), f->name);
	move(c, offset, pointer);
	*of = member;
	return 0;
}

/* *of: the variable, then each of its members in turn. */
static int take_fields(const struct conversion *c, Dwarf_Die *of)
{
	const char *name = c->arg->value;

	for (size_t i = 0; i < c->arg->fields.n; i++) {
		const struct probe_field *f = &c->arg->fields.at[i];

		if ((f->name ? take_member : take_element)(c, f, name, of))
			return -1;
		name = f->name ? f->name : arena_printf(c->arena, "[%" PRId64 "]", f->index);
	}
	return 0;
}

/* A bit field, as "b<width>@<offset>/<container>": the offset counts from the lowest bit. */
static bool take_bits(const struct conversion *c, Dwarf_Die *of)
{
	uint64_t width, offset;
	int64_t size = die_byte_size(of);
	Dwarf_Die type;

	if (!die_number(of, DW_AT_bit_size, &width))
		return false;
	if (size <= 0 && die_real_type(of, &type))
		size = die_byte_size(&type);
	if (size <= 0 || size > 8)
		return false;
	if (die_number(of, DW_AT_data_bit_offset, &offset))
		offset %= 8 * (uint64_t)size;
	else if (die_number(of, DW_AT_bit_offset,
			    &offset)) /* DWARF 2 and 3 count from the highest bit */
		offset = 8 * (uint64_t)size - offset - width;
	else
		return false;
	c->out->type = arena_printf(c->arena, "b%" PRIu64 "@%" PRIu64 "/%" PRIu64, width, offset,
				    8 * (uint64_t)size);
	return true;
}

static int take_string(const struct conversion *c, Dwarf_Die *of, Dwarf_Die *type)
{
	const char *name = die_name(of);
	const bool pointer = is_pointer(type);
	Dwarf_Die element;

	if (!pointer && dwarf_tag(type) != DW_TAG_array_type)
		return probe_spec_fail(c->text, c->arg->at, c->err,
				       "'%s' (%s) is neither a pointer nor an array, so no string",
				       name, die_name(type));
	if (!die_real_type(type, &element))
		return FAIL(c, "nobody knows what '%s' points to", name);
	if (!die_has_name(&element, "char") && !die_has_name(&element, "unsigned char") &&
	    !die_has_name(&element, "u8") && !die_has_name(&element, "i8"))
		return fail(c, "'%s' does not lead to characters, so it is no string", name);
	if (!pointer && !c->out->derefs.n)
		return FAIL(c, "'%s' lies in a register, so it is no string", name);
	if (pointer)
		move(c, 0, true);
	c->out->type = c->arg->type;
	return 0;
}

static int take_type(const struct conversion *c, Dwarf_Die *of, struct buf *notes)
{
	const char *cast = c->arg->type;
	Dwarf_Die type;
	int64_t bits;
	char sign;

	if (cast && strcmp(cast, "string") && strcmp(cast, "ustring") && strcmp(cast, "x") &&
	    strcmp(cast, "s") && strcmp(cast, "u")) {
		c->out->type = cast;
		return 0;
	}
	if (take_bits(c, of))
		return 0;
	if (!die_real_type(of, &type))
		return FAIL(c, "'%s' has no type", die_name(of));
	if (cast && (!strcmp(cast, "string") || !strcmp(cast, "ustring")))
		return take_string(c, of, &type);
	sign = cast ? *cast : die_is_signed(&type) ? 's' : 'x';
	bits = 8 * die_byte_size(&type);
	if (bits <= 0)
		return 0; /* the kernel takes its default */
	if (bits > 64) {
		buf_printf(notes, "%s exceeds max-bitwidth. Cut down to 64 bits.\n",
			   die_name(&type));
		bits = 64;
	}
	c->out->type = arena_printf(c->arena, "%c%d", sign, (int)bits);
	return 0;
}

int probe_variable_fetch(const struct probe_frame *f, Dwarf_Die *scope, const struct probe_arg *arg,
			 const struct probe_spec *spec, struct arena *arena,
			 struct probe_fetch *out, const char **why, struct buf *notes,
			 struct err *err)
{
	struct conversion c = {arg, spec->text, arena, out, err};
	Dwarf_Die of;
	bool memory;

	*out = (struct probe_fetch){0};
	if (!probe_arg_is_variable(arg)) { /* the kernel's own words */
		out->name = arg->name;
		out->base = arg->value;
		out->type = arg->type;
		return 1;
	}
	out->name = probe_arg_field_name(arg, arena);
	if (!probe_variable_find(f, scope, arg->value, &of)) {
		*why = "no variable of that name is known here";
		return 0;
	}
	*why = probe_location_find(f, &of, arena, out, &memory);
	if (*why)
		return 0;
	return take_fields(&c, &of) || take_type(&c, &of, notes) ? -1 : 1;
}
