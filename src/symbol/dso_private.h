/* SPDX-License-Identifier: MIT */
/* The parts of a dso and of a dso set that are private to this folder. */
#ifndef SYMBOL_DSO_PRIVATE_H
#define SYMBOL_DSO_PRIVATE_H

#include "os/machine/kallsyms.h"
#include "os/files/mapped.h"
#include "symbol/dso.h"
#include "symbol/elf/elf_file.h"
#include "symbol/jit/jit_lines.h"
#include "symbol/kernel/kcore.h"
#include "symbol/table/symbol_table.h"
#include "symbol/unwind/unwind.h"

#include <pthread.h>
#include <stdatomic.h>

/* An ELF image, opened; compressed ones (kernel modules) are expanded into memory. */
struct elf_image {
	struct mapped bytes;
	struct elf_file elf;
};

/* A kallsyms file, read. */
struct kernel_table {
	struct kallsyms kallsyms;
	char *path;
	uint64_t delta; /* to subtract from an address of the file; valid when placed */
	bool placed;	/* the reference symbol was found */
	bool tried;
};

struct dso_private {
	struct arena arena; /* for what loading allocates */
	pthread_mutex_t lock; /* recursive: loading calls dso_file(), which takes it again */
	atomic_bool loaded, file_known;
	bool root_known;
	bool replaced; /* the file of that name was replaced since the recording */
	bool foreign; /* a file with names exists but belongs to another user */
	bool stale;   /* a file with names exists but is older than the process */
	const char *root; /* root of a process that maps the dso, when it isn't ours; else NULL */
	const char *file;    /* result of dso_file() */
	struct buf tried;    /* lines "PATH: why not", for dso_set_explain */
	struct mapped image; /* the file that symbol names point into */
	struct mapped other_image; /* a second file that they point into; mostly there is none */
	VEC(struct elf_segment) segments; /* PT_LOAD only */
	uint64_t offset_shift;		  /* kernel modules: file offset of .text */
	struct made_code code;		  /* DSO_BPF; .p NULL: not recorded */
	/* by symbol.index: the name to show; NULL until it is first asked for */
	_Atomic(const char *) *_Atomic shown;
	/* Unwinding. */
	atomic_bool unwind_known;
	struct unwind_file *unwind;
	struct mapped unwind_image; /* empty: the vdso of this process */
	atomic_bool unwind_debug_known;
	struct unwind_file *unwind_debug;
	struct elf_image debug_image;  /* the file that has a .debug_frame */
	struct mapped debug_frames;    /* the expanded section, when it is compressed in the file */
	const struct jit_source *jit; /* DSO_JITDUMP: code that has line tables; or NULL */
	struct dso_lines *lines; /* made when the first line is looked up */
	bool has_layout;
	struct kernel_layout layout;
	/* what the recording carries along of the dso's files, in place of them; or NULL */
	const struct contained_dso *contained;
	bool has_odd;	  /* .odd has addresses */
	bool id_found;	  /* the build-id is that of the file: none was recorded */
	struct idmap odd; /* rva -> index of a contained_odd */
	struct noted_dso *noted; /* answers so far (symbol/contained/); or NULL */
	/* of a guest's kernel: the files that the user names, or NULL */
	const char *guest_kallsyms, *guest_vmlinux;
	struct kernel_table guest_table;
};

/* The code in a JIT's dump that has line tables, sorted by offset. */
struct jit_source {
	bool swap;
	size_t n;
	struct jit_piece {
		uint64_t offset, size; /* in the dump */
		struct jit_line_table lines;
	} *pieces;
};

struct dso_set_private {
	const char *buildid_dir; /* NULL: no home */
	pthread_mutex_t tables_lock;
	struct kernel_table live, copy;
	struct kcore kcore; /* as the tables, under tables_lock until it is found */
	struct contained *contained; /* answers of the recording, owned; or NULL */
	struct noted_set *noted;     /* answers are noted; or NULL */
	pthread_mutex_t noted_lock;
	struct llvm *llvm; /* the disassembler that was used last; NULL: none was */
	_Atomic size_t unwind_cost; /* sum of unwind_file.cost of all files that were opened */
};

/* The kind of place where a dso's symbols may be found. A candidate_fn is called with each such
 * file and returns true to stop. */
