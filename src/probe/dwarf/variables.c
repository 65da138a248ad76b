// SPDX-License-Identifier: MIT
/* The variables that can be seen at a place. */
#include "probe/dwarf/die.h"
#include "probe/dwarf/finder.h"
#include "probe/dwarf/type_text.h"

#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

void probe_variables_release(struct probe_variables *v)
{
	for (size_t i = 0; i < v->places.n; i++)
		vec_release(&v->places.at[i].rows);
	vec_release(&v->places);
}

struct listing {
	struct points *p;
	struct probe_frame *frame;
	struct probe_variables_at *out;
	bool externs; /* of the unit, not of the function */
};

static void add_range(struct buf *text, bool *first, const char *name, uint64_t from, uint64_t to)
{
	if (*first)
		buf_printf(text, "\t@<%s+[", name);
	buf_printf(text, "%s%" PRIu64 "-%" PRIu64, *first ? "" : ",", from, to);
	*first = false;
}

/* Where a variable can be had: by its locations, or all of the block that it stands in. */
static void add_ranges(struct listing *l, Dwarf_Die *variable, struct buf *text)
{
	const char *name = die_name(&l->frame->function);
	Dwarf_Addr entry = 0, base, from, to;
	Dwarf_Die *scopes = NULL;
	Dwarf_Attribute a;
	bool first = true, single = false;
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	size_t n;

	die_entry(&l->frame->function, &entry);
	if (!dwarf_attr(variable, DW_AT_location, &a))
		return;
	while (!single && (at = dwarf_getlocations(&a, at, &base, &from, &to, &ops, &n)) > 0) {
		single = !from;
		if (!single)
			add_range(text, &first, name, from - entry, to - entry);
	}
	if (single && dwarf_getscopes_die(variable, &scopes) > 1)
		for (at = 0; (at = dwarf_ranges(&scopes[1], at, &base, &from, &to)) > 0;)
			add_range(text, &first, name, from - entry, to - entry);
	free(scopes);
	if (!first)
		buf_str(text, "]>");
}

/* True when the kernel could fetch it from one of the places that it is in. */
static bool can_be_had(const struct listing *l, Dwarf_Die *variable)
{
	struct probe_frame elsewhere = *l->frame;
	Dwarf_Addr base, from, to;
	bool found = false, memory;
	Dwarf_Attribute a;
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(variable, DW_AT_location, &a))
		return false;
	while (!found && (at = dwarf_getlocations(&a, at, &base, &from, &to, &ops, &n)) > 0) {
		struct probe_fetch fetch = {0};

		elsewhere.address = from;
		found = from &&
			!probe_location_find(&elsewhere, variable, l->p->arena, &fetch, &memory);
		vec_release(&fetch.derefs);
	}
	return found;
}

/* What can be had here; with ranges also local variables that can be had elsewhere. */
static void list_one(struct listing *l, Dwarf_Die *die)
{
	const bool ranges = l->p->wishes->ranges;
	struct probe_fetch fetch = {0};
	AUTO_BUF text = {0};
	Dwarf_Attribute a;
	const char *why;
	bool memory;

	why = dwarf_attr(die, DW_AT_external, &a)
		      ? NULL
		      : probe_location_find(l->frame, die, l->p->arena, &fetch, &memory);
	vec_release(&fetch.derefs);
	if (why && !(ranges && dwarf_tag(die) == DW_TAG_variable && can_be_had(l, die)))
		return;
	if (ranges)
		buf_str(&text, l->externs ? "[EXT]\t" : why ? "[INV]\t" : "[VAL]\t");
	type_text(die, &text);
	buf_printf(&text, "\t%s", die_name(die));
	if (ranges && !l->externs)
		add_ranges(l, die, &text);
	vec_add(&l->out->rows, arena_strdup(l->p->arena, buf_text(&text)));
}

static enum die_walk list_variables(Dwarf_Die *die, void *ctx)
{
	struct listing *l = ctx;
	const int tag = dwarf_tag(die);

	if (tag == DW_TAG_formal_parameter || tag == DW_TAG_variable)
		list_one(l, die);
	return !l->externs && dwarf_haspc(die, l->frame->address) > 0 ? DIE_INTO : DIE_PAST;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int list_at(struct points *p, struct probe_frame *frame, Dwarf_Die *scope, void *ctx)
{
	struct probe_variables *all = ctx;
	struct probe_variables_at *v = vec_extend(&all->places, 1);
	struct listing l = {p, frame, v, false};
	Dwarf_Addr entry = frame->address;
	size_t kept = 0;

	die_entry(&frame->function, &entry);
	v->symbol = arena_strdup(p->arena, die_name(&frame->function));
	v->offset = frame->address - entry;
	die_walk_below(scope, list_variables, &l, NULL);
	if (p->wishes->externs) {
		l.externs = true;
		die_walk_below(&frame->unit, list_variables, &l, NULL);
	}
	if (v->rows.n)
		qsort(v->rows.at, v->rows.n, sizeof(*v->rows.at), by_text);
	for (size_t i = 0; i < v->rows.n; i++)
		if (!kept || strcmp(v->rows.at[kept - 1], v->rows.at[i]))
			v->rows.at[kept++] = v->rows.at[i];
	v->rows.n = kept;
	return 0;
}

int probe_finder_variables(struct probe_finder *f, const struct probe_spec *s,
			   const struct probe_wishes *w, struct probe_variables *out,
			   struct err *err)
{
	AUTO_BUF notes = {0};
	struct points p = {.debug = &f->debug,
			   .spec = s,
			   .wishes = w,
			   .arena = &f->arena,
			   .notes = &notes,
			   .err = err,
			   .fn = list_at,
			   .ctx = out};

	if (points_find(&p))
		return -1;
	return out->places.n != 0;
}
