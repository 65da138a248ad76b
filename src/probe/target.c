// SPDX-License-Identifier: MIT
#include "probe/target.h"

#include "base/options/options.h"
#include "os/machine/kallsyms.h"
#include "os/files/mapped.h"
#include "os/process/process.h"
#include "os/rights/rights.h"
#include "probe/btf/btf_args.h"
#include "symbol/demangle.h"
#include "symbol/elf/elf_names.h"
#include "symbol/lines/lines.h"
#include "symbol/store/debuginfod.h"
#include "symbol/table/symbol_table.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define TEXT_BEGIN "_text"

/* "/lib/modules/.../snd-pcm.ko.xz" is snd_pcm. */
static const char *module_name(const char *path, struct arena *arena)
{
	const char *base = strrchr(path, '/');
	char *name = arena_strdup(arena, base ? base + 1 : path), *end = strstr(name, ".ko");

	if (end)
		*end = 0;
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

static int open_file(struct probe_target *t, const char *name, int32_t pid, struct err *err)
{
	char root[PATH_MAX] = "", real[PATH_MAX];
	const char *path = name;

	if (pid && process_root("", pid, root, sizeof(root)))
		path = arena_printf(&t->arena, "%s%s%s", root, name[0] == '/' ? "" : "/", name);
	else if (t->dsos.options.symfs)
		path = arena_printf(&t->arena, "%s/%s", t->dsos.options.symfs, name);
	if (!realpath(path, real) || !file_is_regular(path))
		return err_set(err, ERR_INPUT, "'%s' is no file that can be probed", name);
	t->name = t->path = arena_strdup(&t->arena, root[0] ? path : real);
	if (t->dsos.options.symfs && !root[0]) {
		const size_t n = strlen(t->dsos.options.symfs);

		t->name = arena_strdup(&t->arena, name);
		t->dso = dso_set_get(&t->dsos,
				     !strncmp(name, t->dsos.options.symfs, n) ? name + n : name,
				     NULL, DSO_FILE, -1);
	} else {
		t->dso = dso_set_get(&t->dsos, t->path, NULL, DSO_FILE, -1);
	}
	return 0;
}

int probe_target_open(struct probe_target *t, enum probe_kind kind, const char *name, int32_t pid,
		      const struct symbol_options *options, struct err *err)
{
	struct build_id id = {0};

	*t = (struct probe_target){.kind = kind};
	dso_set_init(&t->dsos, options);
	if (kind == PROBE_FILE)
		return open_file(t, name, pid, err);
	if (kind == PROBE_MODULE) {
		t->name = module_name(name, &t->arena);
		if (strchr(name, '/')) {
			t->path = arena_strdup(&t->arena, name);
			t->dso = dso_set_get(&t->dsos, name, NULL, DSO_FILE, -1);
			return file_is_regular(name)
				       ? 0
				       : err_set(err, ERR_INPUT, "'%s' is no module's file", name);
		}
		t->dso = dso_set_get(&t->dsos, arena_printf(&t->arena, "[%s]", t->name),
				     build_id_of_module(t->name, &id) ? NULL : &id, DSO_MODULE, -1);
		return 0;
	}
	if (options->vmlinux) {
		t->offline = true;
		t->path = arena_strdup(&t->arena, options->vmlinux);
		t->dso = dso_set_get(&t->dsos, t->path, NULL, DSO_FILE, -1);
		return 0;
	}
	t->dso = dso_set_get(&t->dsos, "[kernel.kallsyms]", build_id_of_kernel(&id) ? NULL : &id,
			     DSO_KERNEL, -1);
	return 0;
}

void probe_target_release(struct probe_target *t)
{
	probe_finder_close(t->finder);
	btf_close(t->btf);
	dso_set_release(&t->dsos);
	arena_release(&t->arena);
	*t = (struct probe_target){0};
}

static const char *target_text(const struct probe_target *t)
{
	return t->name ? t->name : t->path ? t->path : "the kernel";
}

#define FETCH_SECONDS 60

/* The debug file of a program or module from a server, or NULL with *err when servers were asked.
 */
static const char *fetch_debug_file(struct probe_target *t, struct err *err)
{
	const char *urls = t->dsos.options.debuginfod, *path = NULL;
	struct build_id id = t->dso->build_id;
	struct debug_files files = {0};
	struct debuginfod *d;

	if (!urls || t->kind == PROBE_KERNEL || (t->path && build_id_of_file(t->path, &id)) ||
	    !id.size)
		return NULL;
	d = debuginfod_open(urls, FETCH_SECONDS, err);
	if (d && !debuginfod_fetch(d, target_text(t), &id, &files, err))
		path = arena_strdup(&t->arena, files.files.at[0].path);
	debuginfod_close(d);
	debug_files_release(&files);
	return path;
}

struct probe_finder *probe_target_finder(struct probe_target *t, struct err *err)
{
	uint64_t moved;

	if (!t->finder_known) {
		const char *path = dso_debug_file(t->dso, &moved);
		struct err fetch_err = {0};

		if (!path)
			path = fetch_debug_file(t, &fetch_err);
		t->finder_known = true;
		if (path) {
			t->finder = probe_finder_open(path, t->path ? t->path : path,
						      t->kind != PROBE_FILE,
						      t->dsos.options.cache_size, &t->finder_err);
		} else {
			err_set(&t->finder_err, ERR_INPUT,
				"there is no debug information of '%s'%s%s", target_text(t),
				fetch_err.code ? "; " : "", fetch_err.text);
			err_hint(&t->finder_err, "compile it with -g, or install its debug "
						 "package; -v says where it was looked for");
		}
	}
	if (!t->finder && err)
		*err = t->finder_err;
	return t->finder;
}

#define BTF_ROOT "/sys/kernel/btf"

/* The types of the kernel that runs, or NULL. */
static const struct btf *target_btf(struct probe_target *t)
{
	if (!t->btf_known && t->kind != PROBE_FILE && !t->offline)
		t->btf = btf_open(BTF_ROOT, t->kind == PROBE_MODULE ? t->name : NULL, NULL);
	t->btf_known = true;
	return t->btf;
}

int probe_target_variables(struct probe_target *t, const struct probe_spec *s,
			   const struct probe_wishes *w, struct probe_variables *out,
			   struct err *err)
{
	struct probe_finder *f = probe_target_finder(t, err);
	int got;

	if (!f)
		return btf_can_answer(s) && target_btf(t) &&
				       btf_list_parameters(t->btf, s->function, &t->arena, out)
			       ? 0
			       : -1;
	got = probe_finder_variables(f, s, w, out, err);
	return got > 0 ? 0 : got < 0 ? -1 : probe_target_not_found(t, s, err);
}

int probe_target_say_missing(const struct probe_target *t, struct err *err)
{
	const char *name = t->finder ? probe_finder_missing(t->finder) : NULL;

	return name ? err_hint(err,
			       "A part of the debug information should be in '%s', which is not "
			       "there.",
			       name)
		    : -1;
}

/* The address of the running kernel's _text, which is no symbol of its dso in all kernels; 0: it is
 * hidden. */
static uint64_t text_address(struct probe_target *t)
{
	struct kallsyms k = {0};

	if (!t->text_known && !kallsyms_read(&k, kallsyms_live, NULL))
		t->text = kallsyms_address(&k, TEXT_BEGIN);
	kallsyms_release(&k);
	t->text_known = true;
	return t->text;
}

/* The addresses of the running kernel are hidden from this user. Its functions can be probed by
 * their names all the same: the kernel knows where they lie. */
static bool is_hidden(struct probe_target *t)
{
	return t->kind == PROBE_KERNEL && !t->offline && !t->dso->symbols.n && !text_address(t);
}

int probe_target_not_found(struct probe_target *t, const struct probe_spec *s, struct err *err)
{
	AUTO_BUF point = {0};

	dso_load(t->dso);
	if (t->kind == PROBE_MODULE && !t->path && !t->dso->symbols.n)
		return err_set(err, ERR_INPUT,
			       "there is no module '%s', neither loaded nor below /lib/modules",
			       t->name);
	probe_point_text(s, &point);
	err_set(err, ERR_INPUT, "Probe point '%s' not found in '%s'", buf_text(&point),
		target_text(t));
	if (is_hidden(t)) {
		char why[128];

		rights_kernel_unseen("/proc", why, sizeof(why));
		return err_hint(err, "the kernel's addresses are %s", why);
	}
	return probe_target_say_missing(t, err);
}

/* A probe that debug information has nothing to say of: arguments are the kernel's own words. */
static struct probe_def *add_plain(const struct probe_spec *s, struct probe_defs *out)
{
	struct probe_def *d = vec_extend(out, 1);

	d->retprobe = s->retprobe;
	for (size_t i = 0; i < s->args.n; i++) {
		const struct probe_arg *a = &s->args.at[i];

		vec_add(&d->args,
			(struct probe_fetch){.name = a->name, .base = a->value, .type = a->type});
	}
	return d;
}

static bool is_code(const struct probe_target *t, const struct symbol *sym)
{
	if (t->dso->kind != DSO_FILE)
		return sym->type == STT_FUNC || sym->type == STT_NOTYPE ||
		       sym->type == STT_GNU_IFUNC;
	return sym->plt || sym->type == STT_FUNC || sym->type == STT_GNU_IFUNC ||
	       (sym->type == STT_NOTYPE && t->kind != PROBE_FILE);
}

/* "foo@@VERSION" and "foo@VERSION" are foo, too; names of C++ and others match as they were
 * written. */
static bool symbol_matches(const struct symbol *sym, const char *pattern)
{
	const char *at = strchr(sym->name, '@');
	char bare[256];

	if (glob_match(pattern, sym->name))
		return true;
	if (sym->name[0] == '_') {
		AUTO_CHAR *shown = demangle(sym->name, false);

		if (shown && glob_match(pattern, shown))
			return true;
	}
	if (!at || !strcmp(at, "@plt") || (size_t)(at - sym->name) >= sizeof(bare))
		return false;
	snprintf(bare, sizeof(bare), "%.*s", (int)(at - sym->name), sym->name);
	return glob_match(pattern, bare);
}

static int add_symbol(const struct probe_spec *s, const struct symbol *sym, struct probe_defs *out,
		      struct err *err)
{
	struct probe_def *d;

	if (sym->end > sym->start && s->offset >= sym->end - sym->start)
		return err_set(err, ERR_USAGE, "'%s' has no more than %llu bytes", sym->name,
			       (unsigned long long)(sym->end - sym->start));
	d = add_plain(s, out);
	d->function = arena_strdup(&out->arena, sym->name);
	d->symbol = d->function;
	d->offset = s->offset;
	d->address = sym->start + s->offset;
	return 0;
}

/* A kernel's function that is named twice is told from the other one by its distance from _text. */
static void relate_to_text(struct probe_target *t, struct probe_def *d, uint64_t address)
{
	if (t->kind != PROBE_KERNEL || t->offline)
		return;
	if (text_address(t) && address >= t->text) {
		d->symbol = TEXT_BEGIN;
		d->offset = address - t->text;
	}
}

struct match {
	struct probe_target *t;
	const struct probe_spec *s;
	const struct probe_wishes *w;
	struct probe_defs *out;
	size_t first; /* of the spec's definitions */
	struct err *err;
};

/* One of several names of an address is enough. */
static bool is_known(const struct match *m, uint64_t address)
{
	for (size_t i = m->first; i < m->out->n; i++)
		if (m->out->at[i].address == address)
			return true;
	return false;
}

static int match_symbol(const struct symbol *sym, void *ctx)
{
	struct match *m = ctx;

	if (!is_code(m->t, sym) || !symbol_matches(sym, m->s->function) ||
	    is_known(m, sym->start + m->s->offset))
		return 0;
	if (m->out->n - m->first == m->w->max_probes)
		return err_set(m->err, ERR_USAGE, "'%s' means more than %u places", m->s->text,
			       m->w->max_probes);
	return add_symbol(m->s, sym, m->out, m->err);
}

static bool is_plain_name(const char *function)
{
	return function[strcspn(function, "*?[")] == 0;
}

static void add_hidden(const struct probe_spec *s, struct probe_defs *out)
{
	struct probe_def *d = add_plain(s, out);

	d->function = arena_strdup(&out->arena, s->function);
	d->symbol = d->function;
	d->offset = s->offset;
}

static int by_address(const void *a, const void *b)
{
	const struct probe_def *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* 1, 0: no symbol is meant, or -1 with *err. */
static int find_symbols(struct probe_target *t, const struct probe_spec *s,
			const struct probe_wishes *w, struct probe_defs *out, struct err *err)
{
	struct match m = {t, s, w, out, out->n, err};
	int failed = 0;

	dso_load(t->dso);
	for (size_t i = 0; i < t->dso->symbols.n && !failed; i++)
		failed = match_symbol(symbol_table_at(&t->dso->symbols, i), &m);
	/* names of the same addresses that the table leaves out; -1 without an error: it is no ELF
	 * file */
	if (!failed && t->path && elf_names_walk(t->path, match_symbol, &m) && err && err->code)
		failed = -1;
	if (failed)
		return -1;
	if (out->n == m.first && is_hidden(t) && is_plain_name(s->function))
		add_hidden(s, out);
	if (out->n == m.first)
		return 0;
	qsort(out->at + m.first, out->n - m.first, sizeof(*out->at), by_address);
	for (size_t i = m.first; i < out->n && t->kind != PROBE_FILE; i++)
		relate_to_text(t, &out->at[i], out->at[i].address);
	return 1;
}

static int defs_of_symbols(struct probe_target *t, const struct probe_spec *s,
			   const struct probe_wishes *w, struct probe_defs *out, struct err *err)
{
	const int got = find_symbols(t, s, w, out, err);

	return got > 0 ? 0 : got < 0 ? -1 : probe_target_not_found(t, s, err);
}

static int defs_of_address(const struct probe_spec *s, struct probe_defs *out, struct err *err)
{
	struct probe_def *d;

	if (probe_spec_needs_dwarf(s))
		return probe_spec_fail(s->text, s->text, err,
				       "at an address there are no variables, lines or files");
	d = add_plain(s, out);
	d->address = s->address;
	return 0;
}

/* Where the file has what its debug information speaks of. */
static void settle_places(struct probe_target *t, struct probe_defs *out, size_t first)
{
	uint64_t moved;

	dso_debug_file(t->dso, &moved);
	for (size_t i = first; i < out->n; i++) {
		struct probe_def *d = &out->at[i];

		if (t->kind == PROBE_FILE)
			d->address = probe_finder_file_offset(t->finder, d->address);
		else
			relate_to_text(t, d, d->address + moved);
	}
}

/* A function that returns is a symbol's, wherever it was inlined. Names that symbols do not have
 * (methods of C++ without their class) are those of debug information. */
static int defs_of_return(struct probe_target *t, const struct probe_spec *s,
			  const struct probe_wishes *w, struct probe_defs *out, struct buf *notes,
			  struct err *err)
{
	const size_t first = out->n;
	int got = find_symbols(t, s, w, out, err);

	if (!got && probe_target_finder(t, NULL)) {
		got = probe_finder_defs(t->finder, s, w, out, notes, err);
		if (got > 0)
			settle_places(t, out, first);
	}
	return got > 0 ? 0 : got < 0 ? -1 : probe_target_not_found(t, s, err);
}

/* The functions by their symbols, the arguments by the kernel's types. */
static int defs_of_types(struct probe_target *t, const struct probe_spec *s,
			 const struct probe_wishes *w, struct probe_defs *out, struct buf *notes,
			 struct err *err)
{
	const size_t first = out->n;
	int failed = defs_of_symbols(t, s, w, out, err);

	for (size_t i = first; i < out->n && !failed; i++)
		failed = btf_define_args(t->btf, s, &out->at[i], &out->arena, notes, err);
	return failed;
}

int probe_target_defs(struct probe_target *t, const struct probe_spec *s,
		      const struct probe_wishes *w, struct probe_defs *out, struct buf *notes,
		      struct err *err)
{
	const bool dwarf = probe_spec_needs_dwarf(s);
	const bool by_types =
		dwarf && btf_can_answer(s) && !probe_target_finder(t, NULL) && target_btf(t);
	const bool by_return = s->retprobe && !dwarf;
	const size_t first = out->n;
	int got = 0;

	if (s->sdt)
		got = probe_target_markers(t, s, out, notes, err) ? -1 : 1;
	else if (s->has_address)
		got = defs_of_address(s, out, err) ? -1 : 1;
	else if (by_types)
		got = defs_of_types(t, s, w, out, notes, err) ? -1 : 1;
	else if (by_return)
		got = defs_of_return(t, s, w, out, notes, err) ? -1 : 1;
	else
		got = probe_target_finder(t, dwarf ? err : NULL)
			      ? probe_finder_defs(t->finder, s, w, out, notes, err)
		      : dwarf ? -1
			      : 0;
	if (got < 0)
		return -1;
	if (got && !by_types && !by_return && !s->sdt && !s->has_address)
		settle_places(t, out, first);
	if (!got && dwarf)
		return probe_target_not_found(t, s, err);
	if (!got && defs_of_symbols(t, s, w, out, err))
		return -1;
	for (size_t i = first; i < out->n; i++) {
		if (t->kind == PROBE_FILE)
			out->at[i].file = arena_strdup(&out->arena, t->name);
		else if (t->kind == PROBE_MODULE)
			out->at[i].module = arena_strdup(&out->arena, t->name);
	}
	return 0;
}

/* Where the dso has it: a file's offset, or an address of the running kernel. */
static bool dso_address_of(struct probe_target *t, const struct probe_def *d, uint64_t *at)
{
	const struct symbol *sym;

	if (t->kind == PROBE_FILE || !d->symbol) {
		*at = d->address;
		return true;
	}
	if (t->kind == PROBE_KERNEL && !t->offline && !strcmp(d->symbol, TEXT_BEGIN) &&
	    text_address(t)) {
		*at = t->text + d->offset;
		return true;
	}
	sym = dso_find_name(t->dso, d->symbol);
	*at = sym ? sym->start + d->offset : 0;
	return sym != NULL;
}

bool probe_target_place(struct probe_target *t, const struct probe_def *d, struct probe_place *out)
{
	const struct symbol *sym;
	uint64_t at, moved;

	*out = (struct probe_place){0};
	if (!dso_address_of(t, d, &at))
		return false;
	dso_debug_file(t->dso, &moved);
	if (t->kind != PROBE_MODULE && probe_target_finder(t, NULL) &&
	    probe_finder_place(
		    t->finder,
		    t->kind == PROBE_FILE ? probe_finder_vaddr(t->finder, at) : at - moved, out))
		return true;
	sym = dso_find(t->dso, at);
	if (!sym)
		return false;
	out->function = dso_symbol_name(t->dso, sym);
	out->offset = at - sym->start;
	return true;
}
