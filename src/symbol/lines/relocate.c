// SPDX-License-Identifier: MIT
#include "symbol/lines/relocate.h"

#include "symbol/elf/elf_symbols.h"

/* Sections that cannot be placed get addresses far from all code, each section apart. */
#define NOWHERE(section) ((1ull << 60) + ((uint64_t)(section) << 32))

/* The relocation types for an address or for an offset in a section. Sources: the processors' ELF
 * supplements. */
static const struct kind {
	uint16_t machine;
	uint8_t size;
	uint32_t type;
} kinds[] = {
	{EM_X86_64, 8, R_X86_64_64},	     {EM_X86_64, 4, R_X86_64_32},
	{EM_X86_64, 4, R_X86_64_32S},	     {EM_AARCH64, 8, R_AARCH64_ABS64},
	{EM_AARCH64, 4, R_AARCH64_ABS32},    {EM_PPC64, 8, R_PPC64_ADDR64},
	{EM_PPC64, 4, R_PPC64_ADDR32},	     {EM_S390, 8, R_390_64},
	{EM_S390, 4, R_390_32},		     {EM_386, 4, R_386_32},
	{EM_ARM, 4, R_ARM_ABS32},
};

struct work {
	const struct elf_file *f;
	struct relocator *r;
	struct cursor symbols;
	uint8_t *p;
	size_t n;
};

struct hole {
	uint64_t offset, addend;
	uint32_t symbol, type;
	bool has_addend;
};

static uint64_t relocate_word(struct cursor *c, bool is_64_bit)
{
	return is_64_bit ? cursor_u64(c) : cursor_u32(c);
}

static bool symbol_value(const struct work *w, uint32_t symbol, uint64_t *value)
{
	const bool wide = w->f->is_64_bit;
	struct cursor c = w->symbols;
	uint64_t where;
	uint16_t section;

	if (!cursor_left(&c))
		return false;
	cursor_skip(&c, symbol * (wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym)));
	cursor_skip(&c, wide ? 6 : 4);
	if (wide) {
		section = cursor_u16(&c);
		*value = cursor_u64(&c);
	} else {
		*value = cursor_u32(&c);
		cursor_skip(&c, 6);
		section = cursor_u16(&c);
	}
	if (c.bad || section == SHN_UNDEF || (section >= w->f->sections.n && section != SHN_ABS))
		return false;
	if (section == SHN_ABS || !(w->f->sections.at[section].flags & SHF_ALLOC))
		return true;
	where = w->r->places[section];
	*value += where == UINT64_MAX ? NOWHERE(section) : LINES_MODULE_BASE + where;
	return true;
}

static void relocate_fill(const struct work *w, const struct hole *h)
{
	const struct kind *kind = NULL;
	const bool big = w->f->p[EI_DATA] == ELFDATA2MSB;
	struct cursor at = cursor_over(w->p, w->n, w->f->swap);
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !kind; i++)
		if (kinds[i].machine == w->f->machine && kinds[i].type == h->type)
			kind = &kinds[i];
	if (!kind || h->offset > w->n || kind->size > w->n - h->offset ||
	    !symbol_value(w, h->symbol, &value))
		return;
	cursor_skip(&at, h->offset);
	value += h->has_addend ? h->addend : relocate_word(&at, kind->size == 8);
	for (size_t i = 0; i < kind->size; i++)
		w->p[h->offset + i] = (uint8_t)(value >> 8 * (big ? kind->size - 1 - i : i));
}

static void fill_all(struct work *w, const struct elf_section *relocations)
{
	const bool wide = w->f->is_64_bit;
	struct cursor c = elf_section_bytes(w->f, relocations);

	if (relocations->link >= w->f->sections.n)
		return;
	w->symbols = elf_section_bytes(w->f, &w->f->sections.at[relocations->link]);
	for (; cursor_left(&c) && w->r->left; w->r->left--) {
		struct hole h = {.offset = relocate_word(&c, wide),
				 .has_addend = relocations->type == SHT_RELA};
		uint64_t info = relocate_word(&c, wide);

		h.symbol = (uint32_t)(wide ? info >> 32 : info >> 8);
		h.type = (uint32_t)(wide ? info : info & 0xff);
		if (h.has_addend)
			h.addend = relocate_word(&c, wide);
		if (c.bad)
			return;
		relocate_fill(w, &h);
	}
}

void relocator_init(struct relocator *r, const struct elf_file *f)
{
	*r = (struct relocator){
		.f = f,
		.places = mem_alloc((f->sections.n + 1) * sizeof(*r->places)),
		.fillings = mem_zero((f->sections.n + 1) * sizeof(*r->fillings)),
		.left = f->held / sizeof(Elf32_Rel),
	};
	elf_module_places(f, r->places);
	for (size_t i = 1; i < f->sections.n; i++) {
		const struct elf_section *s = &f->sections.at[i];

		if ((s->type == SHT_RELA || s->type == SHT_REL) && s->info < f->sections.n)
			r->fillings[s->info] = (uint32_t)i;
	}
}

void relocator_release(struct relocator *r)
{
	free(r->places);
	free(r->fillings);
}

void relocator_fill(struct relocator *r, size_t section, uint8_t *p, size_t n)
{
	struct work w = {.f = r->f, .r = r, .p = p, .n = n};

	if (r->fillings[section])
		fill_all(&w, &r->f->sections.at[r->fillings[section]]);
}
