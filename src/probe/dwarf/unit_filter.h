/* SPDX-License-Identifier: MIT */
/*
 * Which units of debug information may speak of a function or of a source file.
 *
 * A name stands in .debug_str once, and units hold its offset. So the raw bytes of .debug_info are
 * scanned for that offset, a hundred times as fast as its entries are read. A unit that passes may
 * still lack the function; one that does not pass has no function of that name.
 */
#ifndef PROBE_DWARF_UNIT_FILTER_H
#define PROBE_DWARF_UNIT_FILTER_H

#include "probe/dwarf/raw_debug.h"

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

/* All zero is valid, and lets all units pass. */
struct unit_filter {
	bool active;
	VEC(struct filtered_unit {
		Dwarf_Off start, end; /* in .debug_info */
		bool passes;
	})
	units; /* by offset; one that is not listed does not pass */
};

/* raw: of dwarf, kept between calls. function: as a user names it, or NULL; file: the end of a
 * source's path, or NULL. A pattern, and debug information whose units refer to each other's names,
 * let all units pass. */
void unit_filter_init(struct unit_filter *f, Dwarf *dwarf, struct raw_debug *raw,
		      const char *function, const char *file);
/* Lets the units pass whose entries have these offsets, in ascending order. */
void unit_filter_take(struct unit_filter *f, const uint64_t *units, size_t n);
void unit_filter_release(struct unit_filter *f);
/* For the entry of a unit in .debug_info. */
bool unit_filter_passes(const struct unit_filter *f, Dwarf_Die *unit);

#endif
