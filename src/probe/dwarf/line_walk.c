// SPDX-License-Identifier: MIT
#include "probe/dwarf/line_walk.h"

#include "probe/dwarf/die.h"

#include <dwarf.h>
#include <string.h>

struct walk {
	line_walk_fn fn;
	void *ctx;
	bool recursive;
	int result;
};

static enum die_walk show_call(Dwarf_Die *die, void *ctx)
{
	struct walk *w = ctx;
	const char *file;
	Dwarf_Addr address;
	int line;

	if (dwarf_tag(die) != DW_TAG_inlined_subroutine)
		return DIE_INTO;
	file = die_call_file(die);
	line = die_call_line(die);
	if (file && line > 0 && die_entry(die, &address))
		w->result = w->fn(file, line, address, w->ctx);
	if (w->result)
		return DIE_STOP;
	return w->recursive ? DIE_INTO : DIE_PAST;
}

/* The line of the function itself, and where others were inlined into it. */
static int walk_calls(Dwarf_Die *function, struct walk *w)
{
	const char *file = die_decl_file(function);
	const int line = die_decl_line(function);
	Dwarf_Addr address;

	if (file && line && die_entry(function, &address))
		w->result = w->fn(file, line, address, w->ctx);
	if (!w->result)
		die_walk_below(function, show_call, w, NULL);
	return w->result;
}

static int walk_function(Dwarf_Die *function, void *ctx)
{
	return walk_calls(function, ctx) ? DWARF_CB_ABORT : DWARF_CB_OK;
}

/* True for a line of the function itself: what was inlined at the address is only called there. */
static bool is_own(Dwarf_Die *function, Dwarf_Addr address, int line)
{
	const char *file = die_decl_file(function), *other;
	Dwarf_Die inlined;

	if (dwarf_haspc(function, address) <= 0)
		return false;
	if (!die_inlined_at(function, address, &inlined))
		return true;
	other = die_call_file(&inlined);
	if (other && file && !strcmp(other, file) && die_call_line(&inlined) == line)
		return true;
	other = die_decl_file(&inlined);
	return die_decl_line(&inlined) == die_decl_line(function) && other && file &&
	       !strcmp(other, file);
}

int line_walk(Dwarf_Die *root, line_walk_fn fn, void *ctx)
{
	const int tag = dwarf_tag(root);
	const bool whole = tag == DW_TAG_compile_unit || tag == DW_TAG_partial_unit ||
			   tag == DW_TAG_skeleton_unit;
	struct walk w = {fn, ctx, whole, 0};
	Dwarf_Die unit = *root;
	Dwarf_Lines *lines;
	size_t n;

	if (!whole && !dwarf_diecu(root, &unit, NULL, NULL))
		return 0;
	if (dwarf_getsrclines(&unit, &lines, &n))
		return 0;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		bool end = false, statement = false;
		Dwarf_Addr address;
		const char *file;
		int number;

		if (!line || dwarf_lineno(line, &number) || dwarf_lineaddr(line, &address) ||
		    dwarf_lineendsequence(line, &end) || end ||
		    dwarf_linebeginstatement(line, &statement) || !statement ||
		    (!whole && !is_own(root, address, number)))
			continue;
		file = dwarf_linesrc(line, NULL, NULL);
		w.result = file ? fn(file, number, address, ctx) : 0;
		if (w.result)
			return w.result;
	}
	if (whole)
		dwarf_getfuncs(&unit, walk_function, &w, 0);
	else
		walk_calls(root, &w);
	return w.result;
}

/* The first statement at the address, else the row that covers it when that begins there. */
static Dwarf_Line *row_at(Dwarf_Die *unit, Dwarf_Addr address)
{
	size_t n, low = 0, high;
	Dwarf_Lines *lines;
	Dwarf_Addr at;

	if (dwarf_getsrclines(unit, &lines, &n))
		return NULL;
	for (high = n; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (dwarf_lineaddr(dwarf_onesrcline(lines, middle), &at))
			return NULL;
		if (at <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || dwarf_lineaddr(dwarf_onesrcline(lines, low - 1), &at))
		return NULL;
	for (size_t i = low; i-- > 0;) { /* back to the first row of that address */
		Dwarf_Addr before;

		low = i;
		if (!i || dwarf_lineaddr(dwarf_onesrcline(lines, i - 1), &before) || before != at)
			break;
	}
	for (; low < n; low++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, low);
		bool statement = false;

		if (dwarf_lineaddr(line, &at) || dwarf_linebeginstatement(line, &statement) ||
		    at > address)
			return NULL;
		if (statement)
			return line;
	}
	return NULL;
}

bool line_of_address(Dwarf_Die *unit, Dwarf_Addr address, const char **file, int *line)
{
	Dwarf_Die function;
	Dwarf_Addr entry;
	Dwarf_Line *row;

	*file = NULL;
	*line = 0;
	if (die_function_at(unit, address, &function) && die_entry(&function, &entry) &&
	    entry == address) {
		*file = die_decl_file(&function);
		*line = die_decl_line(&function);
	} else {
		row = row_at(unit, address);
		if (row && !dwarf_lineno(row, line))
			*file = dwarf_linesrc(row, NULL, NULL);
	}
	return *file && *line;
}
