// SPDX-License-Identifier: MIT
#include "probe/function_probes.h"

#include "base/options/options.h"
#include "os/files/mapped.h"
#include "symbol/function_exits.h"
#include "symbol/table/symbol_table.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

/* The file's bytes, and which machine they are for. */
struct probed_file {
	struct mapped bytes;
	uint16_t machine;
};

static int probed_file_open(struct probed_file *f, const char *path, struct err *err)
{
	const Elf64_Ehdr *header;

	if (mapped_open(&f->bytes, path, err))
		return -1;
	header = (const Elf64_Ehdr *)f->bytes.p;
	if (f->bytes.n < sizeof(*header) || memcmp(header->e_ident, ELFMAG, SELFMAG)) {
		err_set(err, ERR_INPUT, "'%s' is no program (ELF)", path);
		return err_hint(err, "-x names the program or library whose functions are meant");
	}
	f->machine = header->e_machine;
	if (header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
	    function_exits_knows(f->machine))
		return 0;
	return err_set(err, ERR_UNSUPPORTED,
		       "where functions of '%s' end is known of x86-64 and arm64 only", path);
}

bool function_globs_match(const char *globs, const char *name)
{
	while (*globs) {
		const size_t n = strcspn(globs, ",");
		AUTO_CHAR *glob = mem_strndup(globs, n);

		if (n && glob_match(glob, name))
			return true;
		globs += n + (globs[n] == ',');
	}
	return false;
}

static bool is_cold_part(const char *name)
{
	return strstr(name, ".cold") != NULL;
}

static bool function_wanted(struct dso *dso, const struct symbol *sym, const char *globs)
{
	if (sym->type != STT_FUNC || sym->plt || sym->end <= sym->start || is_cold_part(sym->name))
		return false;
	return function_globs_match(globs, sym->name) ||
	       function_globs_match(globs, dso_symbol_name(dso, sym));
}

static bool part_of(const struct probed_file *file, const struct symbol *sym,
		    struct function_part *part)
{
	if (sym->end > file->bytes.n)
		return false;
	*part = (struct function_part){sym->start, sym->end, file->bytes.p + sym->start};
	return true;
}

/* "parse.cold" or "parse.cold.12": code of parse that hardly ever runs. */
static const struct symbol *cold_part_of(struct dso *dso, const struct symbol *sym)
{
	const size_t n = strlen(sym->name);

	for (size_t i = 0; i < dso->symbols.n; i++) {
		const struct symbol *s = symbol_table_at(&dso->symbols, i);

		if (!strncmp(s->name, sym->name, n) && !strncmp(s->name + n, ".cold", 5))
			return s;
	}
	return NULL;
}

static void function_add(struct function_probes *f, struct dso *dso, const struct symbol *sym,
			 const struct probed_file *file, struct buf *notes)
{
	const struct symbol *cold = cold_part_of(dso, sym);
	struct function_part parts[2];
	struct function_exits exits = {0};
	const char *name = dso_symbol_name(dso, sym);
	size_t n = 0;

	n += part_of(file, sym, &parts[n]);
	if (n && cold)
		n += part_of(file, cold, &parts[n]);
	if (!n || !function_exits_find(file->machine, parts, n, &exits)) {
		buf_printf(notes, "'%s' is left out: its instructions cannot be read\n", name);
		return;
	}
	vec_add(&f->functions, (struct probed_function){.name = arena_strdup(&f->arena, name),
							.start = sym->start,
							.exit = (uint32_t)f->exits.n,
							.exits = (uint32_t)exits.n});
	for (size_t i = 0; i < exits.n; i++)
		vec_add(&f->exits, (struct probed_exit){exits.at[i].at, exits.at[i].jump});
	vec_release(&exits);
}

static int functions_add(struct function_probes *f, struct dso *dso, const char *globs,
			 const struct probed_file *file, struct buf *notes, struct err *err)
{
	size_t wanted = 0;

	for (size_t i = 0; i < dso->symbols.n; i++) {
		const struct symbol *sym = symbol_table_at(&dso->symbols, i);

		if (!function_wanted(dso, sym, globs))
			continue;
		if (++wanted > PROBED_FUNCTIONS_MAX)
			return err_set(err, ERR_USAGE,
				       "'%s' means more than %d functions: name fewer", globs,
				       PROBED_FUNCTIONS_MAX);
		function_add(f, dso, sym, file, notes);
	}
	if (f->functions.n)
		return 0;
	if (wanted)
		return err_set(err, ERR_INPUT, "no function that '%s' means can be probed", globs);
	err_set(err, ERR_INPUT, "'%s' has no function '%s'", f->file, globs);
	return err_hint(err, dso->symbols.n ? "'perf probe -F -x FILE' lists those that there are"
					    : "it has no symbols: it was stripped");
}

