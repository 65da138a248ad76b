/* SPDX-License-Identifier: MIT */
/*
 * The bytes of code: of the files that dsos came from, mapped while this lives. All zero is valid
 * and empty. Not for use by two threads.
 */
#ifndef SYMBOL_CODE_H
#define SYMBOL_CODE_H

#include "base/hash.h"
#include "os/mapped.h"
#include "symbol/dso.h"

struct code_files {
	struct idmap by_dso; /* dso index -> index into files */
	VEC(struct mapped) files;
};

/* At most n bytes from that file offset on; how many there are, 0 when the file cannot be read. */
size_t code_read(struct code_files *c, struct dso *dso, uint64_t offset, void *to, size_t n);
void code_files_release(struct code_files *c);

#endif
