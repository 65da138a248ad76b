// SPDX-License-Identifier: MIT
/* What was added up, as rows in the order in which they are shown. */
#include "analysis/stat_private.h"

static double noise_of(const struct stat_mean *m)
{
	return m->mean != 0 ? 100 * m->error / m->mean : 0;
}

static void add_row(struct stat *s, uint32_t event, uint32_t place)
{
	static const struct stat_cell none;
	struct stat_event *ev = &s->events.at[event];
	const struct stat_cell *cell = stat_cell_of(ev, place);
	struct stat_metrics metrics = {0};
	struct stat_row row = {
		.event = s->set->events.at[event],
		.name = ev->name,
		.id = *stat_id_of(s, place),
		.state = STAT_COUNTED,
		.of_metric = s->opts.metric_only && stat_for_metric(s, s->set->events.at[event]),
	};

	cell = cell ? cell : &none;
	row.cpus = cell->cpus;
	if (!row.cpus && ev->state != COUNT_OPEN)
		row.cpus = 1; /* perf counts up to the first that is missing */
	if (cell->value.n) {
		row.enabled = cell->enabled / (double)cell->value.n;
		row.running = cell->running / (double)cell->value.n;
	}
	if (row.enabled > 0 && row.running > 0) {
		row.value = cell->value.mean * row.event->scale;
		row.noise = noise_of(&cell->value);
	} else {
		row.state =
			ev->state == COUNT_NOT_SUPPORTED ? STAT_NOT_SUPPORTED : STAT_NOT_COUNTED;
	}
	if (row.state == STAT_COUNTED || s->opts.metric_only) {
		stat_ratios(s, &row, place, &metrics);
		stat_selected(s, &row, place, &metrics);
		row.n_metrics = metrics.all.n;
		row.metrics = arena_copy(&s->metrics, metrics.all.at,
					 metrics.all.n * sizeof(*metrics.all.at));
		vec_release(&metrics.all);
	}
	vec_add(&s->rows, row);
}

static bool stat_rows_shown(const struct stat *s, uint32_t event)
{
	return s->events.at[event].shown_by == event;
}

/* Does an event have anything to say at a place? One that couldn't be opened, and whose CPUs are
 * not known, fits all that its kind of place is. */
static bool belongs(const struct stat *s, uint32_t event, uint32_t place)
{
	const struct stat_event *ev = &s->events.at[event];
	const struct stat_cell *cell = stat_cell_of(ev, place);
	const struct stat_id *id = stat_id_of(s, place);

	if (cell && cell->present)
		return true;
	if (ev->state == COUNT_OPEN || ev->cells.n)
		return false;
	return (id->cpu < 0) == stat_by_core(s, s->set->events.at[event]);
}

/* All of an event's CPUs, then the next event's. */
static void rows_by_event(struct stat *s)
{
	for (uint32_t i = 0; i < s->events.n; i++)
		for (size_t k = 0; stat_rows_shown(s, i) && k < s->order.n; k++)
			if (belongs(s, i, s->order.at[k]))
				add_row(s, i, s->order.at[k]);
}

/* All events of a part of the machine, then the next part's; also where an event does not count,
 * but for one kind of cores where only the others are. */
static void rows_by_place(struct stat *s)
{
	for (size_t k = 0; k < s->order.n; k++)
		for (uint32_t i = 0; i < s->events.n; i++) {
			if (!stat_rows_shown(s, i))
				continue;
			if (s->opts.aggr == STAT_CPU && !belongs(s, i, s->order.at[k]))
				continue;
			add_row(s, i, s->order.at[k]);
			if (s->hybrid && s->opts.aggr != STAT_GLOBAL &&
			    s->rows.at[s->rows.n - 1].enabled <= 0)
				s->rows.n--;
		}
}

static int by_value(const void *a, const void *b)
{
	const struct stat_row *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	return (x->id.thread > y->id.thread) - (x->id.thread < y->id.thread);
}

/* Of each event the busiest threads first. */
static void rows_by_thread(struct stat *s)
{
	for (uint32_t i = 0; i < s->events.n; i++) {
		size_t first = s->rows.n;

		if (!stat_rows_shown(s, i))
			continue;
		for (uint32_t place = 0; place < s->places.entries.n; place++) {
			add_row(s, i, place);
			if (s->opts.skip_zero && !(s->rows.at[s->rows.n - 1].value > 0))
				s->rows.n--;
		}
		if (s->rows.n - first > 1)
			qsort(s->rows.at + first, s->rows.n - first, sizeof(*s->rows.at), by_value);
	}
}

const struct stat_row *stat_rows(struct stat *s, size_t *n)
{
	vec_clear(&s->rows);
	arena_release(&s->metrics);
	stat_order_places(s);
	if (s->opts.aggr == STAT_THREAD)
		rows_by_thread(s);
	else if (s->opts.aggr == STAT_CPU && !s->opts.metric_only)
		rows_by_event(s);
	else
		rows_by_place(s);
	*n = s->rows.n;
	return s->rows.at;
}
