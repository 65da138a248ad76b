// SPDX-License-Identifier: MIT
/* Metrics: each line is the expression of one, m0, m1, ..., and the threshold of the one before. */
#include "driver.h"
#include "base/buf.h"
#include "event/metric/select.h"

#define LINES_MOST 40

static void compute_all(const struct metric_selection *sel, const struct event_set *set)
{
	double *counts = mem_alloc(set->events.n * sizeof(*counts));
	struct metric_value v;

	for (size_t i = 0; i < set->events.n; i++)
		counts[i] = i % 3 ? 1e18 * (double)i : 0;
	for (size_t i = 0; i < sel->uses.n; i++) {
		const struct metric_use *use = &sel->uses.at[i];

		metric_compute(use, set, counts, &v);
		if (use->event >= set->events.n || !use->n_events)
			__builtin_trap();
	}
	free(counts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct metric_facts facts = {0};
	struct event_host host = {0};
	struct metric_table table = {0};
	struct metric_selection sel = {0};
	struct event_set set = {0};
	struct buf text = {0};
	struct err err = {0};
	char *line, *rest;

	buf_add(&text, data, size);
	buf_char(&text, 0);
	rest = text.at;
	while (table.metrics.n < LINES_MOST && (line = strsep(&rest, "\n"))) {
		struct metric m = {.name = arena_printf(&table.arena, "m%zu", table.metrics.n),
				   .expr = line,
				   .groups = line};

		if (table.metrics.n)
			vec_last(&table.metrics)->threshold = line;
		metric_table_add(&table, &m);
	}
	metric_table_sort(&table);
	if (!metric_select(&sel, &set, "all", size % 8, &table, &host, &facts, &err))
		compute_all(&sel, &set);
	/* and the whole as a list of wishes */
	for (char *p = text.at; p < text.at + text.n - 1; p++)
		if (!*p)
			*p = ',';
	if (!metric_select(&sel, &set, text.at, 0, &table, &host, &facts, &err))
		compute_all(&sel, &set);
	metric_selection_release(&sel);
	metric_table_release(&table);
	event_set_release(&set);
	buf_release(&text);
	return 0;
}
