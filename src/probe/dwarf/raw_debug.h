/* SPDX-License-Identifier: MIT */
/* The raw bytes of debug sections, searched for names without reading entries. */
#ifndef PROBE_DWARF_RAW_DEBUG_H
#define PROBE_DWARF_RAW_DEBUG_H

#include "base/mem.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

enum raw_section { RAW_INFO, RAW_STR, RAW_OFFSETS, RAW_LINE, RAW_LINE_STR, RAW_ABBREV, RAW_COUNT };

struct raw_debug {
	struct raw_bytes {
		const uint8_t *p; /* NULL: the section is not there */
		size_t n;
	} sections[RAW_COUNT];
	bool opened, usable;
	bool swap; /* numbers are of the other byte order */
};

/* False: the sections can't be searched as they are, or an entry may have its name by a reference
 * to another unit or file (link time optimisation, Go, dwz). The bytes are those of dwarf. The
 * first call (r all zero) looks, which takes as long as reading .debug_abbrev. */
bool raw_debug_open(struct raw_debug *r, Dwarf *dwarf);

/* Offsets of strings. */
struct raw_offsets {
	VEC(uint32_t);
};
/* Adds the offsets of strings in .debug_str that are the name; with a generic one ("f<int>"), if
 * .prefix, too. */
void raw_debug_names(const struct raw_debug *r, const char *name, bool prefix,
		     struct raw_offsets *out);
/* Adds the offsets of strings in .debug_line_str that end with the tail: they may begin anywhere
 * before it, as linkers merge the ends of strings. */
void raw_debug_tails(const struct raw_debug *r, const char *tail, struct raw_offsets *out);

/* A search for numbers of four bytes at any offset, and for a text. */
struct raw_search {
	struct raw_bytes in;
	bool swap;
	const struct raw_offsets *offsets;
	const char *text; /* NULL: none; with its final zero byte unless .prefix */
	bool prefix;
	uint8_t *bits; /* of offsets, when there are many; private */
	size_t n_bits;
};
void raw_search_init(struct raw_search *s);
void raw_search_release(struct raw_search *s);
/* The first hit in [from, to) of the section, or `to`. */
size_t raw_search_next(const struct raw_search *s, size_t from, size_t to);

#endif
