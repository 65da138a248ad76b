// SPDX-License-Identifier: MIT
#include "probe/dwarf/raw_debug.h"

#include "symbol/unwind/encoded.h"

#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#define BLOCK	    4096 /* bytes that are searched at once */
#define FEW	    8	 /* numbers that are searched for one by one */
#define OFFSETS_MAX (1u << 20)

static const char *const section_names[RAW_COUNT] = {
	".debug_info", ".debug_str",	  ".debug_str_offsets",
	".debug_line", ".debug_line_str", ".debug_abbrev",
};

static int section_index(const char *name)
{
	for (int i = 0; i < RAW_COUNT; i++)
		if (!strcmp(name, section_names[i]))
			return i;
	return -1;
}

static bool raw_debug_sections(struct raw_debug *r, Dwarf *dwarf)
{
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *scn = NULL;
	GElf_Ehdr ehdr;
	GElf_Shdr shdr;
	size_t names;

	if (!gelf_getehdr(elf, &ehdr) || elf_getshdrstrndx(elf, &names))
		return false;
	r->swap =
		(ehdr.e_ident[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name =
			gelf_getshdr(scn, &shdr) ? elf_strptr(elf, names, shdr.sh_name) : NULL;
		const int i = name ? section_index(name) : -1;
		const Elf_Data *data;

		if (name && !strcmp(name, ".gnu_debugaltlink"))
			return false;
		if (i < 0 || shdr.sh_type == SHT_NOBITS || r->sections[i].p)
			continue;
		data = shdr.sh_flags & SHF_COMPRESSED ? NULL : elf_rawdata(scn, NULL);
		if (!data || (!data->d_buf && data->d_size))
			return false;
		r->sections[i] = (struct raw_bytes){data->d_buf, data->d_size};
	}
	return r->sections[RAW_INFO].p && r->sections[RAW_ABBREV].p;
}

static bool refers_elsewhere(uint64_t attribute, uint64_t form)
{
	switch (form) {
	case DW_FORM_ref_addr:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
		return attribute == DW_AT_abstract_origin || attribute == DW_AT_specification;
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_strp_sup:
		return attribute == DW_AT_name || attribute == DW_AT_linkage_name;
	}
	return false;
}

/* Source: DWARF 5, section 7.5.3. */
static bool raw_debug_crosses_units(const struct raw_debug *r)
{
	const struct raw_bytes *s = &r->sections[RAW_ABBREV];
	struct cursor c = cursor_over(s->p, s->n, false);

	while (cursor_left(&c) && !c.bad) {
		uint64_t attribute, form;

		if (!read_uleb(&c))
			continue; /* the end of a unit's abbreviations */
		if (read_uleb(&c) == DW_TAG_imported_unit)
			return true;
		cursor_skip(&c, 1);
		do {
			attribute = read_uleb(&c);
			form = read_uleb(&c);
			if (form == DW_FORM_implicit_const)
				read_sleb(&c);
			if (refers_elsewhere(attribute, form))
				return true;
		} while ((attribute || form) && !c.bad);
	}
	return c.bad;
}

bool raw_debug_open(struct raw_debug *r, Dwarf *dwarf)
{
	if (!r->opened)
		r->usable = raw_debug_sections(r, dwarf) && !raw_debug_crosses_units(r);
	r->opened = true;
	return r->usable;
}

void raw_debug_names(const struct raw_debug *r, const char *name, bool prefix,
		     struct raw_offsets *out)
{
	const struct raw_bytes *s = &r->sections[RAW_STR];
	const size_t n = strlen(name);
	const uint8_t *p = s->p, *end = s->p + s->n;

	while (p && (p = memmem(p, (size_t)(end - p), name, prefix ? n : n + 1)) &&
	       out->n < OFFSETS_MAX) {
		/* a generic function's name goes on with its parameters */
		if (p + n < end && (!p[n] || p[n] == '<'))
			vec_add(out, (uint32_t)(p - s->p));
		p++;
	}
}

void raw_debug_tails(const struct raw_debug *r, const char *tail, struct raw_offsets *out)
{
	const struct raw_bytes *s = &r->sections[RAW_LINE_STR];
	const size_t n = strlen(tail);
	const uint8_t *p = s->p, *end = s->p + s->n;

	while (p && (p = memmem(p, (size_t)(end - p), tail, n + 1)) && out->n < OFFSETS_MAX) {
		const uint8_t *from = p;

		while (from > s->p && from[-1])
			from--;
		for (; from <= p && out->n < OFFSETS_MAX; from++)
			vec_add(out, (uint32_t)(from - s->p));
		p++;
	}
}

static uint32_t raw_number(const void *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

void raw_search_init(struct raw_search *s)
{
	uint32_t most = 0;

	s->bits = NULL;
	if (s->offsets->n <= FEW)
		return;
	for (size_t i = 0; i < s->offsets->n; i++)
		most = MAX(most, s->offsets->at[i]);
	s->n_bits = (size_t)most + 1;
	s->bits = mem_zero(most / 8 + 1);
	for (size_t i = 0; i < s->offsets->n; i++)
		s->bits[s->offsets->at[i] / 8] |= (uint8_t)(1 << s->offsets->at[i] % 8);
}

void raw_search_release(struct raw_search *s)
{
	free(s->bits);
	s->bits = NULL;
}

/* True when the number stands anywhere in the block, which has 3 bytes behind it. In this form the
 * compiler compares 16 bytes at once. */
static bool block_has(const uint8_t *p, uint32_t number)
{
	uint32_t hit = 0;

	for (size_t shift = 0; shift < 4; shift++)
		for (size_t i = 0; i < BLOCK; i += 4) {
			uint32_t v;

			memcpy(&v, p + shift + i, sizeof(v));
			hit |= v == number;
		}
	return hit;
}

static bool text_is_at(const struct raw_search *s, size_t at)
{
	const size_t n = strlen(s->text) + !s->prefix;

	return s->in.n - at >= n && !memcmp(s->in.p + at, s->text, n);
}

static bool is_hit(const struct raw_search *s, size_t at)
{
	uint32_t v;

	if (s->text && text_is_at(s, at))
		return true;
	if (s->in.n - at < sizeof(v))
		return false;
	v = raw_number(s->in.p + at, s->swap);
	if (s->bits)
		return v < s->n_bits && s->bits[v / 8] >> v % 8 & 1;
	for (size_t i = 0; i < s->offsets->n; i++)
		if (s->offsets->at[i] == v)
			return true;
	return false;
}

/* True when a block holds none of what is searched for. */
static bool block_is_empty(const struct raw_search *s, size_t at)
{
	if (s->bits || (s->text && strlen(s->text) < 4))
		return false;
	if (s->text && block_has(s->in.p + at, raw_number(s->text, false)))
		return false;
	for (size_t i = 0; i < s->offsets->n; i++) {
		const uint32_t v = s->offsets->at[i];

		if (block_has(s->in.p + at, s->swap ? __builtin_bswap32(v) : v))
			return false;
	}
	return true;
}

size_t raw_search_next(const struct raw_search *s, size_t from, size_t to)
{
	while (from < to) {
		size_t end = MIN(to, from + BLOCK);

		if (s->in.n - from >= BLOCK + 3 && block_is_empty(s, from)) {
			from += BLOCK;
			continue;
		}
		for (; from < end; from++)
			if (is_hit(s, from))
				return from;
	}
	return to;
}
