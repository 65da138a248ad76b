// SPDX-License-Identifier: MIT
#include "symbol/lines/lines.h"

#include "symbol/dso_private.h"
#include "symbol/lines/dwarf.h"

/* What a dso remembers of its addresses. */
struct dso_lines {
	struct dwarf_file *file;
	struct idmap places; /* rva -> index */
	VEC(struct source_place) found;
	struct line_levels scratch;
	struct arena arena;
};

static bool try_file(void *ctx, const char *path, struct place_kind kind)
{
	struct dso *dso = ctx;
	struct elf_image image;
	struct build_id id;
	bool fits;

	(void)kind;
	if (elf_image_open(&image, path))
		return false;
	fits = !dso->build_id.size || elf_build_id(&image.elf, &id) ||
	       build_id_equal(&id, &dso->build_id);
	elf_image_release(&image);
	if (fits)
		dso->private_data->lines->file = dwarf_file_open(path);
	return dso->private_data->lines->file != NULL;
}

static const char *shown_function(struct dso *dso, const char *name)
{
	AUTO_CHAR *shown = name ? dso_shown_name(dso, name) : NULL;

	return shown ? arena_strdup(&dso->private_data->lines->arena, shown) : name;
}

static struct source_place look_up(struct dso *dso, uint64_t rva)
{
	struct dso_lines *l = dso->private_data->lines;
	struct source_place place = {0};

	vec_clear(&l->scratch);
	if (!l->file || !dwarf_file_find(l->file, dso_vaddr(dso, rva), &l->scratch))
		return place;
	for (size_t i = 0; i < l->scratch.n; i++)
		l->scratch.at[i].function = shown_function(dso, l->scratch.at[i].function);
	place.n = (uint32_t)l->scratch.n;
	place.at = arena_copy(&l->arena, l->scratch.at, l->scratch.n * sizeof(*l->scratch.at));
	return place;
}

struct source_place dso_source(struct dso *dso, uint64_t rva)
{
	struct dso_private *p = dso->private_data;
	struct source_place place;
	uint32_t *index;

	if (dso->kind != DSO_FILE)
		return (struct source_place){0};
	dso_load(dso);
	pthread_mutex_lock(&p->lock);
	if (!p->lines) {
		p->lines = NEW(struct dso_lines);
		dso_candidates(dso, try_file, dso);
	}
	index = idmap_put(&p->lines->places, rva);
	if (*index == HASH_NONE) {
		*index = (uint32_t)p->lines->found.n;
		vec_add(&p->lines->found, look_up(dso, rva));
	}
	place = p->lines->found.at[*index];
	pthread_mutex_unlock(&p->lock);
	return place;
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

void dso_lines_release(struct dso *dso)
{
	struct dso_lines *l = dso->private_data->lines;

	if (!l)
		return;
	dwarf_file_free(l->file);
	idmap_release(&l->places);
	vec_release(&l->found);
	vec_release(&l->scratch);
	arena_release(&l->arena);
	free(l);
}
