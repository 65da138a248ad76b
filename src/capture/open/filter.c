// SPDX-License-Identifier: MIT
#include "capture/open/filter.h"

#include "os/machine/kallsyms.h"
#include "os/files/mapped.h"
#include "symbol/elf/elf_symbols.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A symbol with the name that is looked for. */
struct found {
	uint64_t start, end;
	bool global;
};

/* The object that an address filter refers to: a file, or the kernel. */
struct object {
	const char *path; /* NULL: the kernel */
	struct mapped bytes;
	struct elf_file elf;
	struct symbol_table symbols;
	struct kallsyms kernel;
	VEC(struct found) found;
};

static void object_release(struct object *o)
{
	vec_release(&o->found);
	symbol_table_release(&o->symbols);
	elf_file_release(&o->elf);
	mapped_release(&o->bytes);
	kallsyms_release(&o->kernel);
}

static int open_kernel(struct object *o, const char *kallsyms, struct err *err)
{
	if (kallsyms_read(&o->kernel, kallsyms ? kallsyms : kallsyms_live, err))
		return -1;
	if (!o->kernel.hidden)
		return 0;
	err_set(err, ERR_RIGHTS, "the kernel hides where its symbols are");
	return err_hint(err, "root may see it, or all after\n  sysctl -w kernel.kptr_restrict=0");
}

static int filter_open_file(struct object *o, struct err *err)
{
	if (mapped_open(&o->bytes, o->path, err))
		return -1;
	if (elf_file_init(&o->elf, o->bytes.p, o->bytes.n))
		return err_set(err, ERR_INPUT, "'%s' is no ELF file", o->path);
	elf_symbols_add(&o->elf, &o->elf, SHT_SYMTAB, &o->symbols);
	elf_symbols_add(&o->elf, &o->elf, SHT_DYNSYM, &o->symbols);
	return 0;
}

static bool is_code(char type)
{
	return strchr("tTwW", type) != NULL;
}

static void add_found(struct object *o, uint64_t start, uint64_t end, bool global)
{
	for (size_t i = 0; i < o->found.n; i++)
		if (o->found.at[i].start == start) { /* the symbol is in two tables */
			o->found.at[i].global |= global;
			o->found.at[i].end = MAX(o->found.at[i].end, end);
			return;
		}
	vec_add(&o->found, ((struct found){start, end, global}));
}

/* The kernel's table has no ends: a symbol goes up to the next. */
static uint64_t kernel_end(const struct kallsyms *k, uint64_t start)
{
	uint64_t end = UINT64_MAX;

	for (size_t i = 0; i < k->symbols.n; i++)
		if (k->symbols.at[i].address > start && k->symbols.at[i].address < end)
			end = k->symbols.at[i].address;
	return end == UINT64_MAX ? start : end;
}