struct place_kind {
	enum symbol_source source;
	char origin; /* see dso.origin */
};
typedef bool (*candidate_fn)(void *ctx, const char *path, struct place_kind kind);
/* Calls fn with each file that exists, in perf's order of places. */
void dso_candidates(struct dso *dso, candidate_fn fn, void *ctx);
/* "/proc/PID/root" when the process that maps the dso sees other files than we do; else NULL. */
const char *dso_root(struct dso *dso);
/* A path in the build-id cache, DIR/.build-id/xx/yyy and suffix, for this dso. False: a link leads
 * out of the cache. */
bool build_id_cache_path(struct dso *dso, const char *suffix, char *path, size_t n);
/* As build_id_cache_path(), for DIR/NAME: another path below the cache. */
bool build_id_cache_named(struct dso *dso, const char *name, char *path, size_t n);
/* True when nearly all of the file is a hole: it would claim much address space for nothing. */
bool elf_is_sparse(const struct mapped *m);
bool build_id_equal(const struct build_id *a, const struct build_id *b);

/* packed: the file may also be a compressed ELF file, as modules are. Returns 0, or -1 when it is
 * no ELF file or nearly all of it is a hole. */
int elf_image_open(struct elf_image *image, const char *path, bool packed);
/* Opens the xz-compressed ELF file with a symbol table that a stripped file carries in
 * .gnu_debugdata ("MiniDebugInfo" in GDB's manual). False: there is none, or it is damaged. */
bool elf_image_embedded(struct elf_image *image, const struct elf_file *f);
void elf_image_release(struct elf_image *image);
/* The uncompressed bytes of a section (SHF_COMPRESSED; ".zdebug_frame" when asked for
 * ".debug_frame"). They lie in the file, or in expanded, which the caller releases. False: there
 * are none; errno is EFBIG when they would be many times the compressed size. */
bool elf_section_whole(const struct elf_file *f, const char *name, struct mapped *expanded,
		       const uint8_t **p, size_t *n);

/* The loaders. Each fills dso->symbols, .source and .source_path, or returns false when it finds no
 * symbols. */
bool dso_load_elf(struct dso *dso);
/* Adds the functions of .eh_frame that have no symbol (options.function_ranges). */
bool dso_add_ranges(struct dso *dso);
void dso_keep_segments(struct dso *dso, const struct elf_file *elf);
bool dso_load_kernel(struct dso *dso);
bool dso_load_module(struct dso *dso);
bool dso_load_vdso(struct dso *dso);
bool dso_load_perf_map(struct dso *dso);
/* The bytes of this process's vdso when it is the vdso of the dso; else NULL. */
const void *dso_own_vdso(struct dso *dso, size_t *n);
void dso_unwind_release(struct dso *dso);

/* Calls fn with each file that may have the kernel's debug information. */
void kernel_debug_candidates(struct dso *kernel, candidate_fn fn, void *ctx);
/* How far the recorded kernel was moved from the addresses of that file; false: not known. */
bool kernel_moved(struct dso *kernel, const struct elf_file *f, uint64_t *moved);
/* The kernel of this machine in the set; NULL: nothing was recorded of it. */
struct dso *dso_set_kernel(struct dso_set *set);
/* True when the running kernel is the recorded one. */
bool kernel_is_live(struct dso *kernel);
/* The kallsyms table of the recorded kernel and its modules; NULL when there is none. Each file is
 * read at most once. live: the table of the running kernel is preferred to a copy. */
const struct kernel_table *kernel_table_get(struct dso *kernel, bool live);
void kernel_table_release(struct kernel_table *t);
/* Records (for -v) that names from that file hold for one boot only. */
void kernel_tell_unplaced(struct dso *kernel, const char *path);
/* True for the kernel functions that perf's reports count as idle. */
bool symbol_is_idle(const char *name);

/* Records (for -v) that a file was tried, and why it was not used. */
void dso_tried(struct dso *dso, const char *path, const char *why);
/* As dso_tried(), for a file of names that belongs to another user. */
void dso_foreign(struct dso *dso, const char *path);

/* shown_name_fn for this dso's symbols; ctx is the dso. */
char *dso_shown_name(void *ctx, const char *name);

/* Calls first() once: the first thread runs it, the others wait for it. */
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
