// SPDX-License-Identifier: MIT
#include "symbol/lines/split_package.h"

#include "os/files/files.h"
#include "symbol/dso_private.h"
#include "symbol/lines/debug_image.h"

#include <dwarf.h>
#include <stdio.h>

#define COLUMNS_MOST 16

/* The sections of a .dwo file that a package has parts of: their numbers in its index, in version 2
 * and 5 (0: not there). */
static const struct package_section {
	const char *name;
	uint8_t number[2];
} sections[] = {
	{".debug_info.dwo", {DW_SECT_INFO, DW_SECT_INFO}},
	{".debug_abbrev.dwo", {DW_SECT_ABBREV, DW_SECT_ABBREV}},
	{".debug_line.dwo", {DW_SECT_LINE, DW_SECT_LINE}},
	{".debug_loc.dwo", {5, 0}},
	{".debug_loclists.dwo", {0, DW_SECT_LOCLISTS}},
	{".debug_rnglists.dwo", {0, DW_SECT_RNGLISTS}},
	{".debug_str_offsets.dwo", {DW_SECT_STR_OFFSETS, DW_SECT_STR_OFFSETS}},
};
#define N_SECTIONS ARRAY_SIZE(sections)
#define OFFSETS	   (N_SECTIONS - 1) /* of strings */
#define STRINGS	   N_SECTIONS	    /* .debug_str.dwo, which all units share */
#define INDEX	   (N_SECTIONS + 1) /* .debug_cu_index */
#define N_READ	   (N_SECTIONS + 2)

struct package_index {
	bool is_5;
	uint32_t columns, units, slots;
	/* hashes: ids of 8 bytes, by slot; rows: numbers of rows, from 1, by slot. offsets and
	 * sizes: a number for each column, by row. */
	struct cursor hashes, rows, offsets, sizes;
	uint32_t numbers[COLUMNS_MOST]; /* of sections, by column */
};

struct split_package {
	struct elf_image file;
	struct package_index index;
	struct buf expanded[N_READ]; /* sections that are compressed in the file */
	struct cursor bytes[N_READ]; /* of sections */
};

static uint32_t number_at(struct cursor c, uint64_t at)
{
	cursor_skip(&c, at);
	return cursor_u32(&c);
}

static bool read_index(struct package_index *x, struct cursor c)
{
	const uint16_t first = cursor_u16(&c), second = cursor_u16(&c);
	const uint16_t version = first ? first : second;
	uint64_t cells;

	x->is_5 = version == 5;
	x->columns = cursor_u32(&c);
	x->units = cursor_u32(&c);
	x->slots = cursor_u32(&c);
	if (c.bad || (version != 2 && version != 5) || x->columns > COLUMNS_MOST || !x->slots ||
	    x->slots & (x->slots - 1))
		return false;
	cells = (uint64_t)x->columns * x->units;
	x->hashes = cursor_sub(&c, (size_t)x->slots * 8);
	x->rows = cursor_sub(&c, (size_t)x->slots * 4);
	for (uint32_t i = 0; i < x->columns; i++)
		x->numbers[i] = cursor_u32(&c);
	x->offsets = cursor_sub(&c, cells * 4);
	x->sizes = cursor_sub(&c, cells * 4);
	return !c.bad;
}

/* The row of a unit, from 0. False: it is not in the package. */
static bool find_row(const struct package_index *x, uint64_t id, uint32_t *row)
{
	const uint32_t mask = x->slots - 1;
	uint32_t slot = (uint32_t)id & mask;
	const uint32_t step = ((uint32_t)(id >> 32) & mask) | 1;

	for (uint32_t i = 0; i < x->slots; i++, slot = (slot + step) & mask) {
		struct cursor hash = x->hashes;
		const uint32_t number = number_at(x->rows, (uint64_t)slot * 4);

		cursor_skip(&hash, (size_t)slot * 8);
		if (!number)
			return false;
		if (cursor_u64(&hash) == id) {
			*row = number - 1;
			return *row < x->units;
		}
	}
	return false;
}

