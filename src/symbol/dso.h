/* SPDX-License-Identifier: MIT */
/*
 * Finds the symbol at an address of a file. A dso is anything that code is mapped from: an ELF
 * file, the kernel, a module, the vdso, a JIT's anonymous memory. Its symbols are loaded once, at
 * the first lookup, from the best source there is. A lookup is a binary search in a sorted array.
 *
 * The set owns its dsos; they never move. Only one thread may add dsos. Any number of threads may
 * look up symbols (the first one loads them, the others wait).
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

/* Where the symbols of a dso come from: for -v, and to explain why an address has no name. */
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
	const char *name;    /* as in the symbol table; dso_symbol_name() gives the name to show */
	uint8_t binding;     /* STB_*; shown as 'g', 'l', 'w' or 'u' */
	uint8_t type;	     /* STT_* */
	bool plt;	     /* synthesised: name is "foo@plt" */
	bool idle;	     /* one of the kernel's idle functions */
	uint32_t index;	     /* number of the symbol in its dso, independent of the sort order */
};

/* Symbols that can be searched: sorted by start. Only symbols of a PLT may share a start
 * address. */
struct symbol_table {
	struct symbol *at;
	size_t n, cap;
	size_t finished; /* private: number of symbols before the last were added */
	struct symbol_history *history; /* private, while it is made: see symbol_table.h */
	struct symbol_tree *tree;	/* private, only when symbols overlap */
	/* private, as .elf: .at is filled on demand, see symbol_table_at */
	struct stored_symbols *stored;
	struct elf_table *elf;
};

struct dso {
	struct dso_set *set;
	uint32_t index;
	enum dso_kind kind;
	const char *long_name;	/* "/usr/lib/x86_64-linux-gnu/libc.so.6", "[kernel.kallsyms]" */
	const char *short_name; /* "libc.so.6", "[kernel.kallsyms]", "[kvm]" */
	struct build_id build_id;
	bool guest; /* of a virtual machine: no file of this machine may stand for it */
	struct dso *guest_kernel; /* of a guest's module: the kernel that it belongs to */
	bool in_kernel;	   /* KERNEL, MODULE, BPF, OOL */
	bool outside; /* stands for all memory of processes that the recorder cannot tell apart */
	int32_t pid;	   /* owner of executable DSO_ANON, a perf map or a JIT's dump; else -1 */
	int32_t mapped_by; /* a process that maps the dso, whose root may differ from ours; or 0 */
	/* The last mapping of the dso that was seen: through it a deleted file can still be opened.
	 * Of a module: the addresses where it was loaded. */
	struct dso_mapping {
		int32_t pid; /* 0: none, or the kernel */
		uint64_t start, end;
	} mapping;
	/* The inode that was mapped last, of a file without a build-id; .ino 0: not known. */
	struct dso_inode {
		uint32_t maj, min;
		uint64_t ino, generation;
	} inode;
	/* Of memory that a JIT's map may name: when the process began or did its last exec before
	 * it mapped any of that memory, in time of the recording's clock. 0: not known, UINT64_MAX:
	 * no process has mapped it. */
	uint64_t process_begun;
	/* file offset of the first code, by the maps; UINT64_MAX: not known */
	uint64_t code_offset;
	bool is_64_bit;
	/* addresses are absolute (kernel, perf map): rva == ip. Loading a module may set it */
	bool mem_mapped_by_ip;
	enum symbol_source source;
	/* letter that perf's -v shows for the source: k kallsyms, v vmlinux, j a JIT's map, d
	 * the file itself, D a debug file of the cache, ...; ! none */
	char origin;
	const char *source_path; /* the file the symbols came from, or NULL */
	struct symbol_table symbols;
	struct dso_private *private_data;
};

/* The user's options about samples of virtual machines (guests). All zero: they are left out. */
struct guest_options {
	bool wanted;	   /* samples of guests count */
	bool without_host; /* samples of the host do not */
	bool code; /* guests execute code that their hypervisors map at the same addresses */
	const char *mount; /* MOUNT/PID is the root of the guest that the process PID runs */
	/* of guests that .mount does not have; NULL: not given */
	const char *kallsyms, *modules, *vmlinux;
};

