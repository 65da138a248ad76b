/* SPDX-License-Identifier: MIT */
/*
 * What is at an address of a file. A dso is anything that code is mapped from: an ELF file, the
 * kernel, a module, the vdso, a JIT's anonymous memory. Its symbols are loaded at the first
 * question, once, from the best place there is; a look-up is a binary search in a sorted array.
 *
 * The set owns its dsos; they never move. Adding dsos is for one thread; all questions about them
 * are for any number (the first one loads, others wait for it).
 */
#ifndef SYMBOL_DSO_H
#define SYMBOL_DSO_H

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/reasons.h"

#include <stdbool.h>
#include <stdint.h>

enum dso_kind {
	DSO_FILE,     /* an ELF file in user space */
	DSO_KERNEL,   /* [kernel.kallsyms], [guest.kernel.kallsyms] */
	DSO_MODULE,   /* a kernel module: long_name a path or "[name]" */
	DSO_VDSO,     /* [vdso], [vdso32], [vdsox32] */
	DSO_VSYSCALL, /* [vsyscall] */
	DSO_ANON, /* //anon, [heap], [stack], /memfd:..., /dev/zero: names only from a JIT's map */
	DSO_JITDUMP, /* jit-PID.dump: see symbol/jit/jitdump.h */
	DSO_BPF,  /* bpf_prog_*: one symbol that covers it */
	DSO_OOL,  /* out-of-line kernel text made at run time: trampolines */
	DSO_UNKNOWN,
};

struct build_id {
	uint8_t bytes[20];
	uint8_t size; /* 0: unknown */
};

/* Why a dso has the symbols it has: for -v, and for the answer to "why is there no name?". */
enum symbol_source {
	SYMBOLS_NOT_LOADED,
	SYMBOLS_NONE,
	SYMBOLS_KALLSYMS,
	SYMBOLS_VMLINUX,
	SYMBOLS_SYMTAB,
	SYMBOLS_DYNSYM,
	SYMBOLS_EMBEDDED, /* .gnu_debugdata */
	SYMBOLS_GO,	  /* .gopclntab */
	SYMBOLS_DEBUG_FILE,
	SYMBOLS_BUILD_ID_CACHE,
	SYMBOLS_RANGES, /* .eh_frame alone: names are "file+0x1234" */
	SYMBOLS_PERF_MAP,
	SYMBOLS_JITDUMP,
	SYMBOLS_SYNTHETIC,
};

struct symbol {
	uint64_t start, end; /* [start, end) in the dso's address space, see dso_rva */
	const char *name;    /* as in the symbol table; dso_symbol_name() for people */
	uint8_t binding;     /* STB_*: 'g', 'l', 'w', 'u' are made from it */
	uint8_t type;	     /* STT_* */
	bool plt;	     /* synthesised: name is "foo@plt" */
	bool idle;	     /* one of the kernel's idle functions */
	uint32_t index;	     /* its number among the dso's, whatever their order */
};

/* Symbols that can be searched: sorted by start, one an address but for those of a PLT. */
struct symbol_table {
	struct symbol *at;
	size_t n, cap;
	size_t finished; /* private: how many had been there before the last were added */
	struct symbol_history *history; /* private, while it is made: see symbol_table.h */
	struct symbol_tree *tree;	/* private, only when symbols overlap */
	struct stored_symbols *stored;	/* private, as the next: .at is filled as it is asked for,
					 * see  symbol_table_at */
	struct elf_table *elf;
};

