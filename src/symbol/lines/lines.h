/* SPDX-License-Identifier: MIT */
/*
 * Finds the source line of an address, and the functions that were inlined there.
 *
 * An address has levels: the innermost function that was inlined at it, the function that this one
 * was inlined into, ..., and last the function of the symbol table. Each level has the line that
 * execution was at in that function.
 */
#ifndef SYMBOL_LINES_LINES_H
#define SYMBOL_LINES_LINES_H

#include "base/pool.h"
#include "symbol/dso.h"

struct line_level {
	const char *function; /* linkage name; NULL: unknown */
	const char *file;     /* as the compiler was given it; NULL: unknown */
	uint32_t line;	      /* 0: unknown */
};

struct line_levels {
	VEC(struct line_level);
};

/* The levels of an address; n is 0 when none are known. */
struct source_place {
	const struct line_level *at; /* the innermost first; the last is the function itself */
	uint32_t n;
	/* there is a file that was searched: perf then shows "??:0" for an address without a
	 * line */
	bool asked;
};

/*
 * Finds the levels of an address (rva, see dso.h). The file with debug information is searched and
 * opened at the first lookup that the cache on disk (cache.h) cannot answer. Each address is looked
 * up once. New results are added to the cache when the dso is released. Names are demangled as the
 * options say. For any thread; lookups in one dso are serialized.
 */
bool dso_has_lines(const struct dso *dso); /* True when the dso is of a kind that can have lines. */
struct source_place dso_source(struct dso *dso, uint64_t rva);
/*
 * Looks up many addresses at once, with all threads of the pool; dso_source() then returns the
 * results. Reorders and overwrites the questions; an address may come more than once. To be called
 * from one thread. Returns how many addresses were looked up in debug information.
 */
struct line_question {
	struct dso *dso;
	uint64_t rva;
};
size_t dso_sources(struct pool *pool, struct line_question *questions, size_t n);
/* The text of the source line that an address comes from, as the recording has it: of BPF programs.
 * NULL: it is in files, if anywhere. */
const char *dso_line_text(const struct dso *dso, uint64_t rva);
/* Appends "file.c:12", or the line with the whole path. False: it isn't known; the caller writes
 * "??:0". */
bool source_line_text(const struct line_level *level, bool full_path, struct buf *out);
/* The file with the dso's debug information, owned by the dso; NULL: there is none. *moved: what to
 * add to the file's virtual addresses to get those of the recorded kernel; 0 for other dsos. */
const char *dso_debug_file(struct dso *dso, uint64_t *moved);
void dso_lines_release(struct dso *dso);

#endif
