// SPDX-License-Identifier: MIT
#include "view/report/blocks.h"
#include "view/report/rows.h"

#include <stdio.h>

enum { SAMPLED_SHARE, SAMPLED, AVERAGE_SHARE, AVERAGE, RANGE, OBJECT };

static const struct rows_column columns[] = {
	[SAMPLED_SHARE] = {"Sampled Cycles%", 15, true, SAMPLED_SHARE},
	[SAMPLED] = {"Sampled Cycles", 14, true, SAMPLED},
	[AVERAGE_SHARE] = {"Avg Cycles%", 11, true, AVERAGE_SHARE},
	[AVERAGE] = {"Avg Cycles", 10, true, AVERAGE},
	[RANGE] = {"[Program Block Range]", 70, true, RANGE},
	[OBJECT] = {"Shared Object", 20, true, OBJECT},
};

/* A row of the table, for rows_show(). */
struct blocks_row {
	const struct table *table;
	const struct block *block;
	const struct frame *frame;
	uint64_t cycles, average; /* the wholes of the two percentages */
};

static void blocks_put_percent(struct out *out, uint64_t value, uint64_t total, int width)
{
	double percent = total ? 100.0 * ((double)value / (double)total) : 0;

	out_percent_colour(out, percent);
	buf_printf(&out->buf, "%*.2f%%", width - 1, percent);
	out_normal(out);
}

/* 1.2K, 3.4M */
static void put_cycles(struct buf *b, uint64_t cycles, int width)
{
	char text[32];

	if (cycles >= 1000000)
		snprintf(text, sizeof(text), "%.1fM", (double)cycles / 1000000);
	else if (cycles >= 1000)
		snprintf(text, sizeof(text), "%.1fK", (double)cycles / 1000);
	else
		snprintf(text, sizeof(text), "%d", (int)cycles);
	buf_printf(b, "%*s", width, text);
}

static void blocks_cell(const void *row, size_t column, struct out *out)
{
	const struct blocks_row *r = row;
	const struct block *block = r->block;
	const int width = (int)columns[column].width;
	AUTO_BUF range = {0};

	switch (column) {
	case SAMPLED_SHARE:
		blocks_put_percent(out, block->cycles, r->cycles, width);
		break;
	case SAMPLED:
		put_cycles(&out->buf, block->cycles, width);
		break;
	case AVERAGE_SHARE:
		blocks_put_percent(out, block->cycles / block->count, r->average, width);
		break;
	case AVERAGE:
		put_cycles(&out->buf, block->cycles / block->count, width);
		break;
	case RANGE:
		block_range(block, r->table, &range);
		buf_right(&out->buf, buf_text(&range), (size_t)width);
		break;
	case OBJECT:
		buf_right(&out->buf, r->frame->where->dso->short_name, (size_t)width);
		break;
	}
}

bool blocks_show(const struct blocks *b, const struct table *table, const struct event_entries *ev,
		 double percent_limit, struct out *out)
{
	struct blocks_row row = {.table = table, .cycles = b->cycles};
	struct rows rows = {0};
	const struct block **shown;
	size_t n = blocks_of_event(b, table, ev, &shown, &row.average);

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		rows_add(&rows, columns[i]);
	rows_show_headers(&rows, out);
	for (size_t i = 0; i < n && out_ready(out); i++) {
		row.block = shown[i];
		row.frame = frames_at(&table->samples->frames, row.block->frame);
		if (100.0 * (double)row.block->cycles / (double)b->cycles >= percent_limit)
			rows_show(&rows, blocks_cell, &row, out);
	}
	rows_release(&rows);
	free(shown);
	return out_ready(out);
}
