/* SPDX-License-Identifier: MIT */
/*
 * The debug information of a program, library, module or kernel, open for questions about probes.
 *
 * Addresses are virtual, as the file with the debug information states them. For one thread.
 */
#ifndef PROBE_DWARF_DEBUG_H
#define PROBE_DWARF_DEBUG_H

#include "base/err.h"
#include "probe/dwarf/unit_filter.h"
#include "symbol/cache/unit_lists.h"
#include "symbol/lines/debug_reader.h"

#include <stdbool.h>
#include <stdint.h>

struct probe_debug {
	struct debug_reader reader;
	int code_fd;
	Elf *code;	     /* of the file that runs, for its .eh_frame */
	Dwarf_CFI *eh;	     /* of code; NULL: none */
	uint16_t machine;    /* EM_* */
	bool is_kernel;	     /* static variables are named by their symbols */
	struct raw_debug raw;
	bool split;	     /* entries of a unit that was passed are in another file */
	Dwarf_Off unit_at;   /* of the unit that was passed last, in .debug_info */
	struct unit_memory {
		uint64_t max; /* bytes of the cache; 0: nothing is remembered */
		struct unit_lists_key key;
		struct unit_lists lists;
		bool loaded, changed;
	} memory; /* which units answered the questions of earlier commands */
	uint64_t text_shift; /* virtual address of .text less its offset in the file */
};

/* debug_path: the file with debug information; path: the one that runs (often the same).
 * cache_size: bytes of the user's cache; 0: there is none. 0, or -1 with *err. */
int probe_debug_open(struct probe_debug *d, const char *debug_path, const char *path,
		     uint64_t cache_size, struct err *err);
void probe_debug_close(struct probe_debug *d);

/* Units in their order. *next is 0 at first; 1, or 0 when there are no more. A unit whose entries
 * are in a file of its own (split DWARF) is that file's. Type units are passed over, and units that
 * the filter (NULL: none) does not let pass. */
int probe_debug_unit(struct probe_debug *d, const struct unit_filter *filter, Dwarf_CU **next,
		     Dwarf_Die *unit);
/* Which units may have the function (NULL: any), or the source file: by what an earlier command
 * found, else by unit_filter.h. *known: by an earlier one, which found just these. */
void probe_debug_filter(struct probe_debug *d, const char *function, const char *file,
			struct unit_filter *out, bool *known);
/* Remembers the units (probe_debug.unit_at) that have the function or file, for later commands. */
void probe_debug_remember(struct probe_debug *d, const char *function, const char *file,
			  const uint64_t *units, size_t n);
/* The first file with entries of a unit (split DWARF), or that programs share (dwz), that is not
 * there, by the name that the debug information has for it; NULL: all are there. */
const char *probe_debug_missing(struct probe_debug *d);
/* The unit that holds an address; by .debug_aranges, or else by all units' ranges. */
bool probe_debug_unit_at(struct probe_debug *d, Dwarf_Addr address, Dwarf_Die *unit);

#endif