/* The user's options about symbols, shared by all commands that show symbols. */
struct symbol_options {
	struct guest_options guests;
	const char *symfs;	 /* root in which files are looked for; NULL: "" */
	const char *vmlinux;	 /* -k */
	const char *kallsyms;	 /* --kallsyms */
	const char *buildid_dir; /* NULL: $HOME/.debug; with symfs always SYMFS/.debug */
	const char *osrelease;	 /* of the recorded kernel; NULL: of the running one */
	bool use_modules;	 /* take names of modules from kallsyms; false: --no-modules */
	bool ignore_vmlinux;
	bool demangle, demangle_kernel;
	/* the recording is of another kernel: without a build-id, nothing of this machine may be
	 * used for it */
	bool no_live;
	bool force;   /* -f: use files of other owners (perf maps) */
	/* ns since the epoch. Files of this machine that changed later and have no build-id are
	 * not those that ran. 0: not known, or recorded elsewhere */
	int64_t recorded_ns;
	/* How the clock of the samples compares with the times of this machine's files. Valid when
	 * recorded_ns is set. */
	struct recorded_clock {
		bool known;
		int64_t to_wall; /* add to the time of a sample to get ns since the epoch */
		int64_t margin;	 /* ns by which to_wall may be wrong */
		uint64_t first;	 /* time of the first sample; 0: not known */
	} clock;
	bool function_ranges; /* name code without a symbol by its function: "file+0x1234" */
	bool jitdump; /* read JIT dumps for the names of generated code */
	/* URLs of servers that may be asked, "": the usual ones; NULL: none */
	const char *debuginfod;
	const struct debug_files
		*fetched;    /* files from servers (symbol/store/debuginfod.h), borrowed; or NULL */
	uint64_t cache_size; /* most bytes of the cache (symbol/cache/); 0: no cache */
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
/* To call when most lookups are done: releases the pages of files that symbols were looked up in.
 * More lookups remain possible. */
void dso_set_give_back(const struct dso_set *set);
/* The dso of that name, build-id (may be NULL) and owner (pid of anonymous memory, else -1).
 * Creates it when it is new. The kind is taken from the name when kind is DSO_UNKNOWN. */
struct dso *dso_set_get(struct dso_set *set, const char *long_name, const struct build_id *id,
			enum dso_kind kind, int32_t pid);
/* The kind of a file that a process has mapped: never a kernel kind, whatever the name looks
 * like. */
enum dso_kind dso_user_kind(const char *long_name);
/* The dso of kernel code made at run time (DSO_BPF, DSO_OOL). It has one symbol, of that name and
 * range. The same name with another address or size gives another dso. */
struct dso *dso_set_get_made(struct dso_set *set, const char *name, enum dso_kind kind,
			     uint64_t start, uint64_t len);
/* The source of such code from an address on. Texts are borrowed for as long as the set is used. */
struct made_line {
	uint64_t address;
	const char *file;
	uint32_t line;
	const char *text; /* of the line; "" when it is not known */
};
/* The machine code of a dso of dso_set_get_made(), as the recording has it. */
struct made_code {
	const uint8_t *p; /* borrowed, for as long as the set is used; NULL: not recorded */
	size_t n;
	const char *arch; /* as `uname -m` names it; NULL: not known */
	const struct made_line *lines; /* by address; copied by dso_set_code() */
	size_t n_lines;
};
void dso_set_code(struct dso *dso, const struct made_code *code);
/* True for /tmp/perf-PID.map, which stands for all memory of a process that has no name. */
bool dso_is_perf_map(const struct dso *dso);
void dso_set_build_id(struct dso *dso, const struct build_id *id);

/*
 * Addresses. A mapping places a file's bytes: ip - map.start + map.pgoff is a *file offset*.
 * Symbols are placed at file offsets too, as in perf: naming a sample needs no program headers, and
 * symbols sort as perf sorts them. A kernel module is an exception: its text was moved to the
 * module's start, and dso_rva(), which loads the dso, adds that shift. For dsos with
 * mem_mapped_by_ip, symbols are placed at absolute addresses and are looked up by the ip itself.
 */
uint64_t dso_rva(struct dso *dso, uint64_t file_offset);
/* The rva of an address whose ip and file offset are both known: takes the one that the dso
 * uses. */
uint64_t dso_address(struct dso *dso, uint64_t ip, uint64_t file_offset);
/* The ELF virtual address of an rva, as used by DWARF, .eh_frame and disassemblers. */
uint64_t dso_vaddr(struct dso *dso, uint64_t rva);
/* The inverse of dso_vaddr(): the rva of a virtual address of the file. */
uint64_t dso_rva_of_vaddr(struct dso *dso, uint64_t vaddr);

/* Loads the symbols unless they are loaded. Never fails: a dso may have none (see .source). */
void dso_load(struct dso *dso);
/* The symbol that covers the address, or NULL. Loads. */
const struct symbol *dso_find(struct dso *dso, uint64_t rva);
const struct symbol *dso_find_name(struct dso *dso, const char *name); /* first of that name */
/* found: the first symbol of each of the n names, or NULL; in one pass over all symbols. */
void dso_find_names(struct dso *dso, const char *const *names, size_t n,
		    const struct symbol **found);
/* True when the address lies between the first and the last symbol. The recorded extent of the
 * kernel ends with its text, but its code in other sections has names, too. Loads. */
bool dso_covers(struct dso *dso, uint64_t rva);
/* The name to show: demangled as the options say. Owned by the dso. */
const char *dso_symbol_name(struct dso *dso, const struct symbol *sym);

/* A path where the file itself can be read now (symfs, /proc/PID/root, build-id cache), or NULL.
 * Owned by the dso. Its build-id has been compared when both are known. */
const char *dso_file(struct dso *dso);

/* The unwind tables of the dso's file. Opened at the first call, by any thread. NULL: there is no
 * file, or it cannot be used. See symbol/unwind/unwind.h. */
struct unwind_file *dso_unwind_file(struct dso *dso);
/* True when dso_unwind_file() (debug: dso_unwind_debug()) returns at once, without opening a
 * file. */
bool dso_unwind_ready(const struct dso *dso, bool debug);
/* The first file of the same program that has a .debug_frame: the file itself, a debug file, or the
 * file in .gnu_debugdata. Searched at the first call, by any thread. NULL: there is none. */
struct unwind_file *dso_unwind_debug(struct dso *dso);

/* Adds a line for each dso whose code was not unwound because that took too much work, and for each
 * that changed while it was in use. Of many, only the first. */
void dso_set_given_up(const struct dso_set *set, struct buf *out);
/* Adds a line for each loaded dso: how many symbols it has and from where. For one without symbols,
 * the files that were tried (recorded when options.verbose is set). */
void dso_set_explain(const struct dso_set *set, struct buf *out);
/* Why dso_find() finds no symbol for an address of this dso (NULL: the address is in no dso). */
enum nameless dso_nameless(const struct dso *dso);

/* The build-id of an ELF file or of the running kernel (/sys/kernel/notes); 0, or -1. */
int build_id_of_file(const char *path, struct build_id *id);
int build_id_of_kernel(struct build_id *id);
/* of the vdso of this process, which is that of all 64-bit ones */
int build_id_of_vdso(struct build_id *id);
int build_id_of_module(const char *name, struct build_id *id); /* /sys/module/NAME/notes */
void build_id_text(const struct build_id *id, char text[41]);

/*
 * Where the recorded kernel lay. A kallsyms file (live, or a copy) is read at most once a set. The
 * address of the reference relocation symbol (_text or _stext) tells how far the recorded kernel
 * was moved from the addresses in a file: the recorded MMAP of the kernel has it as pgoff.
 */
struct kernel_layout {
	uint64_t text_start, text_end; /* _stext (or _text) .. _etext, as recorded */
	const char *reference;	       /* "_text" or "_stext" */
	uint64_t reference_recorded;   /* address of that symbol when recorded */
};
void dso_set_kernel_layout(struct dso *kernel, const struct kernel_layout *layout);

/* The kernel of a guest, from GUEST's files: either may be NULL. They also name the guest's
 * modules. */
struct dso *dso_set_get_guest_kernel(struct dso_set *set, const char *long_name,
				     const char *kallsyms, const char *vmlinux);
/* A module of that guest's kernel. */
struct dso *dso_set_get_guest_module(struct dso *kernel, const char *long_name);

#endif
