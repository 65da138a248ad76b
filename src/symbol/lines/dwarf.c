// SPDX-License-Identifier: MIT
#include "symbol/lines/dwarf.h"

#include "base/sorted.h"
#include "symbol/dso_private.h"
#include "symbol/lines/debug_image.h"
#include "symbol/lines/split_units.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define LEVELS_MOST  256   /* inlined calls at an address; compilers nest a few dozen */
#define BLOCKS_MOST  256   /* lexical blocks in each other */
#define SCANNED_MOST 65536 /* ranges that are tried for one address */
#define FREE_RANGES  65536

/* A range of addresses. die: the number of a unit (in an index), the offset of a function's entry
 * (in a unit), or the complement of the number of an inlined call (in a call). */
struct range {
	uint64_t start, end, upto; /* upto: the highest end of this range and all before it */
	Dwarf_Off die;
};
struct ranges {
	VEC(struct range);
};

struct dwarf_index {
	int fd;
	struct buf image; /* the expanded file; empty: the file is read as it is */
	struct split_units *split; /* which all readers share */
	/* limit for all units, and for all functions of a reader; proportional to the file's
	 * size */
	size_t most_ranges;
	VEC(Dwarf_Off) units;
	struct ranges covered; /* .die: number of the unit */
};

struct unit {
	Dwarf_Die die;
	bool known; /* its functions were collected */
	Dwarf_Lines *lines;
	size_t n_lines;
	struct ranges functions;
	struct idmap calls; /* offset of a function's entry -> index in the reader's calls */
};

/* A function, or a call that was inlined. What was inlined right into it is collected at the first
 * address that is looked up there. */
struct dwarf_call {
	Dwarf_Die die;
	const char *function; /* linkage name; NULL: unknown */
	const char *file;     /* where the call was; NULL: unknown, or this is a function */
	uint32_t line;
	bool known;
	struct ranges inlined;
};

struct dwarf_reader {
	const struct dwarf_index *index;
	Elf *elf; /* of the expanded image; else NULL */
	Dwarf *dwarf;
	struct unit *units; /* by number in the index */
	VEC(struct dwarf_call) calls;
	size_t left; /* ranges of functions and calls that may still be read */
};

static int dwarf_by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? 1 : -1;
	return x->die < y->die ? -1 : x->die > y->die;
}

static void sort(struct ranges *r)
{
	uint64_t upto = 0;

	if (r->n)
		qsort(r->at, r->n, sizeof(*r->at), dwarf_by_start);
	for (size_t i = 0; i < r->n; i++)
		r->at[i].upto = upto = MAX(upto, r->at[i].end);
}

/* The range that covers the address and starts last; NULL: none does. */
static const struct range *dwarf_find(const struct ranges *r, uint64_t address)
{
	const size_t low = SORTED_UNTIL(r->at, r->n, start, address);

	/* a range may lie inside another one */
	for (size_t i = low; i-- > 0 && address < r->at[i].upto && low - i <= SCANNED_MOST;)
		if (address < r->at[i].end)
			return &r->at[i];
	return NULL;
}

/* Adds the ranges of an entry. *left bounds the work: many entries may share one list of ranges,
 * which is then read for each of them. */
static void dwarf_add_ranges(struct ranges *to, Dwarf_Die *die, Dwarf_Off what, size_t *left)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	/* ranges of code that the linker dropped start at 0 */
	for (; *left && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0; --*left)
		if (start && end > start)
			vec_add(to, (struct range){start, end, 0, what});
}

static void collect_units(struct dwarf_index *x, Dwarf *dwarf)
{
	size_t left = x->most_ranges;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t kind;

	while (!dwarf_get_units(dwarf, cu, &cu, NULL, &kind, &die, NULL)) {
		if (kind == DW_UT_type || kind == DW_UT_partial)
			continue;
		dwarf_add_ranges(&x->covered, &die, x->units.n, &left);
		vec_add(&x->units, dwarf_dieoffset(&die));
	}
	sort(&x->covered);
}

static Dwarf *lines_dwarf_begin(const struct dwarf_index *x, Elf **elf)
{
	*elf = NULL;
	if (!x->image.n)
		return dwarf_begin(x->fd, DWARF_C_READ);
	*elf = elf_memory(x->image.at, x->image.n);
	return *elf ? dwarf_begin_elf(*elf, DWARF_C_READ, NULL) : NULL;
}

struct dwarf_index *dwarf_index_open(const char *path)
{
	struct dwarf_index *x = NEW(struct dwarf_index);
	struct elf_image image;
	Dwarf *dwarf = NULL;
	Elf *elf = NULL;
	int usable;

