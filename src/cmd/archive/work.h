/* SPDX-License-Identifier: MIT */
/* What packing and unpacking share: a folder of their own, and tar at work. */
#ifndef CMD_ARCHIVE_WORK_H
#define CMD_ARCHIVE_WORK_H

#include "base/mem.h"
#include "cmd/cmd.h"
#include "os/text.h"

/* In an archive of everything, the archive of the files. */
#define SYMBOLS_ARCHIVE "perf.symbols.tar.bz2"

/* One command at work. */
struct work {
	struct env *env;
	struct arena arena;
	const char *store; /* the user's */
	const char *temp;  /* a folder that is removed at the end */
	struct names args; /* of the next tar */
};

int work_init(struct work *w, struct env *env, struct err *err);
void work_release(struct work *w);
/* Adds arguments, up to a NULL. */
void work_args(struct work *w, const char *first, ...) __attribute__((sentinel));
/* The path of an archive as tar takes it ("a:b" would be a file on the machine a), and the name of
 * what goes into one ("-x" would be an option). */
const char *work_path(struct work *w, const char *path);
const char *work_member(struct work *w, const char *name);
/* Runs tar with the arguments that were gathered; the subject is for the error. 0, or -1. */
int work_tar(struct work *w, const char *subject, struct err *err);

/* members.c: refuses an archive with a member that no archive of a store has: an absolute name, one
 * with "..", a device, a link elsewhere than in .build-id. all (may be NULL): it is an archive of
 * everything. 0, or -1. */
int members_check(struct work *w, const char *path, const char *subject, bool *all,
		  struct err *err);
/* Tells which members are the reason, and fails. */
int members_refuse(const char *subject, const char *const *names, size_t n, struct err *err);
/* unpack.c: path may be NULL, the one archive that lies here. */
int unpack(struct work *w, const char *path, struct err *err);

#endif
