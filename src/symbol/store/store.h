/* SPDX-License-Identifier: MIT */
/*
 * The build-id store: copies of programs (and kernels' symbols) that stay when the originals are
 * replaced, found by build-id. The layout is perf's, so both use one store:
 *
 *   DIR/PATH/ID/elf                     the file at PATH ("kallsyms", "vdso" for what has no file)
 *   DIR/PATH/ID/debug                   its separate debug file
 *   DIR/.build-id/xx/yyy -> ../../PATH/ID
 *
 * DIR is $HOME/.debug unless said otherwise. Nothing is ever read, written or removed through links
 * found in it, but for those to its own entries (store_entry.h).
 */
#ifndef SYMBOL_STORE_H
#define SYMBOL_STORE_H

#include "symbol/dso.h"

#include <limits.h>

struct store_entry {
	char id[41];
	const char *path; /* of the file it was made of: "/usr/bin/ls", "[kernel.kallsyms]" */
};
struct store_list {
	struct arena arena;
	VEC(struct store_entry) entries; /* in order of their ids */
	VEC(const char *)
	refused; /* ".build-id/xx/yyy": names and links that are no entry's, in order */
};

/* A file that is put in or taken out. */
struct store_file {
	char real[PATH_MAX]; /* its name with all links followed: where it is in the store */
	char from[PATH_MAX]; /* where it can be read */
	struct build_id id;
	int fd; /* private */
};
/* By its path as it is, or (pid not 0) as that process sees it, whatever its mount namespace and
 * root. 0, or -1 with *err; to be released when 0. */
int store_file_find(struct store_file *f, const char *path, int32_t pid, struct err *err);
void store_file_release(struct store_file *f);
/* Its name only, whatever it is; the path itself when there is no such file any more. */
void store_real_path(const char *path, int32_t pid, char real[PATH_MAX]);

/* The user's store, or NULL when there is no home: as the options say, else $HOME/.debug. Copied
 * into the arena. */
const char *store_find(const char *buildid_dir, struct arena *arena);
/* 1: added, 0: it was there, -1 with *err. path and pid as store_file_find takes them. */
int store_add(const char *dir, const char *path, int32_t pid, struct err *err);
/* A debug file of the file that is or was at path, with that build-id. 1, 0 or -1 likewise. */
int store_add_debug(const char *dir, const char *path, const struct build_id *id, const char *debug,
		    struct err *err);
/* The running kernel's symbols, named by its build-id. */
int store_add_kernel(const char *dir, const char *proc_root, struct err *err);
/* The vdso that this kernel gives its processes, when it has that build-id. */
int store_add_vdso(const char *dir, const struct build_id *id, struct err *err);
/* The code that a kcore file holds (of /proc, or of a folder like it: kallsyms, modules and
 * ../sys/kernel/notes belong to it), as DIR/[kernel.kcore]/ID/TIME; entry gets that path. */
int store_add_kcore(const char *dir, const char *path, char entry[PATH_MAX], struct err *err);
/* Can this kernel's code be read at all, from there (/proc)? 0, or -1 with *err. */
int store_check_kcore(const char *proc_root, struct err *err);
/* The same files without an entry of the store: in the folder `to`, which is made. */
int store_copy_kcore(const char *proc_root, const char *to, struct err *err);
/* Whatever is left of a dso: the running kernel's symbols, this machine's vdso, a file whose
 * build-id is still the same. */
int store_add_dso(const char *dir, struct dso *dso, struct err *err);
/* What the file's present build-id names. 1: removed, 0: it was not there, -1 with *err. */
int store_remove(const char *dir, const char *path, int32_t pid, struct err *err);
/* One entry. */
int store_remove_entry(const char *dir, const struct store_entry *e, struct err *err);
/* The files of an entry of another store, `from`, which nobody else changes; what is here stays. 1,
 * 0 or -1. */
int store_add_entry(const char *dir, const char *from, const struct store_entry *e,
		    struct err *err);
int store_list_all(const char *dir, struct store_list *out, struct err *err);
void store_list_release(struct store_list *l);
bool store_has(const char *dir, const struct build_id *id);

#endif
