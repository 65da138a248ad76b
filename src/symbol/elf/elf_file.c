// SPDX-License-Identifier: MIT
#include "symbol/elf/elf_file.h"

static uint64_t elf_file_word(struct cursor *c, bool is_64_bit)
{
	return is_64_bit ? cursor_u64(c) : cursor_u32(c);
}

static struct cursor at(const struct elf_file *f, uint64_t offset, uint64_t n)
{
	if (offset > f->n || n > f->n - offset)
		return (struct cursor){.bad = true};
	return cursor_over(f->p + offset, n, f->swap);
}

static struct elf_section read_section(struct cursor *c, bool is_64_bit, uint32_t *name)
{
	struct elf_section s = {0};

	*name = cursor_u32(c);
	s.type = cursor_u32(c);
	s.flags = elf_file_word(c, is_64_bit);
	s.addr = elf_file_word(c, is_64_bit);
	s.offset = elf_file_word(c, is_64_bit);
	s.size = elf_file_word(c, is_64_bit);
	s.link = cursor_u32(c);
	s.info = cursor_u32(c);
	s.align = elf_file_word(c, is_64_bit);
	s.entsize = elf_file_word(c, is_64_bit);
	return s;
}

/* Copies the name, because the file may be overwritten while it is mapped. */
static void copy_name(char to[ELF_NAME], struct cursor strings, uint32_t at)
{
	size_t n;

	cursor_skip(&strings, at);
	n = strings.bad || !strings.p ? 0 : MIN(cursor_left(&strings), ELF_NAME - 1);
	n = n ? strnlen((const char *)strings.p, n) : 0;
	if (n)
		memcpy(to, strings.p, n);
	to[n] = 0;
}

/* The real value is in section 0 when e_shnum is 0, or e_shstrndx or e_phnum is 0xffff. */
static void read_sections(struct elf_file *f, uint64_t offset, uint32_t entsize, uint64_t n,
			  uint32_t names, uint32_t *phnum)
{
	struct cursor c = at(f, offset, entsize), strings = {0};
	struct elf_section first;
	uint32_t name;

	if (!offset || entsize < (f->is_64_bit ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr)))
		return;
	first = read_section(&c, f->is_64_bit, &name);
	if (c.bad)
		return;
	if (!n)
		n = first.size;
	if (names == SHN_XINDEX)
		names = first.link;
	if (*phnum == PN_XNUM)
		*phnum = first.info;
	n = MIN(n, (f->n - offset) / entsize);
	f->too_many = n > ELF_SECTIONS_MAX;
	n = MIN(n, ELF_SECTIONS_MAX);
	f->names = names;
	if (names < n) {
		c = at(f, offset + (uint64_t)names * entsize, entsize);
		first = read_section(&c, f->is_64_bit, &name);
		strings = elf_section_bytes(f, &first);
	}
	vec_reserve(&f->sections, n);
	for (uint64_t i = 0; i < n; i++) {
		c = at(f, offset + i * entsize, entsize);
		vec_add(&f->sections, read_section(&c, f->is_64_bit, &name));
		copy_name(vec_last(&f->sections)->name, strings, name);
	}
}

