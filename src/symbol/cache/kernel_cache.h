/* SPDX-License-Identifier: MIT */
/*
 * Caches the running kernel's own symbols from one reading of /proc/kallsyms until the next boot:
 * the kernel takes 40 ms to format that file. Modules and BPF programs come and go; they are never
 * cached.
 */
#ifndef SYMBOL_CACHE_KERNEL_CACHE_H
#define SYMBOL_CACHE_KERNEL_CACHE_H

#include "symbol/cache/stored_symbols.h"

/* The key of the running kernel. False: it has no build-id, or its addresses are hidden from us;
 * then the cache is neither read nor written. */
bool kernel_key_now(const char *proc_root, struct kernel_key *key);
bool kernel_cache_load(struct symbol_table *t, const char *dir, const struct kernel_key *key);
/* The folder is kept below max bytes. */
void kernel_cache_store(const char *dir, const struct kernel_key *key, const struct symbol_table *t,
			uint64_t max);

#endif
