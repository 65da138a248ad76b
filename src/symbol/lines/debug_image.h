/* SPDX-License-Identifier: MIT */
/*
 * The debug information of a file, as libdw can read it by any number of handles: where sections
 * are compressed (gABI's SHF_COMPRESSED: zlib, and zstd, which libdw may not know), or the file is
 * a kernel module, an ELF file in memory that holds them expanded and relocated, and nothing else.
 */
#ifndef SYMBOL_LINES_DEBUG_IMAGE_H
#define SYMBOL_LINES_DEBUG_IMAGE_H

#include "base/buf.h"
#include "symbol/elf/elf_file.h"

/* Tells one file's debug information from another's by its sections' names and sizes; 0: there are
 * neither lines nor functions. */
uint64_t debug_identity(const struct elf_file *f);
/* With what tells where variables are, or without. 1: out holds the expanded file; 0: it can be
 * read as it is; -1: it cannot be expanded. */
int debug_image_expand(const struct elf_file *f, bool variables, struct buf *out);

#endif