struct dso {
	struct dso_set *set;
	uint32_t index;
	enum dso_kind kind;
	const char *long_name;	/* "/usr/lib/x86_64-linux-gnu/libc.so.6", "[kernel.kallsyms]" */
	const char *short_name; /* "libc.so.6", "[kernel.kallsyms]", "[kvm]" */
	struct build_id build_id;
	bool guest;
	bool in_kernel;	   /* KERNEL, MODULE, BPF, OOL */
	bool outside; /* all memory of processes that the recorder cannot tell from each other */
	int32_t pid;	   /* of executable DSO_ANON, perf maps and JITs' dumps: whose; else -1 */
	int32_t mapped_by; /* a process that maps it, whose root may be another than ours; or 0 */
	/* The last one that was seen: leads to files that have no name any more; of a module: where
	 * it lay. */
	struct dso_mapping {
		int32_t pid; /* 0: none, or the kernel */
		uint64_t start, end;
	} mapping;
	/* Of a file without a build-id: which one was mapped last; .ino 0: not known. */
	struct dso_inode {
		uint32_t maj, min;
		uint64_t ino, generation;
	} inode;
	/* Of memory that a JIT's map may name: a time of the recording's clock at which the process
	 * began or did its last exec before it mapped any of that; 0: not known, UINT64_MAX: no
	 * process has mapped it. */
	uint64_t process_begun;
	uint64_t code_offset; /* where in the file its code begins, by its maps; UINT64_MAX: not
				 known */
	bool is_64_bit;
	bool mem_mapped_by_ip; /* addresses are absolute (kernel, perf map): rva == ip. A module
				* may become so when it is loaded */
	enum symbol_source source;
	char origin; /* the letter by which perf's -v says so: k kallsyms, v vmlinux, j a JIT's map,
		      * d the file itself, D a debug file of the cache, ...; ! nothing */
	const char *source_path; /* the file the symbols came from, or NULL */
	struct symbol_table symbols;
	struct dso_private *private_data;
};

/* What the user said of symbols: shared by all commands that show them. */
struct symbol_options {
	const char *symfs;	 /* root in which files are looked for; NULL: "" */
	const char *vmlinux;	 /* -k */
	const char *kallsyms;	 /* --kallsyms */
	const char *buildid_dir; /* NULL: $HOME/.debug; with symfs SYMFS/.debug, whatever this is */
	const char *osrelease;	 /* of the recorded kernel; NULL: the one that runs */
	bool use_modules;	 /* kallsyms names modules too; false: --no-modules */
	bool ignore_vmlinux;
	bool demangle, demangle_kernel;
	bool no_live; /* the recording is of another kernel: where it has no build-id, nothing of
		       * this machine may answer for it */
	bool force;   /* -f: files of other owners (perf maps) */
	int64_t recorded_ns; /* since the epoch: files of this machine that changed later, and have
			      * no build-id, are not those that ran; 0: not known, or recorded
			      * elsewhere */
	/* How times of samples and of this machine's files compare, when recorded_ns is set. */
	struct recorded_clock {
		bool known;
		int64_t to_wall; /* what to add to the time of a sample for ns since the epoch */
		int64_t margin;	 /* ns by which that may be wrong */
		uint64_t first;	 /* time of the first sample; 0: not known */
	} clock;
	bool function_ranges; /* code without a symbol is named by its function: "file+0x1234" */
	bool jitdump; /* names of code that a JIT made are wanted: its dump is read */
	const char *debuginfod; /* servers that may be asked, "": the usual ones; NULL: none */
	const struct debug_files
		*fetched;    /* from servers (symbol/store/debuginfod.h), borrowed; or NULL */
	uint64_t cache_size; /* bytes that the cache (symbol/cache/) may take; 0: there is none */
	int verbose;
};

struct dso_set {
	struct arena arena;
	VEC(struct dso *) dsos;
	struct idmap by_key;
	struct symbol_options options;
	struct dso_set_private *private_data;
};

void dso_set_init(struct dso_set *set, const struct symbol_options *options);
void dso_set_release(struct dso_set *set);
/* Most lookups are done: gives back the pages of files that symbols were looked up in. Anything can
 * still be asked for. */
void dso_set_give_back(const struct dso_set *set);
/* The dso of that name, build-id (may be NULL) and owner (pid of anonymous memory, else -1), made
 * at first sight. The kind is taken from the name when kind is DSO_UNKNOWN. */
struct dso *dso_set_get(struct dso_set *set, const char *long_name, const struct build_id *id,
			enum dso_kind kind, int32_t pid);
/* The kind of what a process has mapped: never the kernel's, whatever the name looks like. */
enum dso_kind dso_user_kind(const char *long_name);
/* Kernel code made at run time (DSO_BPF, DSO_OOL): one symbol of that name, which lies there. One
 * of that name at another place or of another size is another dso. */
struct dso *dso_set_get_made(struct dso_set *set, const char *name, enum dso_kind kind,
			     uint64_t start, uint64_t len);
