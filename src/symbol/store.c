// SPDX-License-Identifier: MIT
#include "symbol/store.h"

#include "os/files.h"
#include "os/process.h"
#include "os/text.h"
#include "symbol/dso_private.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *store_find(const char *buildid_dir, struct arena *arena)
{
	const char *home = getenv("HOME");

	if (buildid_dir)
		return arena_strdup(arena, buildid_dir);
	return home && *home ? arena_printf(arena, "%s/.debug", home) : NULL;
}

static int too_long(const char *path, struct err *err)
{
	return err_sys(err, ENAMETOOLONG, "cannot store '%s'", path);
}

/* DIR/PATH/ID; a path that is no file's stands below DIR all the same. */
static bool entry_dir(char out[PATH_MAX], const char *dir, const char *path, const char *id)
{
	return snprintf(out, PATH_MAX, "%s%s%s/%s", dir, *path == '/' ? "" : "/", path, id) < PATH_MAX;
}

static bool link_path(char out[PATH_MAX], const char *dir, const char *id)
{
	return snprintf(out, PATH_MAX, "%s/.build-id/%.2s/%s", dir, id, id + 2) < PATH_MAX;
}

/* Makes what DIR/.build-id/xx/yyy leads to be this entry. */
static int make_link(const char *dir, const char *path, const char *id)
{
	char name[PATH_MAX], target[PATH_MAX], *slash;

	if (!link_path(name, dir, id) ||
	    snprintf(target, sizeof(target), "../..%s%s/%s", *path == '/' ? "" : "/", path, id) >=
		    (int)sizeof(target)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	slash = strrchr(name, '/');
	*slash = 0;
	if (files_make_dir(name))
		return -1;
	*slash = '/';
	if (unlink(name) && errno != ENOENT)
		return -1;
	return symlink(target, name);
}

bool store_has(const char *dir, const struct build_id *id)
{
	char name[PATH_MAX], text[41];

	build_id_text(id, text);
	return link_path(name, dir, text) && !access(name, F_OK);
}

static int find_real(struct store_file *f, const char *path, int32_t pid, struct err *err)
{
	*f = (struct store_file){.fd = -1};
	if (!pid) {
		if (!realpath(path, f->real))
			return err_sys(err, errno, "cannot read '%s'", path);
		memcpy(f->from, f->real, sizeof(f->from));
		return 0;
	}
	f->fd = process_open_file(pid, path, f->real, sizeof(f->real));
	if (f->fd == -ESRCH)
		return err_set(err, ERR_INPUT, "there is no process %d", pid);
	if (f->fd < 0)
		return err_sys(err, -f->fd, "cannot read '%s' of process %d", path, pid);
	process_open_path(f->fd, f->from, sizeof(f->from));
	return 0;
}

int store_file_find(struct store_file *f, const char *path, int32_t pid, struct err *err)
{
	if (find_real(f, path, pid, err))
		return -1;
	if (!build_id_of_file(f->from, &f->id))
		return 0;
	store_file_release(f);
	err_set(err, ERR_INPUT, "'%s' has no build-id", path);
	return err_hint(err, "only ELF files that were linked with --build-id have one");
}

void store_file_release(struct store_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
}

void store_real_path(const char *path, int32_t pid, char real[PATH_MAX])
{
	struct store_file f;

	snprintf(real, PATH_MAX, "%s", path);
	if (find_real(&f, path, pid, NULL))
		return;
	memcpy(real, f.real, PATH_MAX);
	store_file_release(&f);
}

/* /usr/lib/debug/.build-id/xx/yyy.debug, when there is one. */
static void add_debug_file(const char *entry, const char *id)
{
	char from[PATH_MAX], to[PATH_MAX];

	snprintf(from, sizeof(from), "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	if (!access(from, R_OK) && snprintf(to, sizeof(to), "%s/debug", entry) < (int)sizeof(to))
		files_copy(from, to);
}

/* Makes the folder of an entry, and *file the name of what it is to hold. */
static int make_entry(const char *dir, const char *path, const char *id, const char *as,
		      char entry[PATH_MAX], char file[PATH_MAX], struct err *err)
{
	if (!entry_dir(entry, dir, path, id) ||
	    snprintf(file, PATH_MAX, "%s/%s", entry, as) >= PATH_MAX)
		return too_long(path, err);
	if (files_make_dir(entry))
		return err_sys(err, errno, "cannot make '%s'", entry);
	return 0;
}

static int put(const char *dir, const char *path, const char *id, const char *from, const char *as,
	       struct err *err)
{
	char entry[PATH_MAX], file[PATH_MAX];

	if (make_entry(dir, path, id, as, entry, file, err))
		return -1;
	/* A copy, not another name for the same file: who overwrites that must not change what is kept. */
	if (files_copy(from, file) && errno != EEXIST)
		return err_sys(err, errno, "cannot write '%s'", file);
	add_debug_file(entry, id);
	if (make_link(dir, path, id))
		return err_sys(err, errno, "cannot make a link to '%s'", entry);
	return 0;
}

int store_add_vdso(const char *dir, const struct build_id *id, struct err *err)
{
	char entry[PATH_MAX], file[PATH_MAX], text[41];
	struct build_id own = {0};
	size_t n;
	const void *p = own_vdso(&n);

	if (build_id_of_vdso(&own))
		return err_set(err, ERR_UNSUPPORTED, "this machine has no vdso");
	if (memcmp(own.bytes, id->bytes, sizeof(own.bytes)))
		return err_set(err, ERR_INPUT, "the vdso has another build-id");
	if (store_has(dir, id))
		return 0;
	build_id_text(id, text);
	if (make_entry(dir, "[vdso]", text, "vdso", entry, file, err))
		return -1;
	if (files_write(p, n, file) && errno != EEXIST)
		return err_sys(err, errno, "cannot write '%s'", file);
	if (make_link(dir, "[vdso]", text))
		return err_sys(err, errno, "cannot make a link to '%s'", entry);
	return 1;
}

int store_add(const char *dir, const char *path, int32_t pid, struct err *err)
{
	char id[41], entry[PATH_MAX];
	struct store_file f;
	int got = 1;

	if (store_file_find(&f, path, pid, err))
		return -1;
	build_id_text(&f.id, id);
	if (entry_dir(entry, dir, f.real, id) && !access(entry, F_OK)) {
		char name[PATH_MAX];

		if (link_path(name, dir, id) && !access(name, F_OK))
			got = 0;
	}
	if (got && put(dir, f.real, id, f.from, "elf", err))
		got = -1;
	store_file_release(&f);
	return got;
}

int store_add_debug(const char *dir, const char *path, const struct build_id *id, const char *debug,
		    struct err *err)
{
	char text[41], entry[PATH_MAX], file[PATH_MAX];

	build_id_text(id, text);
	if (make_entry(dir, path, text, "debug", entry, file, err))
		return -1;
	if (!access(file, F_OK))
		return 0;
	if (files_copy(debug, file) && errno != EEXIST)
		return err_sys(err, errno, "cannot write '%s'", file);
	if (!store_has(dir, id) && make_link(dir, path, text))
		return err_sys(err, errno, "cannot make a link to '%s'", entry);
	return 1;
}

int store_add_kernel(const char *dir, const char *proc_root, struct err *err)
{
	char id[41], from[PATH_MAX];
	struct build_id found;

	if (build_id_of_kernel(&found))
		return err_set(err, ERR_UNSUPPORTED, "the running kernel tells no build-id");
	if (store_has(dir, &found))
		return 0;
	build_id_text(&found, id);
	snprintf(from, sizeof(from), "%s/kallsyms", proc_root);
	return put(dir, "[kernel.kallsyms]", id, from, "kallsyms", err) ? -1 : 1;
}

int store_add_dso(const char *dir, struct dso *dso, struct err *err)
{
	struct build_id running = {0};
	const char *file;

	if (dso->kind == DSO_KERNEL) {
		if (build_id_of_kernel(&running) || !build_id_equal(&running, &dso->build_id))
			return err_set(err, ERR_INPUT, "another kernel runs now");
		return store_add_kernel(dir, "/proc", err);
	}
	if (dso->kind == DSO_VDSO)
		return store_add_vdso(dir, &dso->build_id, err);
	file = dso_file(dso);
	if (!file)
		return err_set(err, ERR_INPUT, "'%s' is not there any more", dso->long_name);
	return store_add(dir, file, 0, err);
}

int store_remove_entry(const char *dir, const struct store_entry *e, struct err *err)
{
	char entry[PATH_MAX], name[PATH_MAX], *slash;

	if (!entry_dir(entry, dir, e->path, e->id) || !link_path(name, dir, e->id))
		return too_long(e->path, err);
	unlink(name);
	*strrchr(name, '/') = 0;
	rmdir(name);
	if (files_remove_tree(entry))
		return err_sys(err, errno, "cannot remove '%s'", entry);
	slash = strrchr(entry, '/');
	*slash = 0;
	files_remove_empty(entry, dir);
	return 0;
}

int store_remove(const char *dir, const char *path, int32_t pid, struct err *err)
{
	char entry[PATH_MAX];
	struct store_entry e;
	struct store_file f;
	int got = 0;

	if (store_file_find(&f, path, pid, err))
		return -1;
	build_id_text(&f.id, e.id);
	e.path = f.real;
	if (entry_dir(entry, dir, f.real, e.id) && !access(entry, F_OK))
		got = store_remove_entry(dir, &e, err) ? -1 : 1;
	store_file_release(&f);
	return got;
}

/* What "../../PATH/ID" says; NULL when it is something else. */
static const char *path_of_target(char *target, const char *id)
{
	char *end = strrchr(target, '/');

	if (strncmp(target, "../../", 6) || !end || strcmp(end + 1, id) || end <= target + 6)
		return NULL;
	*end = 0;
	/* "[kernel.kallsyms]" is no path */
	return target[6] == '[' ? target + 6 : target + 5;
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct store_entry *)a)->id, ((const struct store_entry *)b)->id);
}

