/* SPDX-License-Identifier: MIT */
/* perf probe's options as typed, and the context of its actions. */
#ifndef CMD_PROBE_OPTS_H
#define CMD_PROBE_OPTS_H

#include "cmd/cmd.h"
#include "probe/target.h"

enum probe_action {
	PROBE_NOTHING,
	PROBE_ADD,
	PROBE_DEFINE,
	PROBE_DELETE,
	PROBE_LIST,
	PROBE_LINES,
	PROBE_VARS,
	PROBE_FUNCS
};

/* One argument of an action, with its target. */
struct probe_wish {
	const char *text;
	enum probe_kind kind; /* kind of target */
	const char *target;   /* NULL: the kernel */
};

struct probe_opts {
	enum probe_action action;
	VEC(struct probe_wish) wishes;
	enum probe_kind kind; /* the target of the last -x or -m */
	const char *target;
	const char *filter; /* NULL: the action's default */
	bool cache, force, dry_run, quiet, bootconfig, no_inlines, externs, ranges;
	int verbose, target_ns, max_probes;
	const char *source_dir;
	struct symbol_options symbols;
};

struct probe_work {
	struct env *env;
	const struct probe_opts *o;
	struct probe_wishes wishes;
	const char *tracefs;
	struct arena arena;
};

/* Actions. 0, or -1 with *err. */
int probe_add(struct probe_work *w, struct err *err);
int probe_define(struct probe_work *w, struct err *err);
int probe_delete(struct probe_work *w, struct err *err);
int probe_list(struct probe_work *w, struct err *err);
int probe_lines(struct probe_work *w, struct err *err);
int probe_variables(struct probe_work *w, struct err *err);
int probe_functions(struct probe_work *w, struct err *err);

/* The same of probes that the build-id store keeps (--cache). */
int probe_list_kept(struct probe_work *w, struct err *err);
int probe_delete_kept(struct probe_work *w, struct err *err);
/* True for a marker whose program is not named: the store may know it. */
bool probe_is_stored_marker(const struct probe_wish *wish);
/* The store's folder, or NULL with *err. */
const char *probe_store_dir(struct probe_work *w, struct err *err);

/* Opens the target of a wish. 0, or -1 with *err; the caller releases *t in both cases. */
int probe_open(const struct probe_work *w, const struct probe_wish *wish, struct probe_target *t,
	       struct err *err);

#endif
