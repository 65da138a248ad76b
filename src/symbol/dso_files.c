// SPDX-License-Identifier: MIT
/* Lists the paths where the file of a dso, or a file with its symbols, may lie: perf's places in
 * perf's order. */
#include "os/files/files.h"
#include "os/machine/modules.h"
#include "os/process/process.h"
#include "symbol/store/debuginfod.h"
#include "symbol/dso_private.h"
#include "symbol/store/store_entry.h"

#include <limits.h>
#include <stdio.h>
#include <sys/utsname.h>

/* the letters of perf's -v, see dso.origin */
static const struct place_kind LINKED = {SYMBOLS_DEBUG_FILE, 'l'},
			       CACHED = {SYMBOLS_BUILD_ID_CACHE, 'B'},
			       CACHED_DEBUG = {SYMBOLS_BUILD_ID_CACHE, 'D'},
			       DEBUG_NAMED = {SYMBOLS_DEBUG_FILE, 'f'},
			       DEBUG_SAME = {SYMBOLS_DEBUG_FILE, 'u'},
			       DEBUG_BY_ID = {SYMBOLS_DEBUG_FILE, 'b'},
			       ITSELF = {SYMBOLS_SYMTAB, 'd'}, BESIDE = {SYMBOLS_DEBUG_FILE, 'o'},
			       DEBUG_LIB = {SYMBOLS_DEBUG_FILE, 'x'},
			       MODULE = {SYMBOLS_SYMTAB, 'K'},
			       MODULE_PACKED = {SYMBOLS_SYMTAB, 'm'};

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

static bool dso_files_is_known(const struct build_id *id)
{
	return id->size != 0;
}

static bool offer(struct search *s, struct place_kind kind)
{
	if (file_is_regular(s->path))
		return s->fn(s->ctx, s->path, kind);
	dso_tried(s->dso, s->path, "no such file");
	return false;
}

/*
 * True when the file, for which no build-id was recorded, cannot be the one that was mapped: it was
 * written to after the recording, or it has another inode. Inodes of another device are not
 * compared (overlay file systems show their own). Nor are those of file systems without inode
 * generations, which number their files as they meet them.
 */
static bool was_replaced(const struct dso *dso, const char *path)
{
	const struct dso_inode *was = &dso->inode;
	const struct symbol_options *o = &dso->set->options;
	struct file_identity is;

	if (dso->kind != DSO_FILE || dso_files_is_known(&dso->build_id) || !o->recorded_ns ||
	    o->force || (o->symfs && *o->symfs) || !file_identify(path, &is))
		return false;
	if (is.mtime_ns > o->recorded_ns)
		return true;
	if (!was->ino || !is.generation || is.maj != was->maj || is.min != was->min)
		return false;
	return is.ino != was->ino || (was->generation && is.generation != was->generation);
}

/* Offers the file of the recorded name itself. */
static bool offer_itself(struct search *s)
{
	struct dso_private *p = s->dso->private_data;

	if (!file_is_regular(s->path) || !was_replaced(s->dso, s->path))
		return offer(s, ITSELF);
	dso_tried(s->dso, s->path, "was rebuilt or replaced since (-f uses it)");
	p->replaced = true;
	return false;
}

/* Offers a path of the profiled process: first below its own root, when that differs from ours. */
static bool offer_in_root(struct search *s, const char *prefix, const char *path,
			  const char *suffix, struct place_kind kind)
{
	if (s->root) {
		snprintf(s->path, sizeof(s->path), "%s%s%s%s", s->root, prefix, path, suffix);
		if (kind.origin == ITSELF.origin ? offer_itself(s) : offer(s, kind))
			return true;
	}
	snprintf(s->path, sizeof(s->path), "%s%s%s%s", s->symfs, prefix, path, suffix);
	return kind.origin == ITSELF.origin ? offer_itself(s) : offer(s, kind);
}

static bool may_read(struct dso *dso, const char *path, bool may)
{
	if (!may)
		dso_tried(dso, path, "leads out of the build-id cache, not followed");
	return may;
}

bool build_id_cache_path(struct dso *dso, const char *suffix, char *path, size_t n)
{
	const char *dir = dso->set->private_data->buildid_dir;
	char text[41], name[STORE_LINK_MAX];

	build_id_text(&dso->build_id, text);
	store_link_name(text, name);
	return snprintf(path, n, "%s/%s%s", dir, name, suffix) < (int)n &&
	       may_read(dso, path, store_may_read(dir, text, suffix));
}

bool build_id_cache_named(struct dso *dso, const char *name, char *path, size_t n)
{
	const char *dir = dso->set->private_data->buildid_dir;

	return snprintf(path, n, "%s/%s", dir, name) < (int)n &&
	       may_read(dso, path, store_may_read_path(dir, name));
}

/* A cache entry is a directory that holds "elf", "debug" or "vdso", or (old) the file itself. */
static bool offer_cached(struct search *s, const char *suffix, struct place_kind kind)
{
	if (!dso_files_is_known(&s->dso->build_id) || !s->dso->set->private_data->buildid_dir)
		return false;
	return build_id_cache_path(s->dso, suffix, s->path, sizeof(s->path)) && offer(s, kind);
}

