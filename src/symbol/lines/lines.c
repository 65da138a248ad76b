// SPDX-License-Identifier: MIT
#include "symbol/lines/lines.h"

#include "base/sorted.h"
#include "symbol/cache/entry.h"
#include "symbol/contained/contained_private.h"
#include "symbol/lines/debug_image.h"
#include "symbol/lines/lines_private.h"
#include "symbol/lines/relocate.h"

/* Accepts the first file that belongs to the dso and has debug information. */
static bool try_file(void *ctx, const char *path, struct place_kind kind)
{
	struct dso *dso = ctx;
	struct dso_lines *l = dso->private_data->lines;
	struct elf_image image;
	struct build_id id;
	uint64_t identity;
	bool fits;

	(void)kind;
	if (elf_image_open(&image, path, dso->in_kernel))
		return false;
	identity = debug_identity(&image.elf);
	fits = (!dso->build_id.size ||
		(!elf_build_id(&image.elf, &id) && build_id_equal(&id, &dso->build_id))) &&
	       (dso->kind != DSO_KERNEL || kernel_moved(dso, &image.elf, &l->moved));
	elf_image_release(&image);
	if (!fits || !identity)
		return false;
	l->path = arena_strdup(&l->arena, path);
	l->key.identity = identity;
	return true;
}

static bool load_cache(struct dso_lines *l)
{
	AUTO_CHAR *dir = cache_dir();

	return dir && line_cache_load(&l->cache, dir, &l->key);
}

static void find_file(struct dso *dso)
{
	struct dso_lines *l = dso->private_data->lines;

	if (dso->private_data->jit)
		return; /* the JIT's dump has the lines */
	if (dso->private_data->code.n_lines) {
		l->readable = true; /* as the recording, which has them */
		return;
	}
	if (contained_of(dso)) {
		l->readable = contained_of(dso)->flags & CONTAINED_READABLE;
		return;
	}
	if (dso->kind == DSO_KERNEL) {
		kernel_debug_candidates(dso, try_file, dso);
		l->readable = l->path || dso->source == SYMBOLS_VMLINUX;
		return;
	}
	dso_candidates(dso, try_file, dso);
	l->readable = l->path || (dso->source != SYMBOLS_KALLSYMS && dso_file(dso));
}

bool dso_has_lines(const struct dso *dso)
{
	return dso->kind == DSO_FILE || (dso->kind == DSO_KERNEL && !dso->guest) ||
	       dso->kind == DSO_MODULE || dso->private_data->jit ||
	       dso->private_data->code.n_lines ||
	       (contained_of(dso) && contained_of(dso)->flags & CONTAINED_LINES);
}

uint64_t dso_lines_vaddr(struct dso *dso, uint64_t rva)
{
	const struct dso_private *p = dso->private_data;

	if (dso->kind == DSO_KERNEL)
		return rva - p->lines->moved;
	if (dso->kind == DSO_MODULE)
		return rva - (dso->mem_mapped_by_ip ? dso->mapping.start : p->offset_shift) +
		       LINES_MODULE_BASE;
	return dso_vaddr(dso, rva);
}

struct dso_lines *dso_lines_get(struct dso *dso)
{
	struct dso_private *p = dso->private_data;
	struct dso_lines *l = p->lines;

	if (l)
		return l;
	l = p->lines = NEW(struct dso_lines);
	find_file(dso);
	l->key.build_id = dso->build_id;
	l->cached = dso->build_id.size && dso->set->options.cache_size && !contained_of(dso);
	if (l->cached)
		load_cache(l);
	return l;
}

const struct dwarf_index *dso_lines_index(struct dso_lines *l)
{
	if (!l->index_known && l->path)
		l->index = dwarf_index_open(l->path);
	l->index_known = true;
	return l->index;
}

