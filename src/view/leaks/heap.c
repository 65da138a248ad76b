// SPDX-License-Identifier: MIT
#include "view/out/json.h"
#include "view/leaks/leaks.h"
#include "view/time_text.h"

/* ns that a probe hit with its stack takes. malloc() and free() are three hits. These three took 11
 * us on an AMD EPYC virtual machine with Linux 6.18, and 4 us where breakpoints cost less. */
#define HIT_NS 3000

static bool heap_show_frame(void *ctx, uint32_t by, size_t i, struct buf *out)
{
	const char *frame = heap_frame(ctx, by, i);

	if (frame)
		buf_str(out, frame);
	return frame;
}

static void heap_sum(const struct heap *h, uint64_t *bytes, uint64_t *count)
{
	*bytes = *count = 0;
	for (size_t i = 0; i < h->leaks.rows.n; i++) {
		*bytes += h->leaks.rows.at[i].bytes;
		*count += h->leaks.rows.at[i].count;
	}
}

static void heap_show_cost(const struct heap *h, struct buf *b)
{
	const double span = (double)(h->last - h->first);

	buf_str(b, "Probes were hit ");
	count_text(b, h->hits);
	buf_str(b, " times");
	if (span > 0)
		buf_printf(b, ", %.0f a second: at about %d us each they took %.2f %% of a CPU",
			   (double)h->hits * 1e9 / span, HIT_NS / 1000,
			   100 * (double)h->hits * HIT_NS / span);
	buf_str(b, "\n");
}

void heap_show(const struct heap_view *v, const struct heap *h)
{
	const struct leaks_table table = {.out = v->out,
					  .first = h->first,
					  .last = h->last,
					  .lines = v->rows,
					  .frame = heap_show_frame,
					  .ctx = (void *)h};
	struct buf *b = &v->out->buf;
	uint64_t bytes, count;

	heap_sum(h, &bytes, &count);
	leaks_show(&table, &h->leaks);
	if (h->leaks.rows.n > v->rows)
		buf_printf(b, "%zu more stacks are not shown (-r)\n", h->leaks.rows.n - v->rows);
	buf_printf(b,
		   "Not freed: %llu bytes in %llu allocations, of %llu bytes in %llu\n"
		   "Freed: %llu bytes in %llu; and %llu times what was allocated before\n",
		   (unsigned long long)bytes, (unsigned long long)count,
		   (unsigned long long)h->allocated, (unsigned long long)h->allocations,
		   (unsigned long long)h->freed, (unsigned long long)h->frees,
		   (unsigned long long)h->frees_before);
	if (h->failed)
		buf_printf(b, "Failed: %llu\n", (unsigned long long)h->failed);
	heap_show_cost(h, b);
}

void heap_show_rows(const struct heap_view *v, const struct heap *h, const struct rows_form *form)
{
	static const char *const columns[] = {"bytes",	   "count",	"oldest_ns", "grown_1st",
					      "grown_2nd", "grown_3rd", "grown_4th", "stack"};
	struct rows rows;

	rows_begin(&rows, v->out, form);
	rows_table(&rows, "leaks", columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < MIN(h->leaks.rows.n, v->rows) && out_ready(v->out); i++) {
		const struct leak *row = &h->leaks.rows.at[i];
		const uint64_t numbers[] = {row->bytes, row->count, h->last - row->oldest};
		const char *frame;
		AUTO_BUF stack = {0};

		rows_numbers(&rows, numbers, ARRAY_SIZE(numbers));
		rows_numbers(&rows, row->grown, LEAK_QUARTERS);
		for (size_t k = 0; (frame = heap_frame(h, row->by, k)); k++)
			buf_printf(&stack, "%s%s", k ? " <- " : "", frame);
		rows_text(&rows, stack.n ? buf_text(&stack) : NULL);
	}
	rows_end(&rows);
}

static void heap_json_row(struct json *j, const struct heap *h, const struct leak *row)
{
	const char *frame;

	json_open(j, '{');
	json_number_member(j, "bytes", row->bytes);
	json_number_member(j, "count", row->count);
	json_number_member(j, "oldest_ns", h->last - row->oldest);
	json_name(j, "grown");
	json_open(j, '[');
	for (int q = 0; q < LEAK_QUARTERS; q++)
		json_number_element(j, row->grown[q]);
	json_close(j, ']');
	json_name(j, "stack");
	json_open(j, '[');
	for (size_t i = 0; (frame = heap_frame(h, row->by, i)); i++)
		json_text_element(j, frame);
	json_close(j, ']');
	json_close(j, '}');
}

void heap_show_json(const struct heap_view *v, const struct heap *h)
{
	struct json j = {.out = &v->out->buf};
	uint64_t bytes, count;

	heap_sum(h, &bytes, &count);
	json_open(&j, '{');
	json_number_member(&j, "wall_ns", h->last - h->first);
	json_number_member(&j, "leaked_bytes", bytes);
	json_number_member(&j, "leaked", count);
	json_number_member(&j, "allocated_bytes", h->allocated);
	json_number_member(&j, "allocations", h->allocations);
	json_number_member(&j, "failed", h->failed);
	json_number_member(&j, "freed_bytes", h->freed);
	json_number_member(&j, "frees", h->frees);
	json_number_member(&j, "frees_before", h->frees_before);
	json_number_member(&j, "probe_hits", h->hits);
	json_number_member(&j, "uncertain", h->uncertain);
	json_name(&j, "leaks");
	json_open(&j, '[');
	for (size_t i = 0; i < MIN(h->leaks.rows.n, v->rows) && out_ready(v->out); i++)
		heap_json_row(&j, h, &h->leaks.rows.at[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	buf_char(&v->out->buf, '\n');
}
