// SPDX-License-Identifier: MIT
#include "view/durations/histogram.h"
#include "view/sched/sched.h"

void sched_latency_show_rows(const struct sched_latency *l, struct out *out,
			     const struct rows_form *form)
{
	static const char *const columns[] = {
		"task",	   "tid",	  "tasks",	 "runtime_ns",	      "switches",
		"wait_ns", "avg_wait_ns", "max_wait_ns", "max_wait_start_ns", "max_wait_end_ns"};
	struct rows r;

	rows_begin(&r, out, form);
	rows_table(&r, "tasks", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < l->rows.n; i++) {
		const struct sched_latency_row *row = &l->rows.at[i];

		rows_text(&r, row->comm);
		if (row->tasks > 1)
			rows_text(&r, NULL);
		else
			rows_number(&r, (uint32_t)row->tid);
		rows_number(&r, row->tasks);
		rows_number(&r, row->runtime_ns);
		rows_number(&r, row->switches);
		rows_number(&r, row->wait_ns);
		rows_number(&r, row->wait_ns / row->switches);
		rows_number(&r, row->max_ns);
		rows_number(&r, row->max_start);
		rows_number(&r, row->max_end);
	}
	if (l->opts->by_histogram)
		histogram_show_rows(&l->waits, l->opts->histogram, "delays", &r);
	rows_end(&r);
}
