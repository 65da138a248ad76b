/* SPDX-License-Identifier: MIT */
/*
 * Places and variables of a program by its debug information: what `perf probe` asks.
 *
 * Needs src/probe/dwarf/; the types of libdw stay inside. For one thread.
 */
#ifndef PROBE_FINDER_H
#define PROBE_FINDER_H

#include "probe/definition.h"
#include "probe/spec.h"

struct probe_finder;

/* What the user said of how to look. */
struct probe_wishes {
	bool no_inlines;	/* places where a function was inlined are left out */
	uint32_t max_probes;	/* places of one probe; more are an error */
	bool externs;		/* -V: global variables too */
	bool ranges;		/* -V: where each variable can be had */
	const char *source_dir; /* -s: where sources lie; NULL: where they were compiled */
};

/* debug_path: the file with debug information; path: the one that runs; is_kernel: of the kernel or
 * a module; cache_size: bytes of the cache that remembers which units answered (0: none). */
struct probe_finder *probe_finder_open(const char *debug_path, const char *path, bool is_kernel,
				       uint64_t cache_size, struct err *err);
void probe_finder_close(struct probe_finder *f);
DEFINE_AUTO(probe_finder, probe_finder_close)

/* The definitions of all places of a spec, appended without group, event, file and module; address
 * is virtual. Notes for the user are appended as lines. 1; 0: the place is not there; -1 with *err.
 */
int probe_finder_defs(struct probe_finder *f, const struct probe_spec *s,
		      const struct probe_wishes *w, struct probe_defs *out, struct buf *notes,
		      struct err *err);

/* The first file of its debug information that is not there (split DWARF, dwz), or NULL. */
const char *probe_finder_missing(struct probe_finder *f);

/* Offsets in the file that runs, of virtual addresses of code, and back. */
uint64_t probe_finder_file_offset(const struct probe_finder *f, uint64_t vaddr);
uint64_t probe_finder_vaddr(const struct probe_finder *f, uint64_t offset);

/* The source place of an address. Strings belong to the finder. */
struct probe_place {
	const char *function, *file; /* NULL: unknown */
	uint64_t offset;	     /* from the function's entry on, bytes; only without a line */
	uint32_t line;		     /* from the function's line on, or of the file; 0: unknown */
	bool line_known;
};
bool probe_finder_place(struct probe_finder *f, uint64_t address, struct probe_place *out);

/* -L: a range of lines of a function or a file, and which of them can be probed. */
struct probe_lines {
	const char *function; /* as it was asked for; or NULL */
	const char *path;     /* of the source, as it can be opened */
	uint32_t offset;      /* line of the function's name; 0 for a file */
	uint32_t first, last; /* of the file; last is UINT32_MAX: to the end */
	VEC(uint32_t) lines;  /* of the file; in order, each once */
};
void probe_lines_release(struct probe_lines *l);
/* function or file may be NULL; lines count from the function's line; last UINT32_MAX: to its end.
 * 1, or 0: there is no such line. Strings belong to the finder. */
int probe_finder_lines(struct probe_finder *f, const char *function, const char *file,
		       const char *source_dir, uint32_t first, uint32_t last,
		       struct probe_lines *out);

/* -V: the variables that can be seen at each place of a spec. */
struct probe_variables {
	VEC(struct probe_variables_at) places;
};
struct probe_variables_at {
	const char *symbol; /* of the function that holds the place */
	uint64_t offset;    /* from its entry on, bytes */
	/* "TYPE\tNAME", with ranges "[VAL]\tTYPE\tNAME\t@<symbol+[from-to]>"; sorted, each once; in
	 * the finder's arena */
	VEC(const char *) rows;
};
void probe_variables_release(struct probe_variables *v);
/* 1, 0: no such place, or -1 with *err. */
int probe_finder_variables(struct probe_finder *f, const struct probe_spec *s,
			   const struct probe_wishes *w, struct probe_variables *out,
			   struct err *err);

#endif
