// SPDX-License-Identifier: MIT
/* Loads the symbols of a dso that is an ELF file. */
#include "symbol/dso_private.h"
#include "symbol/elf/elf_symbols.h"
#include "symbol/elf/go_table.h"
#include "symbol/table/elf_table.h"

#define PAGE 4096

struct choice {
	struct dso *dso;
	struct elf_image symbols;  /* the first file with a .symtab */
	struct elf_image runtime;  /* the first file that can be run: it has a .dynsym */
	/* embedded in the first file that carries a .symtab; used when no other file has one */
	struct elf_image embedded;
	bool has_symbols, has_runtime, has_embedded, same;
	const char *path;
	struct place_kind kind;
};

static void choose_symbols(struct choice *c, const char *path, struct place_kind kind)
{
	c->path = arena_strdup(&c->dso->private_data->arena, path);
	c->kind = kind;
}

/* Chooses files as perf does. Symbols come from the first file that has a .symtab. Segments and
 * linkage tables come from the first file with a .dynsym. One file may be both. When a build-id was
 * recorded, a file with another one, or with none, is never used. */
static bool consider(void *ctx, const char *path, struct place_kind kind)
{
	struct choice *c = ctx;
	struct elf_image image;
	struct go_table table;
	struct build_id id;
	bool symbols, runtime, embedded = false, go;

	if (elf_image_open(&image, path, c->dso->in_kernel) < 0) {
		dso_tried(c->dso, path, "not an ELF file, or not readable");
		return false;
	}
	if (c->dso->build_id.size &&
	    (elf_build_id(&image.elf, &id) < 0 || !build_id_equal(&id, &c->dso->build_id))) {
		dso_tried(c->dso, path, "has another build-id");
		elf_image_release(&image);
		return false;
	}
	if (!c->has_symbols && !c->has_embedded && !elf_has_symbols(&image.elf, SHT_SYMTAB) &&
	    elf_image_embedded(&c->embedded, &image.elf)) {
		c->has_embedded = true;
		choose_symbols(c, path, (struct place_kind){SYMBOLS_EMBEDDED, 'n'});
		embedded = !c->has_runtime; /* the file can be run, even without a .dynsym */
	}
	symbols = !c->has_symbols && elf_has_symbols(&image.elf, SHT_SYMTAB);
	/* a stripped static Go program can be run, too */
	go = !c->has_runtime && go_table_open(&table, &image.elf);
	runtime = embedded || go || (!c->has_runtime && elf_has_symbols(&image.elf, SHT_DYNSYM));
	if (symbols) {
		c->symbols = image;
		c->has_symbols = true;
		choose_symbols(c, path, kind);
	}
	if (runtime) {
		c->runtime = image;
		c->has_runtime = true;
		if (!c->has_symbols && !c->has_embedded)
			choose_symbols(
				c, path,
				(struct place_kind){go ? SYMBOLS_GO : SYMBOLS_DYNSYM, kind.origin});
	}
	c->same = c->same || (symbols && runtime);
	if (!symbols && !runtime) {
		dso_tried(c->dso, path, "has no symbols");
		elf_image_release(&image);
	}
	return c->has_symbols && c->has_runtime;
}

/*
 * Sets the file offsets of code segments of a debug file. Those segments have no bytes there, so
 * their offsets need not be those of the file that it was made from. When that file is missing, the
 * recorded maps tell the offset of its code. Else the offset is guessed for linkers that give each
 * segment pages of its own.
 */
static void place_code(const struct dso *dso, struct elf_file *elf)
{
	const struct elf_segment *first = NULL;
	size_t n_code = 0;

	for (size_t i = 0; i < elf->segments.n; i++)
		n_code += elf->segments.at[i].type == PT_LOAD && elf->segments.at[i].flags & PF_X;
	for (size_t i = 0; i < elf->segments.n; i++) {
		struct elf_segment *s = &elf->segments.at[i];

		if (s->type != PT_LOAD)
			continue;
		if (!first)
			first = s;
		if (!(s->flags & PF_X) || s->filesz || !s->memsz)
			continue;
		if (n_code == 1 && dso->code_offset != UINT64_MAX)
			s->offset = dso->code_offset + s->vaddr % PAGE;
		else
			s->offset = s->vaddr - first->vaddr;
	}
}