static void read_segments(struct elf_file *f, uint64_t offset, uint32_t entsize, uint64_t n)
{
	if (!offset || offset > f->n ||
	    entsize < (f->is_64_bit ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		return;
	n = MIN(n, (f->n - offset) / entsize);
	f->too_many |= n > ELF_SEGMENTS_MAX / entsize;
	n = MIN(n, ELF_SEGMENTS_MAX / entsize);
	for (uint64_t i = 0; i < n; i++) {
		struct cursor c = at(f, offset + i * entsize, entsize);
		struct elf_segment s = {.type = cursor_u32(&c)};

		if (f->is_64_bit)
			s.flags = cursor_u32(&c);
		s.offset = elf_file_word(&c, f->is_64_bit);
		s.vaddr = elf_file_word(&c, f->is_64_bit);
		elf_file_word(&c, f->is_64_bit); /* p_paddr */
		s.filesz = elf_file_word(&c, f->is_64_bit);
		s.memsz = elf_file_word(&c, f->is_64_bit);
		if (!f->is_64_bit)
			s.flags = cursor_u32(&c);
		vec_add(&f->segments, s);
	}
}

int elf_file_init(struct elf_file *f, const void *p, size_t n)
{
	const uint8_t *ident = p;
	const uint8_t host = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	uint64_t phoff, shoff;
	uint32_t phentsize, phnum, shentsize, shnum, shstrndx;
	struct cursor c;

	*f = (struct elf_file){.p = p, .n = n, .held = n};
	if (n < EI_NIDENT || memcmp(ident, ELFMAG, SELFMAG))
		return -1;
	if (ident[EI_CLASS] != ELFCLASS64 && ident[EI_CLASS] != ELFCLASS32)
		return -1;
	if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
		return -1;
	f->is_64_bit = ident[EI_CLASS] == ELFCLASS64;
	f->swap = ident[EI_DATA] != host;
	c = cursor_over(ident + EI_NIDENT, n - EI_NIDENT, f->swap);
	f->type = cursor_u16(&c);
	f->machine = cursor_u16(&c);
	cursor_u32(&c); /* e_version */
	f->entry = elf_file_word(&c, f->is_64_bit);
	phoff = elf_file_word(&c, f->is_64_bit);
	shoff = elf_file_word(&c, f->is_64_bit);
	cursor_u32(&c); /* e_flags */
	cursor_u16(&c); /* e_ehsize */
	phentsize = cursor_u16(&c);
	phnum = cursor_u16(&c);
	shentsize = cursor_u16(&c);
	shnum = cursor_u16(&c);
	shstrndx = cursor_u16(&c);
	if (c.bad)
		return -1;
	read_sections(f, shoff, shentsize, shnum, shstrndx, &phnum);
	read_segments(f, phoff, phentsize, phnum);
	return 0;
}

void elf_file_release(struct elf_file *f)
{
	vec_release(&f->sections);
	vec_release(&f->segments);
	*f = (struct elf_file){0};
}

const struct elf_section *elf_section_named(const struct elf_file *f, const char *name)
{
	for (size_t i = 1; i < f->sections.n; i++)
		if (!strcmp(f->sections.at[i].name, name))
			return &f->sections.at[i];
	return NULL;
}

const struct elf_section *elf_section_typed(const struct elf_file *f, const char *name,
					    uint32_t type)
{
	const struct elf_section *s = elf_section_named(f, name);

	return s && s->type == type ? s : NULL;
}

struct cursor elf_section_bytes(const struct elf_file *f, const struct elf_section *s)
{
	struct cursor c = {.swap = f->swap};

	if (!s || s->type == SHT_NOBITS)
		return c;
	c = at(f, s->offset, s->size);
	c.bad = false;
	c.swap = f->swap;
	return c;
}

struct elf_strings elf_strings(const struct elf_file *f, uint32_t section)
{
	struct cursor c;
	const uint8_t *last;

	if (section >= f->sections.n)
		return (struct elf_strings){0};
	c = elf_section_bytes(f, &f->sections.at[section]);
	last = c.p ? memrchr(c.p, 0, cursor_left(&c)) : NULL;
	if (!last)
		return (struct elf_strings){0};
	return (struct elf_strings){.p = (const char *)c.p, .n = (size_t)(last - c.p) + 1};
}

int notes_build_id(const void *p, size_t n, bool swap, struct build_id *id)
{
	struct cursor c = cursor_over(p, n, swap);

	while (cursor_left(&c) >= 12) {
		uint32_t namesz = cursor_u32(&c), descsz = cursor_u32(&c), type = cursor_u32(&c);
		const char *name = cursor_bytes(&c, ((uint64_t)namesz + 3) & ~3ull);
		const uint8_t *desc = cursor_bytes(&c, descsz);

		if (c.bad)
			return -1;
		if (type == NT_GNU_BUILD_ID && namesz == 4 && !memcmp(name, "GNU", 4) && descsz) {
			id->size = (uint8_t)MIN(descsz, sizeof(id->bytes));
			memset(id->bytes, 0, sizeof(id->bytes));
			memcpy(id->bytes, desc, id->size);
			return 0;
		}
		cursor_skip(&c, MIN(-descsz & 3, cursor_left(&c)));
	}
	return -1;
}

/* *left: bytes of notes that may still be read. */
static int look_for_build_id(const struct elf_file *f, struct cursor c, size_t *left,
			     struct build_id *id)
{
	const size_t n = c.p ? MIN(cursor_left(&c), *left) : 0;

	*left -= n;
	return n ? notes_build_id(c.p, n, f->swap, id) : -1;
}

/* The build-id note is in .note.gnu.build-id, or in another note section (.notes in vmlinux). A
 * file without section headers has it in its PT_NOTE segments. */
int elf_build_id(const struct elf_file *f, struct build_id *id)
{
	static const char *const names[] = {".note.gnu.build-id", ".notes", ".note"};
	size_t left = ELF_NOTES_MAX;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!look_for_build_id(
			    f, elf_section_bytes(f, elf_section_typed(f, names[i], SHT_NOTE)),
			    &left, id))
			return 0;
	for (size_t i = 0; i < f->segments.n; i++) {
		const struct elf_segment *s = &f->segments.at[i];

		if (s->type == PT_NOTE &&
		    !look_for_build_id(f, at(f, s->offset, s->filesz), &left, id))
			return 0;
	}
	return -1;
}

const char *elf_debuglink(const struct elf_file *f, uint32_t *crc)
{
	struct cursor c = elf_section_bytes(f, elf_section_named(f, ".gnu_debuglink"));
	const char *name = (const char *)c.p;
	size_t n = c.p ? strnlen(name, cursor_left(&c)) + 1 : 0;

	if (n <= 1 || n > cursor_left(&c))
		return NULL;
	cursor_skip(&c, (n + 3) & ~(size_t)3);
	*crc = cursor_u32(&c);
	return name;
}
