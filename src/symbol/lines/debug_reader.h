/* SPDX-License-Identifier: MIT */
/* Opens the debug information of one file as a libdw handle, whether or not the file must be
 * expanded first. */
#ifndef SYMBOL_LINES_DEBUG_READER_H
#define SYMBOL_LINES_DEBUG_READER_H

#include "symbol/lines/split_units.h"

#include <elfutils/libdw.h>
#include <stdint.h>

struct debug_reader {
	int fd;		  /* -1: none */
	struct buf image; /* the expanded file; empty: the file is read as it is */
	Elf *elf;	  /* of the image; else NULL */
	Dwarf *dwarf;
	struct split_units split; /* entries of units that are in other files */
	uint64_t identity; /* debug_identity() of the file */
};

/* Returns 0, or -1: the file has no debug information, or libdw cannot read it.
 * debug_reader_close() must be called in both cases. */
int debug_reader_open(struct debug_reader *r, const char *path);
void debug_reader_close(struct debug_reader *r);

#endif