/* The part of a section that belongs to a row; empty when there is none. False: it lies outside. */
static bool take_part(const struct split_package *p, uint32_t row, size_t section,
		      struct cursor *out)
{
	const struct package_index *x = &p->index;
	const uint8_t number = sections[section].number[x->is_5];

	*out = (struct cursor){0};
	for (uint32_t i = 0; number && i < x->columns; i++) {
		const uint64_t cell = ((uint64_t)row * x->columns + i) * 4;

		if (x->numbers[i] != number)
			continue;
		*out = p->bytes[section];
		cursor_skip(out, number_at(x->offsets, cell));
		*out = cursor_sub(out, number_at(x->sizes, cell));
		return !out->bad;
	}
	return true;
}

static void put_number(struct buf *b, size_t at, uint64_t v, size_t n, bool big)
{
	for (size_t i = 0; i < n; i++)
		b->at[at + i] = (char)(v >> (8 * (big ? n - 1 - i : i)));
}

static bool package_is_big(const struct split_package *p)
{
	return p->file.elf.p[EI_DATA] == ELFDATA2MSB;
}

/* Copies the strings of a unit and the offsets that lead to them: the package has the strings of
 * all units in one section. */
static bool copy_strings(const struct split_package *p, struct cursor from, struct buf *offsets,
			 struct buf *strings)
{
	const struct cursor all = p->bytes[STRINGS];
	const size_t most = 2 * cursor_left(&all); /* ends of strings may be shared */
	const size_t header = p->index.is_5 ? 8 : 0;
	const bool big = package_is_big(p);

	buf_add(offsets, from.p, cursor_left(&from));
	if (header && number_at(from, 0) == UINT32_MAX) /* 64-bit DWARF */
		return false;
	cursor_skip(&from, MIN(header, cursor_left(&from)));
	for (size_t at = header; cursor_left(&from) >= 4; at += 4) {
		const uint32_t offset = cursor_u32(&from);
		struct cursor c = all;
		const char *text;

		cursor_skip(&c, offset);
		text = cursor_str(&c, cursor_left(&c));
		if (!text || c.bad || strings->n > most)
			return false;
		put_number(offsets, at, strings->n, 4, big);
		buf_add(strings, text, strlen(text) + 1);
	}
	return true;
}

/* An ELF file that is being written: System V ABI, chapter 4. */
struct unit_file {
	struct buf *out;
	struct buf names, headers; /* of sections */
	bool big;
};

static void add_header(struct unit_file *f, const char *name, uint32_t type, uint64_t at,
		       uint64_t size)
{
	const size_t start = f->headers.n;
	const uint64_t fields[][2] = {{f->names.n, 4}, {type, 4}, {0, 8}, {0, 8}, {at, 8},
				      {size, 8},       {0, 4},	  {0, 4}, {1, 8}, {0, 8}};
	size_t done = start;

	buf_add(&f->names, name, strlen(name) + 1);
	buf_add(&f->headers, (char[64]){0}, 64);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		put_number(&f->headers, done, fields[i][0], fields[i][1], f->big);
		done += fields[i][1];
	}
}

static void add_part(struct unit_file *f, const char *name, const void *p, size_t n)
{
	if (!n)
		return;
	add_header(f, name, SHT_PROGBITS, f->out->n, n);
	buf_add(f->out, p, n);
}

