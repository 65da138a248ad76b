// SPDX-License-Identifier: MIT
/* The lines of a function or a file that can be probed. */
#include "probe/dwarf/die.h"
#include "probe/dwarf/finder.h"
#include "probe/dwarf/line_walk.h"
#include "probe/dwarf/sources.h"

#include <dwarf.h>
#include <string.h>

void probe_lines_release(struct probe_lines *l)
{
	vec_release(&l->lines);
}

struct range {
	struct probe_finder *f;
	struct probe_lines *out;
	const char *function, *tail; /* tail: of the file that was asked for, or NULL */
	Dwarf_Die unit;
	const char *file;   /* whose lines are looked for */
	const char *source; /* the same as the unit names it */
};

static int add_line(const char *file, int line, Dwarf_Addr address, void *ctx)
{
	struct range *r = ctx;
	const char *other;
	int number;

	if (!die_file_ends(file, r->file) || (uint32_t)line < r->out->first ||
	    (uint32_t)line > r->out->last)
		return 0;
	if (line_of_address(&r->unit, address, &other, &number) &&
	    (number != line || strcmp(file, other)))
		return 0;
	if (!r->source)
		r->source = arena_strdup(&r->f->arena, file);
	vec_add(&r->out->lines, (uint32_t)line);
	return 0;
}

static enum die_walk add_instance(Dwarf_Die *die, void *ctx)
{
	struct range *r = ctx;
	Dwarf_Attribute a;
	Dwarf_Die origin;

	if (dwarf_attr(die, DW_AT_abstract_origin, &a) && dwarf_formref_die(&a, &origin) &&
	    die_matches(&origin, r->function) && die_is_function(&origin))
		line_walk(die, add_line, r);
	return DIE_INTO;
}

static uint32_t sum(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static int lines_of_function(Dwarf_Die *die, void *ctx)
{
	struct range *r = ctx;
	const char *file = die_decl_file(die);
	Dwarf_Attribute a;

	if (!die_is_function(die) || !die_matches(die, r->function) || !file ||
	    (r->tail && !die_file_ends(file, r->tail)))
		return DWARF_CB_OK;
	r->file = file;
	r->out->offset = (uint32_t)die_decl_line(die);
	r->out->first = sum(r->out->first, r->out->offset);
	r->out->last = sum(r->out->last, r->out->offset);
	if (dwarf_attr(die, DW_AT_low_pc, &a) || dwarf_attr(die, DW_AT_ranges, &a))
		line_walk(die, add_line, r);
	else
		die_walk_below(&r->unit, add_instance, r, NULL);
	return DWARF_CB_ABORT;
}

static int by_number(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void settle(struct range *r, const char *dir)
{
	struct probe_lines *l = r->out;
	size_t kept = 0;
	AUTO_CHAR *path = source_path(&r->unit, r->source, dir);

	l->path = arena_strdup(&r->f->arena, path);
	qsort(l->lines.at, l->lines.n, sizeof(*l->lines.at), by_number);
	for (size_t i = 0; i < l->lines.n; i++)
		if (!kept || l->lines.at[kept - 1] != l->lines.at[i])
			l->lines.at[kept++] = l->lines.at[i];
	l->lines.n = kept;
}

int probe_finder_lines(struct probe_finder *f, const char *function, const char *file,
		       const char *source_dir, uint32_t first, uint32_t last,
		       struct probe_lines *out)
{
	struct range r = {.f = f, .out = out, .function = function, .tail = file};
	struct unit_filter filter;
	Dwarf_CU *next = NULL;
	bool known;

	probe_debug_filter(&f->debug, function, file, &filter, &known);
	*out = (struct probe_lines){.function = function, .first = first, .last = last};
	while (!out->lines.n && probe_debug_unit(&f->debug, &filter, &next, &r.unit)) {
		out->first = first;
		out->last = last;
		r.file = file ? source_of_unit(&r.unit, file) : NULL;
		if (file && !r.file)
			continue;
		if (function)
			dwarf_getfuncs(&r.unit, lines_of_function, &r, 0);
		else
			line_walk(&r.unit, add_line, &r);
		if (out->lines.n)
			settle(&r, source_dir);
	}
	unit_filter_release(&filter);
	return out->lines.n != 0;
}
