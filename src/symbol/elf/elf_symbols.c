// SPDX-License-Identifier: MIT
#include "symbol/elf/elf_symbols.h"

#define SECTION_ALLOC 1 /* the section is in memory when the program runs */
#define SECTION_LABEL 2 /* symbols without a type are used, too */

struct raw_symbol {
	uint32_t name;
	uint8_t info, other;
	uint16_t section;
	uint64_t value, size;
};
_Static_assert(sizeof(struct raw_symbol) == sizeof(Elf64_Sym), "it is laid out as in 64-bit files");

static inline struct raw_symbol read_symbol(const struct elf_symbols *t, size_t i)
{
	const size_t entsize = t->is_64_bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	struct cursor c = cursor_over(t->p + i * entsize, entsize, t->swap);
	struct raw_symbol s;

	if (t->is_64_bit && !t->swap) {
		memcpy(&s, c.p, sizeof(s));
		return s;
	}
	s.name = cursor_u32(&c);
	if (t->is_64_bit) {
		s.info = cursor_u8(&c);
		s.other = cursor_u8(&c);
		s.section = cursor_u16(&c);
		s.value = cursor_u64(&c);
		s.size = cursor_u64(&c);
	} else {
		s.value = cursor_u32(&c);
		s.size = cursor_u32(&c);
		s.info = cursor_u8(&c);
		s.other = cursor_u8(&c);
		s.section = cursor_u16(&c);
	}
	return s;
}

static const struct elf_section *table_of(const struct elf_file *f, uint32_t type)
{
	return elf_section_typed(f, type == SHT_SYMTAB ? ".symtab" : ".dynsym", type);
}

bool elf_has_symbols(const struct elf_file *f, uint32_t type)
{
	return table_of(f, type) != NULL;
}

/* Mapping symbols of the ARM ABIs ($a, $d, $t, $x) mark ranges of code and data. They are no
 * names. */
static bool is_mapping_symbol(uint16_t machine, const char *name)
{
	if (machine != EM_ARM && machine != EM_AARCH64)
		return false;
	return name[0] == '$' && name[1] && strchr("adtx", name[1]) && (!name[2] || name[2] == '.');
}

static bool names_something(const struct raw_symbol *s, uint8_t section_flags)
{
	uint8_t type = ELF64_ST_TYPE(s->info), visibility = ELF64_ST_VISIBILITY(s->other);

	if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT)
		return true;
	/* a label in assembly; hidden ones are markers of tools (annobin) */
	return type == STT_NOTYPE && (section_flags & SECTION_LABEL) && visibility != STV_HIDDEN &&
	       visibility != STV_INTERNAL;
}

/* The section of the runtime file for a NOBITS section of a debug file, whose own offset means
 * nothing. */
static const struct elf_section *real_section(const struct elf_file *f,
					      const struct elf_file *runtime, size_t i)
{
	const struct elf_section *s = &f->sections.at[i];

	return s->type == SHT_NOBITS && i < runtime->sections.n ? &runtime->sections.at[i] : s;
}

/* How symbols of a section are placed. */
struct section_use {
	const struct elf_section *real;
	uint8_t flags;
	uint64_t moved; /* added to a file offset to get the rva */
};

/*
 * The kernel places the sections of a module (a relocatable file) anew. Executable sections that
 * stay in memory keep their order, each at its own alignment, and the module's map begins with
 * them. The size of linkage tables is known only when the module is loaded, so sections after them
 * cannot be placed.
 */
bool elf_module_places(const struct elf_file *f, uint64_t *places)
{
	uint64_t at = 0;

	memset(places, 0xff, f->sections.n * sizeof(*places));
	if (f->type != ET_REL)
		return false;
	for (size_t i = 1; i < f->sections.n; i++) {
		const struct elf_section *s = &f->sections.at[i];

		if (!(s->flags & SHF_ALLOC) || !(s->flags & SHF_EXECINSTR) ||
		    !strncmp(s->name, ".init", 5))
			continue;
		if (!strncmp(s->name, ".plt", 4) || !strcmp(s->name, ".stubs"))
			break;
		if (s->align > 1 && at % s->align)
			at += s->align - at % s->align;
		places[i] = at;
		at += s->size;
	}
	return true;
}

