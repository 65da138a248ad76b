/* SPDX-License-Identifier: MIT */
/*
 * The running kernel's own symbols, kept from one reading of /proc/kallsyms to the next boot: the
 * kernel needs 40 ms to tell all its lines. Modules and BPF programs come and go; they are never
 * kept.
 */
#ifndef SYMBOL_CACHE_KERNEL_CACHE_H
#define SYMBOL_CACHE_KERNEL_CACHE_H

#include "symbol/cache/stored_symbols.h"

/* What tells the kernel that runs now. False: it has no build-id, or its addresses are hidden from
 * us: then nothing is kept, nor taken from what was kept before. */
bool kernel_key_now(const char *proc_root, struct kernel_key *key);
bool kernel_cache_load(struct symbol_table *t, const char *dir, const struct kernel_key *key);
/* The folder is kept below max bytes. */
void kernel_cache_store(const char *dir, const struct kernel_key *key, const struct symbol_table *t,
			uint64_t max);

#endif