static const char *kept(struct dso_lines *l, const char *text, uint32_t *id)
{
	if (!text)
		return NULL;
	*id = intern_str(&l->texts, text);
	if (*id == l->shown.n)
		vec_add(&l->shown, NULL);
	return intern_text(&l->texts, *id);
}

static const char *shown_function(struct dso *dso, uint32_t id)
{
	struct dso_lines *l = dso->private_data->lines;
	const char *name = intern_text(&l->texts, id);

	if (!l->shown.at[id]) {
		AUTO_CHAR *shown = dso_shown_name(dso, name);

		l->shown.at[id] = shown ? arena_strdup(&l->arena, shown) : name;
	}
	return l->shown.at[id];
}

void dso_lines_remember(struct dso *dso, uint64_t rva, const struct line_level *levels, size_t n,
			bool is_new)
{
	struct dso_lines *l = dso->private_data->lines;
	struct line_level *own = arena_alloc(&l->arena, (n + 1) * sizeof(*own));
	uint32_t *index = idmap_put(&l->places, rva), id = 0;

	if (*index != HASH_NONE)
		return;
	*index = (uint32_t)l->found.n;
	if (contained_notes(dso))
		contained_note_lines(dso, rva, levels, n);
	if (is_new && l->cached)
		vec_add(&l->news.places, (struct line_cache_place){dso_lines_vaddr(dso, rva),
								   l->news.levels.n, (uint32_t)n});
	for (size_t i = 0; i < n; i++) {
		own[i] = levels[i];
		own[i].file = kept(l, levels[i].file, &id);
		own[i].function = kept(l, levels[i].function, &id);
		if (is_new && l->cached)
			vec_add(&l->news.levels, own[i]);
		if (own[i].function)
			own[i].function = shown_function(dso, id);
	}
	vec_add(&l->found, (struct source_place){own, (uint32_t)n, n || l->readable});
}

/* The line of code that a compiler in the kernel made; NULL: it is before the first one. */
static const struct made_line *made_line_at(const struct made_code *code, uint64_t rva)
{
	const size_t low = SORTED_UNTIL(code->lines, code->n_lines, address, rva);

	return low ? &code->lines[low - 1] : NULL;
}

static void lines_remember_made(struct dso *dso, uint64_t rva)
{
	const struct made_line *line = made_line_at(&dso->private_data->code, rva);
	struct line_level level = {.function = dso->long_name};

	if (line) {
		level.file = line->file;
		level.line = line->line;
	}
	dso_lines_remember(dso, rva, &level, line != NULL, false);
}

const char *dso_line_text(const struct dso *dso, uint64_t rva)
{
	const struct made_line *line = made_line_at(&dso->private_data->code, rva);

	return line ? line->text : NULL;
}

bool dso_lines_from_cache(struct dso *dso, uint64_t rva)
{
	struct dso_lines *l = dso->private_data->lines;

	vec_clear(&l->scratch);
	if (dso->private_data->code.n_lines) {
		lines_remember_made(dso, rva);
		return true;
	}
	if (contained_of(dso)) {
		/* an address of which nobody asked the writer has no lines */
		contained_lines(dso, rva, &l->scratch);
		dso_lines_remember(dso, rva, l->scratch.at, l->scratch.n, false);
		return true;
	}
	if (!l->cache.n_places ||
	    !line_cache_find(&l->cache, dso_lines_vaddr(dso, rva), &l->scratch))
		return false;
	dso_lines_remember(dso, rva, l->scratch.at, l->scratch.n, false);
	return true;
}

static const struct jit_piece *piece_at(const struct jit_source *jit, uint64_t rva)
{
	const size_t low = SORTED_UNTIL(jit->pieces, jit->n, offset, rva);

	return low && rva - jit->pieces[low - 1].offset < jit->pieces[low - 1].size
		       ? &jit->pieces[low - 1] : NULL;
}