static void add_entry(const char *dir, const char *first, const char *rest, struct store_list *out)
{
	struct store_entry e;
	char name[PATH_MAX], target[PATH_MAX];
	const char *path;
	ssize_t n;

	if (snprintf(e.id, sizeof(e.id), "%s%s", first, rest) >= (int)sizeof(e.id) ||
	    !link_path(name, dir, e.id))
		return;
	n = readlink(name, target, sizeof(target) - 1);
	if (n < 0)
		return;
	target[n] = 0;
	path = path_of_target(target, e.id);
	if (!path || access(name, F_OK))
		return;
	e.path = arena_strdup(&out->arena, path);
	vec_add(&out->entries, e);
}

int store_list_all(const char *dir, struct store_list *out, struct err *err)
{
	struct names firsts = {0}, rests = {0};
	char ids[PATH_MAX];

	*out = (struct store_list){0};
	snprintf(ids, sizeof(ids), "%s/.build-id", dir);
	if (text_names(ids, NULL, false, false, &out->arena, &firsts) && errno != ENOENT)
		return err_sys(err, errno, "cannot read '%s'", ids);
	for (size_t i = 0; i < firsts.n; i++) {
		vec_clear(&rests);
		text_names(ids, firsts.at[i], false, false, &out->arena, &rests);
		for (size_t j = 0; j < rests.n; j++)
			add_entry(dir, firsts.at[i], rests.at[j], out);
	}
	vec_release(&firsts);
	vec_release(&rests);
	if (out->entries.n)
		qsort(out->entries.at, out->entries.n, sizeof(*out->entries.at), by_id);
	return 0;
}

void store_list_release(struct store_list *l)
{
	vec_release(&l->entries);
	arena_release(&l->arena);
}