	elf_version(EV_CURRENT);
	x->fd = -1;
	x->split = NEW(struct split_units);
	split_units_open(x->split, path);
	if (elf_image_open(&image, path, true)) {
		dwarf_index_free(x);
		return NULL;
	}
	usable = debug_image_expand(&image.elf, false, split_units_path(x->split), &x->image);
	if (usable > 0)
		split_units_set_image(x->split, &x->image);
	x->most_ranges = FREE_RANGES + MAX(image.elf.held, x->image.n) / 4;
	elf_image_release(&image);
	if (!usable)
		x->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (usable > 0 || x->fd >= 0)
		dwarf = lines_dwarf_begin(x, &elf);
	if (dwarf)
		collect_units(x, dwarf);
	dwarf_end(dwarf);
	elf_end(elf);
	if (x->covered.n)
		return x;
	dwarf_index_free(x);
	return NULL;
}

void dwarf_index_free(struct dwarf_index *x)
{
	if (!x)
		return;
	vec_release(&x->units);
	vec_release(&x->covered);
	split_units_close(x->split);
	free(x->split);
	buf_release(&x->image);
	if (x->fd >= 0)
		close(x->fd);
	free(x);
}

size_t dwarf_index_unit(const struct dwarf_index *x, uint64_t vaddr)
{
	const struct range *r = dwarf_find(&x->covered, vaddr);

	return r ? r->die : DWARF_NO_UNIT;
}

struct dwarf_reader *dwarf_reader_new(const struct dwarf_index *x)
{
	struct dwarf_reader *r = NEW(struct dwarf_reader);

	r->index = x;
	r->units = mem_zero(x->units.n * sizeof(*r->units));
	r->left = x->most_ranges;
	r->dwarf = lines_dwarf_begin(x, &r->elf);
	return r;
}

void dwarf_reader_free(struct dwarf_reader *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->index->units.n; i++) {
		vec_release(&r->units[i].functions);
		idmap_release(&r->units[i].calls);
	}
	for (size_t i = 0; i < r->calls.n; i++)
		vec_release(&r->calls.at[i].inlined);
	vec_release(&r->calls);
	free(r->units);
	dwarf_end(r->dwarf);
	elf_end(r->elf);
	free(r);
}

/* Children and siblings follow each other in the file. An entry that leads backwards is damaged,
 * and would make an endless loop. *last: the offset of the entry before. */
static bool is_later(Dwarf_Die *die, Dwarf_Off *last)
{
	const Dwarf_Off at = dwarf_dieoffset(die);

	if (at <= *last)
		return false;
	*last = at;
	return true;
}

/* True for entries that may contain functions with code: functions, namespaces and modules. Inside
 * of functions (even of those that were only inlined) also blocks and classes, whose members are
 * defined there (lambdas, local classes). Other classes only declare their members. */
static bool holds_functions(int tag, bool in_function)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	case DW_TAG_lexical_block:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return in_function;
	}
	return false;
}

static void collect_functions(struct dwarf_reader *r, struct unit *u, Dwarf_Die *parent,
			      unsigned int depth, bool in_function, Dwarf_Off *last)
{
	Dwarf_Die die;

	if (depth > 32 || dwarf_child(parent, &die))
		return;
	do {
		const int tag = dwarf_tag(&die);

		if (!is_later(&die, last))
			return;
		if (tag == DW_TAG_subprogram)
			dwarf_add_ranges(&u->functions, &die, dwarf_dieoffset(&die), &r->left);
		if (holds_functions(tag, in_function))
			collect_functions(r, u, &die, depth + 1,
					  in_function || tag == DW_TAG_subprogram, last);
	} while (!dwarf_siblingof(&die, &die));
}

/* Reads the lines and functions of a unit. For a skeleton unit, reads those of its split file
 * (DWARF 5, 3.1.2). */
static void learn(struct dwarf_reader *r, struct unit *u, Dwarf_Off at)
{
	Dwarf_Off last;

	u->known = true;
	if (!dwarf_offdie(r->dwarf, at, &u->die))
		return;
	split_units_find(r->index->split, &u->die);
	if (dwarf_getsrclines(&u->die, &u->lines, &u->n_lines))
		u->n_lines = 0;
	last = dwarf_dieoffset(&u->die);
	collect_functions(r, u, &u->die, 0, false, &last);
	sort(&u->functions);
}

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &a));

	return name ? name
		    : dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a));
}

static const char *function_name(Dwarf_Die *die)
{
	const char *name = linkage_name(die);

	return name ? name : dwarf_diename(die);
}

/* True for languages with mangled names. A function without a mangled name is then called by its
 * symbol alone. */
static bool mangles(struct unit *u)
{
	switch (dwarf_srclang(&u->die)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_Rust:
	case DW_LANG_D:
		return true;
	}
	return false;
}

static const char *outermost_name(struct unit *u, Dwarf_Die *die)
{
	const char *name = linkage_name(die);

	return name || mangles(u) ? name : dwarf_diename(die);
}

static uint32_t lines_dwarf_number(Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	return dwarf_attr(die, attribute, &a) && !dwarf_formudata(&a, &v) && v <= UINT32_MAX
		       ? (uint32_t)v : 0;
}

