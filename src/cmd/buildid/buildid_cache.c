// SPDX-License-Identifier: MIT
#include "cmd/options/opts_debuginfod.h"
#include "cmd/buildid/store_rows.h"
#include "probe/kept_probes.h"
#include "symbol/cache/entry.h"
#include "symbol/store/store.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum action { ADD, REMOVE, PURGE, UPDATE, MISSING, KCORE };

struct wish {
	enum action what;
	const char *value;
};

struct buildid_cache_opts {
	VEC(struct wish) wishes; /* in the order in which they were typed */
	bool list, purge_all, force;
	int verbose, target_ns;
	const char *debuginfod;
};

#define AT(member) offsetof(struct buildid_cache_opts, member)

static int wish(void *place, const struct opt *opt, const char *value, bool unset, struct err *err)
{
	struct buildid_cache_opts *o = place;

	(void)err;
	if (!unset)
		vec_add(&o->wishes, (struct wish){(enum action)opt->value, value});
	return 0;
}

static const struct opt options[] = {
	{OPT_CALL, 'a', "add", 0, "file list", "put files into the store", OPT_NO_NEGATE,
	 .value = ADD, .call = wish},
	{OPT_CALL, 'r', "remove", 0, "file list", "take files as they are now out of it",
	 OPT_NO_NEGATE, .value = REMOVE, .call = wish},
	{OPT_CALL, 'p', "purge", 0, "file list", "take all versions of files out of it",
	 OPT_NO_NEGATE, .value = PURGE, .call = wish},
	{OPT_BOOL, 'P', "purge-all", AT(purge_all), NULL,
	 "empty the store, and the cache of source lines"},
	{OPT_CALL, 'u', "update", 0, "file list", "put files in again", OPT_NO_NEGATE,
	 .value = UPDATE, .call = wish},
	{OPT_CALL, 'M', "missing", 0, "file", "what a recording needs and the store lacks",
	 OPT_NO_NEGATE, .value = MISSING, .call = wish},
	{OPT_CALL, 'k', "kcore", 0, "file", "put a copy of the kernel's code in: /proc/kcore",
	 OPT_NO_NEGATE, .value = KCORE, .call = wish},
	{OPT_BOOL, 'l', "list", AT(list), NULL, "list what is in the store"},
	{OPT_STRING, 0, "debuginfod", AT(debuginfod), "urls", "fetch debug files too", OPT_OPTIONAL,
	 ""},
	{OPT_INT, 0, "target-ns", AT(target_ns), "pid", "files are those that this process sees"},
	{OPT_BOOL, 'f', "force", AT(force), NULL, "read a recording that another user owns"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "say what was done"},
	{OPT_END},
};
static const struct opt_group groups[] = {{options, 0}, {0}};

struct work {
	struct env *env;
	const struct buildid_cache_opts *opts;
	const char *dir;
};

static void buildid_cache_say(const struct work *w, const char *did, const char *what,
			      const char *how)
{
	if (w->opts->verbose > 0)
		fprintf(stderr, "%s %s: %s\n", did, what, how);
}

static int remove_one(const struct work *w, const char *path, struct err *err)
{
	int got = store_remove(w->dir, path, w->opts->target_ns, err);

	if (!got)
		return err_set(err, ERR_INPUT, "'%s' is not in the store", path);
	buildid_cache_say(w, "Removing", path, "Ok");
	return got < 0 ? -1 : 0;
}

/* Removes every entry that was stored under the path. The file itself need not exist any more. */
static int purge(const struct work *w, const char *path, struct err *err)
{
	struct store_list list;
	char real[PATH_MAX];
	int failed = store_list_all(w->dir, &list, err), found = 0;

	store_real_path(path, w->opts->target_ns, real);
	for (size_t i = 0; i < list.entries.n && !failed; i++)
		if (!strcmp(list.entries.at[i].path, real)) {
			failed = store_remove_entry(w->dir, &list.entries.at[i], err);
			found++;
			buildid_cache_say(w, "Removing", list.entries.at[i].path,
					  failed ? "FAIL" : "Ok");
		}
	if (!found)
		store_tell_refused(w->dir, &list);
	store_list_release(&list);
	if (!failed && !found)
		return err_set(err, ERR_INPUT, "'%s' is not in the store", path);
	return failed;
}

static int purge_all(const struct work *w, struct err *err)
{
	struct store_list list;
	int failed = store_list_all(w->dir, &list, err);

	for (size_t i = 0; i < list.entries.n && !failed; i++) {
		failed = store_remove_entry(w->dir, &list.entries.at[i], err);
		buildid_cache_say(w, "Removing", list.entries.at[i].path, failed ? "FAIL" : "Ok");
	}
	if (!failed)
		failed = cache_purge(err);
	if (store_tell_refused(w->dir, &list) && !failed) {
		failed = err_set(err, ERR_INPUT,
				 "'%s' is not empty: it holds what is no entry of a store", w->dir);
		err_hint(err,
			 "nothing that it leads to was removed: look at it, and remove it by hand");
	}
	store_list_release(&list);
	return failed;
}

