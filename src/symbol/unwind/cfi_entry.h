/* SPDX-License-Identifier: MIT */
/* Entries of .eh_frame and .debug_frame, decoded. Private to symbol/unwind. */
#ifndef SYMBOL_UNWIND_CFI_ENTRY_H
#define SYMBOL_UNWIND_CFI_ENTRY_H

#include "symbol/unwind/cfi.h"

/* What several functions share. */
struct cfi_cie {
	struct cursor program;
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;
	uint8_t pointers; /* how its functions' addresses are written */
	uint8_t word;
	bool sized; /* its functions state the size of their augmentation */
	bool signal;
};

/* A function. */
struct cfi_fde {
	struct cfi_cie cie;
	struct cursor program;
	uint64_t start, end;
	uint64_t from, to; /* a search for any address in there finds this one */
	bool debug;
};

/* As many entries of a file as are ever looked at in a row; the largest programs have a third of
 * that. */
#define CFI_ENTRIES_MAX (2u << 20)

/* Calls fn for each function of a section, in its order; *entries counts all entries. False: there
 * are more than CFI_ENTRIES_MAX, or whoever asked for it wants to end meanwhile. */
bool cfi_entries(const struct cfi *c, bool debug, size_t *entries,
		 void (*fn)(void *ctx, const struct cfi_fde *fde, size_t at), void *ctx);
/* The function at this place of the section; false when it is something else. */
bool cfi_entry_read(const struct cfi *c, bool debug, size_t at, struct cfi_fde *fde);
/* What its program says of one of its addresses, and of all others in [from, to). */
bool cfi_entry_rule(const struct cfi *c, const struct cfi_fde *fde, uint64_t vaddr,
		    struct cfi_rule *rule, uint64_t *from, uint64_t *to);

#endif
