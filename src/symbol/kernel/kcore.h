/* SPDX-License-Identifier: MIT */
/*
 * Reads kernel code from a core file of the kernel's memory: kcore_dir of the recording, the file
 * beside --kallsyms, a copy in the build-id cache (perf buildid-cache -k), or /proc/kcore when the
 * recorded kernel runs now. Each has a list of symbols beside it, which tells how far that kernel
 * lies from where the recorded one lay, and a list of modules.
 */
#ifndef SYMBOL_KCORE_H
#define SYMBOL_KCORE_H

#include "symbol/dso.h"

/* What was found of the core file. A zeroed struct is valid and empty. */
struct kcore {
	struct kcore_file *file; /* NULL: there is none */
	bool tried;
};

/* Reads the code of a symbol of the kernel or of a module. Returns how many bytes were read into
 * *p, which the caller frees, and sets the ELF machine; 0: no core file has the code.
 * Thread-safe. */
size_t kcore_read(struct dso *dso, const struct symbol *sym, uint8_t **p, uint16_t *machine);
void kcore_release(struct kcore *k);

#endif
