/* SPDX-License-Identifier: MIT */
/*
 * Unwinds a stack dump: from the registers and the top of the stack at one moment to the chain of
 * callers. Uses call frame information or Go's table of functions, and frame pointers where there
 * is neither.
 *
 *   struct unwinder *u = unwinder_new(EM_X86_64);
 *   n = unwind(u, &request, frames, max, &end);
 *
 * An unwinder is for one thread. It caches the rules of addresses by address space: most steps need
 * neither the maps nor the file. It also keeps the rules of the last chain of each sampled thread:
 * frames that the next chain shares need no lookup. The caller opens files (struct unwind_file);
 * they must stay open while an unwinder that met them is used.
 */
#ifndef SYMBOL_UNWIND_UNWIND_H
#define SYMBOL_UNWIND_UNWIND_H

#include "base/reasons.h"
#include "symbol/elf/go_table.h"
#include "symbol/unwind/cfi.h"

/* A file whose code is unwound: its rules, and how its addresses follow from file offsets. It must
 * not move. */
struct unwind_file {
	struct elf_file elf; /* owned; of bytes that are borrowed */
	struct cfi cfi;
	struct cfi_effort effort;
	struct go_table go;
	bool has_cfi, has_go;
	bool too_much; /* reading it takes too much work: its code is not unwound */
	size_t cost; /* bytes of memory, plus the work to read it in about the same unit */
};
/* Opens an ELF file of n bytes, which must outlive *f. 0, or -1 when it is no ELF file. */
int unwind_file_init(struct unwind_file *f, const void *p, size_t n);
/* Opens only a file's .debug_frame, whose uncompressed bytes (frames) must outlive *f, too. 0 or
 * -1. */
int unwind_file_init_debug(struct unwind_file *f, const void *p, size_t n, const uint8_t *frames,
			   size_t frames_n);
void unwind_file_release(struct unwind_file *f);
/* True when the file was given up, at opening or later, because it takes too much work. */
bool unwind_file_given_up(const struct unwind_file *f);
/* The virtual address of the byte at a file offset. False: no segment holds it. */
bool unwind_file_vaddr(const struct unwind_file *f, uint64_t offset, uint64_t *vaddr);

/* Where an address of the process lies. */
struct unwind_place {
	struct unwind_file *file; /* NULL: code without a file (a JIT's) */
	bool missing; /* there is a file, but it cannot be read: its frames cannot be guessed */
	bool too_much;		  /* reading it takes too much work */
	uint64_t vaddr;		  /* in the file */
	/* how many addresses before and after it are known to map to the file in the same way */
	uint64_t below, above;
	bool data; /* the address is not code: other data may lie there later, in the same space */
};

struct unwind_request {
	/* the registers, by perf's numbers: values of the bits of mask, in their order */
	const uint64_t *regs;
	uint64_t mask;
	/* the stack dump, from the stack pointer up */
	const uint8_t *stack;
	size_t stack_size;
	bool swap;	/* stack bytes are in the other byte order than this machine's */
	/* id of the sampled thread: its next stack is probably much like this one */
	uint64_t thread;
	uint32_t space;	 /* id of the address space: equal ids map equal code at equal addresses */
	/* Fills *place for an address. False: nothing is known to be mapped there. */
	bool (*place)(void *ctx, uint64_t ip, struct unwind_place *place);
	/* The file with the .debug_frame of the code at ip, asked for when the code's own file has
	 * no rule; NULL: there is none. It has the same addresses as that file. debug may be
	 * NULL. */
	struct unwind_file *(*debug)(void *ctx, uint64_t ip);
	void *ctx;
};

struct unwind_frame {
	uint64_t ip;
	/* ip is not a return address: the instruction at ip was about to execute. */
	bool exact;
};

struct unwinder *unwinder_new(uint16_t elf_machine); /* NULL: unknown machine */
void unwinder_free(struct unwinder *u);
/* Writes up to max frames, the innermost first. Returns how many; *end says why the chain ends. */
size_t unwind(struct unwinder *u, const struct unwind_request *request, struct unwind_frame *frames,
	      size_t max, enum unwind_end *end);

#endif
