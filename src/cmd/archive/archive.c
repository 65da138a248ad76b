// SPDX-License-Identifier: MIT
#include "cmd/archive/work.h"

#include "cmd/options/opts_input.h"
#include "symbol/store/store.h"
#include "world/hits.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct archive_opts {
	bool all, unpack, force;
};

static const struct opt options[] = {
	{OPT_BOOL, 0, "all", offsetof(struct archive_opts, all), NULL,
	 "pack the recording too, into perf.all-HOST-TIME.tar.bz2"},
	{OPT_BOOL, 0, "unpack", offsetof(struct archive_opts, unpack), NULL,
	 "put what an archive holds where report finds it"},
	{OPT_BOOL, 'f', "force", offsetof(struct archive_opts, force), NULL,
	 "read a recording that another user owns"},
	{OPT_END},
};
static const struct opt_group groups[] = {{options, 0}, {0}};

/* Adds the wanted entries of a store to tar's arguments: each entry is a link and its target.
 * Returns their number, or -1 with *err. */
static int archive_add_entries(struct work *w, const char *dir, struct intern *wanted,
			       struct err *err)
{
	struct store_list list;
	char real[PATH_MAX];
	int n = 0;

	if (store_list_all(dir, &list, err))
		return -1;
	for (size_t i = 0; i < list.entries.n; i++) {
		const struct store_entry *e = &list.entries.at[i];

		if (intern_find(wanted, e->id, strlen(e->id)) == HASH_NONE)
			continue;
		/* an absolute path: a second -C would be relative to the first */
		if (!n++ && realpath(dir, real))
			work_args(w, "-C", arena_strdup(&w->arena, real), NULL);
		work_args(w, arena_printf(&w->arena, ".build-id/%.2s/%s", e->id, e->id + 2),
			  work_member(w, arena_printf(&w->arena, "%s/%s",
						      e->path + (*e->path == '/'), e->id)),
			  NULL);
	}
	store_list_release(&list);
	return n;
}

/* Collects the build-ids of all sampled files. Files that the store lacks are added to the
 * temporary store. */
static int archive_gather(struct work *w, struct recording *rec, struct intern *wanted,
			  struct err *err)
{
	const struct symbol_options files = {.buildid_dir = w->env->buildid_dir};
	AUTO(world) *world = world_of_recording(rec, &files);
	const struct dso_set *set = world_dsos(world);
	struct idmap hits = {0};
	int failed = world_hits(world, rec, true, &hits, err);

	for (size_t i = 0; i < set->dsos.n && !failed; i++) {
		struct dso *dso = set->dsos.at[i];
		char id[41];

		build_id_text(&dso->build_id, id);
		if (!*id || idmap_find(&hits, dso->index) == HASH_NONE)
			continue;
		intern_str(wanted, id);
		/* takes the file from its original path, if it still has this build-id */
		if (!store_has(w->store, &dso->build_id) && store_add_dso(w->temp, dso, NULL) < 0)
			fprintf(stderr, "perf: not in the archive, and not found: %s %s\n", id,
				dso->long_name);
	}
	idmap_release(&hits);
	return failed;
}

/* Makes the archive of the files with symbols. */
static int pack_symbols(struct work *w, const char *input, bool force, const char *output,
			struct err *err)
{
	const struct input_opts from = {input, force};
	AUTO(recording) *rec = input_open_recording(&from, w->env->out, err);
	struct intern wanted = {0};
	int stored, taken = -1;

	if (!rec || archive_gather(w, rec, &wanted, err)) {
		intern_release(&wanted);
		return -1;
	}
	work_args(w, "tar", "-c", "-j", "-f", work_path(w, output), NULL);
	stored = archive_add_entries(w, w->store, &wanted, err);
	if (stored >= 0)
		taken = archive_add_entries(w, w->temp, &wanted, err);
	intern_release(&wanted);
	if (taken < 0)
		return -1;
	if (!stored && !taken)
		return err_set(err, ERR_INPUT, "no build-ids found in '%s'", input);
	return work_tar(w, output, err);
}

static int pack(struct work *w, const char *input, bool force, struct err *err)
{
	const char *output = arena_printf(&w->arena, "%s.tar.bz2", input);

	if (pack_symbols(w, input, force, output, err))
		return -1;
	buf_printf(&w->env->out->buf,
		   "Now please run:\n\n$ tar xvf %s -C ~/.debug\n\nwherever you need to run "
		   "'perf report' on.\n",
		   output);
	return 0;
}

static int pack_all(struct work *w, const char *input, bool force, struct err *err)
{
	const char *slash = strrchr(input, '/'), *base = slash ? slash + 1 : input;
	const char *dir =
		slash ? arena_strndup(&w->arena, input, (size_t)(slash + 1 - input)) : ".";
	const char *symbols = arena_printf(&w->arena, "%s/" SYMBOLS_ARCHIVE, w->temp), *output;
	char stamp[32], host[65] = "", real[PATH_MAX];
	time_t now = time(NULL);
	struct tm tm;

	if (pack_symbols(w, input, force, symbols, err))
		return -1;
	if (!realpath(dir, real))
		return err_sys(err, errno, "cannot find '%s'", dir);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
	gethostname(host, sizeof(host) - 1);
	output = arena_printf(&w->arena, "perf.all-%s-%s.tar.bz2", host, stamp);
	work_args(w, "tar", "-c", "-j", "-f", work_path(w, output), "-C", w->temp, SYMBOLS_ARCHIVE,
		  "-C", real, work_member(w, base), NULL);
	if (work_tar(w, output, err))
		return -1;
	buf_printf(&w->env->out->buf,
		   "Now please run:\n\n$ perf archive --unpack %s\n\nwherever you need to run "
		   "'perf report' on.\n",
		   output);
	return 0;
}

static int cmd_archive_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	const struct archive_opts *o = opts;
	const char *input = argc ? argv[0] : "perf.data";
	struct work w;
	int failed;

	if (argc > 1)
		return err_set(err, ERR_USAGE, "one file at a time: '%s'", argv[1]);
	if (o->all && o->unpack)
		return err_set(err, ERR_USAGE, "--all and --unpack exclude each other");
	failed = work_init(&w, env, err);
	if (!failed && o->unpack)
		failed = unpack(&w, argc ? input : NULL, err);
	else if (!failed)
		failed = o->all ? pack_all(&w, input, o->force, err)
				: pack(&w, input, o->force, err);
	work_release(&w);
	return failed;
}

static const char *const usage[] = {"archive [<options>] [<file>]", NULL};

const struct cmd cmd_archive = {
	.name = "archive",
	.summary = "Create archive with object files with build-ids found in perf.data file",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct archive_opts),
	.run = cmd_archive_run,
};