int function_probes_find(struct function_probes *f, const char *file, const char *globs,
			 const struct symbol_options *options, struct buf *notes, struct err *err)
{
	struct probed_file bytes = {0};
	struct dso *dso;
	int got;

	*f = (struct function_probes){0};
	dso_set_init(&f->dsos, options);
	f->file = arena_strdup(&f->arena, file);
	got = probed_file_open(&bytes, file, err);
	if (!got) {
		dso = dso_set_get(&f->dsos, file, NULL, DSO_FILE, -1);
		dso_load(dso);
		if (dso_find_name(dso, "runtime.goexit"))
			got = err_set(err, ERR_UNSUPPORTED,
				      "'%s' is of Go, whose stacks move: calls cannot be followed",
				      file);
		else
			got = functions_add(f, dso, globs, &bytes, notes, err);
	}
	mapped_release(&bytes.bytes);
	return got;
}

static int probe_write(const struct function_probes *f, struct made_probes *m, const char *event,
		       uint64_t at, struct err *err)
{
	struct probe_def d = {
		.group = made_probes_group(m), .event = event, .file = f->file, .address = at};
	int got;

	vec_add(&d.args, (struct probe_fetch){.name = "sp", .base = "%sp", .type = "x64"});
	got = made_probes_write(m, &d, err);
	probe_def_release(&d);
	return got;
}

void function_probes_split(struct function_probes *f)
{
	f->parts = (unsigned int)MIN(f->functions.n, (size_t)FUNCTION_PARTS_MAX);
	for (size_t i = 0; i < f->functions.n; i++)
		f->functions.at[i].part = 1 + (unsigned int)(i % f->parts);
}

static const char *exit_kind(const struct probed_exit *e)
{
	return e->jump ? CALL_JUMP : CALL_RETURN;
}

static bool function_has_kind(const struct function_probes *f, const struct probed_function *of,
			      const char *kind)
{
	bool has = !strcmp(kind, CALL_ENTRY);

	for (uint32_t i = 0; i < of->exits; i++)
		has |= !strcmp(exit_kind(&f->exits.at[of->exit + i]), kind);
	return has;
}

static const char *part_event(struct function_probes *f, const char *kind, unsigned int part)
{
	return part ? arena_printf(&f->arena, "%s_%u", kind, part) : kind;
}

const char *function_probes_event(struct function_probes *f, const char *kind, unsigned int part)
{
	for (size_t i = 0; i < f->functions.n; i++)
		if (f->functions.at[i].part == part &&
		    function_has_kind(f, &f->functions.at[i], kind))
			return part_event(f, kind, part);
	return NULL;
}

bool function_probes_part(const char *tracepoint, const char **kind, unsigned int *part)
{
	static const char *const kinds[] = {CALL_ENTRY, CALL_RETURN, CALL_JUMP};
	char rest;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		const size_t n = strlen(kinds[i]);

		*part = 0;
		if (strncmp(tracepoint, kinds[i], n) != 0 ||
		    (tracepoint[n] && sscanf(tracepoint + n, "_%u%c", part, &rest) != 1))
			continue;
		if (kind)
			*kind = kinds[i];
		return true;
	}
	return false;
}

int function_probes_make(struct function_probes *f, struct made_probes *m, struct err *err)
{
	for (size_t i = 0; i < f->functions.n; i++) {
		const struct probed_function *of = &f->functions.at[i];

		if (probe_write(f, m, part_event(f, CALL_ENTRY, of->part), of->start, err))
			return -1;
		for (uint32_t k = 0; k < of->exits; k++) {
			const struct probed_exit *e = &f->exits.at[of->exit + k];

			if (probe_write(f, m, part_event(f, exit_kind(e), of->part), e->at, err))
				return -1;
		}
	}
	return 0;
}

void function_probes_release(struct function_probes *f)
{
	vec_release(&f->functions);
	vec_release(&f->exits);
	dso_set_release(&f->dsos);
	arena_release(&f->arena);
}
