// SPDX-License-Identifier: MIT
/*
 * Stacks unwound by an ELF file's tables. The last 2 KiB of the input (or what there is) are the
 * registers and the stack, too: where they hold addresses of the file's code, unwinding goes on
 * there.
 */
#include "driver.h"
#include "symbol/dso_private.h"
#include "symbol/elf/go_table.h"

#include <stdlib.h>
#include <string.h>

#define REGISTERS 33
#define STACK	  2048
#define FRAMES	  64

struct files {
	struct unwind_file file, debug;
};

static bool place(void *ctx, uint64_t ip, struct unwind_place *out)
{
	struct files *f = ctx;

	if (ip >> 40 == 0x42) /* a JIT's */
		return true;
	if (ip >> 40 == 0x43)
		return out->missing = true;
	out->file = &f->file;
	out->vaddr = ip;
	return ip < 1ull << 40;
}

static struct unwind_file *debug_of(void *ctx, uint64_t ip)
{
	struct files *f = ctx;

	return ip & 1 ? NULL : &f->debug;
}

static void one(struct unwinder *u, struct files *f, const uint8_t *tail, size_t n, uint64_t ip,
		const struct unwind_machine *m)
{
	uint64_t regs[REGISTERS] = {0};
	struct unwind_frame frames[FRAMES];
	struct unwind_request q = {.regs = regs,
				   .mask = (1ull << REGISTERS) - 1,
				   .stack = tail,
				   .stack_size = n,
				   .swap = n & 1,
				   .space = 1,
				   .place = place,
				   .debug = debug_of,
				   .ctx = f};
	enum unwind_end end;
	size_t got;

	memcpy(regs, tail, n < sizeof(regs) ? n : sizeof(regs));
	regs[m->perf_ip] = ip;
	regs[m->perf_sp] &= 0xffffffffffff;
	got = unwind(u, &q, frames, FRAMES, &end);
	if (got > FRAMES || !unwind_end_text(end) || (got && frames[0].ip != ip))
		abort();
}

static void entries(const struct cfi *c, bool debug, struct unwinder *u, struct files *f,
		    const uint8_t *tail, size_t n)
{
	uint64_t start, end;

	for (size_t i = 0; i < c->index.n && i < 50; i++)
		one(u, f, tail, n, c->index.at[i].start, c->machine);
	for (uint32_t i = 0; !debug && i < c->table_entries && i < 50; i++) {
		int32_t at;

		memcpy(&at, c->table.p + 8 * (size_t)i, 4);
		for (uint64_t d = 0; d < 12; d += 4)
			one(u, f, tail, n, c->table_base + (uint64_t)(int64_t)at + d, c->machine);
	}
	cfi_function(c, c->table_base, &start, &end);
}

static void go(const struct go_table *t)
{
	struct symbol_table symbols = {0};
	struct go_function f;
	int32_t size;

	go_table_symbols(t, &symbols);
	for (size_t i = 0; i < symbols.n; i++) {
		if (symbols.at[i].end <= symbols.at[i].start ||
		    strlen(symbols.at[i].name) > SIZE_MAX / 2)
			abort();
		for (uint64_t v = symbols.at[i].start; i < 20 && v < symbols.at[i].start + 8; v++)
			if (go_table_find(t, v, &f) && go_table_frame(t, &f, v, &size) && size < 0)
				abort();
	}
	symbol_table_release(&symbols);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t n = size < STACK ? size : STACK;
	const uint8_t *frames, *tail = data + (size - n);
	struct mapped expanded;
	struct files f;
	struct unwinder *u;
	size_t frames_n;

	if (unwind_file_init(&f.file, data, size)) {
		unwind_file_release(&f.file);
		return 0;
	}
	f.debug = (struct unwind_file){0};
	if (elf_section_whole(&f.file.elf, ".debug_frame", &expanded, &frames, &frames_n))
		unwind_file_init_debug(&f.debug, data, size, frames, frames_n);
	u = unwinder_new(f.file.elf.machine);
	if (u) {
		entries(&f.file.cfi, false, u, &f, tail, n);
		if (f.debug.has_cfi)
			entries(&f.debug.cfi, true, u, &f, tail, n);
		one(u, &f, tail, n, f.file.elf.entry, f.file.cfi.machine);
		one(u, &f, tail, n, 0x42ull << 40, f.file.cfi.machine);
	}
	if (f.file.has_go)
		go(&f.file.go);
	unwinder_free(u);
	unwind_file_release(&f.debug);
	unwind_file_release(&f.file);
	mapped_release(&expanded);
	return 0;
}
