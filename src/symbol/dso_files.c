// SPDX-License-Identifier: MIT
/* Where the file of a dso, or one with its symbols, may lie: perf's places in perf's order. */
#include "os/process.h"
#include "symbol/dso_private.h"

#include <limits.h>
#include <stdio.h>

struct search {
	struct dso *dso;
	candidate_fn fn;
	void *ctx;
	const char *symfs, *root;
	char path[PATH_MAX];
};

const char *dso_root(struct dso *dso)
{
	struct dso_private *p = dso->private_data;
	const struct symbol_options *o = &dso->set->options;
	const int32_t pid = dso->pid > 0 ? dso->pid : dso->mapped_by;
	char root[PATH_MAX];

	if (p->root_known)
		return p->root;
	p->root_known = true;
	if (pid > 0 && !o->no_live && !(o->symfs && *o->symfs) && !dso->in_kernel &&
	    process_root("", pid, root, sizeof(root)))
		p->root = arena_strdup(&p->arena, root);
	return p->root;
}

static bool is_known(const struct build_id *id)
{
	return id->size != 0;
}

static bool offer(struct search *s, enum symbol_source source)
{
	if (file_is_regular(s->path))
		return s->fn(s->ctx, s->path, source);
	dso_tried(s->dso, s->path, "no such file");
	return false;
}

/* A path of the profiled process: in its own root first, when it has one. */
static bool offer_in_root(struct search *s, const char *prefix, const char *path,
			  const char *suffix, enum symbol_source source)
{
	if (s->root) {
		snprintf(s->path, sizeof(s->path), "%s%s%s%s", s->root, prefix, path, suffix);
		if (offer(s, source))
			return true;
	}
	snprintf(s->path, sizeof(s->path), "%s%s%s%s", s->symfs, prefix, path, suffix);
	return offer(s, source);
}

void build_id_cache_path(const struct dso_set *set, const struct build_id *id, const char *suffix,
			 char *path, size_t n)
{
	char text[41];

	build_id_text(id, text);
	snprintf(path, n, "%s/.build-id/%.2s/%s%s", set->private_data->buildid_dir, text, text + 2,
		 suffix);
}

/* A cache entry is a directory that holds "elf", "debug" or "vdso", or (old) the file itself. */
static bool offer_cached(struct search *s, const char *suffix, enum symbol_source source)
{
	if (!is_known(&s->dso->build_id) || !s->dso->set->private_data->buildid_dir)
		return false;
	build_id_cache_path(s->dso->set, &s->dso->build_id, suffix, s->path, sizeof(s->path));
	return offer(s, source);
}

static bool offer_debuglink_of(struct search *s, const char *file)
{
	struct elf_image image;
	char name[NAME_MAX + 1], dir[PATH_MAX];
	const char *link, *slash = strrchr(file, '/');
	uint32_t crc;

	if (!slash || elf_image_open(&image, file) < 0)
		return false;
	link = elf_debuglink(&image.elf, &crc);
	snprintf(name, sizeof(name), "%s", link ? link : "");
	elf_image_release(&image);
	if (!*name || strchr(name, '/'))
		return false;
	snprintf(dir, sizeof(dir), "%.*s", (int)(slash - file), file);
	if (snprintf(s->path, sizeof(s->path), "%s/%s", dir, name) < (int)sizeof(s->path) &&
	    strcmp(s->path, file) && offer(s, SYMBOLS_DEBUG_FILE))
		return true;
	if (snprintf(s->path, sizeof(s->path), "%s/.debug/%s", dir, name) < (int)sizeof(s->path) &&
	    offer(s, SYMBOLS_DEBUG_FILE))
		return true;
	return snprintf(s->path, sizeof(s->path), "/usr/lib/debug%s/%s", dir, name) <
		       (int)sizeof(s->path) &&
	       offer(s, SYMBOLS_DEBUG_FILE);
}

static bool offer_debuglink(struct search *s)
{
	char file[PATH_MAX];

	if (s->root) {
		snprintf(file, sizeof(file), "%s%s", s->root, s->dso->long_name);
		if (offer_debuglink_of(s, file))
			return true;
	}
	snprintf(file, sizeof(file), "%s%s", s->symfs, s->dso->long_name);
	return offer_debuglink_of(s, file);
}

/* DIR/.debug/NAME beside the file. */
static bool offer_beside(struct search *s)
{
	const char *name = s->dso->long_name, *slash = strrchr(name, '/');

	if (!slash)
		return false;
	snprintf(s->path, sizeof(s->path), "%s%.*s/.debug%s", s->symfs, (int)(slash - name), name,
		 slash);
	return offer(s, SYMBOLS_DEBUG_FILE);
}

static bool offer_build_id_debug(struct search *s)
{
	char text[41];

	if (!is_known(&s->dso->build_id))
		return false;
	build_id_text(&s->dso->build_id, text);
	snprintf(s->path, sizeof(s->path), "%s/usr/lib/debug/.build-id/%.2s/%s.debug", s->symfs,
		 text, text + 2);
	return offer(s, SYMBOLS_DEBUG_FILE);
}

static bool offer_module(struct search *s)
{
	static const char *const endings[] = {"", ".gz", ".xz", ".zst"};
	const char *name = s->dso->long_name;

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (offer_in_root(s, "", name, endings[i], SYMBOLS_SYMTAB))
			return true;
	return false;
}

void dso_candidates(struct dso *dso, candidate_fn fn, void *ctx)
{
	const char *symfs = dso->set->options.symfs, *name = dso->long_name;
	const bool is_path = name[0] == '/' || (name[0] != '[' && strchr(name, '/'));
	struct search s = {dso, fn, ctx, .symfs = symfs ? symfs : "", .root = dso_root(dso)};

	if (is_path && offer_debuglink(&s))
		return;
	if (offer_cached(&s, "/elf", SYMBOLS_BUILD_ID_CACHE) ||
	    offer_cached(&s, "/vdso", SYMBOLS_BUILD_ID_CACHE) ||
	    offer_cached(&s, "", SYMBOLS_BUILD_ID_CACHE) ||
	    offer_cached(&s, "/debug", SYMBOLS_BUILD_ID_CACHE))
		return;
	if (is_path && (offer_in_root(&s, "/usr/lib/debug", name, ".debug", SYMBOLS_DEBUG_FILE) ||
			offer_in_root(&s, "/usr/lib/debug", name, "", SYMBOLS_DEBUG_FILE)))
		return;
	if (offer_build_id_debug(&s) || !is_path)
		return;
	if (dso->kind == DSO_MODULE ? offer_module(&s)
				    : offer_in_root(&s, "", name, "", SYMBOLS_SYMTAB))
		return;
	if (offer_beside(&s))
		return;
	if (!strncmp(name, "/usr/lib/", 9))
		offer_in_root(&s, "/usr/lib/debug", name + 4, "", SYMBOLS_DEBUG_FILE);
}
