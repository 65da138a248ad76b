/* SPDX-License-Identifier: MIT */
/*
 * Makes a file's debug information readable for libdw, with any number of handles. When sections
 * are compressed (gABI's SHF_COMPRESSED: zlib, and zstd, which libdw may not support), or the file
 * is a kernel module, it makes an ELF file in memory that holds only the debug sections, expanded
 * and relocated.
 */
#ifndef SYMBOL_LINES_DEBUG_IMAGE_H
#define SYMBOL_LINES_DEBUG_IMAGE_H

#include "base/buf.h"
#include "symbol/elf/elf_file.h"

/* A hash of the names and sizes of the debug sections, to tell files with the same build-id apart;
 * 0: there are neither lines nor functions. */
uint64_t debug_identity(const struct elf_file *f);
/* Appends the bytes of a section, expanded when they are compressed. False: it is damaged, or too
 * large. */
bool debug_section_expand(const struct elf_file *f, const struct elf_section *s, struct buf *out);
/* Makes the expanded file. variables: with the sections that tell the locations of variables.
 * string: a text that becomes the last string of .debug_str, or NULL; with it there is always an
 * expanded file. Returns 1: out holds the expanded file; 0: the file can be read as it is; -1: it
 * cannot be expanded. */
int debug_image_expand(const struct elf_file *f, bool variables, const char *string,
		       struct buf *out);

#endif
