/* SPDX-License-Identifier: MIT */
/*
 * The debug information of a program, library, module or kernel, open for questions about probes.
 *
 * Addresses are virtual, as the file with the debug information states them. For one thread.
 */
#ifndef PROBE_DWARF_DEBUG_H
#define PROBE_DWARF_DEBUG_H

#include "base/err.h"
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
	uint64_t text_shift; /* virtual address of .text less its offset in the file */
};

/* debug_path: the file with debug information; path: the one that runs (often the same). 0, or -1
 * with *err. */
int probe_debug_open(struct probe_debug *d, const char *debug_path, const char *path,
		     struct err *err);
void probe_debug_close(struct probe_debug *d);

/* Units in their order. *next is 0 at first; 1, or 0 when there are no more. A unit whose entries
 * are in a file of its own (split DWARF) is that file's. Type units are passed over. */
int probe_debug_unit(struct probe_debug *d, Dwarf_CU **next, Dwarf_Die *unit);
/* The first file with entries of a unit (split DWARF), or that programs share (dwz), that is not
 * there, by the name that the debug information has for it; NULL: all are there. */
const char *probe_debug_missing(struct probe_debug *d);
/* The unit that holds an address; by .debug_aranges, or else by all units' ranges. */
bool probe_debug_unit_at(struct probe_debug *d, Dwarf_Addr address, Dwarf_Die *unit);

#endif