/* The line of the code at an address: the last row at or before it. */
static struct line_level line_at(struct unit *u, uint64_t vaddr)
{
	struct line_level level = {0};
	Dwarf_Line *line;
	Dwarf_Addr at;
	size_t low = 0, high = u->n_lines;
	bool end = false;
	int n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		line = dwarf_onesrcline(u->lines, middle);
		if (!line || dwarf_lineaddr(line, &at))
			return level;
		if (at <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return level;
	line = dwarf_onesrcline(u->lines, low - 1);
	if (!line || dwarf_lineendsequence(line, &end) || end || dwarf_lineno(line, &n))
		return level;
	level.file = dwarf_linesrc(line, NULL, NULL);
	level.line = n > 0 ? (uint32_t)n : 0;
	return level;
}

static const char *call_file(struct unit *u, Dwarf_Die *die)
{
	Dwarf_Files *files;
	size_t n;

	return dwarf_getsrcfiles(&u->die, &files, &n)
		       ? NULL
		       : dwarf_filesrc(files, lines_dwarf_number(die, DW_AT_call_file), NULL, NULL);
}

static uint32_t dwarf_call_add(struct dwarf_reader *r, struct dwarf_call call)
{
	vec_add(&r->calls, call);
	return (uint32_t)r->calls.n - 1;
}

/* Collects the calls that were inlined right below an entry, also in its blocks. Their numbers
 * count down: of several with the same range the first one is then found. */
static void collect_inlined(struct dwarf_reader *r, struct unit *u, Dwarf_Die *parent,
			    struct ranges *to, unsigned int depth, Dwarf_Off *last)
{
	Dwarf_Die die;

	if (depth > BLOCKS_MOST || dwarf_child(parent, &die))
		return;
	do {
		const int tag = dwarf_tag(&die);
		const size_t before = to->n;

		if (!is_later(&die, last))
			return;
		if (tag == DW_TAG_lexical_block)
			collect_inlined(r, u, &die, to, depth + 1, last);
		if (tag != DW_TAG_inlined_subroutine)
			continue;
		dwarf_add_ranges(to, &die, ~(Dwarf_Off)r->calls.n, &r->left);
		if (to->n > before)
			dwarf_call_add(r, (struct dwarf_call){.die = die,
							      .function = function_name(&die),
							      .file = call_file(u, &die),
							      .line = lines_dwarf_number(
								      &die, DW_AT_call_line)});
	} while (!dwarf_siblingof(&die, &die));
}

/* The number of the call that was inlined into a call at an address; HASH_NONE: there is none. */
static uint32_t inlined_at(struct dwarf_reader *r, struct unit *u, uint32_t call, uint64_t vaddr)
{
	const struct range *found;

	if (!r->calls.at[call].known) {
		Dwarf_Die die = r->calls.at[call].die;
		Dwarf_Off last = dwarf_dieoffset(&die);
		struct ranges inlined = {0};

		collect_inlined(r, u, &die, &inlined, 0, &last);
		sort(&inlined);
		r->calls.at[call].inlined = inlined;
		r->calls.at[call].known = true;
	}
	found = dwarf_find(&r->calls.at[call].inlined, vaddr);
	return found ? (uint32_t)~found->die : HASH_NONE;
}

/* The number of the function whose entry has that offset; HASH_NONE: the entry is damaged. */
static uint32_t function_call(struct dwarf_reader *r, struct unit *u, Dwarf_Off at)
{
	uint32_t *known = idmap_put(&u->calls, at);
	Dwarf_Die die;

	if (*known == HASH_NONE && dwarf_offdie(dwarf_cu_getdwarf(u->die.cu), at, &die))
		*known = dwarf_call_add(
			r, (struct dwarf_call){.die = die, .function = outermost_name(u, &die)});
	return *known;
}

size_t dwarf_reader_find(struct dwarf_reader *r, size_t unit, uint64_t vaddr,
			 struct line_levels *out)
{
	const struct range *function;
	struct unit *u = &r->units[unit];
	size_t first = out->n;
	struct line_level level;
	uint32_t call;

	if (!r->dwarf)
		return 0;
	if (!u->known)
		learn(r, u, r->index->units.at[unit]);
	if (!u->die.addr)
		return 0;
	level = line_at(u, vaddr);
	function = dwarf_find(&u->functions, vaddr);
	call = function ? function_call(r, u, function->die) : HASH_NONE;
	if (call == HASH_NONE) {
		if (level.file)
			vec_add(out, level);
		return out->n - first;
	}
	/* From the outermost inwards: each inlined call has the file and line of the call in the
	 * level around it. */
	vec_add(out, (struct line_level){.function = r->calls.at[call].function});
	while (out->n - first < LEVELS_MOST &&
	       (call = inlined_at(r, u, call, vaddr)) != HASH_NONE) {
		const struct dwarf_call *inlined = &r->calls.at[call];

		vec_last(out)->file = inlined->file;
		vec_last(out)->line = inlined->line;
		vec_add(out, (struct line_level){.function = inlined->function});
	}
	vec_last(out)->file = level.file;
	vec_last(out)->line = level.line;
	for (size_t a = first, b = out->n - 1; a < b; a++, b--) {
		level = out->at[a];
		out->at[a] = out->at[b];
		out->at[b] = level;
	}
	return out->n - first;
}
