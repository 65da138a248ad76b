// SPDX-License-Identifier: MIT
#include "cmd/options/opts_debuginfod.h"

#include "symbol/store/store.h"
#include "world/hits.h"

#include <limits.h>
#include <stdlib.h>

#define VISIBLE_PART 100 /* a dso is worth a request from 1 hit in so many */

struct wanted {
	struct dso *dso;
	uint32_t hits;
};
struct list {
	VEC(struct wanted) dsos;
};

static int most_first(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;

	return (x->hits < y->hits) - (x->hits > y->hits);
}

static bool lacks_names(struct dso *dso)
{
	if ((dso->kind != DSO_FILE && dso->kind != DSO_MODULE) || !dso->build_id.size)
		return false;
	dso_load(dso);
	return dso->source == SYMBOLS_NONE || dso->source == SYMBOLS_DYNSYM ||
	       dso->source == SYMBOLS_EMBEDDED || dso->source == SYMBOLS_RANGES;
}

static int find_wanted(struct world *w, struct recording *rec, struct list *out, struct err *err)
{
	const struct dso_set *set = world_dsos(w);
	struct idmap hits = {0};
	uint64_t all = 0;
	int failed = world_hits(w, rec, true, &hits, err);

	for (uint32_t i = 0; i < set->dsos.n; i++) {
		uint32_t n = idmap_find(&hits, i);

		all += n == HASH_NONE ? 0 : n;
	}
	for (uint32_t i = 0; i < set->dsos.n && !failed; i++) {
		uint32_t n = idmap_find(&hits, i);

		if (n != HASH_NONE && (uint64_t)n * VISIBLE_PART >= all &&
		    lacks_names(set->dsos.at[i]))
			vec_add(&out->dsos, (struct wanted){set->dsos.at[i], n});
	}
	idmap_release(&hits);
	if (out->dsos.n)
		qsort(out->dsos.at, out->dsos.n, sizeof(*out->dsos.at), most_first);
	return failed;
}

static void fetch(const struct list *l, const struct symbol_options *o, struct debug_files *files,
		  FILE *to)
{
	struct err err = {0};
	AUTO(debuginfod) *d = debuginfod_open(o->debuginfod, DEBUGINFOD_SECONDS, &err);

	if (!d) {
		fprintf(to, "perf: %s (%s)\n", err.text, err.hint);
		return;
	}
	for (size_t i = 0; i < l->dsos.n; i++) {
		const struct dso *dso = l->dsos.at[i].dso;

		if (debuginfod_fetch(d, dso->long_name, &dso->build_id, files, &err) &&
		    o->verbose > 0)
			fprintf(to, "perf: %s\n", err.text);
	}
}

void debuginfod_get(struct symbol_options *o, struct debug_files *files, const struct recording *of,
		    FILE *to)
{
	AUTO(recording) *rec = NULL;
	AUTO(world) *world = NULL;
	struct list list = {0};
	struct err err = {0};

	if (!o->debuginfod)
		return;
	if (of->is_pipe) {
		fprintf(to, "perf: --debuginfod needs a file: a pipe can be read only once\n");
		return;
	}
	rec = recording_open(of->path, &of->how, &err);
	world = rec ? world_of_recording(rec, o) : NULL;
	if (!world || find_wanted(world, rec, &list, &err))
		fprintf(to, "perf: --debuginfod: %s\n", err.text);
	else if (list.dsos.n)
		fetch(&list, o, files, to);
	vec_release(&list.dsos);
	o->fetched = files;
}

int debuginfod_store(const char *urls, const char *dir, const char *path, int32_t pid,
		     struct err *err)
{
	struct debug_files files = {0};
	AUTO(debuginfod) *d = NULL;
	struct store_file f;
	int got = -1;

	if (!urls || store_file_find(&f, path, pid, NULL))
		return 0;
	d = debuginfod_open(urls, DEBUGINFOD_SECONDS, err);
	if (d && !debuginfod_fetch(d, f.real, &f.id, &files, err))
		got = store_add_debug(dir, f.real, &f.id, files.files.at[0].path, err);
	debug_files_release(&files);
	store_file_release(&f);
	return got;
}
