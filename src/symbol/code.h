/* SPDX-License-Identifier: MIT */
/*
 * Reads bytes of code from the files that dsos were loaded from. The files stay mapped until
 * code_files_release(). A zeroed struct is valid and empty. Not for use by two threads.
 */
#ifndef SYMBOL_CODE_H
#define SYMBOL_CODE_H

#include "base/hash.h"
#include "os/files/mapped.h"
#include "symbol/dso.h"

struct code_files {
	struct idmap by_dso; /* dso index -> index into files */
	VEC(struct mapped) files;
};

/* Copies at most n bytes from that file offset on. Returns how many were copied, 0 when the file
 * cannot be read. */
size_t code_read(struct code_files *c, struct dso *dso, uint64_t offset, void *to, size_t n);
void code_files_release(struct code_files *c);

#endif
