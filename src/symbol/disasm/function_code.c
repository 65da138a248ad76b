// SPDX-License-Identifier: MIT
#include "symbol/disasm/function_code.h"

#include "symbol/contained/contained_private.h"
#include "symbol/elf/elf_symbols.h"

#include <stdio.h>

#define JITDUMP_MACHINE 12 /* offset of EM_* in a JIT dump's header: see symbol/jit/jitdump.h */

static const struct insn_machine *machine_of(const struct elf_file *f)
{
	return insn_machine_find(f->machine, f->is_64_bit ? 64 : 32,
				 f->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__));
}

/* Takes the function's bytes from a section, from offset at on; at most size bytes. */
static bool take_section(struct function_code *c, const struct elf_file *f,
			 const struct elf_section *s, uint64_t at, uint64_t size)
{
	struct cursor bytes = elf_section_bytes(f, s);
	const uint64_t n = cursor_left(&bytes);

	if (at >= n)
		return false;
	c->p = bytes.p + at;
	c->n = (size_t)MIN(n - at, size);
	snprintf(c->section, sizeof(c->section), "%s", s->name);
	return true;
}

/* Sets the machine for Thumb code: the code of ARM has two encodings. */
static void note_thumb(struct function_code *c, const struct elf_file *f, uint64_t vaddr)
{
	if (c->machine && elf_is_thumb(f, vaddr))
		c->machine = insn_machine_thumb(c->machine);
}

/* Takes code at a virtual address: from a section, or from a segment when no section has it. */
static bool take_address(struct function_code *c, const struct elf_file *f, uint64_t vaddr,
			 uint64_t size)
{
	c->vaddr = vaddr;
	note_thumb(c, f, vaddr);
	for (size_t i = 0; i < f->sections.n; i++) {
		const struct elf_section *s = &f->sections.at[i];

		if (s->flags & SHF_ALLOC && s->type != SHT_NOBITS && vaddr >= s->addr &&
		    vaddr - s->addr < s->size)
			return take_section(c, f, s, vaddr - s->addr, size);
	}
	for (size_t i = 0; i < f->segments.n; i++) {
		const struct elf_segment *s = &f->segments.at[i];
		const uint64_t at = vaddr - s->vaddr;

		if (s->type != PT_LOAD || vaddr < s->vaddr || at >= s->filesz ||
		    s->offset + at >= f->n)
			continue;
		c->p = f->p + s->offset + at;
		c->n = (size_t)MIN(MIN(s->filesz - at, f->n - s->offset - at), size);
		return true;
	}
	return false;
}

/* Takes code at an offset from the start of a kernel module. Addresses in its disassembly are
 * relative to the section. */
static bool take_module(struct function_code *c, const struct elf_file *f, uint64_t at,
			uint64_t size)
{
	uint64_t *places = mem_alloc((f->sections.n + 1) * sizeof(*places));
	bool found = false;

	elf_module_places(f, places);
	for (size_t i = 1; i < f->sections.n && !found; i++) {
		if (places[i] == UINT64_MAX || at < places[i] ||
		    at - places[i] >= f->sections.at[i].size)
			continue;
		c->vaddr = at - places[i];
		found = take_section(c, f, &f->sections.at[i], c->vaddr, size);
	}
	free(places);
	return found;
}

static bool take_elf(struct function_code *c, struct dso *dso, const struct elf_file *f,
		     const struct symbol *sym)
{
	const uint64_t size = sym->end - sym->start;
	uint64_t moved = 0;

	c->machine = machine_of(f);
	if (dso->kind == DSO_KERNEL)
		return kernel_moved(dso, f, &moved) && take_address(c, f, sym->start - moved, size);
	if (f->type == ET_REL)
		return take_module(c, f,
				   sym->start - (dso->mem_mapped_by_ip
							 ? dso->mapping.start
							 : dso->private_data->offset_shift),
				   size);
	return take_address(c, f, dso_vaddr(dso, sym->start), size);
}

static bool function_code_open_file(struct function_code *c, struct dso *dso,
				    const struct symbol *sym, const char *path)
{
	if (elf_image_open(&c->image, path, dso->in_kernel))
		return false;
	c->has_image = true;
	if (take_elf(c, dso, &c->image.elf, sym)) {
		c->path = path;
		return true;
	}
	function_code_release(c);
	return false;
}

static bool open_own_vdso(struct function_code *c, struct dso *dso, const struct symbol *sym)
{
	struct elf_file f;
	size_t n = 0;
	const void *p = dso_own_vdso(dso, &n);
	bool good;

	if (!p || elf_file_init(&f, p, n) < 0)
		return false;
	good = take_elf(c, dso, &f, sym);
	elf_file_release(&f);
	return good;
}

