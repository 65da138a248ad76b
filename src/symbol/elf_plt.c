// SPDX-License-Identifier: MIT
#include "symbol/elf_symbols.h"

#define MAX_NAME 1019 /* with "@plt" what perf shows at most */

/* How a machine's lazy linkage table is laid out, in bytes (psABI supplements). Where the section
 * says how large an entry is, that holds for machines whose header is one entry. */
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

/* The name of the symbol that relocation i of a .rel(a).plt is for; "" when there is none. */
static const char *slot_name(struct cursor relocations, size_t i, size_t entsize,
			     struct cursor symbols, const struct elf_strings *names, bool is_64_bit)
{
	uint32_t symbol;
	uint32_t name;

	cursor_skip(&relocations, i * entsize + (is_64_bit ? 8 : 4));
	symbol = is_64_bit ? (uint32_t)(cursor_u64(&relocations) >> 32)
			   : cursor_u32(&relocations) >> 8;
	cursor_skip(&symbols, symbol * (is_64_bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)));
	name = cursor_u32(&symbols);
	return relocations.bad || symbols.bad ? "" : elf_string(names, name);
}

/* Slot i of .plt jumps where relocation i of .rela.plt points. */
void elf_plt_add(const struct elf_file *f, struct symbol_table *t, struct arena *arena,
		 shown_name_fn shown, void *ctx)
{
	const struct elf_section *dynsym = elf_section_typed(f, ".dynsym", SHT_DYNSYM);
	const struct elf_section *plt = elf_section_named(f, ".plt");
	const struct elf_section *rel = elf_section_typed(f, ".rela.plt", SHT_RELA);
	const bool rela = rel != NULL;
	struct plt_layout layout;
	struct elf_strings names;
	struct cursor symbols, relocations;
	size_t entsize, n;
	uint64_t start;

	if (!rel)
		rel = elf_section_typed(f, ".rel.plt", SHT_REL);
	if (!dynsym || !plt || !rel || rel->link != (size_t)(dynsym - f->sections.at))
		return;
	entsize = f->is_64_bit ? (rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel))
			       : (rela ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel));
	symbols = elf_section_bytes(f, dynsym);
	relocations = elf_section_bytes(f, rel);
	names = elf_strings(f, dynsym->link);
	layout = layout_of(f, plt);
	n = cursor_left(&relocations) / entsize;
	start = plt->offset + layout.header;
	for (size_t i = 0; i < n && layout.entry; i++, start += layout.entry) {
		const char *name =
			slot_name(relocations, i, entsize, symbols, &names, f->is_64_bit);
		AUTO_CHAR *shown_name = shown ? shown(ctx, name) : NULL;

		if (start + layout.entry < start)
			break;
		vec_add(t, (struct symbol){.start = start,
					   .end = start + layout.entry,
					   .name = arena_printf(arena, "%.*s@plt", MAX_NAME,
								shown_name ? shown_name : name),
					   .binding = STB_GLOBAL,
					   .type = STT_FUNC,
					   .plt = true});
	}
}
