// SPDX-License-Identifier: MIT
#include "symbol/elf/go_table.h"

#include "symbol/unwind/encoded.h"

enum { GO_1_2, GO_1_16, GO_1_18, GO_1_20 };

#define MOST_FUNCTIONS (4u << 20) /* the largest programs have a tenth of that */
#define MOST_SEARCHED  (128u << 20) /* bytes that are searched for the start of a table */
#define MOST_BEGINS    64
#define MOST_CHANGES   32768 /* of a function's frame size */
#define MOST_NAME      65536

#define FLAG_OUTERMOST 1
#define FLAG_SWITCHES  2 /* sets the stack pointer in a way that the table doesn't describe */

static uint64_t word_of(struct cursor *c, unsigned int size)
{
	return size == 4 ? cursor_u32(c) : cursor_u64(c);
}

static struct cursor part(const struct go_table *t, uint64_t at)
{
	struct cursor c = t->whole;

	cursor_skip(&c, at);
	return c;
}

/* The address of .text, which newer linkers leave out of the table. */
static uint64_t go_table_text_of(const struct elf_file *elf)
{
	const struct elf_section *text = elf_section_named(elf, ".text");

	return text ? text->addr : 0;
}

static bool read_version(struct go_table *t, uint32_t magic)
{
	switch (magic) {
	case 0xfffffffb: t->version = GO_1_2; return true;
	case 0xfffffffa: t->version = GO_1_16; return true;
	case 0xfffffff0: t->version = GO_1_18; return true;
	case 0xfffffff1: t->version = GO_1_20; return true;
	default: return false;
	}
}

static void read_parts(struct go_table *t, struct cursor *c)
{
	if (t->version == GO_1_2) {
		t->index = (size_t)(c->p - t->whole.p);
		return;
	}
	word_of(c, t->word); /* number of files */
	if (t->version >= GO_1_18)
		t->text = word_of(c, t->word);
	t->names = word_of(c, t->word);
	word_of(c, t->word); /* compilation units */
	word_of(c, t->word); /* files */
	t->frames = word_of(c, t->word);
	t->index = word_of(c, t->word);
	if (t->version >= GO_1_18 && !t->text)
		t->text = go_table_text_of(t->elf);
}

/* The start of function i. For i == count: the end of the last function. */
static uint64_t start_of(const struct go_table *t, uint64_t i)
{
	struct cursor c = part(t, t->index + i * 2 * t->index_word);

	return word_of(&c, t->index_word) + t->text;
}

static const char *name_at(const struct go_table *t, uint64_t offset)
{
	struct cursor c = part(t, t->names);

	cursor_skip(&c, offset);
	return !c.bad && cursor_left(&c) && memchr(c.p, 0, MIN(cursor_left(&c), MOST_NAME))
		       ? (const char *)c.p
		       : NULL;
}