static int filter_by_start(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void find_all(struct object *o, const char *name)
{
	vec_clear(&o->found);
	for (size_t i = 0; o->path && i < o->symbols.n; i++) {
		const struct symbol *s = &o->symbols.at[i];

		if (!strcmp(s->name, name))
			add_found(o, s->start, s->end, s->binding == STB_GLOBAL);
	}
	for (size_t i = 0; !o->path && i < o->kernel.symbols.n; i++) {
		const struct kallsym *s = &o->kernel.symbols.at[i];

		if (is_code(s->type) && !strcmp(s->name, name))
			add_found(o, s->address, kernel_end(&o->kernel, s->address),
				  isupper((unsigned char)s->type));
	}
	if (o->found.n)
		qsort(o->found.at, o->found.n, sizeof(*o->found.at), filter_by_start);
}

/* The object as the subject of an error message. */
static const char *subject(const struct object *o, char *text, size_t n)
{
	if (!o->path)
		return "the kernel";
	snprintf(text, n, "'%s'", o->path);
	return text;
}

static int several(const struct object *o, const char *name, struct err *err)
{
	char text[PATH_MAX];
	struct buf b = {0};

	err_set(err, ERR_USAGE, "%s has %zu symbols '%s'", subject(o, text, sizeof(text)),
		o->found.n, name);
	for (size_t i = 0; i < MIN(o->found.n, 8u); i++)
		buf_printf(&b, "  %s #%zu  %#llx %s\n", name, i + 1,
			   (unsigned long long)o->found.at[i].start,
			   o->found.at[i].global ? "global" : "local");
	err_hint(err, "say which one:\n%s%s", buf_text(&b), o->found.n > 8 ? "  ...\n" : "");
	buf_release(&b);
	return -1;
}

/* The symbol that the filter means: the only one, the nth, or the global one. */
static int find_one(struct object *o, const struct address_place *p, struct found *out,
		    struct err *err)
{
	const struct found *chosen = NULL;
	char text[PATH_MAX];
	size_t fits = 0;

	find_all(o, p->symbol);
	for (size_t i = 0; i < o->found.n; i++) {
		if (p->global && !o->found.at[i].global)
			continue;
		if (p->nth && p->nth != i + 1)
			continue;
		chosen = &o->found.at[i];
		fits++;
	}
	if (fits == 1) {
		*out = *chosen;
		return 0;
	}
	if (o->found.n > 1)
		return several(o, p->symbol, err);
	return err_set(err, ERR_USAGE, "%s has no %ssymbol '%s'", subject(o, text, sizeof(text)),
		       p->global ? "global " : "", p->symbol);
}

static void filter_whole(const struct object *o, struct found *out)
{
	*out = (struct found){.start = o->path ? 0 : UINT64_MAX, .end = o->bytes.n};
	for (size_t i = 0; !o->path && i < o->kernel.symbols.n; i++) {
		const struct kallsym *s = &o->kernel.symbols.at[i];

		if (!is_code(s->type))
			continue;
		out->start = MIN(out->start, s->address);
		out->end = MAX(out->end, (s->address | 4095) + 1);
	}
}

static int open_filter_one(struct object *o, const struct address_filter *f, struct buf *out,
			   struct err *err)
{
	/* a region where tracing stops is a stop with a size */
	static const char *const words[] = {"filter", "start", "stop", "stop"};
	bool region = f->action == ADDRESS_FILTER || f->action == ADDRESS_TRACESTOP;
	struct found at = {.start = f->start.value}, last;
	uint64_t size;

	if (f->whole)
		filter_whole(o, &at);
	else if (f->start.symbol && find_one(o, &f->start, &at, err))
		return -1;
	size = at.end > at.start && region ? at.end - at.start : 0;
	if (f->has_size && f->size.symbol) {
		if (find_one(o, &f->size, &last, err))
			return -1;
		if (last.end <= at.start)
			return err_set(err, ERR_USAGE, "'%s' ends before the filter begins",
				       f->size.symbol);
		size = last.end - at.start;
	} else if (f->has_size) {
		size = f->size.value;
	}
	if (region && !size)
		return err_set(err, ERR_USAGE, "a filter of %#llx needs a size, as in %#llx/0x100",
			       (unsigned long long)at.start, (unsigned long long)at.start);
	buf_printf(out, "%s%s 0x%llx", out->n ? "," : "", words[f->action],
		   (unsigned long long)at.start);
	if (size)
		buf_printf(out, "/0x%llx", (unsigned long long)size);
	if (o->path)
		buf_printf(out, "@%s", o->path);
	return 0;
}

int filter_resolve_addresses(const struct address_filters *f, const char *kallsyms, struct buf *out,
			     struct err *err)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct address_filter *a = &f->at[i];
		bool symbols = a->whole || a->start.symbol || (a->has_size && a->size.symbol);
		struct object o = {0};
		char path[PATH_MAX];
		int got = 0;

		if (a->file && !realpath(a->file, path))
			return err_sys(err, errno, "cannot find '%s'", a->file);
		o.path = a->file ? path : NULL;
		if (symbols)
			got = o.path ? filter_open_file(&o, err) : open_kernel(&o, kallsyms, err);
		if (!got)
			got = open_filter_one(&o, a, out, err);
		object_release(&o);
		if (got)
			return -1;
	}
	return 0;
}
