/* SPDX-License-Identifier: MIT */
/* The inside of an elf_table: shared by the table and by the tree that it may need. */
#ifndef SYMBOL_TABLE_ELF_PLACES_H
#define SYMBOL_TABLE_ELF_PLACES_H

#include "symbol/cache/covered.h"
#include "symbol/table/elf_table.h"

#include <pthread.h>
#include <stdatomic.h>

#define NOT_MADE UINT32_MAX
/* flag in elf_place.first: a symbol that starts before may cover the place */
#define COVERED (1u << 31)

/* The rounds in which perf adds symbols. In each round the new symbols compete with those that the
 * earlier rounds left (elf_load). */
enum key_kind {
	FROM_SYMTAB,
	FROM_DYNSYM,
	FROM_PLT,
};

/* A place: the symbols that start at one address, of which one is kept. A slot of a PLT is a place
 * of its own. */
struct elf_place {
	uint64_t start;
	uint32_t first;	       /* index of its first key, and the flag COVERED */
	_Atomic uint32_t made; /* index of the made symbol in symbol_table.at; or NOT_MADE */
};
_Static_assert(sizeof(struct elf_place) == sizeof(struct symbol_key), "they share their memory");

struct elf_table {
	struct elf_symbols symtab, dynsym;
	struct elf_plt plt;
	/* ids count in the order in which perf meets the symbols */
	uint32_t n_ids, first_dynsym, first_plt;
	void *room;
	struct symbol_key *keys; /* sorted by address, then by id */
	struct elf_place *places;
	uint32_t n_keys, n_places, n_made;
	/* search index: for each range of 1 << stretch_bits addresses from the first place on,
	 * the first place in the range or after it */
	uint32_t *stretches;
	uint64_t n_stretches;
	unsigned int stretch_bits;
	shown_name_fn shown;
	void *ctx;
	pthread_mutex_t lock; /* held while a symbol is made */
	struct arena names;   /* names of PLT symbols */
	/* made at the first lookup of an address that several symbols may cover */
	struct elf_tree *_Atomic tree;
	struct covered kept;
	struct covered_key key;
	uint64_t cache_size; /* bytes; 0: there is no cache */
	atomic_bool asked;   /* true once the cache was read */
};

static inline enum key_kind key_kind(const struct elf_table *e, uint32_t id)
{
	return id < e->first_dynsym ? FROM_SYMTAB : id < e->first_plt ? FROM_DYNSYM : FROM_PLT;
}

static inline uint32_t place_first(const struct elf_table *e, size_t place)
{
	return place < e->n_places ? e->places[place].first & ~COVERED : e->n_keys;
}

/* The last place at or before the address, which must not be before the first place. */
static inline size_t last_place(const struct elf_table *e, uint64_t address)
{
	const uint64_t stretch =
		MIN((address - e->places[0].start) >> e->stretch_bits, e->n_stretches - 1);
	/* the place before a stretch's first is before the address, too */
	size_t first = e->stretches[stretch] ? e->stretches[stretch] - 1 : 0;
	size_t n = e->stretches[stretch + 1] - first;

	while (n > 1) {
		size_t half = n / 2;

		first += e->places[first + half].start <= address ? half : 0;
		n -= half;
	}
	return first;
}

/* The symbol of one key of that place, with its end. The key must not be one of a PLT. */
struct symbol place_symbol_of(const struct elf_table *e, size_t place, uint32_t key);

/*
 * The tree that perf would have of these symbols (symbol_tree.h), grown in the same way. One thing
 * differs: the parent of a new node is found from its neighbours at that time, without a walk from
 * the root.
 */
struct elf_tree *elf_tree_new(const struct elf_table *e);
void elf_tree_free(struct elf_tree *tree);
/* Finds the symbol for an address that several symbols may cover. */
const struct symbol *elf_covered_find(const struct symbol_table *t, uint64_t address);
const struct symbol *elf_tree_find(const struct elf_tree *tree, const struct symbol_table *t,
				   uint64_t address);

#endif