static bool offer_debuglink_of(struct search *s, const char *file)
{
	struct elf_image image;
	char name[NAME_MAX + 1], dir[PATH_MAX];
	const char *link, *slash = strrchr(file, '/');
	uint32_t crc;

	if (!slash || was_replaced(s->dso, file) ||
	    elf_image_open(&image, file, s->dso->in_kernel) < 0)
		return false;
	link = elf_debuglink(&image.elf, &crc);
	snprintf(name, sizeof(name), "%s", link ? link : "");
	elf_image_release(&image);
	if (!*name || strchr(name, '/'))
		return false;
	snprintf(dir, sizeof(dir), "%.*s", (int)(slash - file), file);
	if (snprintf(s->path, sizeof(s->path), "%s/%s", dir, name) < (int)sizeof(s->path) &&
	    strcmp(s->path, file) && offer(s, LINKED))
		return true;
	if (snprintf(s->path, sizeof(s->path), "%s/.debug/%s", dir, name) < (int)sizeof(s->path) &&
	    offer(s, LINKED))
		return true;
	return snprintf(s->path, sizeof(s->path), "/usr/lib/debug%s/%s", dir, name) <
		       (int)sizeof(s->path) &&
	       offer(s, LINKED);
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

/* Offers DIR/.debug/NAME beside the file. */
static bool offer_beside(struct search *s)
{
	const char *name = s->dso->long_name, *slash = strrchr(name, '/');

	if (!slash)
		return false;
	snprintf(s->path, sizeof(s->path), "%s%.*s/.debug%s", s->symfs, (int)(slash - name), name,
		 slash);
	return offer(s, BESIDE);
}

static bool offer_build_id_debug(struct search *s)
{
	char text[41];

	if (!dso_files_is_known(&s->dso->build_id))
		return false;
	build_id_text(&s->dso->build_id, text);
	snprintf(s->path, sizeof(s->path), "%s/usr/lib/debug/.build-id/%.2s/%s.debug", s->symfs,
		 text, text + 2);
	return offer(s, DEBUG_BY_ID);
}

static bool offer_fetched(struct search *s)
{
	const char *path =
		dso_files_is_known(&s->dso->build_id)
			? debug_files_find(s->dso->set->options.fetched, &s->dso->build_id)
			: NULL;

	if (path)
		snprintf(s->path, sizeof(s->path), "%s", path);
	return path && offer(s, DEBUG_BY_ID);
}

static bool offer_module(struct search *s)
{
	static const char *const endings[] = {"", ".gz", ".xz", ".zst"};
	const char *name = s->dso->long_name;

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		if (offer_in_root(s, "", name, endings[i], i ? MODULE_PACKED : MODULE))
			return true;
	return false;
}

/* Offers a module that was recorded by name and build-id only, because no index had its file. It is
 * searched below the release's folder. */
static bool offer_module_named(struct search *s)
{
	const struct symbol_options *o = &s->dso->set->options;
	const char *name = s->dso->short_name;
	const size_t n = strlen(name);
	AUTO_CHAR *folder = NULL, *plain = NULL, *path = NULL;
	struct utsname host;

	if (s->dso->kind != DSO_MODULE || !dso_files_is_known(&s->dso->build_id) || n < 3 ||
	    *name != '[' || uname(&host) < 0)
		return false;
	folder = mem_printf("%s/lib/modules/%s", s->symfs,
			    o->osrelease ? o->osrelease : host.release);
	plain = mem_printf("%.*s", (int)n - 2, name + 1);
	path = modules_find(folder, plain);
	if (!path || snprintf(s->path, sizeof(s->path), "%s", path) >= (int)sizeof(s->path)) {
		dso_tried(s->dso, folder, "holds no such module");
		return false;
	}
	return offer(s, strcmp(path + strlen(path) - 3, ".ko") ? MODULE_PACKED : MODULE);
}

/* A file without a name (deleted, or of a mount that is gone) can be read through /proc of a
 * process that maps it, as long as that process lives. */
static bool offer_mapping(struct search *s)
{
	const struct dso_mapping *m = &s->dso->mapping;

	if (s->dso->kind != DSO_FILE || m->pid <= 0 || s->dso->set->options.no_live || *s->symfs ||
	    !process_maps_file("", m->pid, m->start, m->end, s->dso->long_name, s->path,
			       sizeof(s->path)))
		return false;
	return offer(s, ITSELF);
}

void dso_candidates(struct dso *dso, candidate_fn fn, void *ctx)
{
	const char *symfs = dso->set->options.symfs, *name = dso->long_name;
	const bool is_path = name[0] == '/' || (name[0] != '[' && strchr(name, '/'));
	struct search s = {dso, fn, ctx, .symfs = symfs ? symfs : "", .root = dso_root(dso)};

	if (is_path && offer_debuglink(&s))
		return;
	if (offer_cached(&s, "/elf", CACHED) || offer_cached(&s, "/vdso", CACHED) ||
	    offer_cached(&s, "", CACHED) || offer_cached(&s, "/debug", CACHED_DEBUG))
		return;
	if (is_path && (offer_in_root(&s, "/usr/lib/debug", name, ".debug", DEBUG_NAMED) ||
			offer_in_root(&s, "/usr/lib/debug", name, "", DEBUG_SAME)))
		return;
	if (offer_build_id_debug(&s) || offer_fetched(&s))
		return;
	if (!is_path) {
		offer_module_named(&s);
		return;
	}
	if (dso->kind == DSO_MODULE ? offer_module(&s) : offer_in_root(&s, "", name, "", ITSELF))
		return;
	if (offer_beside(&s))
		return;
	if (!strncmp(name, "/usr/lib/", 9) &&
	    offer_in_root(&s, "/usr/lib/debug", name + 4, "", DEBUG_LIB))
		return;
	offer_mapping(&s);
}
