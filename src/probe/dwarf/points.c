// SPDX-License-Identifier: MIT
#include "probe/dwarf/points.h"

#include "probe/dwarf/die.h"
#include "probe/dwarf/line_walk.h"
#include "probe/dwarf/sources.h"

#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

static int stop(struct points *p)
{
	p->failed = true;
	return -1;
}

/* The function, real or inlined, that a place in a line belongs to: the one that was named, or else
 * the one that is declared nearest above the line. */
static bool find_scope(const struct points *p, Dwarf_Die *function, Dwarf_Addr address,
		       Dwarf_Die *scope)
{
	Dwarf_Die at = *function, below;
	int nearest = INT32_MAX;
	bool found = false;

	for (unsigned int depth = 0; depth < 64; depth++, at = below) {
		const char *file = die_decl_file(&at);
		const int line = die_decl_line(&at);

		if (!p->file || (file && !strcmp(file, p->file))) {
			if (p->spec->function && die_matches(&at, p->spec->function)) {
				*scope = at;
				return true;
			}
			if (!p->spec->function && line < p->line && p->line - line < nearest) {
				nearest = p->line - line;
				*scope = at;
				found = true;
			}
		}
		if (!die_first_inlined_at(&at, address, &below))
			break;
	}
	return found;
}

/* A place: with the function that holds it, and what can be seen there. scope NULL: to be found. */
static int point_at(struct points *p, Dwarf_Die *scope, Dwarf_Addr address)
{
	struct probe_frame frame = {.debug = p->debug, .unit = p->unit, .address = address};
	Dwarf_Die found;
	int ret;

	/* a line, or a function and an inlined one, may begin at an address more than once */
	for (size_t i = 0; i < p->found.n; i++)
		if (p->found.at[i] == address)
			return 0;
	if (p->found.n == p->wishes->max_probes) {
		err_set(p->err, ERR_USAGE, "'%s' means more than %u places", p->spec->text,
			p->wishes->max_probes);
		err_hint(p->err, "--max-probes says how many it may mean");
		return stop(p);
	}
	if (scope && die_is_function(scope))
		frame.function = *scope;
	else if (!die_function_at(&p->unit, address, &frame.function))
		return 0; /* a jump to a function, as debug information describes it */
	if (!scope) {
		scope = &found;
		if (!find_scope(p, &frame.function, address, scope))
			*scope = frame.function;
	}
	if (dwarf_haspc(&frame.function, address) <= 0) {
		err_set(p->err, ERR_USAGE, "'%s' is not that long: there is nothing of it at '%s'",
			die_name(&frame.function), p->spec->text);
		return stop(p);
	}
	probe_frame_init(&frame);
	ret = p->fn(p, &frame, scope, p->ctx);
	probe_frame_release(&frame);
	vec_add(&p->found, address);
	return ret ? stop(p) : 0;
}

/* All code of the line begins where that of another line does: the error names that one. */
static void tell_shared(struct points *p)
{
	const struct point_shared *s = &p->shared;
	const char *name = s->file, *asked = p->spec->function;
	Dwarf_Die function, scope;
	int line = s->line;

	p->unit = s->unit;
	if (asked && die_function_at(&p->unit, s->address, &function) &&
	    find_scope(p, &function, s->address, &scope) && die_matches(&scope, asked)) {
		name = die_name(&scope);
		line -= die_decl_line(&scope);
	}
	err_set(p->err, ERR_INPUT, "'%s' has no code of its own: it begins where another line does",
		p->spec->text);
	err_hint(p->err, "Please try to probe at %s:%d instead.", name, line);
	p->failed = true;
}

static int point_in_line(const char *file, int line, Dwarf_Addr address, void *ctx)
{
	struct points *p = ctx;
	const char *other;
	int number;

	if (line != p->line || !die_file_ends(file, p->file))
		return 0;
	if (!line_of_address(&p->unit, address, &other, &number) || strcmp(file, other) ||
	    line == number)
		return point_at(p, NULL, address);
	if (!p->shared.known)
		p->shared = (struct point_shared){true, p->unit, address, other, number};
	return 0;
}

struct lazy {
	struct points *p;
	const struct source_lines *lines; /* that match */
	Dwarf_Die *scope;
};