/* Takes code from a JIT's dump: the symbol's start is its file offset there. */
static bool open_jitdump(struct function_code *c, struct dso *dso, const struct symbol *sym)
{
	const uint32_t order = 1;
	uint32_t magic, machine;
	bool swap;

	if (!dso->source_path ||
	    mapped_read_own(&c->file, dso->source_path, SIZE_MAX, dso->set->options.force, NULL))
		return false;
	if (c->file.n < JITDUMP_MACHINE + sizeof(machine) || sym->start >= c->file.n)
		return false;
	memcpy(&magic, c->file.p, sizeof(magic));
	memcpy(&machine, c->file.p + JITDUMP_MACHINE, sizeof(machine));
	swap = magic == 0x4454694a; /* "JiTD", read in the other byte order */
	if (swap)
		machine = __builtin_bswap32(machine);
	c->machine =
		insn_machine_find((uint16_t)machine, 64, swap == (*(const uint8_t *)&order == 1));
	if (!c->machine)
		c->machine = insn_machine_find((uint16_t)machine, 32,
					       swap == (*(const uint8_t *)&order == 1));
	c->p = c->file.p + sym->start;
	c->n = (size_t)MIN(sym->end - sym->start, c->file.n - sym->start);
	c->vaddr = sym->start;
	return true;
}

/* Takes code that a compiler in the kernel made, from the recording. */
static bool open_made(struct function_code *c, struct dso *dso, const struct symbol *sym)
{
	const struct made_code *code = &dso->private_data->code;

	if (!code->p || sym->end - sym->start != code->n)
		return false;
	c->p = code->p;
	c->n = code->n;
	c->vaddr = sym->start;
	c->machine = code->arch ? insn_machine_named(code->arch) : NULL;
	return true;
}

/* Takes code from a core file of the kernel's memory. Its addresses are the recorded ones. */
static bool open_kcore(struct function_code *c, struct dso *dso, const struct symbol *sym)
{
	const uint32_t order = 1;
	uint16_t machine = 0;

	c->n = kcore_read(dso, sym, &c->own, &machine);
	c->p = c->own;
	c->vaddr = sym->start;
	if (c->n)
		c->machine = insn_machine_find(machine, 64, *(const uint8_t *)&order != 1);
	return c->n;
}

/* Opens code that is in no file of the dso's own. */
static bool open_elsewhere(struct function_code *c, struct dso *dso, const struct symbol *sym)
{
	switch (dso->kind) {
	case DSO_VDSO:
		return open_own_vdso(c, dso, sym);
	case DSO_BPF:
		return open_made(c, dso, sym);
	case DSO_KERNEL:
	case DSO_MODULE:
		return open_kcore(c, dso, sym);
	default:
		return false;
	}
}

/* The message of perf 6.1. */
static int no_vmlinux(const struct dso *kernel, struct err *err)
{
	char id[41];

	build_id_text(&kernel->build_id, id);
	err_set(err, ERR_INPUT, "No vmlinux file%s%s", *id ? " with build id " : "", id);
	return err_hint(
		err,
		"was found in the path.\n\n"
		"Note that annotation using /proc/kcore requires CAP_SYS_RAWIO capability.\n\n"
		"Please use:\n\n  perf buildid-cache -vu vmlinux\n\nor:\n\n  --vmlinux vmlinux");
}

/* Finds the code in the dso's files. */
static int open_files(struct function_code *c, struct dso *dso, const struct symbol *sym,
		      struct err *err)
{
	const char *path;

	path = dso->kind == DSO_KERNEL && dso->source == SYMBOLS_VMLINUX ? dso->source_path
									 : dso_file(dso);
	if (dso->kind == DSO_JITDUMP ? open_jitdump(c, dso, sym)
				     : path && function_code_open_file(c, dso, sym, path))
		return 0;
	if (open_elsewhere(c, dso, sym))
		return 0;
	function_code_release(c);
	if (dso->kind == DSO_KERNEL)
		return no_vmlinux(dso, err);
	if (dso->kind == DSO_BPF) {
		err_set(err, ERR_INPUT, "the recording has no code of '%s'", dso->long_name);
		return err_hint(err, "'perf record' reads the code of BPF programs as root only");
	}
	if (path)
		return err_set(err, ERR_INPUT, "'%s' does not have its code", path);
	return err_set(err, ERR_INPUT, "no file has the code of '%s'", dso->long_name);
}

int function_code_open(struct function_code *c, struct dso *dso, const struct symbol *sym,
		       struct err *err)
{
	int got;

	*c = (struct function_code){0};
	dso_load(dso);
	if (contained_of(dso) && contained_code(c, dso, sym))
		return 0;
	got = open_files(c, dso, sym, err);
	if (!got && contained_notes(dso))
		contained_note_code(dso, sym, c);
	return got;
}

void function_code_release(struct function_code *c)
{
	if (c->has_image)
		elf_image_release(&c->image);
	mapped_release(&c->file);
	free(c->own);
	*c = (struct function_code){0};
}
