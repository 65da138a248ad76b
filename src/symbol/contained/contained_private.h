/* SPDX-License-Identifier: MIT */
/* Contained answers: what the files of this folder share, and what the rest of symbol/ asks. */
#ifndef SYMBOL_CONTAINED_PRIVATE_H
#define SYMBOL_CONTAINED_PRIVATE_H

#include "symbol/contained/contained.h"
#include "symbol/contained/contained_types.h"
#include "symbol/disasm/function_code.h"
#include "symbol/jit/jitdump.h"
#include "symbol/lines/lines.h"

#define CONTAINED_VERSION   2 /* 1: without types */
#define CONTAINED_HEAD	    24
#define CONTAINED_MOST	    (1u << 30) /* bytes of a body */
#define CONTAINED_LINE_MOST (1u << 22) /* lines of a source file */
#define CONTAINED_NO_SYMBOL UINT32_MAX

enum contained_flags {
	CONTAINED_64_BIT = 1,
	CONTAINED_BY_IP = 2,	    /* dso.mem_mapped_by_ip */
	CONTAINED_READABLE = 4,	    /* a file was searched for lines: see source_place.asked */
	CONTAINED_LINES = 8,	    /* the JIT's dump has lines */
	CONTAINED_SWAP = 16,	    /* the JIT's dump has the other byte order */
	CONTAINED_OTHER_CLOCK = 32, /* see jit_codes.other_clock */
	CONTAINED_FILE = 64,	    /* there was a file to read bytes from (code_read) */
};

enum contained_order { CODE_BIG_ENDIAN = 1, CODE_THUMB = 2 };

/* -- what a set notes -- */

struct noted_dso {
	struct idmap by_index; /* symbol.index -> place in .symbols */
	VEC(struct symbol) symbols;
	struct idmap by_rva; /* -> place in .asked */
	VEC(struct noted_rva {
		uint64_t rva;
		uint32_t symbol;
	})
	asked; /* NO_SYMBOL: none */
	VEC(struct noted_place {
		uint64_t rva;
		uint32_t list;
	})
	places;
	struct idmap by_code;
	VEC(struct noted_code {
		uint64_t rva, vaddr;
		uint64_t offset; /* in the file: made when it is written */
		size_t at;	 /* in the set's .code */
		uint32_t size;
		uint16_t machine;
		uint8_t bits, order; /* CODE_* */
		uint32_t section;
	})
	codes;
	VEC(struct jit_code) jit;
	uint8_t jit_flags;
	VEC(struct noted_access {
		uint64_t rva, offset;
		uint32_t type, mnemonic;
		uint8_t miss, flags; /* see contained_access */
	})
	accesses;
};

struct noted_set {
	struct intern texts;   /* id 0 is "" */
	VEC(uint32_t) offsets; /* of each text in the payload */
	uint32_t n_text_bytes;
	struct intern lists; /* of struct noted_level [] */
	struct buf code;
	struct intern source_lines; /* { file, line } -> index in .sources */
	VEC(struct noted_source { uint32_t file, line, text; }) sources;
	VEC(struct noted_type {
		uint64_t size;
		uint32_t name, first, n; /* .first of .members */
	})
	types;
	VEC(struct noted_member {
		uint32_t type, name, depth;
		uint64_t offset, size;
	})
	members;
};

struct noted_level {
	uint32_t function, file, line;
};

static inline bool contained_notes(const struct dso *dso)
{
	return dso->set->private_data->noted != NULL;
}

/* The answer of dso_find(); sym may be NULL. */
void contained_note_symbol(struct dso *dso, uint64_t rva, const struct symbol *sym);
/* The lines of an address, with linkage names. */
void contained_note_lines(struct dso *dso, uint64_t rva, const struct line_level *levels, size_t n);
void contained_note_code(struct dso *dso, const struct symbol *sym, const struct function_code *c);
void contained_note_bytes(struct dso *dso, uint64_t offset, const void *p, size_t n);
void contained_note_source(struct dso_set *set, const char *file, uint32_t line, const char *text,
			   size_t n);