/* True for functions without a caller. Tables before Go 1.17 have no flag for them. */
static bool is_outermost(const char *name)
{
	static const char *const names[] = {"runtime.goexit", "runtime.mstart", "runtime.rt0_go",
					    "runtime.goexit.abi0", "runtime.mstart.abi0",
					    "runtime.rt0_go.abi0"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool read_function(const struct go_table *t, uint64_t i, struct go_function *f)
{
	const bool relative = t->version >= GO_1_18;
	struct cursor c = part(t, t->index + i * 2 * t->index_word);
	uint8_t flags = 0;
	uint64_t at;

	*f = (struct go_function){.start = word_of(&c, t->index_word) + t->text};
	at = word_of(&c, t->index_word);
	f->end = word_of(&c, t->index_word) + t->text;
	/* The function's description: its offset is relative to the index; in Go 1.2, to the
	 * table. */
	c = part(t, t->version == GO_1_2 ? at : t->index + at);
	if (c.bad ||
	    (t->version != GO_1_2 && at > (uint64_t)(t->whole.end - t->whole.p) - t->index))
		return false;
	word_of(&c, relative ? 4 : t->word); /* the start again */
	f->name = name_at(t, cursor_u32(&c));
	cursor_skip(&c, 8); /* size of arguments, where deferred calls return to */
	f->frames = cursor_u32(&c);
	if (t->version != GO_1_2) {
		/* offsets of the file and line tables, number of others, unit, first line, kind */
		cursor_skip(&c, 4 * (t->version == GO_1_20 ? 5u : 4u) + 1);
		flags = cursor_u8(&c);
	}
	if (c.bad || !f->name || f->end <= f->start)
		return false;
	f->outermost = flags & FLAG_OUTERMOST || is_outermost(f->name);
	f->switches = flags & FLAG_SWITCHES;
	return true;
}

static bool open_at(struct go_table *t, const struct elf_file *elf, struct cursor whole)
{
	struct cursor c = whole;

	*t = (struct go_table){.elf = elf, .whole = whole};
	if (!c.p || !read_version(t, cursor_u32(&c)))
		return false;
	cursor_skip(&c, 2);
	t->step = cursor_u8(&c);
	t->word = cursor_u8(&c);
	if (c.bad || (t->step != 1 && t->step != 2 && t->step != 4) ||
	    (t->word != 4 && t->word != 8))
		return false;
	t->count = word_of(&c, t->word);
	read_parts(t, &c);
	t->index_word = t->version >= GO_1_18 ? 4 : t->word;
	c = part(t, t->index);
	/* the end of the last function follows the pairs */
	return !c.bad && t->count && t->count <= MOST_FUNCTIONS &&
	       cursor_left(&c) >= t->index_word &&
	       t->count <= (cursor_left(&c) - t->index_word) / (2u * t->index_word);
}

/*
 * Searches a section for the table. Where the C linker merges all read-only data into one section,
 * the table has no section of its own. Go aligns it to 32 bytes in memory. A match is valid when
 * its first function lies in the program's code.
 */
static bool search_in(struct go_table *t, const struct elf_file *elf, const struct elf_section *s)
{
	struct cursor c = elf_section_bytes(elf, s);
	unsigned int begins = 0;

	cursor_skip(&c, (32 - s->addr % 32) % 32);
	for (size_t n = 0;
	     cursor_left(&c) >= 32 && !c.bad && n < MOST_SEARCHED && begins < MOST_BEGINS;
	     n += 32) {
		struct cursor magic = c;
		struct go_function first;

		if (cursor_u32(&magic) >= 0xfffffff0 && !cursor_u16(&magic) && ++begins &&
		    open_at(t, elf, c) && read_function(t, 0, &first) &&
		    first.start >= go_table_text_of(elf))
			return true;
		cursor_skip(&c, 32);
	}
	return false;
}

bool go_table_open(struct go_table *t, const struct elf_file *elf)
{
	static const char *const own[] = {".gopclntab", ".data.rel.ro.gopclntab"};
	static const char *const joined[] = {".data.rel.ro", ".rodata"};
	const struct elf_section *s = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(own) && !s; i++)
		s = elf_section_named(elf, own[i]);
	if (s)
		return !(s->flags & SHF_COMPRESSED) && open_at(t, elf, elf_section_bytes(elf, s));
	if (!elf_section_named(elf, ".go.buildinfo"))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(joined); i++) {
		s = elf_section_named(elf, joined[i]);
		if (s && search_in(t, elf, s))
			return true;
	}
	return false;
}

bool go_table_find(const struct go_table *t, uint64_t vaddr, struct go_function *f)
{
	uint64_t low = 0, high = t->count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (start_of(t, middle) <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low && read_function(t, low - 1, f) && vaddr >= f->start && vaddr < f->end;
}

/* The table has pairs: a change of the frame's size, then for how many bytes of code the size
 * holds. */
bool go_table_frame(const struct go_table *t, const struct go_function *f, uint64_t vaddr,
		    int32_t *size)
{
	struct cursor c = part(t, t->frames);
	uint64_t pc = f->start, now = UINT64_MAX; /* the first change is relative to -1 */

	cursor_skip(&c, f->frames);
	for (unsigned int i = 0; !c.bad && i < MOST_CHANGES; i++) {
		uint64_t delta = read_uleb(&c);

		if (!delta && i)
			return false;
		now += delta & 1 ? ~(delta >> 1) : delta >> 1;
		pc += read_uleb(&c) * t->step;
		if (c.bad || pc < f->start || pc > f->end)
			return false;
		if (vaddr < pc) {
			*size = (int32_t)now;
			return *size >= 0 && *size == (int64_t)now;
		}
	}
	return false;
}

static bool go_table_file_offset(const struct elf_file *elf, uint64_t vaddr, uint64_t *offset)
{
	for (size_t i = 0; i < elf->segments.n; i++) {
		const struct elf_segment *s = &elf->segments.at[i];

		if (s->type != PT_LOAD || vaddr < s->vaddr || vaddr - s->vaddr >= s->filesz)
			continue;
		*offset = vaddr - s->vaddr + s->offset;
		return true;
	}
	return false;
}

void go_table_symbols(const struct go_table *t, struct symbol_table *symbols)
{
	for (uint64_t i = 0; i < t->count; i++) {
		struct go_function f;
		uint64_t start;

		if (read_function(t, i, &f) && *f.name &&
		    go_table_file_offset(t->elf, f.start, &start) &&
		    start + (f.end - f.start) > start)
			vec_add(symbols, (struct symbol){.start = start,
							 .end = start + (f.end - f.start),
							 .name = f.name,
							 .binding = STB_LOCAL,
							 .type = STT_FUNC});
	}
}
