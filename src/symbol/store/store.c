// SPDX-License-Identifier: MIT
#include "symbol/store/store.h"

#include "os/files/beneath.h"
#include "os/files/files.h"
#include "os/process/process.h"
#include "os/files/text.h"
#include "symbol/dso_private.h"
#include "symbol/store/store_entry.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* DIR/PATH/ID. A path without a leading slash ("[vdso]") is placed below DIR, too. */
static bool entry_dir(char out[PATH_MAX], const char *dir, const char *path, const char *id)
{
	return snprintf(out, PATH_MAX, "%s%s%s/%s", dir, *path == '/' ? "" : "/", path, id) <
	       PATH_MAX;
}

/* Opens a folder below DIR, and creates both if need be. DIR itself is the user's choice: links in
 * it are followed. */
static int make_below(const char *dir, const char *path)
{
	AUTO_FD store = files_make_dir(dir) ? -1 : store_open(dir);

	return store < 0 ? -1 : beneath_make_dir(store, path);
}

/* Makes the link DIR/.build-id/xx/yyy lead to this entry. */
static int make_link(const char *dir, const char *path, const char *id)
{
	char name[STORE_LINK_MAX], target[PATH_MAX], *slash;

	store_link_name(id, name);
	if (snprintf(target, sizeof(target), "../..%s%s/%s", *path == '/' ? "" : "/", path, id) >=
	    (int)sizeof(target)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	slash = strrchr(name, '/');
	*slash = 0;
	AUTO_FD folder = make_below(dir, name);

	if (folder < 0 || (unlinkat(folder, slash + 1, 0) && errno != ENOENT))
		return -1;
	return symlinkat(target, folder, slash + 1);
}

static bool has_entry(const char *dir, const char *id)
{
	AUTO_FD store = store_open(dir);
	char path[PATH_MAX];
	enum store_link is = store < 0 ? STORE_NOTHING : store_link_read(store, id, path);

	return is == STORE_ENTRY || is == STORE_ITSELF;
}

bool store_has(const char *dir, const struct build_id *id)
{
	char text[41];

	build_id_text(id, text);
	return has_entry(dir, text);
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

/* Adds /usr/lib/debug/.build-id/xx/yyy.debug to the entry, when there is one. */
static void add_debug_file(int entry, const char *id)
{
	char from[PATH_MAX];

	snprintf(from, sizeof(from), "/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	if (!access(from, R_OK))
		files_copy_at(from, entry, "debug");
}

static int cannot_write(const char *did, const char *dir, const char *path, struct err *err)
{
	if (errno != ELOOP)
		return err_sys(err, errno, "cannot %s '%s%s%s'", did, dir, *path == '/' ? "" : "/",
			       path);
	err_set(err, ERR_INPUT, "cannot %s '%s%s%s': a link is in the way", did, dir,
		*path == '/' ? "" : "/", path);
	return err_hint(err, "nothing is written through links in the store: remove it");
}

/* Makes the folder of an entry and opens it. */
static int make_entry(const char *dir, const char *path, const char *id, struct err *err)
{
	char entry[PATH_MAX], below[PATH_MAX];
	int fd;

	if (!entry_dir(entry, dir, path, id) ||
	    snprintf(below, sizeof(below), "%s/%s", path, id) >= (int)sizeof(below))
		return too_long(path, err);
	fd = make_below(dir, below);
	return fd < 0 ? cannot_write("make", dir, below, err) : fd;
}

static int link_entry(const char *dir, const char *path, const char *id, struct err *err)
{
	char below[PATH_MAX];

	snprintf(below, sizeof(below), "%s/%.40s", path, id);
	return make_link(dir, path, id) ? cannot_write("make a link to", dir, below, err) : 0;
}

static int store_put(const char *dir, const char *path, const char *id, const char *from,
		     const char *as, struct err *err)
{
	AUTO_FD entry = make_entry(dir, path, id, err);

	if (entry < 0)
		return -1;
	/* A copy, not a hard link: overwriting the file in place must not change the stored one. */
	if (files_copy_at(from, entry, as) && errno != EEXIST)
		return err_sys(err, errno, "cannot write '%s%s%s/%s/%s'", dir,
			       *path == '/' ? "" : "/", path, id, as);
	add_debug_file(entry, id);
	return link_entry(dir, path, id, err);
}

int store_add_vdso(const char *dir, const struct build_id *id, struct err *err)
{
	struct build_id own = {0};
	char text[41];
	size_t n;
	const void *p = own_vdso(&n);

	if (build_id_of_vdso(&own))
		return err_set(err, ERR_UNSUPPORTED, "this machine has no vdso");
	if (memcmp(own.bytes, id->bytes, sizeof(own.bytes)))
		return err_set(err, ERR_INPUT, "the vdso has another build-id");
	if (store_has(dir, id))
		return 0;
	build_id_text(id, text);
	AUTO_FD entry = make_entry(dir, "[vdso]", text, err);

	if (entry < 0)
		return -1;
	if (files_write_at(p, n, entry, "vdso") && errno != EEXIST)
		return err_sys(err, errno, "cannot write '%s/[vdso]/%s/vdso'", dir, text);
	return link_entry(dir, "[vdso]", text, err) ? -1 : 1;
}

/* True when the store has an entry of that path and build-id. */
static bool has_entry_of(const char *dir, const char *path, const char *id)
{
	AUTO_CHAR *below = mem_printf("%s/%s", path, id);
	AUTO_FD store = store_open(dir);
	AUTO_FD entry = store < 0 ? -1 : beneath_open(store, below, O_PATH);

	return entry >= 0;
}

int store_add(const char *dir, const char *path, int32_t pid, struct err *err)
{
	char id[41];
	struct store_file f;
	int got;

	if (store_file_find(&f, path, pid, err))
		return -1;
	build_id_text(&f.id, id);
	if (has_entry_of(dir, f.real, id) && has_entry(dir, id))
		got = 0;
	else
		got = store_put(dir, f.real, id, f.from, "elf", err) ? -1 : 1;
	store_file_release(&f);
	return got;
}

/* Copies the files of a folder of another store. */
static int copy_files(const char *from, int folder, int entry, struct err *err)
{
	struct arena arena = {0};
	struct names names = {0};
	struct stat st;
	int failed = text_names_in(folder, &arena, &names);

	if (failed)
		err_sys(err, errno, "cannot read '%s'", from);
	for (size_t i = 0; i < names.n && !failed; i++) {
		AUTO_CHAR *file = mem_printf("%s/%s", from, names.at[i]);

		if (fstatat(folder, names.at[i], &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
			failed = err_set(err, ERR_INPUT, "'%s' is not a file", file);
		else if (files_copy_at(file, entry, names.at[i]) && errno != EEXIST)
			failed = err_sys(err, errno, "cannot copy '%s'", file);
	}
	vec_release(&names);
	arena_release(&arena);
	return failed;
}

int store_add_entry(const char *dir, const char *from, const struct store_entry *e, struct err *err)
{
	AUTO_CHAR *below = mem_printf("%s/%s", e->path, e->id),
		  *path = mem_printf("%s/%s", from, below);
	AUTO_FD other = store_open(from);
	AUTO_FD folder = other < 0 ? -1 : beneath_open(other, below, O_RDONLY);
	struct stat st;

	if (folder < 0 || fstat(folder, &st))
		return err_sys(err, errno, "cannot read '%s'", path);
	AUTO_FD entry = make_entry(dir, e->path, e->id, err);

	if (entry < 0)
		return -1;
	if (S_ISDIR(st.st_mode)) {
		if (copy_files(path, folder, entry, err))
			return -1;
	} else if (!S_ISREG(st.st_mode)) { /* the entry is the file itself, as in old stores */
		return err_set(err, ERR_INPUT, "'%s' is not a file", path);
	} else if (files_copy_at(path, entry, *e->path == '[' ? "kallsyms" : "elf") &&
		   errno != EEXIST) {
		return err_sys(err, errno, "cannot copy '%s'", path);
	}
	if (has_entry(dir, e->id))
		return 0;
	return link_entry(dir, e->path, e->id, err) ? -1 : 1;
}

int store_add_debug(const char *dir, const char *path, const struct build_id *id, const char *debug,
		    struct err *err)
{
	char text[41];

	build_id_text(id, text);
	AUTO_FD entry = make_entry(dir, path, text, err);

	if (entry < 0)
		return -1;
	if (!faccessat(entry, "debug", F_OK, AT_SYMLINK_NOFOLLOW))
		return 0;
	if (files_copy_at(debug, entry, "debug") && errno != EEXIST)
		return err_sys(err, errno, "cannot write '%s%s%s/%s/debug'", dir,
			       *path == '/' ? "" : "/", path, text);
	return !store_has(dir, id) && link_entry(dir, path, text, err) ? -1 : 1;
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
	return store_put(dir, "[kernel.kallsyms]", id, from, "kallsyms", err) ? -1 : 1;
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

static int remove_below(int store, const struct store_entry *e)
{
	const char first[] = {e->id[0], e->id[1], 0};
	AUTO_FD parent = beneath_open(store, e->path, O_RDONLY | O_DIRECTORY);

	if (parent < 0)
		return -1;
	AUTO_FD ids = beneath_open(store, ".build-id", O_PATH | O_DIRECTORY);
	AUTO_FD folder = ids < 0 ? -1 : beneath_open(ids, first, O_PATH | O_DIRECTORY);

	if (folder >= 0) {
		unlinkat(folder, e->id + 2, 0);
		unlinkat(ids, first, AT_REMOVEDIR);
	}
	if (beneath_remove_tree(parent, e->id))
		return -1;
	beneath_remove_empty(store, e->path);
	return 0;
}

int store_remove_entry(const char *dir, const struct store_entry *e, struct err *err)
{
	char entry[PATH_MAX];
	AUTO_FD store = store_open(dir);

	if (!entry_dir(entry, dir, e->path, e->id))
		return too_long(e->path, err);
	if (store >= 0 && !remove_below(store, e))
		return 0;
	if (errno == ELOOP)
		return err_set(err, ERR_INPUT, "cannot remove '%s': it lies behind a link", entry);
	return err_sys(err, errno, "cannot remove '%s'", entry);
}

int store_remove(const char *dir, const char *path, int32_t pid, struct err *err)
{
	struct store_entry e;
	struct store_file f;
	int got = 0;

	if (store_file_find(&f, path, pid, err))
		return -1;
	build_id_text(&f.id, e.id);
	e.path = f.real;
	if (has_entry_of(dir, f.real, e.id))
		got = store_remove_entry(dir, &e, err) ? -1 : 1;
	store_file_release(&f);
	return got;
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct store_entry *)a)->id, ((const struct store_entry *)b)->id);
}

static int store_by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void store_one_add_entry(int store, const char *first, const char *rest,
				struct store_list *out)
{
	struct store_entry e;
	char path[PATH_MAX];
	enum store_link is = store_id_of_names(first, rest, e.id)
				     ? store_link_read(store, e.id, path)
				     : STORE_REFUSED;

	if (is == STORE_REFUSED)
		vec_add(&out->refused, arena_printf(&out->arena, ".build-id/%s/%s", first, rest));
	if (is != STORE_ENTRY)
		return;
	e.path = arena_strdup(&out->arena, path);
	vec_add(&out->entries, e);
}

/* Lists all entries of .build-id/xx. */
static void store_add_folder(int store, int ids, const char *first, struct store_list *out)
{
	AUTO_FD folder = beneath_open(ids, first, O_RDONLY | O_DIRECTORY);
	struct names rests = {0};

	if (folder < 0)
		vec_add(&out->refused, arena_printf(&out->arena, ".build-id/%s", first));
	else
		text_names_in(folder, &out->arena, &rests);
	for (size_t i = 0; i < rests.n; i++)
		store_one_add_entry(store, first, rests.at[i], out);
	vec_release(&rests);
}

int store_list_all(const char *dir, struct store_list *out, struct err *err)
{
	AUTO_FD store = store_open(dir);
	AUTO_FD ids = store < 0 ? -1 : beneath_open(store, ".build-id", O_RDONLY | O_DIRECTORY);
	struct names firsts = {0};

	*out = (struct store_list){0};
	if (ids < 0 && errno == ELOOP)
		return err_set(err, ERR_INPUT, "'%s/.build-id' is a link: it is not followed", dir);
	if (ids < 0 || text_names_in(ids, &out->arena, &firsts))
		return errno == ENOENT ? 0 : err_sys(err, errno, "cannot read '%s/.build-id'", dir);
	for (size_t i = 0; i < firsts.n; i++)
		store_add_folder(store, ids, firsts.at[i], out);
	vec_release(&firsts);
	if (out->entries.n)
		qsort(out->entries.at, out->entries.n, sizeof(*out->entries.at), by_id);
	if (out->refused.n)
		qsort(out->refused.at, out->refused.n, sizeof(*out->refused.at), store_by_name);
	return 0;
}

void store_list_release(struct store_list *l)
{
	vec_release(&l->entries);
	vec_release(&l->refused);
	arena_release(&l->arena);
}