void contained_note_jit(struct dso *dso, const struct jit_codes *codes);
struct noted_dso *contained_noted(struct dso *dso);
void contained_note_release(struct dso_set *set);
void contained_note_release_dso(struct dso *dso);
/* The id of a text in .texts; 0 for NULL. */
uint32_t contained_text(struct noted_set *noted, const char *text, size_t n);

/* -- what a set answers -- */

struct contained_place {
	uint64_t rva;
	uint32_t size, list;
};

struct contained_code {
	uint64_t rva, vaddr;
	uint64_t offset; /* in the file; ascending */
	uint32_t size;
	uint16_t machine;
	uint8_t bits, order; /* CODE_* */
	const char *section; /* or NULL */
	const uint8_t *bytes;
};

struct contained_dso {
	const struct contained *of;
	const char *name;
	enum dso_kind kind;
	enum symbol_source source;
	char origin;
	uint8_t flags;
	int32_t pid;
	enum nameless nameless;
	struct build_id recorded, found;
	const char *path;
	uint64_t shift, first, last;
	struct elf_segment *segments;
	size_t n_segments;
	struct symbol *symbols;
	size_t n_symbols;
	struct contained_odd {
		uint64_t rva;
		uint32_t symbol;
	} * odd;
	size_t n_odd;
	struct contained_place *places;
	size_t n_places;
	struct contained_code *codes;
	size_t n_codes;
	struct jit_code *jit;
	size_t n_jit;
	struct contained_access *accesses;
	size_t n_accesses;
	struct idmap by_access;
	size_t next; /* the next one of that name, kind and pid; 0: none */
};

struct contained {
	struct arena arena;
	uint8_t *body;
	const char *texts;
	size_t n_texts;
	struct line_level *levels;
	size_t n_levels;
	struct contained_list {
		uint32_t first, n;
	} * lists;
	size_t n_lists;
	struct contained_source {
		const char *file;
		uint32_t line;
		const char *text;
	} * sources;
	size_t n_sources;
	struct contained_type *types;
	size_t n_types;
	struct contained_dso *dsos; /* from 1 on */
	size_t n_dsos;
	struct idmap by_name;
	struct intern files;	    /* those of the sources, in their order */
	VEC(uint32_t) first_source; /* by the file's id */
};

/* What a dso is called in the payload: by its long name; a module of a guest's kernel by that and
 * the kernel's. */
void contained_name(const struct dso *dso, struct buf *out);
/* The dso's pid in the payload. */
static inline int32_t contained_pid(const struct dso *dso)
{
	return dso->guest_kernel ? -1 : dso->pid;
}
/* The answers for a dso of that name, kind, pid and build-id, or NULL. */
const struct contained_dso *contained_search(const struct contained *k, const struct dso *dso);
/* Finds the dso's answers, once, before it is loaded. */
void contained_find(struct dso *dso);
/* Loads the symbols of a dso that has answers. */
void contained_load(struct dso *dso);
static inline const struct contained_dso *contained_of(const struct dso *dso)
{
	return dso->private_data->contained;
}
/* The symbol of an address that the search would name otherwise. False: it is no such address. */
bool contained_odd(const struct dso *dso, uint64_t rva, const struct symbol **sym);
/* Adds the levels of an address, with linkage names. False: they are not known. */
bool contained_lines(const struct dso *dso, uint64_t rva, struct line_levels *out);
/* Makes the accesses be found by their addresses. */
void contained_link_accesses(struct contained_dso *d);
bool contained_code(struct function_code *c, struct dso *dso, const struct symbol *sym);
size_t contained_bytes(const struct dso *dso, uint64_t offset, void *to, size_t n);
/* Appends the lines of a source file that are known, with empty ones between them. False: none. */
bool contained_source(const struct dso_set *set, const char *file, struct buf *out);
/* The code of a JIT's dump. False: it has no answers. */
bool contained_jit(struct dso *dso, struct jit_codes *codes);

#endif