static int point_in_lines(const char *file, int line, Dwarf_Addr address, void *ctx)
{
	const struct lazy *l = ctx;

	if (!die_file_ends(file, l->p->file) || !source_lines_has(l->lines, (uint32_t)line))
		return 0;
	l->p->line = line;
	return point_at(l->p, l->scope, address);
}

static int points_of_pattern(struct points *p, Dwarf_Die *root, Dwarf_Die *scope)
{
	struct source_lines lines = {0};
	struct lazy l = {p, &lines, scope};
	char *path = source_path(&p->unit, p->file, p->wishes->source_dir);
	int ret = source_lines_matching(path, p->spec->pattern, &lines, p->err);

	free(path);
	if (ret)
		p->failed = true;
	else
		ret = line_walk(root, point_in_lines, &l);
	vec_release(&lines);
	return ret;
}

/* ctx: bool, the entries are in a file of their own (split DWARF). Elsewhere perf 6.1 does not know
 * the lists of DWARF 5 as such, and puts probes behind the prologue; so does this. */
static enum die_walk has_location_list(Dwarf_Die *die, void *ctx)
{
	const int tag = dwarf_tag(die);
	const bool *split = ctx;
	Dwarf_Attribute a;

	if ((tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) &&
	    dwarf_attr(die, DW_AT_location, &a) &&
	    (dwarf_whatform(&a) == DW_FORM_sec_offset ||
	     (dwarf_whatform(&a) == DW_FORM_loclistx && *split)))
		return DIE_STOP;
	return DIE_INTO;
}

/* Programs that were compiled without optimization keep variables in memory, which is valid behind
 * the prologue only. */
static bool is_optimised(Dwarf_Die *unit)
{
	uint8_t kind = 0;
	bool split;

	dwarf_cu_info(unit->cu, NULL, &kind, NULL, NULL, NULL, NULL, NULL);
	split = kind == DW_UT_split_compile;
	return die_walk_below(unit, has_location_list, &split, NULL);
}

/* The second row of a function's lines begins behind its prologue, or the one that says so. */
static Dwarf_Addr behind_prologue(Dwarf_Die *unit, Dwarf_Die *function, Dwarf_Addr entry)
{
	Dwarf_Addr end, at, before = entry;
	Dwarf_Lines *lines;
	size_t n, i;

	if (dwarf_getsrclines(unit, &lines, &n) || dwarf_highpc(function, &end))
		return entry;
	for (i = 0; i < n; i++)
		if (!dwarf_lineaddr(dwarf_onesrcline(lines, i), &at) && at == entry)
			break;
	for (size_t first = i; i < n; i++, before = at) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		bool prologue_end = false;

		if (dwarf_lineaddr(line, &at) || dwarf_lineprologueend(line, &prologue_end))
			return entry;
		if (at >= end)
			return before;
		if (prologue_end || i > first)
			return at;
	}
	return before;
}

static Dwarf_Addr skip_prologue(struct points *p, Dwarf_Die *function, Dwarf_Addr entry)
{
	const struct probe_spec *s = p->spec;
	bool variables = false;

	for (size_t i = 0; i < s->args.n; i++)
		variables |=
			probe_arg_is_variable(&s->args.at[i]) || probe_arg_is_list(&s->args.at[i]);
	if (p->debug->is_kernel || !variables || s->line || s->pattern || s->offset ||
	    is_optimised(&p->unit))
		return entry;
	buf_printf(p->notes,
		   "Target program is compiled without optimization. Skipping prologue.\n"
		   "Probe on address 0x%" PRIx64 " to force probing at the function entry.\n\n",
		   (uint64_t)entry);
	return behind_prologue(&p->unit, function, entry);
}

struct instances {
	struct points *p;
	Dwarf_Die origin;
};

static bool is_instance(Dwarf_Die *die, Dwarf_Die *of)
{
	Dwarf_Attribute a;
	Dwarf_Die origin;

	return dwarf_attr(die, DW_AT_abstract_origin, &a) && dwarf_formref_die(&a, &origin) &&
	       origin.addr == of->addr;
}

