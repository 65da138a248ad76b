/* SPDX-License-Identifier: MIT */
/*
 * The type of data at a place of a function: which variable a register holds or points to there, or
 * which lies at an address.
 *
 * Source: DWARF 5, chapters 2 and 5. For one thread.
 */
#ifndef PROBE_VARIABLE_PLACE_H
#define PROBE_VARIABLE_PLACE_H

#include "probe/dwarf/location.h"

/* Data of a type, and the place in it. */
struct typed_place {
	Dwarf_Die type;
	int64_t offset; /* from the beginning of the type; it may lie outside */
};

enum place_found {
	PLACE_NONE,
	PLACE_TYPED,
	PLACE_UNTYPED, /* the variable is known, but it points to nothing with a type */
};

/* Opens the function at an address: f->debug and f->address are set. False: no function of the
 * debug information has this address; *has_unit: though a unit has. Release it. */
bool variable_frame_init(struct probe_frame *f, bool *has_unit);
/* What lies in memory at an offset from the value of a register. */
enum place_found variable_at_register(const struct probe_frame *f, int number, int64_t offset,
				      struct typed_place *out);
/* What lies at a fixed address: a variable of the function, or of its unit. */
enum place_found variable_at_address(const struct probe_frame *f, uint64_t address,
				     struct typed_place *out);
/* The address and type of a variable that always lies at one place; false: it does not. */
bool variable_address(const struct probe_frame *f, Dwarf_Die *variable, uint64_t *address,
		      struct typed_place *whole);
/* What the pointer that lies at a place points to, that many bytes on. */
enum place_found typed_place_follow(const struct typed_place *pointer, int64_t offset,
				    struct typed_place *out);

/* -- types -- */

/* Goes on to the type behind typedefs and qualifiers; false: there is none. */
bool type_bare(Dwarf_Die *type);
/* Goes on to the type behind qualifiers. */
bool type_unqualified(Dwarf_Die *type);
/* True for a member or base class that takes room in each object: not for a static member. */
bool type_is_part(Dwarf_Die *die);
/* The size in bytes; -1: not known. */
int64_t type_size(Dwarf_Die *type);
/* Goes from an array to its element, and takes the offset into it. */
void typed_place_into_array(struct typed_place *p);

#endif
