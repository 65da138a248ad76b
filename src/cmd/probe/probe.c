// SPDX-License-Identifier: MIT
#include "cmd/probe/probe_opts.h"

#include "cmd/options/opts_debuginfod.h"
#include "cmd/options/opts_symbols.h"
#include "os/tracing/tracefs.h"

#include <stdio.h>
#include <string.h>

#define AT(member)   offsetof(struct probe_opts, member)
#define SYMS(member) offsetof(struct probe_opts, symbols.member)

/* -x and -m set the target of the actions after them. The first of them also sets the target of the
 * actions before it. */
static int set_target(void *place, const struct opt *opt, const char *value, bool unset,
		      struct err *err)
{
	struct probe_opts *o = place;
	const bool first = !o->target;

	if (unset)
		return 0;
	if (!*value)
		return err_set(err, ERR_USAGE, "--%s: a name is missing", opt->name);
	o->kind = (enum probe_kind)opt->value;
	o->target = value;
	for (size_t i = 0; i < o->wishes.n && first; i++) {
		o->wishes.at[i].kind = o->kind;
		o->wishes.at[i].target = value;
	}
	return 0;
}

static int add_wish(struct probe_opts *o, enum probe_action action, const char *text,
		    struct err *err)
{
	static const char *const names[] = {NULL,     "--add",	"--definition", "--del",
					    "--list", "--line", "--vars",	"--funcs"};

	if (o->action && o->action != action)
		return err_set(err, ERR_USAGE, "%s and %s exclude each other", names[o->action],
			       names[action]);
	if (o->wishes.n && (action == PROBE_LIST || action == PROBE_LINES || action == PROBE_FUNCS))
		return err_set(err, ERR_USAGE, "%s is said twice", names[action]);
	o->action = action;
	vec_add(&o->wishes, (struct probe_wish){text, o->kind, o->target});
	return 0;
}

static int wish(void *place, const struct opt *opt, const char *value, bool unset, struct err *err)
{
	return unset ? 0 : add_wish(place, (enum probe_action)opt->value, value, err);
}

