/* SPDX-License-Identifier: MIT */
/*
 * Which line of which source an address comes from, and which functions were inlined there.
 *
 * An address has levels: the innermost function that was inlined at it, the one that was inlined
 * into, ..., the function that the symbol table knows. Each has the line that it had come to.
 */
#ifndef SYMBOL_LINES_LINES_H
#define SYMBOL_LINES_LINES_H

#include "base/pool.h"
#include "symbol/dso.h"

struct line_level {
	const char *function; /* as the compiler names it to linkers; NULL: unknown */
	const char *file;     /* as the compiler was given it; NULL: unknown */
	uint32_t line;	      /* 0: unknown */
};

struct line_levels {
	VEC(struct line_level);
};

/* What is known of an address; n is 0 when nothing is. */
struct source_place {
	const struct line_level *at; /* the innermost first; the last is the function itself */
	uint32_t n;
	bool asked; /* there is a file that could have told: perf then calls what isn't known "??:0"
		     */
};

/*
 * The levels of an address (rva, see dso.h). The file with debug information is looked for and
 * opened at the first question that the cache on disk (cache.h) cannot answer; each address is
 * looked up once, and what was found is added to the cache when the dso is released. Names are
 * demangled as the options say. From any thread; one at a time works on a dso.
 */
bool dso_has_lines(const struct dso *dso); /* Could there be any, by what it is? */
struct source_place dso_source(struct dso *dso, uint64_t rva);
/*
 * The same for many addresses at once, by all of the pool's threads: dso_source then has the
 * answers. Uses up the questions; one may come more than once. From one thread. Returns how many it
 * took debug information to answer.
 */
struct line_question {
	struct dso *dso;
	uint64_t rva;
};
size_t dso_sources(struct pool *pool, struct line_question *questions, size_t n);
/* "file.c:12", or with the whole path; "??:0" when it isn't known is left to the caller: false. */
bool source_line_text(const struct line_level *level, bool full_path, struct buf *out);
/* The file with the dso's debug information, which the dso owns; NULL: there is none. *moved: what
 * to add to its virtual addresses for where the running kernel has them; 0 of others. */
const char *dso_debug_file(struct dso *dso, uint64_t *moved);
void dso_lines_release(struct dso *dso);

#endif