void dso_keep_segments(struct dso *dso, const struct elf_file *elf)
{
	struct dso_private *p = dso->private_data;

	for (size_t i = 0; i < elf->segments.n; i++) {
		const struct elf_segment *s = &elf->segments.at[i];

		if (s->type == PT_LOAD && MAX(s->memsz, s->filesz))
			vec_add(&p->segments, *s);
	}
	if (elf->type == ET_REL) {
		const struct elf_section *text = elf_section_named(elf, ".text");

		p->offset_shift = text ? text->offset : 0;
	}
}

/* Takes the build-id of the file itself when none was recorded: it identifies the debug files that
 * belong to it. */
static bool find_build_id(void *ctx, const char *path, struct place_kind kind)
{
	struct dso *dso = ctx;
	struct elf_image image;

	if (kind.source != SYMBOLS_SYMTAB || elf_image_open(&image, path, dso->in_kernel) < 0)
		return false;
	dso->private_data->id_found = !elf_build_id(&image.elf, &dso->build_id);
	elf_image_release(&image);
	return true;
}

/* Keeps the bytes of an image: names point into it, and symbols are read from it on demand. */
static void keep_bytes(struct mapped *keep, struct elf_image *image)
{
	*keep = image->bytes;
	image->bytes = (struct mapped){0};
	elf_image_release(image);
}

static void load_symbols(struct dso *dso, const struct elf_file *symbols,
			 const struct elf_file *dynamic, const struct elf_file *runtime)
{
	const struct symbol_options *o = &dso->set->options;
	const bool go = dso->source == SYMBOLS_GO;
	struct go_table table;

	if (!go && !o->function_ranges) {
		elf_table_make(&dso->symbols, symbols, dynamic, runtime, dso_shown_name, dso);
		if (dso->kind == DSO_FILE)
			elf_table_keep(&dso->symbols, &dso->build_id,
				       o->demangle ? 1 + (o->verbose > 0) : 0, o->cache_size);
		return;
	}
	/* other names are added: all symbols are read now */
	if (go && go_table_open(&table, runtime))
		go_table_symbols(&table, &dso->symbols);
	elf_load(symbols, dynamic, runtime, &dso->symbols, &dso->private_data->arena,
		 dso_shown_name, dso);
}

static bool load_tables(struct dso *dso)
{
	struct dso_private *p = dso->private_data;
	struct choice c = {.dso = dso};
	struct elf_image *symbols, *runtime;
	const struct elf_file *dynamic;

	if (!dso->build_id.size)
		dso_candidates(dso, find_build_id, dso);
	dso_candidates(dso, consider, &c);
	if (!c.has_symbols && !c.has_runtime)
		return false;
	if (c.has_symbols && c.has_embedded)
		elf_image_release(&c.embedded);
	runtime = c.has_runtime ? &c.runtime : &c.symbols;
	symbols = c.has_symbols ? &c.symbols : c.has_embedded ? &c.embedded : runtime;
	dynamic = symbols == &c.embedded ? &runtime->elf : &symbols->elf;
	dso->source = c.kind.source;
	dso->origin = c.kind.origin;
	dso->source_path = c.path;
	dso->is_64_bit = symbols->elf.is_64_bit;
	if (!c.has_runtime)
		place_code(dso, &symbols->elf);
	load_symbols(dso, &symbols->elf, dynamic, &runtime->elf);
	dso_keep_segments(dso, &runtime->elf);
	if (runtime != symbols && !c.same)
		keep_bytes(&p->other_image, runtime);
	keep_bytes(&p->image, symbols);
	return true;
}

bool dso_load_elf(struct dso *dso)
{
	const bool loaded = load_tables(dso);

	if (dso->set->options.function_ranges && dso->kind == DSO_FILE)
		return dso_add_ranges(dso) || loaded;
	return loaded;
}
