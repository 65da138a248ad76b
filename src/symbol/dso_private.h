/* SPDX-License-Identifier: MIT */
/* What only this folder knows of a dso and of the set. */
#ifndef SYMBOL_DSO_PRIVATE_H
#define SYMBOL_DSO_PRIVATE_H

#include "os/machine/kallsyms.h"
#include "os/mapped.h"
#include "symbol/dso.h"
#include "symbol/elf/elf_file.h"
#include "symbol/jit/jit_lines.h"
#include "symbol/table/symbol_table.h"
#include "symbol/unwind/unwind.h"

#include <pthread.h>
#include <stdatomic.h>

/* An ELF image, opened; compressed ones (kernel modules) are expanded into memory. */
struct elf_image {
	struct mapped bytes;
	struct elf_file elf;
};

struct dso_private {
	struct arena arena; /* for what loading makes */
	pthread_mutex_t lock; /* who holds it may take it again: loading asks for the file */
	atomic_bool loaded, file_known;
	bool root_known;
	bool replaced; /* the file of that name is another one by now */
	bool foreign; /* there are names, which another user has put there */
	bool stale;   /* there are names, which are older than the process */
	const char *root;    /* of the process that maps it, when it isn't ours; else NULL */
	const char *file;    /* of dso_file */
	struct buf tried;    /* lines "PATH: why not", for dso_set_explain */
	struct mapped image; /* the file that symbol names point into */
	struct mapped other_image; /* another one that they do; mostly there is none */
	VEC(struct elf_segment) segments; /* PT_LOAD only */
	uint64_t offset_shift;		  /* kernel modules: what lies before .text in the file */
	_Atomic(const char *)
		*_Atomic shown; /* one a symbol: the demangled name, once it was asked for */
	/* for unwinding */
	atomic_bool unwind_known;
	struct unwind_file *unwind;
	struct mapped unwind_image; /* empty: the vdso of this process */
	atomic_bool unwind_debug_known;
	struct unwind_file *unwind_debug;
	struct elf_image debug_image;  /* with a .debug_frame */
	struct mapped debug_frames;    /* the section, when it was compressed */
	const struct jit_source *jit; /* DSO_JITDUMP: what has lines; or NULL */
	struct dso_lines *lines; /* once somebody asked for a line */
	bool has_layout;
	struct kernel_layout layout;
};

/* The pieces of code in a JIT's dump that have lines, by offset. */
struct jit_source {
	bool swap;
	size_t n;
	struct jit_piece {
		uint64_t offset, size; /* in the dump */
		struct jit_line_table lines;
	} *pieces;
};

/* A kallsyms file, read. */
struct kernel_table {
	struct kallsyms kallsyms;
	char *path;
	uint64_t delta; /* what to take from an address of the file, when placed */
	bool placed;	/* the reference symbol was found */
	bool tried;
};

struct dso_set_private {
	const char *buildid_dir; /* NULL: no home */
	pthread_mutex_t tables_lock;
	struct kernel_table live, copy;
	_Atomic size_t unwind_cost; /* of all files that were opened to unwind their code */
};

/* A file in which a dso's symbols may be, and what kind of place that is. Return true to stop. */
struct place_kind {
	enum symbol_source source;
	char origin; /* see dso.origin */
};
typedef bool (*candidate_fn)(void *ctx, const char *path, struct place_kind kind);
/* All the places, in perf's order. */
void dso_candidates(struct dso *dso, candidate_fn fn, void *ctx);
/* "/proc/PID/root" when the process that maps it sees other files than we do; else NULL. */
const char *dso_root(struct dso *dso);
/* A path in the build-id cache, DIR/.build-id/xx/yyy and suffix, for this dso. False: a link leads
 * out of the cache. */
bool build_id_cache_path(struct dso *dso, const char *suffix, char *path, size_t n);
/* The same of DIR/NAME, another path below the cache. */
bool build_id_cache_named(struct dso *dso, const char *name, char *path, size_t n);
/* Nearly all of the file is a hole: it claims much address space for nothing. */
bool elf_is_sparse(const struct mapped *m);
bool build_id_equal(const struct build_id *a, const struct build_id *b);

/* packed: it may also be a compressed one, as modules are. 0; -1: it is none, or nearly all of it
 * is a hole. */
int elf_image_open(struct elf_image *image, const char *path, bool packed);
/* The ELF file with a symbol table that a stripped one carries, xz-compressed, in .gnu_debugdata
 * ("MiniDebugInfo" in GDB's manual); false: there is none that is sound. */
bool elf_image_embedded(struct elf_image *image, const struct elf_file *f);
void elf_image_release(struct elf_image *image);
/* The bytes of a section as they were before they were compressed (SHF_COMPRESSED; ".zdebug_frame"
 * when asked for ".debug_frame"). They lie in the file, or in expanded, which the caller releases.
 * False: there are none; errno is EFBIG when they would be many times what they are made of. */
bool elf_section_whole(const struct elf_file *f, const char *name, struct mapped *expanded,
		       const uint8_t **p, size_t *n);

/* The loaders: each fills dso->symbols, .source, .source_path. They return false when there is
 * nothing. */
bool dso_load_elf(struct dso *dso);
/* Adds what .eh_frame knows of functions without symbols (options.function_ranges). */
bool dso_add_ranges(struct dso *dso);
void dso_keep_segments(struct dso *dso, const struct elf_file *elf);
bool dso_load_kernel(struct dso *dso);
bool dso_load_module(struct dso *dso);
bool dso_load_vdso(struct dso *dso);
bool dso_load_perf_map(struct dso *dso);
/* The vdso's bytes, when this process has the one that the dso is; NULL. */
const void *dso_own_vdso(struct dso *dso, size_t *n);
void dso_unwind_release(struct dso *dso);

/* The files that may have the kernel's debug information. */
void kernel_debug_candidates(struct dso *kernel, candidate_fn fn, void *ctx);
/* How far the recorded kernel lay from where that file says; false: nobody knows. */
bool kernel_moved(struct dso *kernel, const struct elf_file *f, uint64_t *moved);
/* Is the running kernel the recorded one? */
bool kernel_is_live(struct dso *kernel);
/* The table that names the recorded kernel, or its modules; NULL when there is none. Each file is
 * read at most once. Live: what the running kernel says goes before a copy. */
const struct kernel_table *kernel_table_get(struct dso *kernel, bool live);
void kernel_table_release(struct kernel_table *t);
/* Notes that names from that file hold for one boot only. */
void kernel_tell_unplaced(struct dso *kernel, const char *path);
/* Is it one of the kernel's functions that perf's reports count as idle? */
bool symbol_is_idle(const char *name);

/* Notes that a file was looked at and why it was not used. */
void dso_tried(struct dso *dso, const char *path, const char *why);
/* The same of names that another user has put there. */
void dso_foreign(struct dso *dso, const char *path);

/* shown_name_fn for this dso's symbols; ctx is the dso. */
char *dso_shown_name(void *ctx, const char *name);

/* Done by the first who asks, of however many threads; the others wait for it. */
static inline void dso_once(struct dso *dso, atomic_bool *done, void (*first)(struct dso *dso))
{
	pthread_mutex_t *lock = &dso->private_data->lock;

	if (atomic_load_explicit(done, memory_order_acquire))
		return;
	pthread_mutex_lock(lock);
	if (!atomic_load_explicit(done, memory_order_relaxed))
		first(dso);
	atomic_store_explicit(done, true, memory_order_release);
	pthread_mutex_unlock(lock);
}

#endif
