// SPDX-License-Identifier: MIT
#include "analysis/diff.h"
#include "analysis/resample.h"
#include "profile/table/make.h"

#include <math.h>

struct maker {
	struct diff *d;
	const struct diff_options *opts;
	struct intern identities; /* of rows: ids are indices into d->rows */
	size_t n_keys;		  /* keys that are part of identities: not the time slice */
	struct buf tuple;
};

/* -- rows -- */

/* Appends a key's identity, with its length in front. */
static void add_identity(struct buf *tuple, const struct table *table, const struct entry *e,
			 size_t key)
{
	const size_t at = tuple->n;
	uint32_t n = 0;

	buf_add(tuple, &n, sizeof(n));
	key_identity(table, &table->layout.keys.at[key], e, tuple);
	n = (uint32_t)(tuple->n - at - sizeof(n));
	memcpy(tuple->at + at, &n, sizeof(n));
}

static struct diff_row *diff_row_of(struct maker *m, const struct table *table,
				    const struct entry *e)
{
	struct diff *d = m->d;
	uint32_t id;

	buf_clear(&m->tuple);
	for (size_t i = 0; i < m->n_keys; i++)
		add_identity(&m->tuple, table, e, i);
	id = intern_put(&m->identities, m->tuple.at, m->tuple.n);
	if (id == d->rows.n)
		vec_add(&d->rows,
			(struct diff_row){
				.table = table,
				.entry = e,
				.cells = arena_alloc(&d->arena,
						     d->n_tables * sizeof(struct diff_cell))});
	return &d->rows.at[id];
}

static void add_slice(struct diff_cell *c, uint32_t slice, uint64_t period)
{
	for (size_t i = c->slices.n; i-- > 0;)
		if (c->slices.at[i].slice == slice) {
			c->slices.at[i].period += period;
			return;
		}
	vec_add(&c->slices, (struct diff_slice){slice, period});
}

static void diff_add_entries(struct maker *m, const struct table *table, size_t index,
			     const struct event_entries *ev, struct resampling *r)
{
	struct entry **sorted = mem_alloc(ev->entries.n * sizeof(*sorted));

	/* When several entries become one row, the first in the order of keys stands for it. */
	for (size_t i = 0; i < ev->entries.n; i++)
		sorted[i] = ev->entries.at[i];
	table_sort_by_keys(table, sorted, ev->entries.n);
	for (size_t i = 0; i < ev->entries.n; i++) {
		const struct entry *e = sorted[i];
		uint32_t slice = 0;
		struct diff_cell *c;

		if (m->opts->confidence && (!e->filtered || !table->opts.relative))
			slice = resampling_add(r, e->values[m->n_keys], e->self->period);
		c = &diff_row_of(m, table, e)->cells[index];
		if (!c->present)
			c->entry = e;
		c->present = true;
		c->period += e->self->period;
		c->samples += e->self->samples;
		if (m->opts->confidence)
			add_slice(c, slice, e->self->period);
	}
	free(sorted);
}

/* -- values -- */

static double diff_percent(uint64_t period, uint64_t total)
{
	return total ? 100.0 * (double)period / (double)total : 0;
}

static void diff_compare(const struct diff *d, const struct diff_options *opts,
			 struct diff_row *row, size_t i)
{
	const struct diff_cell *old = &row->cells[0];
	struct diff_cell *c = &row->cells[i];

	if (!c->present)
		return;
	switch (opts->method) {
	case DIFF_DELTA:
	case DIFF_DELTA_ABS:
		c->value = diff_percent(c->period, d->totals[i]) -
			   diff_percent(old->period, d->totals[0]);
		c->compared = true;
		break;
	case DIFF_CYCLES:
		break;
	case DIFF_RATIO:
		c->compared = row->in_baseline;
		c->value = (double)c->period / (double)MAX(old->period, 1u);
		break;
	case DIFF_WEIGHTED:
		c->compared = row->in_baseline;
		c->value = (double)((int64_t)c->period * opts->weight_new -
				    (int64_t)old->period * opts->weight_old);
		break;
	}
}

/* -- order -- */

/* Orders rows by the values of a profile. compared_first: rows without a value come last. */
static int by_value(const struct maker *m, const struct diff_row *a, const struct diff_row *b,
		    size_t i, bool compared_first)
{
	const struct diff_cell *x = &a->cells[i], *y = &b->cells[i];
	double u = x->value, v = y->value;

	if (x->present != y->present)
		return x->present ? -1 : 1;
	if (compared_first && !(x->compared && y->compared))
		return y->compared - x->compared;
	if (m->opts->method == DIFF_DELTA_ABS) {
		u = fabs(u);
		v = fabs(v);
	}
	return (u < v) - (u > v);
}

static int by_baseline(const struct diff_row *a, const struct diff_row *b)
{
	const uint64_t x = a->cells[0].period, y = b->cells[0].period;

	return (x < y) - (x > y);
}

