// SPDX-License-Identifier: MIT
#include "probe/types/variable_place.h"

#include "probe/dwarf/die.h"

#include <dwarf.h>

#define TYPES_MOST  32
#define SCOPES_MOST 32

/* -- types -- */

static bool type_next(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Die type;

	if (!dwarf_attr_integrate(die, DW_AT_type, &a) || !dwarf_formref_die(&a, &type))
		return false;
	*die = type;
	return true;
}

static bool is_qualifier(Dwarf_Die *type)
{
	switch (dwarf_tag(type)) {
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return true;
	default:
		return false;
	}
}

bool type_unqualified(Dwarf_Die *type)
{
	for (int i = 0; i < TYPES_MOST; i++) {
		if (!is_qualifier(type))
			return true;
		if (!type_next(type))
			return false;
	}
	return false;
}

bool type_bare(Dwarf_Die *type)
{
	for (int i = 0; i < TYPES_MOST; i++) {
		if (!is_qualifier(type) && dwarf_tag(type) != DW_TAG_typedef)
			return true;
		if (!type_next(type))
			return false;
	}
	return false;
}

bool type_is_part(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_inheritance ||
	       (dwarf_tag(die) == DW_TAG_member && !dwarf_hasattr(die, DW_AT_declaration) &&
		!dwarf_hasattr(die, DW_AT_external));
}

int64_t type_size(Dwarf_Die *type)
{
	Dwarf_Word size;

	return dwarf_aggregate_size(type, &size) || size > INT32_MAX ? -1 : (int64_t)size;
}

void typed_place_into_array(struct typed_place *p)
{
	for (int i = 0; i < TYPES_MOST; i++) {
		Dwarf_Die type = p->type;
		int64_t size;

		if (!type_bare(&type) || dwarf_tag(&type) != DW_TAG_array_type ||
		    !type_next(&type) || !type_unqualified(&type))
			return;
		size = type_size(&type);
		if (size <= 0)
			return;
		p->type = type;
		p->offset %= size;
		if (p->offset < 0)
			p->offset += size;
	}
}

/* The member of a structure at an offset; false: there is none. */
static bool member_at(struct typed_place *p)
{
	Dwarf_Die member;

	if (dwarf_child(&p->type, &member))
		return false;
	do {
		Dwarf_Die type = member;
		Dwarf_Attribute a;
		Dwarf_Word at = 0;
		int64_t size;

		if (!type_is_part(&member))
			continue;
		if (dwarf_attr_integrate(&member, DW_AT_data_member_location, &a) &&
		    dwarf_formudata(&a, &at))
			continue;
		if (!type_next(&type) || (size = type_size(&type)) <= 0)
			continue;
		if (p->offset >= (int64_t)at && p->offset - (int64_t)at < size) {
			p->type = type;
			p->offset -= (int64_t)at;
			return true;
		}
	} while (!dwarf_siblingof(&member, &member));
	return false;
}

enum place_found typed_place_follow(const struct typed_place *pointer, int64_t offset,
				    struct typed_place *out)
{
	struct typed_place p = *pointer;

	for (int i = 0; i < TYPES_MOST; i++) {
		typed_place_into_array(&p);
		if (!type_bare(&p.type))
			return PLACE_UNTYPED;
		switch (dwarf_tag(&p.type)) {
		case DW_TAG_pointer_type:
		case DW_TAG_reference_type:
		case DW_TAG_rvalue_reference_type:
			if (p.offset || !type_next(&p.type) || !type_unqualified(&p.type))
				return PLACE_UNTYPED;
			*out = (struct typed_place){p.type, offset};
			return PLACE_TYPED;
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			if (!member_at(&p))
				return PLACE_UNTYPED;
			break;
		default:
			return PLACE_UNTYPED;
		}
	}
	return PLACE_UNTYPED;
}

/* -- variables -- */

/* Where a variable is at a place of the code. */
struct whereabouts {
	enum {
		VARIABLE_NOWHERE,
		VARIABLE_IN_REGISTER,	/* its value is that of a register less .offset */
		VARIABLE_NEAR_REGISTER, /* it lies in memory, .offset behind a register's value */
		VARIABLE_FIXED,
	} kind;
	int number;
	int64_t offset;
	uint64_t address;
};

static struct whereabouts near_register(unsigned int number, int64_t offset)
{
	return (struct whereabouts){VARIABLE_NEAR_REGISTER, (int)number, offset, 0};
}

