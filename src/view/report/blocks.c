// SPDX-License-Identifier: MIT
#include "view/report/blocks.h"

#include <stdio.h>

static const struct {
	const char *header;
	int width;
} columns[] = {
	{"Sampled Cycles%", 15}, {"Sampled Cycles", 14},	{"Avg Cycles%", 11},
	{"Avg Cycles", 10},	 {"[Program Block Range]", 70}, {"Shared Object", 20},
};

static void put_headers(struct buf *b)
{
	buf_str(b, "# ");
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		buf_printf(b, "%s%*s", i ? "  " : "", columns[i].width, columns[i].header);
	buf_str(b, "\n# ");
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		buf_str(b, i ? "  " : "");
		buf_fill(b, '.', (size_t)columns[i].width);
	}
	buf_str(b, "\n#\n");
}

static void put_percent(struct out *out, uint64_t value, uint64_t total, int width)
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

/* Lines where they are known, which they aren't in a file without debug information; elsewhere the
 * function and the offset stand for them. */
static void put_range(struct buf *b, const struct block *block, const struct frame *frame,
		      int width)
{
	struct buf text = {0};

	if (frame->dso->kind == DSO_FILE)
		buf_printf(&text, "[%7llx -> %7llx]", (unsigned long long)block->start,
			   (unsigned long long)block->end);
	else
		buf_printf(&text, "[%s+%llu -> %s+%llu]", frame->name,
			   (unsigned long long)block->start, frame->name,
			   (unsigned long long)block->end);
	buf_printf(b, "%*s", width, buf_text(&text));
	buf_release(&text);
}

bool blocks_show(const struct blocks *b, const struct table *table, const struct event_entries *ev,
		 double percent_limit, struct out *out)
{
	const struct block **shown;
	uint64_t average;
	size_t n = blocks_of_event(b, table, ev, &shown, &average);

	put_headers(&out->buf);
	for (size_t i = 0; i < n && out_ready(out); i++) {
		const struct block *block = shown[i];
		const struct frame *frame = frames_at(&table->samples->frames, block->frame);

		if (100.0 * (double)block->cycles / (double)b->cycles < percent_limit)
			continue;
		put_percent(out, block->cycles, b->cycles, columns[0].width + 2);
		buf_str(&out->buf, "  ");
		put_cycles(&out->buf, block->cycles, columns[1].width);
		buf_str(&out->buf, "  ");
		put_percent(out, block->cycles / block->count, average, columns[2].width);
		buf_str(&out->buf, "  ");
		put_cycles(&out->buf, block->cycles / block->count, columns[3].width);
		buf_str(&out->buf, "  ");
		put_range(&out->buf, block, frame, columns[4].width);
		buf_printf(&out->buf, "  %*s\n", columns[5].width, frame->dso->short_name);
	}
	free(shown);
	return out_ready(out);
}
