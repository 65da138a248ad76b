/* SPDX-License-Identifier: MIT */
/*
 * What is probed: the kernel, a module, or a program or library; and from a user's spec to
 * definitions for it.
 */
#ifndef PROBE_TARGET_H
#define PROBE_TARGET_H

#include "probe/finder.h"
#include "probe/names.h"
#include "symbol/dso.h"

enum probe_kind { PROBE_KERNEL, PROBE_MODULE, PROBE_FILE };

struct probe_target {
	enum probe_kind kind;
	const char *name; /* of a file: its real path; of a module: as the kernel calls it */
	const char *path; /* of the file that can be read: of a module, or in another process's
			     root; or NULL */
	bool offline;	  /* of the kernel: a file that was named (-k), not the one that runs */
	struct arena arena;
	struct dso_set dsos;
	struct dso *dso;
	struct probe_finder *finder; /* once it was needed; NULL: there is no debug information */
	bool finder_known;
	bool text_known;
	uint64_t text; /* of the running kernel: the address of _text; 0: it doesn't tell */
	struct err finder_err;
	struct btf *btf; /* of the kernel or module, once it was needed; NULL: there is none */
	bool btf_known;
};

/* name: NULL for the kernel; a module's name or the path of its file; the path of a program. pid
 * not 0: as that process sees files. options are copied; .vmlinux names the kernel's file. 0, or -1
 * with *err; release it in both cases. */
int probe_target_open(struct probe_target *t, enum probe_kind kind, const char *name, int32_t pid,
		      const struct symbol_options *options, struct err *err);
void probe_target_release(struct probe_target *t);
/* Its debug information, opened at the first call; NULL with *err: there is none. */
struct probe_finder *probe_target_finder(struct probe_target *t, struct err *err);
/* -V: the variables that can be seen at a place, by its debug information, else by the kernel's
 * type information. 0, or -1 with *err. Strings belong to the target. */
int probe_target_variables(struct probe_target *t, const struct probe_spec *s,
			   const struct probe_wishes *w, struct probe_variables *out,
			   struct err *err);
/* Adds to an error about what was not found that a part of the debug information is not there, if
 * so. Returns -1. */
int probe_target_say_missing(const struct probe_target *t, struct err *err);
/* "probe point 'x' was not found in ..." as an error. Returns -1. */
int probe_target_not_found(struct probe_target *t, const struct probe_spec *s, struct err *err);

/* Appends the definitions of a spec, without names. 0, or -1 with *err. Notes for the user are
 * appended as lines. */
int probe_target_defs(struct probe_target *t, const struct probe_spec *s,
		      const struct probe_wishes *w, struct probe_defs *out, struct buf *notes,
		      struct err *err);
/* The same of a marker. */
int probe_target_markers(struct probe_target *t, const struct probe_spec *s, struct probe_defs *out,
			 struct buf *notes, struct err *err);
/* The place in the source of a definition that the kernel has. */
/* Without debug information: the symbol. False: neither is known. */
bool probe_target_place(struct probe_target *t, const struct probe_def *d, struct probe_place *out);
/* True when a text matches a filter of globs joined by & | ! ( ). -1 with *err: the filter makes no
 * sense. */
int probe_filter_match(const char *filter, const char *text, struct err *err);

#endif
