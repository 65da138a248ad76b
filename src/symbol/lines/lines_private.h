/* SPDX-License-Identifier: MIT */
/* The lines of a dso that were found so far, and their sources. */
#ifndef SYMBOL_LINES_PRIVATE_H
#define SYMBOL_LINES_PRIVATE_H

#include "symbol/dso_private.h"
#include "symbol/lines/cache.h"
#include "symbol/lines/dwarf.h"

struct dso_lines {
	char *path; /* the file with debug information; NULL: there is none */
	struct line_cache_key key;
	uint64_t moved; /* kernel: how far it was moved from the addresses in its file */
	bool readable; /* there is a file, whether it has debug information or not */
	bool cached; /* results are cached on disk under .key */
	struct line_cache cache;
	bool index_known;
	struct dwarf_index *index; /* made at the first address that is not in the cache */
	struct dwarf_reader *reader; /* for single lookups */
	struct idmap places; /* rva -> index */
	VEC(struct source_place) found;
	struct intern texts; /* linkage names of functions, and files */
	VEC(const char *)
	shown; /* by id in texts: the demangled function name; NULL: not made yet */
	struct line_cache_news news;
	struct line_levels scratch;
	struct arena arena;
};

/* The dso's lines. The first call finds the file and reads the cache. The dso's lock must be
 * held. */
struct dso_lines *dso_lines_get(struct dso *dso);
/* The address in the debug information for an rva. */
uint64_t dso_lines_vaddr(struct dso *dso, uint64_t rva);
/* Looks up the levels of an address that was not looked up before. */
void dso_lines_look_up(struct dso *dso, uint64_t rva);
/* The index of the debug information, made at the first call. NULL: the file cannot be read. */
const struct dwarf_index *dso_lines_index(struct dso_lines *l);
/* Stores the levels of an address; is_new: they are not in the cache. */
void dso_lines_remember(struct dso *dso, uint64_t rva, const struct line_level *levels, size_t n,
			bool is_new);
/* Stores the levels that the recording or the cache has for an address. False: it has none. */
bool dso_lines_from_cache(struct dso *dso, uint64_t rva);

#endif