static void look_into_dump(struct dso *dso, uint64_t rva)
{
	const struct jit_source *jit = dso->private_data->jit;
	const struct jit_piece *piece = piece_at(jit, rva);
	const struct symbol *sym = symbol_table_find(&dso->symbols, rva);
	struct line_level level = {.function = sym ? sym->name : NULL};
	const struct jit_line *line = NULL;
	struct jit_lines lines = {0};
	AUTO_FD fd = piece ? file_open(dso->source_path, &(uint32_t){0}, NULL) : -1;

	if (fd >= 0 && jit_lines_read(&lines, fd, &piece->lines, jit->swap, piece->size))
		line = jit_lines_find(&lines, rva - piece->offset);
	if (line) {
		level.file = line->file;
		level.line = line->line;
	}
	dso_lines_remember(dso, rva, &level, line != NULL, true);
	jit_lines_release(&lines);
}

void dso_lines_look_up(struct dso *dso, uint64_t rva)
{
	struct dso_lines *l = dso->private_data->lines;
	const struct dwarf_index *x;
	uint64_t vaddr;
	size_t unit;

	if (dso->private_data->jit) {
		look_into_dump(dso, rva);
		return;
	}
	if (dso_lines_from_cache(dso, rva))
		return;
	x = dso_lines_index(l);
	vaddr = dso_lines_vaddr(dso, rva);
	unit = x ? dwarf_index_unit(x, vaddr) : DWARF_NO_UNIT;
	vec_clear(&l->scratch);
	if (unit != DWARF_NO_UNIT) {
		if (!l->reader)
			l->reader = dwarf_reader_new(x);
		dwarf_reader_find(l->reader, unit, vaddr, &l->scratch);
	}
	dso_lines_remember(dso, rva, l->scratch.at, l->scratch.n, x != NULL);
}

struct source_place dso_source(struct dso *dso, uint64_t rva)
{
	struct dso_private *p = dso->private_data;
	struct source_place place;
	struct dso_lines *l;

	if (!dso_has_lines(dso))
		return (struct source_place){0};
	dso_load(dso);
	pthread_mutex_lock(&p->lock);
	l = dso_lines_get(dso);
	if (idmap_find(&l->places, rva) == HASH_NONE)
		dso_lines_look_up(dso, rva);
	place = l->found.at[idmap_find(&l->places, rva)];
	pthread_mutex_unlock(&p->lock);
	return place;
}

const char *dso_debug_file(struct dso *dso, uint64_t *moved)
{
	struct dso_private *p = dso->private_data;
	const struct dso_lines *l;

	*moved = 0;
	if (!dso_has_lines(dso))
		return NULL;
	dso_load(dso);
	pthread_mutex_lock(&p->lock);
	l = dso_lines_get(dso);
	*moved = l->moved;
	pthread_mutex_unlock(&p->lock);
	return l->path;
}

bool source_line_text(const struct line_level *level, bool full_path, struct buf *out)
{
	const char *file = level->file, *slash;

	if (!file)
		return false;
	slash = full_path ? NULL : strrchr(file, '/');
	buf_str(out, slash ? slash + 1 : file);
	buf_printf(out, ":%u", level->line);
	return true;
}

static void store(struct dso *dso, struct dso_lines *l)
{
	AUTO_CHAR *dir = cache_dir();

	if (dir && l->news.places.n)
		line_cache_store(dir, &l->key, &l->news, dso->set->options.cache_size);
}

void dso_lines_release(struct dso *dso)
{
	struct dso_lines *l = dso->private_data->lines;

	if (!l)
		return;
	store(dso, l);
	line_cache_release(&l->cache);
	line_cache_news_release(&l->news);
	dwarf_reader_free(l->reader);
	dwarf_index_free(l->index);
	idmap_release(&l->places);
	vec_release(&l->found);
	intern_release(&l->texts);
	vec_release(&l->shown);
	vec_release(&l->scratch);
	arena_release(&l->arena);
	free(l);
}
