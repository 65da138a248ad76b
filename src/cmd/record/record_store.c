// SPDX-License-Identifier: MIT
#include "cmd/record/record_store.h"

#include "cmd/options/opts_debuginfod.h"
#include "cmd/options/opts_input.h"
#include "symbol/store/store.h"
#include "world/hits.h"

#include <stdio.h>

static void store_files(struct recording *rec, const char *dir, const struct symbol_options *how)
{
	AUTO(world) *world = world_of_recording(rec, how);
	const struct dso_set *set = world_dsos(world);
	struct idmap hits = {0};
	struct err err = {0};

	if (world_hits(world, rec, true, &hits, &err))
		fprintf(stderr, "perf: %s\n", err.text);
	for (uint32_t i = 0; i < set->dsos.n; i++) {
		struct dso *dso = set->dsos.at[i];

		if (idmap_find(&hits, i) == HASH_NONE || !dso->build_id.size ||
		    store_has(dir, &dso->build_id))
			continue;
		if (store_add_dso(dir, dso, &err) < 0 && how->verbose > 0)
			fprintf(stderr, "perf: not stored: %s\n", err.text);
	}
	idmap_release(&hits);
}

static void store_fetched(const struct debug_files *files, const char *dir)
{
	struct err err = {0};

	for (size_t i = 0; i < files->files.n; i++) {
		const struct debug_file *f = &files->files.at[i];

		if (store_add_debug(dir, f->of, &f->id, f->path, &err) < 0)
			fprintf(stderr, "perf: not stored: %s\n", err.text);
	}
}

void record_store(const struct record_opts *o, const struct env *env, const char *path)
{
	struct symbol_options how = {.buildid_dir = env->buildid_dir, .force = true,
				     .debuginfod = o->debuginfod, .verbose = o->verbose};
	const struct input_opts written = {path, true};
	AUTO(recording) *rec = NULL;
	struct debug_files files = {0};
	struct arena arena = {0};
	const char *dir = store_find(env->buildid_dir, &arena);
	struct err err = {0};

	if (!dir || !strcmp(path, "-") || o->no_build_id || o->no_build_id_cache ||
	    (!o->build_id_cache && !o->debuginfod))
		goto out;
	rec = input_open_recording(&written, env->out, &err);
	if (!rec) {
		fprintf(stderr, "perf: not stored: %s\n", err.text);
		goto out;
	}
	debuginfod_get(&how, &files, rec, stderr);
	store_fetched(&files, dir);
	if (o->build_id_cache)
		store_files(rec, dir, &how);
out:
	debug_files_release(&files);
	arena_release(&arena);
}