/* An rva of a module counts from the file offset of .text (dso.h). */
static void place_sections(const struct elf_file *f, const struct elf_file *runtime,
			   struct section_use *use)
{
	const struct elf_section *text = elf_section_named(f, ".text");
	const uint64_t base =
		text ? real_section(f, runtime, (size_t)(text - f->sections.at))->offset : 0;
	uint64_t *places = mem_alloc((f->sections.n + 1) * sizeof(*places));

	elf_module_places(f, places);
	for (size_t i = 1; i < f->sections.n; i++) {
		if (places[i] == UINT64_MAX)
			continue;
		use[i].flags |= SECTION_ALLOC;
		use[i].moved = base + places[i] - real_section(f, runtime, i)->offset;
	}
	free(places);
}

static struct section_use *section_uses(const struct elf_file *f, const struct elf_file *runtime)
{
	struct section_use *use = mem_zero((f->sections.n + 1) * sizeof(*use));

	for (size_t i = 1; i < f->sections.n; i++) {
		const struct elf_section *s = &f->sections.at[i];

		use[i].real = runtime ? real_section(f, runtime, i) : s;
		if (s->flags & SHF_ALLOC && f->type != ET_REL)
			use[i].flags |= SECTION_ALLOC;
		if (strstr(s->name, "text") || strstr(s->name, "data"))
			use[i].flags |= SECTION_LABEL;
	}
	if (f->type == ET_REL && runtime)
		place_sections(f, runtime, use);
	return use;
}

/* Consecutive symbols mostly lie in one segment: the segment that was found last is tried first. A
 * relocatable file has no segments: a symbol's value is relative to its section. */
static uint64_t elf_symbols_file_offset(const struct elf_file *runtime,
					const struct elf_section *section, uint64_t value,
					size_t *last)
{
	for (size_t n = runtime->segments.n, i = 0; i < n; i++) {
		size_t which = i ? (i <= *last ? i - 1 : i) : *last;
		const struct elf_segment *s = &runtime->segments.at[which];

		if (s->type != PT_LOAD || value < s->vaddr ||
		    value - s->vaddr >= MAX(s->memsz, s->filesz))
			continue;
		*last = which;
		return value - s->vaddr + s->offset;
	}
	return value - section->addr + section->offset;
}

void elf_symbols_open(struct elf_symbols *s, const struct elf_file *f, uint32_t type)
{
	const struct elf_section *table = table_of(f, type);
	const size_t entsize = f->is_64_bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	struct cursor c = elf_section_bytes(f, table);

	*s = (struct elf_symbols){.is_64_bit = f->is_64_bit, .swap = f->swap};
	if (!c.p)
		return;
	s->p = c.p;
	s->n = MIN(MIN(cursor_left(&c), f->held) / entsize, ELF_SYMBOLS_MAX);
	s->names = elf_strings(f, table->link);
}

size_t elf_symbols_keys(const struct elf_symbols *t, const struct elf_file *f,
			const struct elf_file *runtime, uint32_t first_id, struct symbol_key *keys)
{
	struct section_use *uses = section_uses(f, runtime);
	size_t segment = 0, n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct raw_symbol s = read_symbol(t, i);
		const struct section_use *use;
		uint64_t start = s.value;

		if (!s.name || s.name >= t->names.n || s.section == SHN_UNDEF ||
		    s.section >= f->sections.n)
			continue;
		use = &uses[s.section];
		if (!(use->flags & SECTION_ALLOC) || !names_something(&s, use->flags) ||
		    is_mapping_symbol(f->machine, t->names.p + s.name))
			continue;
		if (f->machine == EM_ARM && ELF64_ST_TYPE(s.info) == STT_FUNC)
			start &= ~1ull; /* bit 0 says "thumb" */
		if (runtime)
			start = elf_symbols_file_offset(runtime, use->real, start, &segment) +
				use->moved;
		if (start + s.size < start)
			continue;
		keys[n++] = (struct symbol_key){start, first_id + (uint32_t)i,
						(uint32_t)MIN(s.size, UINT32_MAX)};
	}
	free(uses);
	return n;
}