static const struct opt options[] = {
	{OPT_CALL, 'a', "add", 0,
	 "[EVENT=]FUNC[@SRC][+OFF|%return|:RL|;PT]|SRC:AL|SRC;PT [[NAME=]ARG ...]",
	 "probe point definition", OPT_NO_NEGATE, .value = PROBE_ADD, .call = wish},
	{OPT_CALL, 'D', "definition", 0, "PROBEDEF", "show what the kernel would be told",
	 OPT_NO_NEGATE, .value = PROBE_DEFINE, .call = wish},
	{OPT_CALL, 'd', "del", 0, "[GROUP:]EVENT", "delete probes whose names match", OPT_NO_NEGATE,
	 .value = PROBE_DELETE, .call = wish},
	{OPT_CALL, 'l', "list", 0, "[GROUP:]EVENT", "list the probes that exist",
	 OPT_NO_NEGATE | OPT_OPTIONAL_NEXT, "*", .value = PROBE_LIST, .call = wish},
	{OPT_CALL, 'L', "line", 0, "FUNC[:RLN[+NUM|-RLN2]]|SRC[:ALN[+NUM|-ALN2]]",
	 "show source lines, with numbers where they can be probed", OPT_NO_NEGATE,
	 .value = PROBE_LINES, .call = wish},
	{OPT_CALL, 'V', "vars", 0, "PROBEDEF", "show the variables that can be had at a place",
	 OPT_NO_NEGATE, .value = PROBE_VARS, .call = wish},
	{OPT_CALL, 'F', "funcs", 0, "FILTER", "show the functions that can be probed",
	 OPT_NO_NEGATE | OPT_OPTIONAL_NEXT, "", .value = PROBE_FUNCS, .call = wish},
	{OPT_CALL, 'x', "exec", 0, "executable|path", "probe a program or library", OPT_NO_NEGATE,
	 .value = PROBE_FILE, .call = set_target},
	{OPT_CALL, 'm', "module", 0, "modname|path", "probe a module of the kernel", OPT_NO_NEGATE,
	 .value = PROBE_MODULE, .call = set_target},
	{OPT_STRING, 'k', "vmlinux", SYMS(vmlinux), "file", "vmlinux pathname"},
	{OPT_STRING, 's', "source", AT(source_dir), "directory", "where the sources are"},
	{OPT_STRING, 0, "symfs", SYMS(symfs), "directory",
	 "Look for files with symbols relative to this directory"},
	{OPT_STRING, 0, "debuginfod", SYMS(debuginfod), "urls",
	 "fetch debug information of programs and modules", OPT_OPTIONAL, ""},
	{OPT_INT, 0, "target-ns", AT(target_ns), "pid", "files are those that this process sees"},
	{OPT_STRING, 0, "filter", AT(filter), "[!]FILTER",
	 "names of variables (-V) and functions (-F): globs joined by & and |, turned by !"},
	{OPT_BOOL, 0, "cache", AT(cache), NULL,
	 "keep probes in the build-id store; with -l, -d: those that are there"},
	{OPT_BOOL, 'f', "force", AT(force), NULL, "number events whose names are taken"},
	{OPT_BOOL, 'n', "dry-run", AT(dry_run), NULL, "change nothing"},
	{OPT_INT, 0, "max-probes", AT(max_probes), "n", "how many places one definition may mean"},
	{OPT_BOOL, 0, "no-inlines", AT(no_inlines), NULL, "leave out where functions were inlined"},
	{OPT_BOOL, 0, "externs", AT(externs), NULL, "show global variables too (-V)"},
	{OPT_BOOL, 0, "range", AT(ranges), NULL, "show where variables can be had (-V)"},
	{OPT_BOOL, 0, "bootconfig", AT(bootconfig), NULL,
	 "with -D: in the form of a boot configuration"},
	{OPT_BOOL, 0, "demangle", SYMS(demangle), NULL, "Enable symbol demangling"},
	{OPT_BOOL, 0, "demangle-kernel", SYMS(demangle_kernel), NULL,
	 "Enable kernel symbol demangling"},
	{OPT_BOOL, 'q', "quiet", AT(quiet), NULL, "say nothing that is no error"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL,
	 "say where debug information was looked for"},
	{OPT_END},
};
static const struct opt_group groups[] = {{options, 0}, {0}};

static void probe_defaults(void *opts, const struct env *env)
{
	struct probe_opts *o = opts;

	symbol_opts_defaults(&o->symbols, env);
	o->max_probes = 128;
}

int probe_open(const struct probe_work *w, const struct probe_wish *wish, struct probe_target *t,
	       struct err *err)
{
	if (probe_target_open(t, wish->kind, wish->target, w->o->target_ns, &w->o->symbols, err))
		return -1;
	return 0;
}

/* Takes the words as one definition; with -d each word is a pattern. A first word that is an
 * absolute path is the target. */
static int take_words(struct probe_opts *o, int argc, char **argv, struct arena *arena,
		      struct err *err)
{
	AUTO_BUF text = {0};
	int from = 0;

	if (!argc)
		return 0;
	if (argv[0][0] == '/') {
		const size_t n = strlen(argv[0]);
		const struct opt as = {.name = "exec",
				       .value = n > 3 && !strcmp(argv[0] + n - 3, ".ko")
							? PROBE_MODULE
							: PROBE_FILE};

		if (set_target(o, &as, argv[0], false, err))
			return -1;
		from = 1;
	}
	if (from == argc)
		return o->action
			       ? 0
			       : err_set(err, ERR_USAGE, "'%s': say what to probe in it", argv[0]);
	if (o->action == PROBE_DELETE) {
		for (int i = from; i < argc; i++)
			vec_add(&o->wishes, (struct probe_wish){argv[i], o->kind, o->target});
		return 0;
	}
	for (int i = from; i < argc; i++)
		buf_word(&text, argv[i]);
	return add_wish(o, PROBE_ADD, arena_strdup(arena, buf_text(&text)), err);
}