/* A place whose first operation is that of a frame base or of a variable. */
static struct whereabouts operation_place(const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return (struct whereabouts){VARIABLE_IN_REGISTER, op->atom - DW_OP_reg0, 0, 0};
	if (op->atom == DW_OP_regx)
		return (struct whereabouts){VARIABLE_IN_REGISTER, (int)op->number, 0, 0};
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return near_register(op->atom - DW_OP_breg0, (int64_t)op->number);
	if (op->atom == DW_OP_bregx)
		return near_register((unsigned int)op->number, (int64_t)op->number2);
	if (op->atom == DW_OP_addr)
		return (struct whereabouts){VARIABLE_FIXED, 0, 0, op->number};
	return (struct whereabouts){VARIABLE_NOWHERE, 0, 0, 0};
}

/* The location of a variable at a place of the code. */
struct location {
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t n;
};

static bool location_of(const struct probe_frame *f, Dwarf_Die *variable, struct location *l)
{
	return dwarf_attr_integrate(variable, DW_AT_location, &l->attribute) &&
	       dwarf_getlocation_addr(&l->attribute, f->address, &l->ops, &l->n, 1) > 0 && l->n;
}

/* Where one operation alone says that a variable, or a piece of it, is. */
static struct whereabouts operation_whereabouts(const struct probe_frame *f, struct location *l,
						const Dwarf_Op *op)
{
	struct whereabouts w = {VARIABLE_NOWHERE, 0, 0, 0};
	Dwarf_Attribute inner;

	switch (op->atom) {
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		if (!dwarf_getlocation_attr(&l->attribute, op, &inner) &&
		    !dwarf_formaddr(&inner, &w.address))
			w.kind = VARIABLE_FIXED;
		return w;
	case DW_OP_fbreg:
		if (!f->frame_ops || f->n_frame_ops != 1)
			return w;
		w = operation_place(&f->frame_ops[0]);
		if (w.kind == VARIABLE_IN_REGISTER)
			w.kind = VARIABLE_NEAR_REGISTER;
		w.offset += (int64_t)op->number;
		return w;
	default:
		return operation_place(op);
	}
}

static struct whereabouts whereabouts_of(const struct probe_frame *f, struct location *l)
{
	struct whereabouts w = operation_whereabouts(f, l, l->ops);

	if (l->n == 2 && l->ops[1].atom == DW_OP_stack_value && w.kind == VARIABLE_NEAR_REGISTER)
		w.kind = VARIABLE_IN_REGISTER;
	else if (l->n != 1)
		w.kind = VARIABLE_NOWHERE;
	return w;
}

static bool is_variable(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_variable || dwarf_tag(die) == DW_TAG_formal_parameter;
}

bool variable_frame_init(struct probe_frame *f, bool *has_unit)
{
	f->frame_ops = NULL;
	f->cfi_frame = NULL;
	*has_unit = probe_debug_unit_at(f->debug, f->address, &f->unit);
	if (!*has_unit || !die_function_at(&f->unit, f->address, &f->function))
		return false;
	probe_frame_init(f);
	return true;
}

/* The same of a variable whose pieces are in several places. */
static enum place_found match_pieces(const struct probe_frame *f, struct location *l, int number,
				     int64_t offset, const struct typed_place *variable,
				     struct typed_place *out)
{
	int64_t at = 0; /* of the piece in the variable */

	for (size_t i = 0; i < l->n; i++) {
		struct typed_place place = {variable->type, at};
		struct whereabouts w;
		int64_t size;

		if (l->ops[i].atom == DW_OP_piece) { /* an empty one */
			at += (int64_t)l->ops[i].number;
			continue;
		}
		if (i + 1 == l->n || l->ops[i + 1].atom != DW_OP_piece)
			return PLACE_NONE;
		w = operation_whereabouts(f, l, &l->ops[i]);
		size = (int64_t)l->ops[++i].number;
		if (w.number == number && w.kind == VARIABLE_IN_REGISTER)
			return typed_place_follow(&place, offset, out);
		if (w.number == number && w.kind == VARIABLE_NEAR_REGISTER && offset >= w.offset &&
		    offset - w.offset < size) {
			place.offset += offset - w.offset;
			*out = place;
			return PLACE_TYPED;
		}
		at += size;
	}
	return PLACE_NONE;
}

