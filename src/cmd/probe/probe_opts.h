/* SPDX-License-Identifier: MIT */
/* What `perf probe` was asked for, and what its actions share. */
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

/* What is to be done with which target. */
struct probe_wish {
	const char *text;
	enum probe_kind kind; /* of the target */
	const char *target;   /* NULL: the kernel */
};

struct probe_opts {
	enum probe_action action;
	VEC(struct probe_wish) wishes;
	enum probe_kind kind; /* of the target that was named last */
	const char *target;
	const char *filter; /* NULL: that of the action */
	bool force, dry_run, quiet, bootconfig, no_inlines, externs, ranges;
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

/* Opens the target of a wish; *t is released by the caller in both cases. */
int probe_open(const struct probe_work *w, const struct probe_wish *wish, struct probe_target *t,
	       struct err *err);

#endif
