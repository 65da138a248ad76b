/* SPDX-License-Identifier: MIT */
/* The debug information of one file as a libdw handle, whatever form the file has on the disk. */
#ifndef SYMBOL_LINES_DEBUG_READER_H
#define SYMBOL_LINES_DEBUG_READER_H

#include "base/buf.h"

#include <elfutils/libdw.h>

struct debug_reader {
	int fd;		  /* -1: none */
	struct buf image; /* the file expanded; empty: it is read as it is */
	Elf *elf;	  /* of the image; else NULL */
	Dwarf *dwarf;
};

/* 0; -1: it has no debug information, or libdw cannot read it. To be closed in both cases. */
int debug_reader_open(struct debug_reader *r, const char *path);
void debug_reader_close(struct debug_reader *r);

#endif