static void unit_file_end(struct unit_file *f, uint16_t machine)
{
	const size_t names_at = f->out->n, names = f->names.n + sizeof(".shstrtab");
	size_t table;

	add_header(f, ".shstrtab", SHT_STRTAB, names_at, names);
	buf_add(f->out, f->names.at, f->names.n);
	while (f->out->n % 8)
		buf_char(f->out, 0);
	table = f->out->n;
	buf_add(f->out, f->headers.at, f->headers.n);
	memcpy(f->out->at, ELFMAG, SELFMAG);
	f->out->at[EI_CLASS] = ELFCLASS64;
	f->out->at[EI_DATA] = f->big ? ELFDATA2MSB : ELFDATA2LSB;
	f->out->at[EI_VERSION] = EV_CURRENT;
	put_number(f->out, 16, ET_REL, 2, f->big);
	put_number(f->out, 18, machine, 2, f->big);
	put_number(f->out, 20, EV_CURRENT, 4, f->big);
	put_number(f->out, 40, table, 8, f->big);
	put_number(f->out, 52, 64, 2, f->big);
	put_number(f->out, 58, 64, 2, f->big);
	put_number(f->out, 60, f->headers.n / 64, 2, f->big);
	put_number(f->out, 62, f->headers.n / 64 - 1, 2, f->big);
}

bool split_package_unit(const struct split_package *p, uint64_t id, struct buf *out)
{
	struct unit_file f = {.out = out, .big = package_is_big(p)};
	AUTO_BUF offsets = {0};
	AUTO_BUF strings = {0};
	struct cursor part;
	bool whole = true;
	uint32_t row;

	if (!find_row(&p->index, id, &row))
		return false;
	buf_add(out, (char[64]){0}, 64);
	add_header(&f, "", SHT_NULL, 0, 0);
	for (size_t i = 0; i < N_SECTIONS && whole; i++) {
		whole = take_part(p, row, i, &part);
		if (whole && i == OFFSETS) {
			whole = copy_strings(p, part, &offsets, &strings);
			add_part(&f, sections[i].name, offsets.at, offsets.n);
			add_part(&f, ".debug_str.dwo", strings.at, strings.n);
		} else if (whole) {
			add_part(&f, sections[i].name, part.p, cursor_left(&part));
		}
	}
	unit_file_end(&f, p->file.elf.machine);
	buf_release(&f.names);
	buf_release(&f.headers);
	return whole;
}

static bool package_read_section(struct split_package *p, const char *name, size_t i)
{
	const struct elf_section *s = elf_section_named(&p->file.elf, name);

	if (!s)
		return true;
	p->bytes[i] = elf_section_bytes(&p->file.elf, s);
	if (!(s->flags & SHF_COMPRESSED))
		return true;
	if (!debug_section_expand(&p->file.elf, s, &p->expanded[i]))
		return false;
	p->bytes[i] = cursor_over(p->expanded[i].at, p->expanded[i].n, p->file.elf.swap);
	return true;
}

static bool package_read(struct split_package *p)
{
	bool whole = package_read_section(p, ".debug_cu_index", INDEX) &&
		     package_read_section(p, ".debug_str.dwo", STRINGS) &&
		     read_index(&p->index, p->bytes[INDEX]);

	for (size_t i = 0; i < N_SECTIONS && whole; i++)
		whole = package_read_section(p, sections[i].name, i);
	return whole;
}

struct split_package *split_package_open_file(const char *file)
{
	struct split_package *p;

	if (!file_is_regular(file))
		return NULL;
	p = NEW(struct split_package);
	if (!elf_image_open(&p->file, file, true) && package_read(p))
		return p;
	split_package_close(p);
	return NULL;
}

struct split_package *split_package_open(const char *path)
{
	static const char debug[] = ".debug";
	const size_t n = strlen(path), tail = sizeof(debug) - 1;
	AUTO_CHAR *file = mem_printf("%s.dwp", path);
	struct split_package *p = split_package_open_file(file);

	if (p || n <= tail || strcmp(path + n - tail, debug) != 0)
		return p;
	snprintf(file, n, "%.*s.dwp", (int)(n - tail), path);
	return split_package_open_file(file);
}

void split_package_close(struct split_package *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < N_READ; i++)
		buf_release(&p->expanded[i]);
	elf_image_release(&p->file);
	free(p);
}
