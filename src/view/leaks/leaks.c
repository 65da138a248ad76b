// SPDX-License-Identifier: MIT
#include "view/leaks/leaks.h"

static void leaks_show_stack(const struct leaks_table *t, uint32_t by)
{
	struct buf *b = &t->out->buf;
	size_t i = 0;

	for (; i < LEAK_FRAMES; i++) {
		AUTO_BUF frame = {0};

		if (!t->frame(t->ctx, by, i, &frame))
			break;
		buf_printf(b, "%*s", i ? 64 : 1, "");
		buf_add(b, frame.at, frame.n);
		buf_char(b, '\n');
	}
	if (!i)
		buf_str(b, " [unknown]\n");
}

void leaks_show(const struct leaks_table *t, const struct leaks *l)
{
	struct buf *b = &t->out->buf;
	int64_t lines = t->lines;

	buf_printf(b,
		   "Allocated in %.3f s and not freed at the end; bytes of each quarter of that "
		   "time, by when they were allocated\n\n",
		   (double)(t->last - t->first) / 1e9);
	buf_printf(b, "%12s %8s %9s %7s %7s %7s %7s  %s\n", "Bytes", "Count", "Oldest s", "1st",
		   "2nd", "3rd", "4th", "Allocated by");
	for (size_t i = 0; i < l->rows.n && lines--; i++) {
		const struct leak *row = &l->rows.at[i];

		buf_printf(b, "%12llu %8llu %9.3f", (unsigned long long)row->bytes,
			   (unsigned long long)row->count, (double)(t->last - row->oldest) / 1e9);
		for (int q = 0; q < LEAK_QUARTERS; q++)
			buf_printf(b, " %6.1f%%",
				   100 * (double)row->grown[q] / (double)MAX(row->bytes, 1u));
		buf_char(b, ' ');
		leaks_show_stack(t, row->by);
		if (!out_ready(t->out))
			return;
	}
	buf_char(b, '\n');
}
