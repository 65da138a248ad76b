// SPDX-License-Identifier: MIT
/* The metrics that were asked for (-M), each beside its event. */
#include "analysis/stat_private.h"
#include "event/metric/select.h"

#include <math.h>

/* Clocks of the tool are read once, whatever part of the machine the rest is about. */
static const struct stat_cell *cell_of(const struct stat *s, uint32_t event, uint32_t place)
{
	const struct stat_event *ev = &s->events.at[event];

	if (s->set->events.at[event]->tool != TOOL_NONE)
		for (place = 0; place < ev->cells.n; place++)
			if (ev->cells.at[place].value.n)
				break;
	return place < ev->cells.n ? &ev->cells.at[place] : NULL;
}

/* What each event counted at a place; NaN where it didn't. */
static void counts_at_place(const struct stat *s, uint32_t place, double *counts)
{
	for (uint32_t i = 0; i < s->events.n; i++) {
		const struct stat_cell *c = cell_of(s, i, place);

		counts[i] = c && c->value.n && c->running > 0 ? c->value.mean : NAN;
	}
}

static enum stat_judgement judgement(enum metric_judgement j)
{
	return j == METRIC_BAD ? STAT_BAD : j == METRIC_GOOD ? STAT_GOOD : STAT_NOT_JUDGED;
}

void stat_selected(struct stat *s, const struct stat_row *row, uint32_t place,
		   struct stat_metrics *out)
{
	const struct metric_selection *sel = s->opts.metrics;
	uint32_t block = s->opts.each_cgroup ? row->event->index / s->opts.each_cgroup : 0;
	uint32_t first = block * s->opts.each_cgroup;
	double *counts = NULL;

	for (size_t i = 0; sel && i < sel->uses.n; i++) {
		const struct metric_use *use = &sel->uses.at[i];
		bool first_of_row = !out->all.n;
		struct metric_value v;

		if (first + use->event != row->event->index)
			continue;
		if (!counts) {
			counts = mem_alloc(s->events.n * sizeof(*counts));
			counts_at_place(s, place, counts);
		}
		metric_compute(use, s->set, counts + first, &v);
		vec_add(&out->all,
			(struct stat_metric){
				.value = v.value,
				.format = arena_printf(&s->metrics, "%%8.%uf", use->decimals),
				.unit = use->text,
				.judgement = judgement(v.judgement),
				.own_line = !first_of_row,
				.asked = true});
	}
	free(counts);
}

bool stat_for_metric(const struct stat *s, const struct event *ev)
{
	const struct metric_selection *sel = s->opts.metrics;
	uint32_t index = s->opts.each_cgroup ? ev->index % s->opts.each_cgroup : ev->index;

	for (size_t i = 0; sel && i < sel->uses.n; i++)
		for (uint32_t k = 0; k < sel->uses.at[i].n_events; k++)
			if (sel->uses.at[i].events[k] == index)
				return true;
	return false;
}
