// SPDX-License-Identifier: MIT
#include "symbol/elf/elf_symbols.h"

#define MAX_NAME 1019 /* perf shows at most this and "@plt" */

/* The layout of a machine's lazy PLT, in bytes (psABI supplements). Where the section states the
 * size of an entry, that size is used for machines whose header is one entry. */
static const struct plt_layout {
	uint16_t machine, header, entry;
} plt_layouts[] = {
	{EM_ARM, 20, 12},      {EM_AARCH64, 32, 16}, {EM_SPARC, 48, 12},
	{EM_SPARCV9, 128, 32}, {EM_X86_64, 16, 16},  {EM_386, 16, 16},
};

static struct plt_layout layout_of(const struct elf_file *f, const struct elf_section *plt)
{
	const uint16_t entry = (uint16_t)MIN(plt->entsize, UINT16_MAX);

	for (size_t i = 0; i < ARRAY_SIZE(plt_layouts); i++) {
		const struct plt_layout *l = &plt_layouts[i];

		if (l->machine == f->machine && (l->header != l->entry || !entry))
			return *l;
	}
	return (struct plt_layout){.header = entry, .entry = entry};
}

/* The name of the symbol of relocation i in .rel(a).plt; "" when there is none. */
static const char *slot_name(const struct elf_plt *p, size_t i)
{
	struct cursor relocations = p->relocations, symbols = p->symbols;
	uint32_t symbol;
	uint32_t name;

	cursor_skip(&relocations, i * p->entsize + (p->is_64_bit ? 8 : 4));
	symbol = p->is_64_bit ? (uint32_t)(cursor_u64(&relocations) >> 32)
			      : cursor_u32(&relocations) >> 8;
	cursor_skip(&symbols, symbol * (p->is_64_bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)));
	name = cursor_u32(&symbols);
	return relocations.bad || symbols.bad ? "" : elf_string(&p->names, name);
}

void elf_plt_open(struct elf_plt *p, const struct elf_file *f)
{
	const struct elf_section *dynsym = elf_section_typed(f, ".dynsym", SHT_DYNSYM);
	const struct elf_section *plt = elf_section_named(f, ".plt");
	const struct elf_section *rel = elf_section_typed(f, ".rela.plt", SHT_RELA);
	const bool rela = rel != NULL;
	struct plt_layout layout;

	*p = (struct elf_plt){.is_64_bit = f->is_64_bit};
	if (!rel)
		rel = elf_section_typed(f, ".rel.plt", SHT_REL);
	if (!dynsym || !plt || !rel || rel->link != (size_t)(dynsym - f->sections.at))
		return;
	layout = layout_of(f, plt);
	if (!layout.entry || plt->offset > UINT64_MAX - layout.header)
		return;
	p->entsize = f->is_64_bit ? (rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel))
				  : (rela ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel));
	p->symbols = elf_section_bytes(f, dynsym);
	p->relocations = elf_section_bytes(f, rel);
	p->names = elf_strings(f, dynsym->link);
	p->start = plt->offset + layout.header;
	p->entry = layout.entry;
	p->n = MIN(MIN(cursor_left(&p->relocations), f->held) / p->entsize,
		   (UINT64_MAX - p->start) / p->entry);
}

/* Slot i of .plt belongs to relocation i of .rela.plt. */
struct symbol elf_plt_symbol(const struct elf_plt *p, size_t i, struct arena *arena,
			     shown_name_fn shown, void *ctx)
{
	const char *name = slot_name(p, i);
	const uint64_t start = elf_plt_start(p, i);
	AUTO_CHAR *shown_name = shown ? shown(ctx, name) : NULL;

	return (struct symbol){
		.start = start,
		.end = start + p->entry,
		.name = arena_printf(arena, "%.*s@plt", MAX_NAME, shown_name ? shown_name : name),
		.binding = STB_GLOBAL,
		.type = STT_FUNC,
		.plt = true};
}
