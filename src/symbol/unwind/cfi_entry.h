/* SPDX-License-Identifier: MIT */
/* Entries of .eh_frame and .debug_frame, decoded. Private to symbol/unwind. */
#ifndef SYMBOL_UNWIND_CFI_ENTRY_H
#define SYMBOL_UNWIND_CFI_ENTRY_H

#include "symbol/unwind/cfi.h"

/* A CIE: what several functions share. */
struct cfi_cie {
	struct cursor program;
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;
	uint8_t pointers; /* encoding of its functions' addresses (DW_EH_PE_*) */
	uint8_t word;
	bool sized; /* its FDEs state the size of their augmentation */
	bool signal;
};

/* An FDE: one function. */
struct cfi_fde {
	struct cfi_cie cie;
	struct cursor program;
	uint64_t start, end;
	uint64_t from, to; /* a search for any address in [from, to) finds this entry */
	bool debug;
};

/* Most entries of a file that are read in a row; the largest programs have a third of that. */
#define CFI_ENTRIES_MAX (2u << 20)

/* Calls fn for each function of a section, in its order; *entries counts all entries. False: there
 * are more than CFI_ENTRIES_MAX, or the process was asked to end. */
bool cfi_entries(const struct cfi *c, bool debug, size_t *entries,
		 void (*fn)(void *ctx, const struct cfi_fde *fde, size_t at), void *ctx);
/* Reads the function at this offset of the section; false when the entry is no function. */
bool cfi_entry_read(const struct cfi *c, bool debug, size_t at, struct cfi_fde *fde);
/* Runs the entry's program to get the rule at vaddr, which holds for all addresses in [*from, *to).
 * False: the program is damaged or too long. */
bool cfi_entry_rule(const struct cfi *c, const struct cfi_fde *fde, uint64_t vaddr,
		    struct cfi_rule *rule, uint64_t *from, uint64_t *to);

#endif
