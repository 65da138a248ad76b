/* SPDX-License-Identifier: MIT */
/* What a dso remembers of its addresses, and where it gets it from. */
#ifndef SYMBOL_LINES_PRIVATE_H
#define SYMBOL_LINES_PRIVATE_H

#include "symbol/dso_private.h"
#include "symbol/lines/cache.h"
#include "symbol/lines/dwarf.h"

struct dso_lines {
	char *path; /* the file with debug information; NULL: there is none */
	struct line_cache_key key;
	uint64_t moved; /* the kernel: how far it lay from where its file says */
	bool readable; /* there is a file, whether it has debug information or not */
	bool cached; /* answers are kept on disk: the key names them */
	struct line_cache cache;
	bool index_known;
	struct dwarf_index *index; /* made when the cache doesn't know an address */
	struct dwarf_reader *reader; /* for questions that come one by one */
	struct idmap places; /* rva -> index */
	VEC(struct source_place) found;
	struct intern texts; /* functions as compilers name them, and files */
	VEC(const char *)
	shown; /* by id in texts: a function for people; NULL: not asked for yet */
	struct line_cache_news news;
	struct line_levels scratch;
	struct arena arena;
};

/* The dso's lines, its file found and the cache read at the first call. The dso's lock is held. */
struct dso_lines *dso_lines_get(struct dso *dso);
/* What the debug information calls an address. */
uint64_t dso_lines_vaddr(struct dso *dso, uint64_t rva);
/* Finds the levels of an address that nobody has asked for yet. */
void dso_lines_look_up(struct dso *dso, uint64_t rva);
/* NULL: the file cannot be read. */
const struct dwarf_index *dso_lines_index(struct dso_lines *l);
/* Takes the levels that an address has; is_new: the cache didn't know them. */
void dso_lines_remember(struct dso *dso, uint64_t rva, const struct line_level *levels, size_t n,
			bool is_new);
/* Takes them from the cache, when it knows the address. */
bool dso_lines_from_cache(struct dso *dso, uint64_t rva);

#endif