/* Each place where a function stands: inlined, or by itself. */
static enum die_walk point_of_instance(Dwarf_Die *die, void *ctx)
{
	struct instances *i = ctx;
	struct points *p = i->p;
	Dwarf_Addr entry;
	uint64_t call, own;

	if (!is_instance(die, &i->origin))
		return DIE_INTO;
	/* a compiler may describe a call of a function in the line of its own declaration twice */
	if (dwarf_tag(die) == DW_TAG_inlined_subroutine &&
	    die_call_line(die) == die_decl_line(&i->origin) &&
	    die_number(die, DW_AT_call_file, &call) &&
	    die_number(&i->origin, DW_AT_decl_file, &own) && call == own)
		return DIE_INTO;
	if (p->spec->pattern)
		return points_of_pattern(p, die, die) ? DIE_STOP : DIE_INTO;
	if (!die_entry(die, &entry) || !entry)
		return DIE_INTO;
	return point_at(p, die, entry + p->spec->offset) ? DIE_STOP : DIE_INTO;
}

/* True for one with code of its own; others are only inlined. */
static bool has_code(Dwarf_Die *die)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, DW_AT_low_pc, &a) || dwarf_attr(die, DW_AT_ranges, &a) ||
	       dwarf_attr(die, DW_AT_entry_pc, &a);
}

static int points_of_function(Dwarf_Die *die, void *ctx)
{
	struct points *p = ctx;
	const char *file;
	Dwarf_Addr entry;
	const size_t before = p->found.n;

	if (!die_is_function(die) || !die_matches(die, p->spec->function))
		return DWARF_CB_OK;
	p->answers = true;
	file = die_decl_file(die);
	/* what a compiler wrote by itself may have none */
	if (!file ? p->spec->file || p->spec->line || p->spec->pattern
		  : p->spec->file && !die_file_ends(file, p->spec->file))
		return DWARF_CB_OK;
	p->file = file;
	if (p->spec->line) {
		p->line = die_decl_line(die) + (int)p->spec->line;
		line_walk(&p->unit, point_in_line, p);
	} else if (has_code(die)) {
		if (!die_entry(die, &entry) || !entry)
			return DWARF_CB_OK;
		if (p->spec->pattern)
			points_of_pattern(p, die, die);
		else
			point_at(p, die, skip_prologue(p, die, entry) + p->spec->offset);
	} else if (!p->wishes->no_inlines) {
		struct instances i = {p, *die};

		die_walk_below(&p->unit, point_of_instance, &i, NULL);
	}
	if (p->failed)
		return DWARF_CB_ABORT;
	/* a name stands for one function of a unit; a pattern for all that match */
	return probe_is_glob(p->spec->function) || p->found.n == before ? DWARF_CB_OK
									: DWARF_CB_ABORT;
}

static void points_of_unit(struct points *p)
{
	const struct probe_spec *s = p->spec;

	p->file = s->file ? source_of_unit(&p->unit, s->file) : NULL;
	p->answers = p->file != NULL && !s->function;
	if (s->file && !p->file)
		return;
	if (s->function) {
		dwarf_getfuncs(&p->unit, points_of_function, p, 0);
	} else if (s->pattern) {
		points_of_pattern(p, &p->unit, NULL);
	} else {
		p->line = (int)s->line;
		line_walk(&p->unit, point_in_line, p);
	}
}

int points_find(struct points *p)
{
	const struct probe_spec *s = p->spec;
	VEC(uint64_t) units = {0};
	struct unit_filter filter;
	Dwarf_CU *next = NULL;
	bool known;

	probe_debug_filter(p->debug, s->function, s->file, &filter, &known);
	while (!p->failed && probe_debug_unit(p->debug, &filter, &next, &p->unit)) {
		points_of_unit(p);
		if (p->answers)
			vec_add(&units, p->debug->unit_at);
	}
	if (!p->failed && !p->found.n && p->shared.known)
		tell_shared(p);
	/* with a file, too, units were left out that have the function */
	if (!known && !p->failed && !(s->function && s->file))
		probe_debug_remember(p->debug, s->function, s->file, units.at, units.n);
	vec_release(&units);
	unit_filter_release(&filter);
	vec_release(&p->found);
	return p->failed ? -1 : 0;
}
