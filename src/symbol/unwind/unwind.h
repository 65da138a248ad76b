/* SPDX-License-Identifier: MIT */
/*
 * From the registers and the top of the stack at one moment to the chain of callers, by call frame
 * information or Go's table of functions, with frame pointers where there is none.
 *
 *   struct unwinder *u = unwinder_new(EM_X86_64);
 *   n = unwind(u, &request, frames, max, &end);
 *
 * An unwinder is for one thread. It remembers the rules of addresses it has met, by address space:
 * most steps need neither the maps nor the file. And it remembers the rules of the last chain of
 * each thread that it unwound: what the next one shares with that needs no lookup. Files are opened
 * by the caller (struct unwind_file) and must stay open while an unwinder that met them is used.
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
	bool too_much; /* it cannot be read with sensible effort: its code is not unwound */
	size_t cost; /* bytes of memory that it takes, and work to read it in about the same unit */
};
/* n bytes of an ELF file, which must outlive it. 0, or -1 when they are none. */
int unwind_file_init(struct unwind_file *f, const void *p, size_t n);
/* The same of a file's .debug_frame alone, whose bytes (as they are when not compressed) outlive
 * it, too. */
int unwind_file_init_debug(struct unwind_file *f, const void *p, size_t n, const uint8_t *frames,
			   size_t frames_n);
void unwind_file_release(struct unwind_file *f);
/* Was it given up, when it was opened or later, for it takes too much work? */
bool unwind_file_given_up(const struct unwind_file *f);
/* The virtual address of what is mapped from that offset. False: no segment holds it. */
bool unwind_file_vaddr(const struct unwind_file *f, uint64_t offset, uint64_t *vaddr);

/* Where an address of the process lies. */
struct unwind_place {
	struct unwind_file *file; /* NULL: code without a file (a JIT's) */
	bool missing; /* there is a file, but it cannot be read: nobody can guess its frames */
	bool too_much;		  /* reading it takes too much work */
	uint64_t vaddr;		  /* in the file */
	/* how many addresses before and behind it are known to lie in the file likewise */
	uint64_t below, above;
	bool data; /* it is no code: something else may lie there, in the same space */
};

struct unwind_request {
	/* the registers, by perf's numbers: values of the bits of mask, in their order */
	const uint64_t *regs;
	uint64_t mask;
	/* a copy of the stack, from the stack pointer up */
	const uint8_t *stack;
	size_t stack_size;
	bool swap;	/* stack bytes are in the other byte order than this machine's */
	uint64_t thread; /* whose stack it is: the next one of the same is probably much like it */
	uint32_t space;	 /* names the code that is mapped: equal ones place its addresses equally */
	/* false: nothing is mapped there, as far as is known now */
	bool (*place)(void *ctx, uint64_t ip, struct unwind_place *place);
	/* the .debug_frame for what lies at ip, asked for when its file says nothing; NULL: there
	 * is none. It has the file's addresses. May be NULL itself. */
	struct unwind_file *(*debug)(void *ctx, uint64_t ip);
	void *ctx;
};

struct unwind_frame {
	uint64_t ip;
	/* Not a return address: the code was about to execute what stands at ip. */
	bool exact;
};

struct unwinder *unwinder_new(uint16_t elf_machine); /* NULL: unknown machine */
void unwinder_free(struct unwinder *u);
/* Writes up to max frames, the innermost first; how many. */
size_t unwind(struct unwinder *u, const struct unwind_request *request, struct unwind_frame *frames,
	      size_t max, enum unwind_end *end);

#endif
