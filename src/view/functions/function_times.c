// SPDX-License-Identifier: MIT
#include "view/functions/function_times.h"

#define BAR_WIDTH 46

static void bar_show(uint64_t n, uint64_t total, struct buf *out)
{
	const size_t width = (size_t)((double)n * BAR_WIDTH / (double)total);

	buf_printf(out, " | %10llu | ", (unsigned long long)n);
	buf_fill(out, '#', width);
	buf_fill(out, ' ', BAR_WIDTH - width);
	buf_str(out, " |\n");
}

void function_histogram_show(const struct graph_times *t, struct buf *out)
{
	uint64_t total = 0;

	for (unsigned int i = 0; i < GRAPH_BUCKETS; i++)
		total += t->buckets[i];
	if (!total) {
		buf_str(out, "No data found\n");
		return;
	}
	buf_printf(out, "# %14s | %10s | %-*s |\n", "  DURATION    ", "COUNT", BAR_WIDTH, "GRAPH");
	for (unsigned int i = 0; i < GRAPH_BUCKETS; i++) {
		uint64_t from = i ? 1ull << (i - 1) : 0, to = 1ull << i;
		const char *unit = t->nsec ? "ns" : "us";

		if (i == GRAPH_BUCKETS - 1) {
			buf_printf(out, "  %4d - %-4s %s", 1, "...", t->nsec ? "ms" : " s");
			bar_show(t->buckets[i], total, out);
			continue;
		}
		if (from >= 1024) {
			from >>= 10;
			to >>= 10;
			unit = t->nsec ? "us" : "ms";
		}
		buf_printf(out, "  %4llu - %-4llu %s", (unsigned long long)from,
			   (unsigned long long)to, unit);
		bar_show(t->buckets[i], total, out);
	}
}

void function_rows_show(const struct graph_times *t, struct buf *out)
{
	buf_printf(out, "# %10s %10s %10s %10s   %s\n", "Total (us)", "Avg (us)", "Max (us)",
		   "Count", "Function");
	for (size_t i = 0; i < t->rows.n; i++) {
		const struct graph_row *r = &t->rows.at[i];

		if (!r->calls)
			continue;
		buf_printf(out, "%12.3f %10.3f %10.3f %10llu   ", (double)r->sum_ns / 1000,
			   (double)r->sum_ns / 1000 / (double)r->calls, (double)r->max_ns / 1000,
			   (unsigned long long)r->calls);
		buf_safe(out, r->name);
		buf_char(out, '\n');
	}
}
