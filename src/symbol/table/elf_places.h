/* SPDX-License-Identifier: MIT */
/* What an elf_table is made of: for itself and for the tree that it may need. */
#ifndef SYMBOL_TABLE_ELF_PLACES_H
#define SYMBOL_TABLE_ELF_PLACES_H

#include "symbol/cache/covered.h"
#include "symbol/table/elf_table.h"

#include <pthread.h>
#include <stdatomic.h>

#define NOT_MADE UINT32_MAX
#define COVERED                                                                                    \
	(1u << 31) /* beside the first key of a place: a symbol that starts before may cover it */

/* The rounds in which symbols come, each weighed against what the ones before left (elf_load). */
enum key_kind {
	FROM_SYMTAB,
	FROM_DYNSYM,
	FROM_PLT,
};

/* Symbols that start at one address and of which one stays; a slot of a linkage table is a place of
 * its own. */
struct elf_place {
	uint64_t start;
	uint32_t first;	       /* its first key, and COVERED */
	_Atomic uint32_t made; /* where in .at; NOT_MADE */
};
_Static_assert(sizeof(struct elf_place) == sizeof(struct symbol_key), "they share their memory");

struct elf_table {
	struct elf_symbols symtab, dynsym;
	struct elf_plt plt;
	uint32_t n_ids, first_dynsym, first_plt; /* in the order in which perf meets them */
	void *room;
	struct symbol_key *keys; /* sorted by address, then by id */
	struct elf_place *places;
	uint32_t n_keys, n_places, n_made;
	uint32_t *stretches; /* of 1 << stretch_bits addresses from the first place on: the first
				place in each or behind it */
	uint64_t n_stretches;
	unsigned int stretch_bits;
	shown_name_fn shown;
	void *ctx;
	pthread_mutex_t lock; /* held while a symbol is made */
	struct arena names;   /* of the linkage table */
	/* once an address was asked for that several symbols may cover */
	struct elf_tree *_Atomic tree;
	struct covered kept;
	struct covered_key key;
	uint64_t cache_size; /* 0: there is no cache */
	atomic_bool asked;   /* the cache was */
};

static inline enum key_kind key_kind(const struct elf_table *e, uint32_t id)
{
	return id < e->first_dynsym ? FROM_SYMTAB : id < e->first_plt ? FROM_DYNSYM : FROM_PLT;
}

static inline uint32_t place_first(const struct elf_table *e, size_t place)
{
	return place < e->n_places ? e->places[place].first & ~COVERED : e->n_keys;
}

/* The last place at or before the address, which is not before all of them. */
static inline size_t last_place(const struct elf_table *e, uint64_t address)
{
	const uint64_t stretch =
		MIN((address - e->places[0].start) >> e->stretch_bits, e->n_stretches - 1);
	/* the one before a stretch's first is before the address, too */
	size_t first = e->stretches[stretch] ? e->stretches[stretch] - 1 : 0;
	size_t n = e->stretches[stretch + 1] - first;

	while (n > 1) {
		size_t half = n / 2;

		first += e->places[first + half].start <= address ? half : 0;
		n -= half;
	}
	return first;
}

/* The symbol of one key of that place, which is none of a linkage table, with its end. */
struct symbol place_symbol_of(const struct elf_table *e, size_t place, uint32_t key);

/*
 * The tree that perf would have of these symbols (symbol_tree.h). It is grown in the same way, but
 * for one thing: where a symbol is put is known from its neighbours at that time, which takes no
 * walk from the root.
 */
struct elf_tree *elf_tree_new(const struct elf_table *e);
void elf_tree_free(struct elf_tree *tree);
/* The answer for an address that several symbols may cover. */
const struct symbol *elf_covered_find(const struct symbol_table *t, uint64_t address);
const struct symbol *elf_tree_find(const struct elf_tree *tree, const struct symbol_table *t,
				   uint64_t address);

#endif
