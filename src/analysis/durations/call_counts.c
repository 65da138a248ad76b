// SPDX-License-Identifier: MIT
#include "analysis/durations/call_counts.h"

#include "base/log_linear.h"
#include "probe/function_probes.h"

/* The path is copied and terminated, since the program can write to the table. */
static struct dso *call_place_dso(struct durations *d, const struct call_table *table,
				  const struct preload_place *place, struct dso_set *dsos)
{
	const uint32_t file = place->file - 1;
	const struct preload_file *f;

	if (file >= PRELOAD_FILES)
		return NULL;
	f = &table->files[file];
	return dso_set_get(dsos,
			   arena_strndup(&d->arena, f->path, strnlen(f->path, sizeof(f->path))),
			   NULL, DSO_UNKNOWN, -1);
}

/* The function of that raw name in the file; it is the same one in all processes. */
static struct duration_function *counted_function(struct durations *d, struct dso *dso,
						  const char *raw, const char *name)
{
	AUTO_BUF key = {0};
	uint32_t id;

	buf_printf(&key, "%u %s", dso ? dso->index : UINT32_MAX, raw);
	id = intern_put(&d->names, key.at, key.n);
	if (id == d->functions.n) {
		struct duration_function *f = vec_extend(&d->functions, 1);

		f->dso = dso;
		f->name = arena_strdup(&d->arena, name);
	}
	return &d->functions.at[id];
}

static void histogram_read(struct histogram *h, const struct call_table_function *from)
{
	bool is_first = true;

	for (size_t i = 0; i < CALL_TABLE_BUCKETS; i++) {
		if (!from->buckets[i])
			continue;
		if (is_first)
			h->min = h->n ? MIN(h->min, log_linear_start(i)) : log_linear_start(i);
		is_first = false;
		histogram_add_bucket(h, i, from->buckets[i]);
	}
	h->n += from->returned;
	h->max = MAX(h->max, from->max_ns);
}

static void call_counts_add(struct durations *d, const struct call_table *table,
			    const struct call_table_function *from, const char *globs,
			    struct dso_set *dsos)
{
	struct dso *dso = call_place_dso(d, table, &from->place, dsos);
	const struct symbol *sym = dso ? dso_find(dso, dso_rva(dso, from->place.offset)) : NULL;
	AUTO_CHAR *address = mem_printf("[0x%llx]", (unsigned long long)from->place.address);
	const char *raw = sym ? sym->name : address;
	const char *name = sym ? dso_symbol_name(dso, sym) : address;
	const uint64_t ended = from->returned + from->left + from->cut;
	struct duration_function *f;

	d->probes_hit += from->entered + from->returned;
	if (globs && !function_globs_match(globs, raw) && !function_globs_match(globs, name))
		return;
	f = counted_function(d, dso, raw, name);
	histogram_read(&f->calls, from);
	f->total_ns += from->total_ns;
	f->self_ns += from->self_ns;
	f->left += from->left;
	f->cut += from->cut;
	f->open += from->entered - MIN(from->entered, ended);
}

void call_counts_read(struct durations *d, const struct call_table *table, const char *globs,
		      struct dso_set *dsos)
{
	d->is_counted = true;
	d->processes = table->processes;
	d->threads = table->threads;
	d->left_out = table->left_out;
	d->hit_ns = (table->cost_ns + 1) / 2;
	for (size_t i = 0; i < CALL_TABLE_FUNCTIONS; i++)
		if (table->functions[i].entered)
			call_counts_add(d, table, &table->functions[i], globs, dsos);
}