/* --debuginfod: fetches the debug file of a file that was added to the store. */
static int fetch(const struct work *w, const char *path, struct err *err)
{
	int got = debuginfod_store(w->opts->debuginfod, w->dir, path, w->opts->target_ns, err);

	if (w->opts->debuginfod)
		buildid_cache_say(w, "Adding debug file of", path,
				  got < 0 ? "FAIL"
				  : got	  ? "Ok"
					  : "already there");
	return got;
}

/* Adds a file or the kernel, and of a file the definitions of its markers. Returns as
 * store_add(). */
static int add_one(const struct work *w, const char *path, struct err *err)
{
	const int pid = w->opts->target_ns;
	int got;

	if (!strcmp(path, "[kernel.kallsyms]"))
		return store_add_kernel(w->dir, "/proc", err);
	got = store_add(w->dir, path, pid, err);
	return got < 0 || kept_probes_store_markers(w->dir, path, pid, err) ? -1 : got;
}

static int buildid_cache_one(const struct work *w, enum action what, const char *path,
			     struct err *err)
{
	const int pid = w->opts->target_ns;
	char entry[PATH_MAX];
	int got;

	switch (what) {
	case ADD:
		got = add_one(w, path, err);
		buildid_cache_say(w, "Adding", path,
				  got < 0 ? "FAIL"
				  : got	  ? "Ok"
					  : "already there");
		return got < 0 || fetch(w, path, err) < 0 ? -1 : 0;
	case REMOVE:
		return remove_one(w, path, err);
	case PURGE:
		return purge(w, path, err);
	case UPDATE:
		if (store_remove(w->dir, path, pid, err) < 0 ||
		    add_one(w, path, err) < 0)
			return -1;
		buildid_cache_say(w, "Updating", path, "Ok");
		return MIN(fetch(w, path, err), 0);
	case MISSING:
		return store_show_missing(w->dir, &(struct input_opts){path, w->opts->force},
					  w->env->out, err);
	case KCORE:
		if (store_add_kcore(w->dir, path, entry, err))
			return -1;
		fprintf(stderr, "kcore added to build-id cache directory %s\n", entry);
		return 0;
	}
	return 0;
}

/* Applies the wish to each path of its list, also after a failure. The first failure goes to *err,
 * later ones are printed at once. */
static int each(const struct work *w, const struct wish *wish, struct err *err)
{
	AUTO_CHAR *list = mem_printf("%s", wish->value);
	int failed = 0;

	for (char *rest = list, *path; (path = strsep(&rest, ","));) {
		struct err e = {0};

		if (!*path || !buildid_cache_one(w, wish->what, path, &e))
			continue;
		if (failed)
			fprintf(stderr, "perf: %s\n", e.text);
		else if (err)
			*err = e;
		failed = -1;
	}
	return failed;
}

static int cmd_buildid_cache_run(struct env *env, void *opts, int argc, char **argv,
				 struct err *err)
{
	struct buildid_cache_opts *o = opts;
	struct work w = {env, o, NULL};
	struct arena arena = {0};
	int failed = 0;

	w.dir = store_find(env->buildid_dir, &arena);
	if (argc)
		failed = err_set(err, ERR_USAGE, "files stand behind -a, -r, -p or -u: '%s'",
				 argv[0]);
	else if (!o->wishes.n && !o->list && !o->purge_all)
		failed =
			err_set(err, ERR_USAGE, "say what to do: -a, -k, -r, -p, -P, -u, -M or -l");
	else if (o->list && (o->wishes.n || o->purge_all))
		failed = err_set(err, ERR_USAGE, "-l is exclusive");
	else if (o->target_ns < 0)
		failed = err_set(err, ERR_USAGE, "--target-ns: %d is no process", o->target_ns);
	else if (!w.dir)
		failed = err_set(err, ERR_SYSTEM, "there is no store: HOME is not set");
	if (!failed && o->list)
		failed = store_show(w.dir, &env->out->buf, err);
	if (!failed && o->purge_all)
		failed = purge_all(&w, err);
	for (size_t i = 0; i < o->wishes.n && !failed; i++)
		failed = each(&w, &o->wishes.at[i], err);
	vec_release(&o->wishes);
	arena_release(&arena);
	return failed;
}

static const char *const usage[] = {"buildid-cache [<options>]", NULL};

static const struct cmd_variable variables[] = {DEBUGINFOD_VARIABLE, {NULL, NULL}};

const struct cmd cmd_buildid_cache = {
	.name = "buildid-cache",
	.summary = "Manage build-id cache.",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct buildid_cache_opts),
	.variables = variables,
	.run = cmd_buildid_cache_run,
};
