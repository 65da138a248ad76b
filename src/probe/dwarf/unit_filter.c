// SPDX-License-Identifier: MIT
#include "probe/dwarf/unit_filter.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

void unit_filter_release(struct unit_filter *f)
{
	vec_release(&f->units);
	*f = (struct unit_filter){0};
}

static struct filtered_unit *unit_holding(const struct unit_filter *f, Dwarf_Off offset)
{
	size_t low = 0, high = f->units.n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (f->units.at[middle].end <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->units.n && f->units.at[low].start <= offset ? &f->units.at[low] : NULL;
}

bool unit_filter_passes(const struct unit_filter *f, Dwarf_Die *unit)
{
	const struct filtered_unit *u;

	if (!f->active)
		return true;
	u = unit_holding(f, dwarf_dieoffset(unit));
	return u && u->passes;
}

void unit_filter_take(struct unit_filter *f, const uint64_t *units, size_t n)
{
	*f = (struct unit_filter){.active = true};
	for (size_t i = 0; i < n; i++)
		vec_add(&f->units, (struct filtered_unit){units[i], units[i] + 1, true});
}

static void list_units(struct unit_filter *f, Dwarf *dwarf)
{
	Dwarf_Off at = 0, next;
	size_t header;

	while (!dwarf_next_unit(dwarf, at, &next, &header, NULL, NULL, NULL, NULL, NULL, NULL) &&
	       next > at) {
		vec_add(&f->units, (struct filtered_unit){at, next, false});
		at = next;
	}
}

/* A unit by where its part of another section begins. */
struct unit_part {
	Dwarf_Off begins;
	size_t unit;
};
struct unit_parts {
	VEC(struct unit_part);
};

static int by_beginning(const void *a, const void *b)
{
	const struct unit_part *x = a, *y = b;

	return x->begins < y->begins ? -1 : x->begins > y->begins;
}

static void list_parts(const struct unit_filter *f, Dwarf *dwarf, unsigned int attribute,
		       struct unit_parts *out)
{
	Dwarf_CU *next = NULL;
	Dwarf_Die unit;

	while (!dwarf_get_units(dwarf, next, &next, NULL, NULL, &unit, NULL)) {
		const struct filtered_unit *u = unit_holding(f, dwarf_dieoffset(&unit));
		Dwarf_Attribute a;
		Dwarf_Word begins;

		if (u && dwarf_attr(&unit, attribute, &a) && !dwarf_formudata(&a, &begins))
			vec_add(out, (struct unit_part){begins, (size_t)(u - f->units.at)});
	}
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), by_beginning);
}

/* Lets the units pass in whose part of a section there is a hit. */
static void pass_by_parts(struct unit_filter *f, Dwarf *dwarf, unsigned int attribute,
			  struct raw_search *s)
{
	struct unit_parts parts = {0};
	size_t i, same;

	list_parts(f, dwarf, attribute, &parts);
	raw_search_init(s);
	for (i = 0; i < parts.n; i = same) {
		const Dwarf_Off begins = parts.at[i].begins;
		size_t end = s->in.n;

		for (same = i + 1; same < parts.n && parts.at[same].begins == begins;)
			same++;
		if (same < parts.n)
			end = MIN(end, parts.at[same].begins);
		if (begins >= end || raw_search_next(s, begins, end) == end)
			continue;
		for (size_t j = i; j < same; j++)
			f->units.at[parts.at[j].unit].passes = true;
	}
	raw_search_release(s);
	vec_release(&parts);
}

static void pass_by_info(struct unit_filter *f, struct raw_search *s)
{
	raw_search_init(s);
	for (size_t i = 0; i < f->units.n; i++) {
		struct filtered_unit *u = &f->units.at[i];
		const size_t end = MIN(u->end, s->in.n);

		u->passes |= u->start < end && raw_search_next(s, u->start, end) < end;
	}
	raw_search_release(s);
}

/* Units whose entries are in other files tell nothing here. */
static void pass_split(struct unit_filter *f, Dwarf *dwarf)
{
	Dwarf_CU *next = NULL;
	Dwarf_Die unit;
	uint8_t kind;

	while (!dwarf_get_units(dwarf, next, &next, NULL, &kind, &unit, NULL)) {
		struct filtered_unit *u = unit_holding(f, dwarf_dieoffset(&unit));

		if (u && kind == DW_UT_skeleton)
			u->passes = true;
	}
}

/* What any name of the function has in it: the last part of "ns::Class::method". False: that can't
 * be said. */
static bool plain_name(const char *function, const char **name)
{
	const char *last = function;

	for (const char *p = function; (p = strstr(p, "::"));) {
		p += 2;
		last = p;
	}
	*name = last;
	for (; *last; last++)
		if (!isalnum((unsigned char)*last) && *last != '_' && *last != '$' && *last != '.')
			return false;
	return last > *name;
}

static void filter_function(struct unit_filter *f, const struct raw_debug *r, Dwarf *dwarf,
			    const char *name, bool prefix)
{
	struct raw_offsets offsets = {0};
	struct raw_search s = {.in = r->sections[RAW_INFO],
			       .swap = r->swap,
			       .offsets = &offsets,
			       .text = name,
			       .prefix = prefix};

	raw_debug_names(r, name, prefix, &offsets);
	pass_by_info(f, &s);
	/* units of clang hold numbers of offsets: DWARF 5, section 7.26 */
	if (r->sections[RAW_OFFSETS].p) {
		s.in = r->sections[RAW_OFFSETS];
		s.text = NULL;
		pass_by_parts(f, dwarf, DW_AT_str_offsets_base, &s);
	}
	vec_release(&offsets);
}

static void filter_file(struct unit_filter *f, const struct raw_debug *r, Dwarf *dwarf,
			const char *tail)
{
	const char *slash = strrchr(tail, '/');
	struct raw_offsets offsets = {0};
	struct raw_search s = {.in = r->sections[RAW_LINE],
			       .swap = r->swap,
			       .offsets = &offsets,
			       .text = slash ? slash + 1 : tail};

	raw_debug_tails(r, s.text, &offsets);
	pass_by_parts(f, dwarf, DW_AT_stmt_list, &s);
	vec_release(&offsets);
}

void unit_filter_init(struct unit_filter *f, Dwarf *dwarf, struct raw_debug *raw,
		      const char *function, const char *file)
{
	const char *name = NULL;

	*f = (struct unit_filter){0};
	if ((function && !plain_name(function, &name)) || (!function && !file) ||
	    !raw_debug_open(raw, dwarf))
		return;
	if (!name && (!raw->sections[RAW_LINE].p || !*file || file[strlen(file) - 1] == '/'))
		return;
	f->active = true;
	list_units(f, dwarf);
	if (name)
		filter_function(f, raw, dwarf, name, name != function);
	else
		filter_file(f, raw, dwarf, file);
	pass_split(f, dwarf);
}