static int act(struct probe_work *w, struct err *err)
{
	switch (w->o->action) {
	case PROBE_ADD:
		return probe_add(w, err);
	case PROBE_DEFINE:
		return probe_define(w, err);
	case PROBE_DELETE:
		return w->o->cache ? probe_delete_kept(w, err) : probe_delete(w, err);
	case PROBE_LIST:
		return w->o->cache ? probe_list_kept(w, err) : probe_list(w, err);
	case PROBE_LINES:
		return probe_lines(w, err);
	case PROBE_VARS:
		return probe_variables(w, err);
	case PROBE_FUNCS:
		return probe_functions(w, err);
	case PROBE_NOTHING:
		break;
	}
	err_set(err, ERR_USAGE, "say what to do: -a, -d, -l, -L, -V, -F or -D");
	return -1;
}

/* What --cache goes with. */
static int check_cache(const struct probe_opts *o, struct err *err)
{
	if (!o->cache)
		return 0;
	if (o->action != PROBE_ADD && o->action != PROBE_LIST && o->action != PROBE_DELETE)
		return err_set(err, ERR_USAGE, "--cache goes with --add, --list and --del");
	if (o->target_ns || o->symbols.symfs)
		return err_set(err, ERR_USAGE, "--cache and --%s exclude each other",
			       o->target_ns ? "target-ns" : "symfs");
	for (size_t i = 0; i < o->wishes.n; i++)
		if (o->wishes.at[i].kind == PROBE_MODULE && o->action == PROBE_ADD)
			return err_set(err, ERR_USAGE,
				       "--cache keeps no probes of modules: the store has none");
	return 0;
}

static int run_probe(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	struct probe_opts *o = opts;
	struct probe_work w = {env, o};
	int failed;

	failed = take_words(o, argc, argv, &w.arena, err);
	if (!failed && (o->max_probes < 1 || o->max_probes > 1 << 20))
		failed = err_set(err, ERR_USAGE, "--max-probes: %d is no number of probes",
				 o->max_probes);
	if (!failed && o->target_ns < 0)
		failed = err_set(err, ERR_USAGE, "--target-ns: %d is no process", o->target_ns);
	if (!failed && o->bootconfig && o->action != PROBE_DEFINE)
		failed = err_set(err, ERR_USAGE, "--bootconfig goes with -D");
	if (!failed)
		failed = check_cache(o, err);
	if (!failed)
		failed = symbol_opts_check(&o->symbols, err);
	o->symbols.verbose = MAX(o->symbols.verbose, o->verbose);
	w.wishes = (struct probe_wishes){.no_inlines = o->no_inlines,
					 .max_probes = (uint32_t)o->max_probes,
					 .externs = o->externs,
					 .ranges = o->ranges,
					 .source_dir = o->source_dir};
	w.tracefs = tracefs_find(NULL, &w.arena);
	if (!w.tracefs)
		w.tracefs =
			TRACEFS_USUAL; /* perhaps not mounted yet, or hidden from this user */
	if (!failed)
		failed = act(&w, err);
	vec_release(&o->wishes);
	arena_release(&w.arena);
	return failed;
}

static const char *const usage[] = {
	"probe [<options>] 'PROBEDEF' ['PROBEDEF' ...]",
	"probe [<options>] --add 'PROBEDEF' [--add 'PROBEDEF' ...]",
	"probe [<options>] --del '[GROUP:]EVENT' ...",
	"probe --list [GROUP:]EVENT ...",
	"probe [<options>] --line 'LINEDESC'",
	"probe [<options>] --vars 'PROBEPOINT'",
	"probe [<options>] --funcs",
	NULL,
};

static const struct cmd_variable variables[] = {DEBUGINFOD_VARIABLE, {NULL, NULL}};

const struct cmd cmd_probe = {
	.name = "probe",
	.summary = "Define new dynamic tracepoints",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct probe_opts),
	.defaults = probe_defaults,
	.variables = variables,
	.run = run_probe,
};