/* The variable's type, when a register's value plus offset lies in it or in what it points to. */
static enum place_found match_register(const struct probe_frame *f, Dwarf_Die *variable, int number,
				       int64_t offset, struct typed_place *out)
{
	struct typed_place place = {*variable, 0};
	struct location l;
	struct whereabouts w;
	int64_t size;

	if (!location_of(f, variable, &l) || !type_next(&place.type) ||
	    !type_unqualified(&place.type))
		return PLACE_NONE;
	if (l.n > 1 && l.ops[l.n - 1].atom == DW_OP_piece)
		return match_pieces(f, &l, number, offset, &place, out);
	w = whereabouts_of(f, &l);
	if (w.number != number ||
	    (w.kind != VARIABLE_IN_REGISTER && w.kind != VARIABLE_NEAR_REGISTER))
		return PLACE_NONE;
	if (w.kind == VARIABLE_IN_REGISTER)
		return typed_place_follow(&place, offset - w.offset, out);
	size = type_size(&place.type);
	place.offset = offset - w.offset;
	if (place.offset < 0 || place.offset >= size)
		return PLACE_NONE;
	*out = place;
	return PLACE_TYPED;
}

bool variable_address(const struct probe_frame *f, Dwarf_Die *variable, uint64_t *address,
		      struct typed_place *whole)
{
	struct location l;
	struct whereabouts w;

	*whole = (struct typed_place){*variable, 0};
	if (!location_of(f, variable, &l))
		return false;
	w = whereabouts_of(f, &l);
	*address = w.address;
	return w.kind == VARIABLE_FIXED && type_next(&whole->type) &&
	       type_unqualified(&whole->type);
}

static enum place_found match_address(const struct probe_frame *f, Dwarf_Die *variable,
				      uint64_t address, struct typed_place *out)
{
	struct typed_place place;
	uint64_t start;

	if (!variable_address(f, variable, &start, &place) || address < start ||
	    (int64_t)(address - start) >= type_size(&place.type))
		return PLACE_NONE;
	place.offset = (int64_t)(address - start);
	*out = place;
	return PLACE_TYPED;
}

/* What is looked for among variables: what a register points to (number), or an address. */
struct sought {
	const struct probe_frame *frame;
	int number;
	int64_t offset;
	uint64_t address;
	struct typed_place *out;
};

static enum place_found match_sought(const struct sought *s, Dwarf_Die *variable)
{
	return s->number < 0 ? match_address(s->frame, variable, s->address, s->out)
			     : match_register(s->frame, variable, s->number, s->offset, s->out);
}

/* Looks among the variables of a scope's blocks and inlined functions that have the instruction,
 * then among its own. */
static enum place_found search_scope(const struct sought *s, Dwarf_Die *scope, int depth)
{
	enum place_found found = PLACE_NONE;
	Dwarf_Die child, first;

	if (depth == SCOPES_MOST || dwarf_child(scope, &first))
		return PLACE_NONE;
	child = first;
	do {
		const int tag = dwarf_tag(&child);

		if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
		    dwarf_haspc(&child, s->frame->address) > 0)
			found = search_scope(s, &child, depth + 1);
	} while (found == PLACE_NONE && !dwarf_siblingof(&child, &child));
	if (found != PLACE_NONE)
		return found;
	child = first;
	do {
		if (is_variable(&child))
			found = match_sought(s, &child);
	} while (found == PLACE_NONE && !dwarf_siblingof(&child, &child));
	return found;
}

enum place_found variable_at_register(const struct probe_frame *f, int number, int64_t offset,
				      struct typed_place *out)
{
	const struct sought s = {.frame = f, .number = number, .offset = offset, .out = out};
	Dwarf_Die function = f->function;

	return search_scope(&s, &function, 0);
}

/* Looks among the entries right below one. */
static enum place_found address_below(const struct probe_frame *f, Dwarf_Die *parent,
				      uint64_t address, int depth, struct typed_place *out)
{
	enum place_found found = PLACE_NONE;
	Dwarf_Die child;

	if (depth == TYPES_MOST || dwarf_child(parent, &child))
		return PLACE_NONE;
	do {
		if (dwarf_tag(&child) == DW_TAG_variable)
			found = match_address(f, &child, address, out);
		else if (dwarf_tag(&child) == DW_TAG_namespace)
			found = address_below(f, &child, address, depth + 1, out);
	} while (found == PLACE_NONE && !dwarf_siblingof(&child, &child));
	return found;
}

enum place_found variable_at_address(const struct probe_frame *f, uint64_t address,
				     struct typed_place *out)
{
	const struct sought s = {.frame = f, .number = -1, .address = address, .out = out};
	Dwarf_Die function = f->function, unit = f->unit;
	const enum place_found found = search_scope(&s, &function, 0);

	return found == PLACE_NONE ? address_below(f, &unit, address, 0, out) : found;
}
