/* SPDX-License-Identifier: MIT */
/*
 * Questions to entries of debug information (DIEs), over libdw. Loops are bounded: debug
 * information may be damaged.
 *
 * Whoever walks entries gives a callback, which says how to go on.
 */
#ifndef PROBE_DWARF_DIE_H
#define PROBE_DWARF_DIE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

enum die_walk {
	DIE_STOP,
	DIE_INTO,
	DIE_PAST
}; /* found; go on with its children; with its siblings */
typedef enum die_walk (*die_walk_fn)(Dwarf_Die *die, void *ctx);
/* All entries below root, parents first. True when the callback stopped; *found (may be NULL) is
 * then the entry. */
bool die_walk_below(Dwarf_Die *root, die_walk_fn fn, void *ctx, Dwarf_Die *found);

/* The name that messages use; never NULL. */
const char *die_name(Dwarf_Die *die);
/* True when the entry has that very name. */
bool die_has_name(Dwarf_Die *die, const char *name);
/* True when the function's name, its name for linkers, or with "::" in the pattern its qualified
 * name matches. */
bool die_matches(Dwarf_Die *die, const char *pattern);
const char *die_decl_file(Dwarf_Die *die); /* or NULL */
const char *die_call_file(Dwarf_Die *die); /* of an inlined function; or NULL */
int die_decl_line(Dwarf_Die *die);	   /* 0: unknown */
int die_call_line(Dwarf_Die *die);
/* The lowest address at which it is entered. */
bool die_entry(Dwarf_Die *die, Dwarf_Addr *address);
bool die_is_function(Dwarf_Die *die); /* a subprogram that is no mere declaration */
/* The function, inlined ones apart, that holds the address. */
bool die_function_at(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die *out);
/* The innermost inlined function directly or indirectly below that holds the address. */
bool die_inlined_at(Dwarf_Die *function, Dwarf_Addr address, Dwarf_Die *out);
/* The same, the outermost one. */
bool die_first_inlined_at(Dwarf_Die *die, Dwarf_Addr address, Dwarf_Die *out);
/* The type behind typedefs and qualifiers. */
bool die_real_type(Dwarf_Die *die, Dwarf_Die *type);
/* A size in bytes that the entry or its type states; -1: none. */
int64_t die_byte_size(Dwarf_Die *die);
bool die_is_signed(Dwarf_Die *type);
/* A number that an attribute holds. */
bool die_number(Dwarf_Die *die, unsigned int attribute, uint64_t *v);
/* A file's name, when its end is the same as that of what was asked for. */
bool die_file_ends(const char *file, const char *tail);

#endif
