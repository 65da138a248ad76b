// SPDX-License-Identifier: MIT
#include "symbol/lines/debug_image.h"

#include "base/hash.h"
#include "symbol/lines/relocate.h"

#include <zlib.h>
#include <zstd.h>

#define MAX_EXPANDED  (4ull << 30)  /* bytes of one file; a file that claims more is damaged */
/* bytes of a section; beyond these, at most RATIO times its compressed size */
#define FREE_EXPANDED (16ull << 20)
#define RATIO	      64	    /* debug information shrinks by 3 to 5 */

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

/* The sections that lines and inlined functions are read from. */
static const char *const wanted[] = {
	".debug_info",	   ".debug_abbrev",	 ".debug_line",	  ".debug_str",
	".debug_line_str", ".debug_str_offsets", ".debug_addr",	  ".debug_ranges",
	".debug_rnglists", ".debug_types",	 ".gnu_debugaltlink",
	/* for variables */
	".debug_loc",	   ".debug_loclists",	 ".debug_frame",
};
#define OF_VARIABLES 3

static size_t wanted_count(bool variables)
{
	return ARRAY_SIZE(wanted) - (variables ? 0 : OF_VARIABLES);
}

/* The index of its name in wanted; ARRAY_SIZE(wanted): it isn't there. */
static size_t wanted_index(const struct elf_section *s)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(wanted) && strcmp(s->name, wanted[i]))
		i++;
	return i;
}

static bool debug_image_is_wanted(const struct elf_section *s, bool variables)
{
	return wanted_index(s) < wanted_count(variables);
}

/* True for the sections that are copied: the first one of each wanted name, and the table of
 * section names. libdw takes the first section of a name, too. So a file with many headers for the
 * same bytes doesn't expand them many times. */
static bool is_taken(const struct elf_file *f, size_t section, bool variables, bool *seen)
{
	const size_t i = wanted_index(&f->sections.at[section]);
	const bool first = i < wanted_count(variables) && !seen[i];

	if (first)
		seen[i] = true;
	return first || (section && section == f->names);
}

uint64_t debug_identity(const struct elf_file *f)
{
	uint64_t identity = 0;

	for (size_t i = 0; i < f->sections.n; i++) {
		const struct elf_section *s = &f->sections.at[i];
		const char *name = s->name;

		if (s->type == SHT_NOBITS || !s->size)
			continue;
		name += !strncmp(name, ".zdebug_", 8) ? 2 : !strncmp(name, ".debug_", 7) ? 1 : 0;
		if (name != s->name && (!strcmp(name, "debug_info") || !strcmp(name, "debug_line")))
			identity = hash_bytes(name, strlen(name), identity + s->size) | 1;
	}
	return identity;
}

static bool lines_debug_image_expand(uint32_t how, const void *from, size_t n, void *to,
				     size_t size)
{
	uLongf got = size;

	switch (how) {
	case ELFCOMPRESS_ZLIB:
		return uncompress(to, &got, from, n) == Z_OK && got == size;
	case ELFCOMPRESS_ZSTD:
		return ZSTD_decompress(to, size, from, n) == size;
	}
	return false;
}

bool debug_section_expand(const struct elf_file *f, const struct elf_section *s, struct buf *out)
{
	struct cursor in = elf_section_bytes(f, s);
	uint32_t how;
	uint64_t size;

	if (!(s->flags & SHF_COMPRESSED)) {
		if (cursor_left(&in) > f->held ||
		    cursor_left(&in) > MAX_EXPANDED - MIN(out->n, MAX_EXPANDED))
			return false;
		buf_add(out, in.p, cursor_left(&in));
		return true;
	}
	how = cursor_u32(&in);
	cursor_skip(&in, f->is_64_bit ? 4 : 0);
	size = f->is_64_bit ? cursor_u64(&in) : cursor_u32(&in);
	cursor_skip(&in, f->is_64_bit ? 8 : 4); /* alignment */
	if (in.bad || size > MAX_EXPANDED - MIN(out->n, MAX_EXPANDED) ||
	    size > FREE_EXPANDED + RATIO * (uint64_t)MIN(cursor_left(&in), f->held))
		return false;
	buf_reserve(out, size);
	if (!lines_debug_image_expand(how, in.p, cursor_left(&in), out->at + out->n, size))
		return false;
	out->n += size;
	return true;
}

static void debug_image_put(struct buf *b, size_t at, uint64_t v, size_t n, bool big)
{
	for (size_t i = 0; i < n; i++)
		b->at[at + i] = (char)(v >> (8 * (big ? n - 1 - i : i)));
}