/* Is it /tmp/perf-PID.map, which stands for all memory of a process that has no name? */
bool dso_is_perf_map(const struct dso *dso);
void dso_set_build_id(struct dso *dso, const struct build_id *id);

/*
 * Addresses. A map places a file's bytes: ip - map.start + map.pgoff is a *file offset*. Symbols
 * lie at file offsets too, as in perf: no program header stands between a sample and its name, and
 * the order of a file's symbols is perf's. (One kind differs: a kernel module's text has been moved
 * to the module's start; dso_rva, which loads the dso, knows by how much.) For dsos with
 * mem_mapped_by_ip, symbols lie at absolute addresses and the ip itself is asked for.
 */
uint64_t dso_rva(struct dso *dso, uint64_t file_offset);
/* The same for an address of which both are known: the rva of the one that the dso wants. */
uint64_t dso_address(struct dso *dso, uint64_t ip, uint64_t file_offset);
/* The ELF file's virtual address of an rva: what DWARF, .eh_frame and disassemblers speak of. */
uint64_t dso_vaddr(struct dso *dso, uint64_t rva);
/* The inverse: the rva of an address that the file speaks of. */
uint64_t dso_rva_of_vaddr(struct dso *dso, uint64_t vaddr);

/* Loads the symbols if that has not been done. Never fails: a dso may have none (see .source). */
void dso_load(struct dso *dso);
/* The symbol that covers the address, or NULL. Loads. */
const struct symbol *dso_find(struct dso *dso, uint64_t rva);
const struct symbol *dso_find_name(struct dso *dso, const char *name); /* first of that name */
/* Does the address lie between the first and the last symbol? The recorded extent of the kernel
 * ends with its text; what it does in other sections has names all the same. Loads. */
bool dso_covers(struct dso *dso, uint64_t rva);
/* The name as people want it: demangled as the options say; interned in the set. */
const char *dso_symbol_name(struct dso *dso, const struct symbol *sym);

/* Where the file itself can be read now (symfs, /proc/PID/root, build-id cache), or NULL. Owned by
 * the dso. Its build-id has been compared when both are known. */
const char *dso_file(struct dso *dso);

/* How the dso's code is unwound: its file, opened at the first call by any thread; NULL: there is
 * no file, or it is of no use. See symbol/unwind/unwind.h. */
struct unwind_file *dso_unwind_file(struct dso *dso);
/* Does the one (debug: or the other) come at once, without opening anything? */
bool dso_unwind_ready(const struct dso *dso, bool debug);
/* The first file of the same program that has a .debug_frame: itself, a debug file, what it carries
 * in .gnu_debugdata. Looked for at the first call by any thread; NULL: there is none. */
struct unwind_file *dso_unwind_debug(struct dso *dso);

/* Adds a line for each dso whose code was not unwound, for it took too much work, and for those
 * that were changed meanwhile; of many, only the first. */
void dso_set_given_up(const struct dso_set *set, struct buf *out);
/* Adds a line for each dso that was loaded: how many symbols, from where; or none, and what was
 * tried (which is remembered when options.verbose is set). */
void dso_set_explain(const struct dso_set *set, struct buf *out);
/* The reason for an address of this dso (NULL: of none) that dso_find() knows nothing of. */
enum nameless dso_nameless(const struct dso *dso);

/* The build-id of an ELF file or of the running kernel (/sys/kernel/notes); 0, or -1. */
int build_id_of_file(const char *path, struct build_id *id);
int build_id_of_kernel(struct build_id *id);
int build_id_of_vdso(struct build_id *id); /* of this process's, which all 64-bit ones have */
int build_id_of_module(const char *name, struct build_id *id); /* /sys/module/NAME/notes */
void build_id_text(const struct build_id *id, char text[41]);

/*
 * The kernel's own tables. A kallsyms file (live, or a copy) is read at most once a set.
 * The reference relocation symbol (_text or _stext) tells how far the recorded kernel lay from the
 * file's: the recorded MMAP of the kernel has its address as pgoff.
 */
struct kernel_layout {
	uint64_t text_start, text_end; /* _stext (or _text) .. _etext, as recorded */
	const char *reference;	       /* "_text" or "_stext" */
	uint64_t reference_recorded;   /* its address when recorded */
};
void dso_set_kernel_layout(struct dso *kernel, const struct kernel_layout *layout);

#endif
