// SPDX-License-Identifier: MIT
/* Looks up many addresses at once, by file and by unit, with all threads. */
#include "symbol/lines/lines_private.h"

/* The addresses to look up in one file. */
struct file_work {
	struct dso *dso;
	const struct line_question *at;
	size_t n;
	VEC(struct miss {
		uint64_t rva, vaddr;
		size_t unit;
		/* where the result is: levels [first, first + n) of that worker */
		unsigned int worker;
		size_t first, n;
	}) misses;
	struct file_worker {
		struct dwarf_reader *reader;
		struct line_levels levels;
	} *workers;
};

/* The addresses of one unit. */
struct unit_work {
	struct file_work *file;
	size_t first, n; /* range of file->misses */
};

struct many {
	VEC(struct file_work) files;
	VEC(struct unit_work) units;
	unsigned int n_workers;
};

static int lines_many_by_place(const void *a, const void *b)
{
	const struct line_question *x = a, *y = b;

	if (x->dso->index != y->dso->index)
		return x->dso->index < y->dso->index ? -1 : 1;
	return x->rva < y->rva ? -1 : x->rva > y->rva;
}

static int by_unit(const void *a, const void *b)
{
	const struct miss *x = a, *y = b;

	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return x->vaddr < y->vaddr ? -1 : x->vaddr > y->vaddr;
}

/* Keeps the addresses that are neither known nor in the cache, each once; returns how many. Those
 * in the cache are stored at once. */
static size_t keep_unknown(struct line_question *q, size_t n)
{
	size_t kept = 0;

	for (size_t first = 0, end; first < n; first = end) {
		struct dso *dso = q[first].dso;
		struct dso_lines *l;

		for (end = first; end < n && q[end].dso == dso;)
			end++;
		if (!dso_has_lines(dso))
			continue;
		dso_load(dso);
		pthread_mutex_lock(&dso->private_data->lock);
		l = dso_lines_get(dso);
		for (size_t i = first; i < end; i++)
			if (!(i > first && q[i - 1].rva == q[i].rva) &&
			    idmap_find(&l->places, q[i].rva) == HASH_NONE &&
			    !dso_lines_from_cache(dso, q[i].rva))
				q[kept++] = q[i];
		pthread_mutex_unlock(&dso->private_data->lock);
	}
	return kept;
}

/* Finds the unit of each address of a file. */
static void find_units(void *ctx, size_t i, unsigned int worker)
{
	struct file_work *w = &((struct many *)ctx)->files.at[i];
	struct dso_private *p = w->dso->private_data;
	const struct dwarf_index *x;
	struct dso_lines *l;

	(void)worker;
	pthread_mutex_lock(&p->lock);
	l = dso_lines_get(w->dso);
	x = dso_lines_index(l);
	for (size_t k = 0; k < w->n; k++) {
		struct miss m = {.rva = w->at[k].rva};

		if (p->jit) {
			dso_lines_look_up(w->dso, m.rva);
			continue;
		}
		m.vaddr = dso_lines_vaddr(w->dso, m.rva);
		m.unit = x ? dwarf_index_unit(x, m.vaddr) : DWARF_NO_UNIT;
		if (m.unit == DWARF_NO_UNIT)
			dso_lines_remember(w->dso, m.rva, NULL, 0, x != NULL);
		else
			vec_add(&w->misses, m);
	}
	pthread_mutex_unlock(&p->lock);
	if (w->misses.n)
		qsort(w->misses.at, w->misses.n, sizeof(*w->misses.at), by_unit);
}

static void read_unit(void *ctx, size_t i, unsigned int worker)
{
	struct unit_work *u = &((struct many *)ctx)->units.at[i];
	struct file_worker *own = &u->file->workers[worker];

	if (!own->reader)
		own->reader = dwarf_reader_new(u->file->dso->private_data->lines->index);
	for (size_t k = u->first; k < u->first + u->n; k++) {
		struct miss *m = &u->file->misses.at[k];

		m->worker = worker;
		m->first = own->levels.n;
		m->n = dwarf_reader_find(own->reader, m->unit, m->vaddr, &own->levels);
	}
}

static void remember(void *ctx, size_t i, unsigned int worker)
{
	struct many *many = ctx;
	struct file_work *w = &many->files.at[i];

	(void)worker;
	pthread_mutex_lock(&w->dso->private_data->lock);
	for (size_t k = 0; k < w->misses.n; k++) {
		const struct miss *m = &w->misses.at[k];

		dso_lines_remember(w->dso, m->rva,
				   m->n ? w->workers[m->worker].levels.at + m->first : NULL, m->n,
				   true);
	}
	pthread_mutex_unlock(&w->dso->private_data->lock);
	for (unsigned int k = 0; w->workers && k < many->n_workers; k++) {
		dwarf_reader_free(w->workers[k].reader);
		vec_release(&w->workers[k].levels);
	}
	free(w->workers);
	vec_release(&w->misses);
}

static void list_files(struct many *m, const struct line_question *q, size_t n)
{
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first; end < n && q[end].dso == q[first].dso;)
			end++;
		vec_add(&m->files,
			(struct file_work){.dso = q[first].dso, .at = q + first, .n = end - first});
	}
}

static void list_units(struct many *m)
{
	for (size_t i = 0; i < m->files.n; i++) {
		struct file_work *w = &m->files.at[i];

		if (w->misses.n)
			w->workers = mem_zero(m->n_workers * sizeof(*w->workers));
		for (size_t first = 0, end; first < w->misses.n; first = end) {
			for (end = first; end < w->misses.n &&
					  w->misses.at[end].unit == w->misses.at[first].unit;)
				end++;
			vec_add(&m->units, (struct unit_work){w, first, end - first});
		}
	}
}

size_t dso_sources(struct pool *pool, struct line_question *questions, size_t n)
{
	struct many m = {.n_workers = pool_size(pool)};
	size_t found = 0;

	if (n)
		qsort(questions, n, sizeof(*questions), lines_many_by_place);
	list_files(&m, questions, keep_unknown(questions, n));
	pool_for(pool, m.files.n, find_units, &m);
	list_units(&m);
	pool_for(pool, m.units.n, read_unit, &m);
	for (size_t i = 0; i < m.units.n; i++)
		found += m.units.at[i].n;
	pool_for(pool, m.files.n, remember, &m);
	vec_release(&m.files);
	vec_release(&m.units);
	return found;
}