/* Offsets and sizes of header fields: [0] in 32-bit files, [1] in 64-bit files. Source: System V
 * ABI, chapter 4. */
struct field {
	uint8_t at[2], size[2];
};
static const struct field E_TYPE = {{16, 16}, {2, 2}}, E_PHOFF = {{28, 32}, {4, 8}},
			  E_SHOFF = {{32, 40}, {4, 8}}, E_PHNUM = {{44, 56}, {2, 2}},
			  E_SHENTSIZE = {{46, 58}, {2, 2}}, SH_TYPE = {{4, 4}, {4, 4}},
			  SH_FLAGS = {{8, 8}, {4, 8}}, SH_OFFSET = {{16, 24}, {4, 8}},
			  SH_SIZE = {{20, 32}, {4, 8}};

struct image {
	struct buf *out;
	bool wide, big;
	bool variables;	    /* with the sections for variables */
	const char *string; /* to add to .debug_str; or NULL */
};

static void debug_image_set(const struct image *i, size_t base, struct field f, uint64_t v)
{
	debug_image_put(i->out, base + f.at[i->wide], v, f.size[i->wide], i->big);
}

/* Appends the bytes of the wanted sections, and sets their headers in the section table, which is
 * at `to`. */
static bool add_sections(const struct elf_file *f, const struct image *image, size_t to,
			 size_t entry, struct relocator *holes)
{
	bool seen[ARRAY_SIZE(wanted)] = {false};
	struct buf *out = image->out;

	for (size_t i = 0; i < f->sections.n; i++) {
		const struct elf_section *s = &f->sections.at[i];
		size_t at = to + i * entry, start;

		while (out->n % 16)
			buf_char(out, 0);
		start = out->n;
		if (!is_taken(f, i, image->variables, seen)) {
			debug_image_set(image, at, SH_TYPE, i ? SHT_NOBITS : SHT_NULL);
			continue;
		}
		if (!debug_section_expand(f, s, out))
			return false;
		if (image->string && !strcmp(s->name, ".debug_str"))
			buf_add(out, image->string, strlen(image->string) + 1);
		relocator_fill(holes, i, (uint8_t *)out->at + start, out->n - start);
		debug_image_set(image, at, SH_FLAGS, s->flags & ~(uint64_t)SHF_COMPRESSED);
		debug_image_set(image, at, SH_OFFSET, start);
		debug_image_set(image, at, SH_SIZE, out->n - start);
	}
	return true;
}

int debug_image_expand(const struct elf_file *f, bool variables, const char *string,
		       struct buf *out)
{
	const size_t header = f->is_64_bit ? 64 : 52, entry = f->is_64_bit ? 64 : 40;
	struct image image = {out, f->is_64_bit, f->n > EI_DATA && f->p[EI_DATA] == ELFDATA2MSB,
			      variables, string};
	struct cursor c = cursor_over(f->p, f->n, f->swap), table;
	bool changes = string || f->type == ET_REL, whole;
	struct relocator holes;
	uint64_t shoff;
	size_t to;

	for (size_t i = 0; i < f->sections.n; i++)
		changes |= debug_image_is_wanted(&f->sections.at[i], variables) &&
			   f->sections.at[i].flags & SHF_COMPRESSED;
	if (!changes)
		return 0;
	cursor_skip(&c, E_SHOFF.at[f->is_64_bit]);
	shoff = f->is_64_bit ? cursor_u64(&c) : cursor_u32(&c);
	c = table = cursor_over(f->p, f->n, f->swap);
	cursor_skip(&c, E_SHENTSIZE.at[f->is_64_bit]);
	if (cursor_u16(&c) != entry)
		return -1;
	cursor_skip(&table, shoff);
	if (table.bad || cursor_left(&table) < f->sections.n * entry)
		return -1;
	buf_add(out, f->p, header);
	to = out->n;
	buf_add(out, table.p, f->sections.n * entry);
	relocator_init(&holes, f);
	whole = add_sections(f, &image, to, entry, &holes);
	relocator_release(&holes);
	if (!whole)
		return -1;
	if (f->type == ET_REL)
		debug_image_set(&image, 0, E_TYPE, ET_EXEC);
	debug_image_set(&image, 0, E_SHOFF, to);
	debug_image_set(&image, 0, E_PHOFF, 0);
	debug_image_set(&image, 0, E_PHNUM, 0);
	return 1;
}