/* Orders rows by the identities of keys: numbers by value, texts by bytes, missing texts last. */
static int by_keys(const struct maker *m, const struct diff_row *a, const struct diff_row *b)
{
	struct buf x = {0}, y = {0};
	int order = 0;

	for (size_t i = 0; i < m->n_keys && !order; i++) {
		const struct key_use *use = &a->table->layout.keys.at[i];

		if (!use->key->identity) {
			order = key_sort(a->table, use, a->entry->values[i], b->entry->values[i]);
			continue;
		}
		buf_clear(&x);
		buf_clear(&y);
		key_identity(a->table, use, a->entry, &x);
		key_identity(b->table, &b->table->layout.keys.at[i], b->entry, &y);
		if (!x.n != !y.n)
			order = x.n ? -1 : 1;
		else
			order = strcmp(buf_text(&x), buf_text(&y));
	}
	buf_release(&x);
	buf_release(&y);
	return order;
}

static int by_rank(const void *table, const void *q, void *ctx)
{
	const struct maker *m = ctx;
	const struct diff_row *a = table, *b = q;
	const bool by_values = m->opts->method != DIFF_CYCLES;
	int order = by_values && m->opts->order ? by_value(m, a, b, m->opts->order, true) : 0;

	if (!order)
		order = by_baseline(a, b);
	for (size_t i = 1; i < m->d->n_tables && by_values && !order; i++)
		order = by_value(m, a, b, i, false);
	return order ? order : by_keys(m, a, b);
}

/* -- all of it -- */

const struct event *diff_match_event(const struct event_set *set, const struct event *ev)
{
	for (size_t i = 0; i < set->events.n; i++) {
		const struct attr *a = &set->events.at[i]->attr;

		if (a->type == ev->attr.type && a->config == ev->attr.config)
			return set->events.at[i];
	}
	return NULL;
}

static const struct event_entries *match_event(const struct table *table, const struct event *ev)
{
	const struct event *same = diff_match_event(&table->samples->m->events, ev);

	return same && same->index < table->events.n ? &table->events.at[same->index] : NULL;
}

static bool has_pairs(const struct diff *d, const struct diff_row *row)
{
	for (size_t i = 1; i < d->n_tables; i++)
		if (row->cells[i].present)
			return true;
	return false;
}

static void row_release(const struct diff *d, struct diff_row *row)
{
	for (size_t i = 0; i < d->n_tables; i++) {
		vec_release(&row->cells[i].slices);
		vec_release(&row->cells[i].blocks);
	}
}

/* Removes the rows that filters leave out, and with -b those that have nothing to be compared
 * with. */
static void drop_rows(struct diff *d, const struct diff_options *opts)
{
	size_t kept = 0;

	if (opts->baseline_only)
		d->baseline_total = 0;
	for (size_t i = 0; i < d->rows.n; i++) {
		struct diff_row *row = &d->rows.at[i];
		const bool matched =
			!opts->baseline_only || (row->in_baseline && has_pairs(d, row));

		if (opts->baseline_only && matched)
			d->baseline_total += row->cells[0].period;
		if (matched && !row->entry->filtered)
			d->rows.at[kept++] = *row;
		else
			row_release(d, row);
	}
	d->rows.n = kept;
}

void diff_make(struct diff *d, const struct table *const *tables, size_t n, size_t event,
	       const struct diff_options *opts)
{
	struct maker m = {.d = d, .opts = opts};
	struct resampling *r = mem_zero(n * sizeof(*r));

	memset(d, 0, sizeof(*d));
	d->event = tables[0]->events.at[event].event;
	d->layout = &tables[0]->layout;
	d->tables = tables;
	d->n_tables = n;
	d->totals = arena_alloc(&d->arena, n * sizeof(*d->totals));
	m.n_keys = tables[0]->layout.keys.n - opts->confidence;
	for (size_t i = 0; i < n; i++) {
		const struct event_entries *ev =
			i ? match_event(tables[i], d->event) : &tables[0]->events.at[event];

		if (!ev)
			continue;
		d->totals[i] = table_total(tables[i], ev, SUM_OVERHEAD);
		diff_add_entries(&m, tables[i], i, ev, &r[i]);
	}
	d->baseline_total = d->totals[0];
	for (size_t i = 0; i < d->rows.n; i++)
		d->rows.at[i].in_baseline = d->rows.at[i].cells[0].present;
	for (size_t i = 0; i < d->rows.n; i++)
		for (size_t k = 1; k < n; k++)
			diff_compare(d, opts, &d->rows.at[i], k);
	if (opts->confidence)
		resample_deltas(d, r);
	drop_rows(d, opts);
	if (opts->method == DIFF_CYCLES)
		diff_blocks_compare(d);
	qsort_r(d->rows.at, d->rows.n, sizeof(*d->rows.at), by_rank, &m);
	for (size_t i = 0; i < n; i++)
		resampling_release(&r[i]);
	free(r);
	intern_release(&m.identities);
	buf_release(&m.tuple);
}

void diff_release(struct diff *d)
{
	for (size_t i = 0; i < d->rows.n; i++)
		row_release(d, &d->rows.at[i]);
	vec_release(&d->rows);
	diff_blocks_release(d);
	arena_release(&d->arena);
}

bool diff_cell_is_noise(const struct diff_cell *c)
{
	return c->low <= 0 && c->high >= 0;
}