void elf_symbol_ahead(const struct elf_symbols *t, size_t i, bool name)
{
	const size_t entsize = t->is_64_bit ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	const char *at;

	if (!name) {
		__builtin_prefetch(t->p + i * entsize);
		return;
	}
	at = elf_string(&t->names, read_symbol(t, i).name);
	__builtin_prefetch(at);
	__builtin_prefetch(at + 64);
}

struct symbol elf_symbol_at(const struct elf_symbols *t, size_t i, uint64_t start)
{
	const struct raw_symbol s = read_symbol(t, i);

	return (struct symbol){.start = start,
			       .end = start + s.size,
			       .name = elf_string(&t->names, s.name),
			       .binding = ELF64_ST_BIND(s.info),
			       .type = ELF64_ST_TYPE(s.info)};
}

void elf_symbols_add(const struct elf_file *f, const struct elf_file *runtime, uint32_t type,
		     struct symbol_table *t)
{
	struct elf_symbols s;
	struct symbol_key *keys;
	size_t n;

	elf_symbols_open(&s, f, type);
	keys = mem_alloc((s.n + 1) * sizeof(*keys));
	n = elf_symbols_keys(&s, f, runtime, 0, keys);
	vec_reserve(t, n);
	for (size_t i = 0; i < n; i++)
		vec_add(t, elf_symbol_at(&s, keys[i].id, keys[i].start));
	free(keys);
}

static void add_plt(const struct elf_file *f, struct symbol_table *t, struct arena *arena,
		    shown_name_fn shown, void *ctx)
{
	struct elf_plt plt;

	elf_plt_open(&plt, f);
	for (size_t i = 0; i < plt.n; i++)
		vec_add(t, elf_plt_symbol(&plt, i, arena, shown, ctx));
}

/* Loads in two rounds, as perf does: symbols of .dynsym compete with those that .symtab left. A
 * file without symbols of its own gets no names for its PLT either. */
void elf_load(const struct elf_file *f, const struct elf_file *dynamic,
	      const struct elf_file *runtime, struct symbol_table *t, struct arena *arena,
	      shown_name_fn shown, void *ctx)
{
	elf_symbols_add(f, runtime, SHT_SYMTAB, t);
	symbol_table_finish(t, ENDS_BY_NEXT, shown, ctx);
	elf_symbols_add(dynamic, runtime, SHT_DYNSYM, t);
	symbol_table_finish(t, ENDS_BY_NEXT, shown, ctx);
	if (t->n)
		add_plt(runtime, t, arena, shown, ctx);
}

/* Whether the code is Thumb by one table. *at: the address of the nearest mapping symbol so far. */
static bool table_says_thumb(const struct elf_symbols *t, uint64_t vaddr, bool thumb, uint64_t *at)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct raw_symbol s = read_symbol(t, i);
		const char *name = (const char *)t->names.p + s.name;

		if (s.section == SHN_UNDEF || s.name >= t->names.n)
			continue;
		if (ELF64_ST_TYPE(s.info) == STT_FUNC && s.value == (vaddr | 1) && !*at)
			thumb = true;
		if (!is_mapping_symbol(EM_ARM, name) || name[1] == 'd' || s.value > vaddr ||
		    s.value < *at)
			continue;
		thumb = name[1] == 't';
		*at = s.value;
	}
	return thumb;
}

bool elf_is_thumb(const struct elf_file *f, uint64_t vaddr)
{
	const uint32_t types[] = {SHT_SYMTAB, SHT_DYNSYM};
	bool thumb = false;
	uint64_t at = 0;

	for (size_t i = 0; f->machine == EM_ARM && i < ARRAY_SIZE(types); i++) {
		struct elf_symbols t;

		elf_symbols_open(&t, f, types[i]);
		thumb = table_says_thumb(&t, vaddr, thumb, &at);
	}
	return thumb;
}

bool elf_leaves_undefined(const struct elf_file *f, const char *name)
{
	struct elf_symbols t;

	elf_symbols_open(&t, f, SHT_DYNSYM);
	for (size_t i = 0; i < t.n; i++) {
		const struct raw_symbol s = read_symbol(&t, i);

		if (s.section == SHN_UNDEF && s.name < t.names.n &&
		    !strcmp((const char *)t.names.p + s.name, name))
			return true;
	}
	return false;
}
