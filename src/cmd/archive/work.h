/* SPDX-License-Identifier: MIT */
/* Shared by packing and unpacking: a temporary folder, and runs of tar. */
#ifndef CMD_ARCHIVE_WORK_H
#define CMD_ARCHIVE_WORK_H

#include "base/mem.h"
#include "cmd/cmd.h"
#include "os/files/text.h"

/* The symbols' archive in an archive of everything. */
#define SYMBOLS_ARCHIVE "perf.symbols.tar.bz2"

/* One run of the command. */
struct work {
	struct env *env;
	struct arena arena;
	const char *store; /* the user's store */
	const char *temp;  /* temporary folder, removed at the end */
	struct names args; /* of the next run of tar */
};

int work_init(struct work *w, struct env *env, struct err *err);
void work_release(struct work *w);
/* Adds arguments of tar, up to a NULL. */
void work_args(struct work *w, const char *first, ...) __attribute__((sentinel));
/* Return names that tar cannot misread: the path of an archive ("a:b" would be on host a), and the
 * name of a member ("-x" would be an option). */
const char *work_path(struct work *w, const char *path);
const char *work_member(struct work *w, const char *name);
/* Runs tar with the added arguments. subject: the file named in the error. 0, or -1 with *err. */
int work_tar(struct work *w, const char *subject, struct err *err);

/* members.c: refuses an archive with members that perf's archives never have: an absolute name, a
 * name with "..", a device, a link outside of .build-id. *all (may be NULL) is set when it is an
 * archive of everything. 0, or -1 with *err. */
int members_check(struct work *w, const char *path, const char *subject, bool *all,
		  struct err *err);
/* Sets the error that names the refused members. Returns -1. */
int members_refuse(const char *subject, const char *const *names, size_t n, struct err *err);
/* unpack.c: path NULL means the only archive in the current folder. 0, or -1 with *err. */
int unpack(struct work *w, const char *path, struct err *err);

#endif
