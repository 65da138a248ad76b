// SPDX-License-Identifier: MIT
#include "view/functions/function_times.h"

#include <stdio.h>

#define BAR_WIDTH 46

static void bar_show(uint64_t n, uint64_t total, struct buf *out)
{
	const size_t width = (size_t)((double)n * BAR_WIDTH / (double)total);

	buf_printf(out, " | %10llu | ", (unsigned long long)n);
	buf_fill(out, '#', width);
	buf_fill(out, ' ', BAR_WIDTH - width);
	buf_str(out, " |\n");
}

/* next_unit: formats v in the unit 1000 times larger, with two decimals. */
static const char *limit_text(uint64_t v, bool next_unit, char text[static 24])
{
	if (next_unit)
		snprintf(text, 24, "%.2f", (double)v / 1000);
	else
		snprintf(text, 24, "%llu", (unsigned long long)v);
	return text;
}

static void range_show(const struct duration_buckets *b, size_t i, struct buf *out)
{
	static const char *const units[] = {"ns", "us", "ms", " s"};
	uint64_t from, to;
	bool has_end = duration_bucket_range(b, i, &from, &to);
	bool next = b->width && from >= 1000;
	unsigned int unit = b->nsec ? 0 : 1;
	char begin[24], end[24];

	if (b->width) {
		unit += next;
	} else if (!has_end) {
		from = 1;
		unit += 2;
	} else if (from >= 1024) {
		from >>= 10;
		to >>= 10;
		unit++;
	}
	buf_printf(out, "  %4s - %-4s %s", limit_text(from, next, begin),
		   has_end ? limit_text(to, next, end) : "...", units[unit]);
}

void function_histogram_show(const struct duration_buckets *b, bool hide_empty, struct buf *out)
{
	if (!b->total) {
		buf_str(out, "No data found\n");
		return;
	}
	buf_printf(out, "# %14s | %10s | %-*s |\n", "  DURATION    ", "COUNT", BAR_WIDTH, "GRAPH");
	for (size_t i = 0; i < b->counts.n; i++) {
		if (hide_empty && !b->counts.at[i])
			continue;
		range_show(b, i, out);
		bar_show(b->counts.at[i], b->total, out);
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
