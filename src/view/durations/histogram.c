// SPDX-License-Identifier: MIT
#include "view/durations/histogram.h"

#include "view/time_text.h"

#define BAR 40

void histogram_show(const struct histogram *h, enum histogram_scale scale, struct buf *out)
{
	uint64_t from, to, most = 1;

	for (size_t i = 0; histogram_range(h, scale, i, &from, &to); i++)
		most = MAX(most, histogram_count(h, from, to));
	for (size_t i = 0; histogram_range(h, scale, i, &from, &to); i++) {
		const uint64_t n = histogram_count(h, from, to);
		const size_t bar = (size_t)((n * BAR + most - 1) / most);

		time_text_right(out, from, 9);
		buf_str(out, " ..");
		time_text_right(out, to, 9);
		buf_dec_right(out, n, 11);
		buf_str(out, " |");
		buf_fill(out, '#', bar);
		buf_fill(out, ' ', BAR - bar);
		buf_str(out, "|\n");
	}
}

void histogram_show_rows(const struct histogram *h, enum histogram_scale scale, const char *name,
			 struct rows *rows)
{
	static const char *const columns[] = {"from_ns", "to_ns", "count"};
	uint64_t from, to;

	rows_table(rows, name, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; histogram_range(h, scale, i, &from, &to); i++) {
		rows_number(rows, from);
		rows_number(rows, to);
		rows_number(rows, histogram_count(h, from, to));
	}
}
