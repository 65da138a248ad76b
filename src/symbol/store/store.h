/* SPDX-License-Identifier: MIT */
/*
 * The build-id store: copies of programs (and of kernel symbols) that stay when the originals are
 * replaced, found by build-id. The layout is perf's, so both use one store:
 *
 *   DIR/PATH/ID/elf                     the file at PATH ("kallsyms", "vdso" for what has no file)
 *   DIR/PATH/ID/debug                   its separate debug file
 *   DIR/.build-id/xx/yyy -> ../../PATH/ID
 *
 * DIR is $HOME/.debug unless the user names another. Links in the store are not followed for
 * reading, writing or removing, except links to its own entries (store_entry.h).
 */
#ifndef SYMBOL_STORE_H
#define SYMBOL_STORE_H

#include "symbol/dso.h"

#include <limits.h>

struct store_entry {
	char id[41];
	const char *path; /* of the original file: "/usr/bin/ls", "[kernel.kallsyms]" */
};
struct store_list {
	struct arena arena;
	VEC(struct store_entry) entries; /* sorted by id */
	VEC(const char *)
	refused; /* ".build-id/xx/yyy": names and links that lead to no entry, sorted */
};

/* A file to be added or removed. */
struct store_file {
	char real[PATH_MAX]; /* its path with all links resolved: its place in the store */
	char from[PATH_MAX]; /* a path by which it can be read */
	struct build_id id;
	int fd; /* private */
};
/* Finds a file by its path, or (pid not 0) by its path as that process sees it, in its mount
 * namespace and root. 0, or -1 with *err. After 0, store_file_release() is needed. */
int store_file_find(struct store_file *f, const char *path, int32_t pid, struct err *err);
void store_file_release(struct store_file *f);
/* Resolves the path of any file; copies the path itself when there is no such file any more. */
void store_real_path(const char *path, int32_t pid, char real[PATH_MAX]);

/* The user's store: buildid_dir, or if NULL $HOME/.debug. NULL when there is no home. Copied into
 * the arena. */
const char *store_find(const char *buildid_dir, struct arena *arena);
/* Adds a file. 1: added, 0: it was there, -1 with *err. path and pid as in store_file_find(). */
int store_add(const char *dir, const char *path, int32_t pid, struct err *err);
/* Adds a debug file for the file that is or was at path, with that build-id. Returns as
 * store_add(). */
int store_add_debug(const char *dir, const char *path, const struct build_id *id, const char *debug,
		    struct err *err);
/* Adds the running kernel's symbols under its build-id. Returns as store_add(). */
int store_add_kernel(const char *dir, const char *proc_root, struct err *err);
/* Adds the vdso of this kernel, when it has that build-id. Returns as store_add(). */
int store_add_vdso(const char *dir, const struct build_id *id, struct err *err);
/* Adds the kernel's code from a kcore file, as DIR/[kernel.kcore]/ID/TIME; entry gets that path.
 * The kcore file is that of /proc, or of a folder with the same files: kallsyms, modules and
 * ../sys/kernel/notes. 0, or -1 with *err. */
int store_add_kcore(const char *dir, const char *path, char entry[PATH_MAX], struct err *err);
/* Checks that this kernel's code can be read from proc_root (/proc). 0, or -1 with *err. */
int store_check_kcore(const char *proc_root, struct err *err);
/* Writes the files of store_add_kcore() to the folder `to`, which is created, instead of a store.
 * 0, or -1 with *err. */
int store_copy_kcore(const char *proc_root, const char *to, struct err *err);
/* Adds what is still available of a dso: the running kernel's symbols, this machine's vdso, or the
 * file, if its build-id is unchanged. Returns as store_add(). */
int store_add_dso(const char *dir, struct dso *dso, struct err *err);
/* Removes the entry of the file's current build-id. 1: removed, 0: it was not there, -1 with
 * *err. */
int store_remove(const char *dir, const char *path, int32_t pid, struct err *err);
/* Removes one entry. 0, or -1 with *err. */
int store_remove_entry(const char *dir, const struct store_entry *e, struct err *err);
/* Copies the files of an entry of another store, `from`, which no other process changes meanwhile.
 * Existing files are kept. Returns as store_add(). */
int store_add_entry(const char *dir, const char *from, const struct store_entry *e,
		    struct err *err);
int store_list_all(const char *dir, struct store_list *out, struct err *err);
void store_list_release(struct store_list *l);
bool store_has(const char *dir, const struct build_id *id);

#endif
