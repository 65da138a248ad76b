// SPDX-License-Identifier: MIT
#include "view/diff.h"
#include "view/report/report.h"

#include <stdio.h>

#define FORMULA_WIDTH 70
#define BLOCK_WIDTH   70
#define HISTORY_WIDTH (STRETCH_FIRST + 9)

enum kind {
	BASELINE,
	BASE_PERIOD,
	VALUE,
	INTERVAL,
	NOISE,
	BLOCK,
	BLOCK_HISTORY,
	FORMULA,
	PERIOD,
	KEY
};

/* A column shows a value of one profile, or a key. */
struct diff_column {
	enum kind kind;
	size_t at; /* index of the profile, or of the field in the layout */
	unsigned int width;
	unsigned int digits; /* numbers are right-aligned in this width */
};

struct diff_table {
	const struct diff_view *v;
	const struct diff *d;
	VEC(struct diff_column) columns;
	struct rows rows; /* the same columns, as text */
	struct arena arena;
};

static void make_columns(struct diff_table *t, const struct layout *l);

struct diff_table *diff_table_new(const struct diff_view *v, const struct diff *d)
{
	struct diff_table *t = NEW(struct diff_table);

	t->v = v;
	t->d = d;
	t->rows.separator = v->separator;
	make_columns(t, d->layout);
	return t;
}

void diff_table_free(struct diff_table *t)
{
	if (!t)
		return;
	rows_release(&t->rows);
	vec_release(&t->columns);
	arena_release(&t->arena);
	free(t);
}

/* -- columns -- */

static const char *value_header(enum diff_method method, unsigned int *width)
{
	*width = 14;
	switch (method) {
	case DIFF_DELTA:
		*width = 7;
		return "Delta";
	case DIFF_DELTA_ABS:
		*width = 9;
		return "Delta Abs";
	case DIFF_RATIO:
		return "Ratio";
	case DIFF_CYCLES:
		*width = BLOCK_WIDTH;
		return "[Program Block Range] Cycles Diff";
	case DIFF_WEIGHTED:
		break;
	}
	return "Weighted diff";
}

/* True when numbers are right-aligned in the width of the header: percentages. Other numbers are
 * right-aligned in the column's own width, though the header may be wider. */
static bool follows_header(const struct diff_view *v, enum kind kind)
{
	return kind != BASE_PERIOD && kind != PERIOD && kind != FORMULA &&
	       (kind != VALUE || v->opts->method == DIFF_DELTA ||
		v->opts->method == DIFF_DELTA_ABS);
}

static void add_column(struct diff_table *t, enum kind kind, size_t at, const char *header,
		       unsigned int width)
{
	struct diff_column column = {.kind = kind, .at = at};

	if (kind != KEY && t->d->n_tables > 2)
		header = arena_printf(&t->arena, "%s/%zu", header, at);
	column.width = MAX(width, (unsigned int)strlen(header));
	column.digits = follows_header(t->v, kind) ? column.width : width;
	rows_add(&t->rows,
		 (struct rows_column){header, column.width, kind != KEY, t->columns.n});
	vec_add(&t->columns, column);
}

/* The width of a key's column that fits all rows. */
static unsigned int key_width(const struct diff_table *t, size_t field)
{
	unsigned int width = 0;

	for (size_t i = 0; i < t->d->rows.n; i++) {
		const struct diff_row *row = &t->d->rows.at[i];
		const struct layout *l = &row->table->layout;
		const struct key_use *use = &l->keys.at[l->columns.at[field].key];

		width = MAX(width, use->key->width);
		if (use->key->measure)
			width = MAX(width, use->key->measure(row->table, use, row->entry,
							     row->entry->values[use->index]));
	}
	return width;
}

static void add_keys(struct diff_table *t, const struct layout *l)
{
	const size_t n_keys = l->keys.n - t->v->opts->confidence;

	for (size_t i = 0; i < l->columns.n; i++) {
		const struct field *f = &l->columns.at[i];

		if (f->key < 0 || f->hidden || (size_t)f->key >= n_keys)
			continue;
		add_column(t, KEY, i, f->header, key_width(t, i));
	}
}

static void make_columns(struct diff_table *t, const struct layout *l)
{
	const struct diff_view *v = t->v;

	for (size_t i = 0; i < t->d->n_tables; i++) {
		unsigned int width;
		const char *header = value_header(v->opts->method, &width);

		if (i)
			add_column(t, v->opts->method == DIFF_CYCLES ? BLOCK : VALUE, i, header,
				   width);
		else
			add_column(t, BASELINE, i, "Baseline", 8);
		if (i && v->opts->confidence) {
			add_column(t, INTERVAL, i, "95% Interval", 18);
			add_column(t, NOISE, i, "Noise", 5);
		}
		if (i && v->block_history)
			add_column(t, BLOCK_HISTORY, i, "stddev/Hist", HISTORY_WIDTH);
		if (i && v->formulas)
			add_column(t, FORMULA, i, "Formula", FORMULA_WIDTH);
		if (v->periods)
			add_column(t, i ? PERIOD : BASE_PERIOD, i, i ? "Period" : "Base period",
				   14);
	}
	add_keys(t, l);
}

/* -- values -- */

/* Perf's column holds FORMULA_WIDTH - 1 characters; longer formulas are cut. */
static void format_formula(const struct diff_table *t, const struct diff_row *row, size_t i,
			   struct buf *out)
{
	const struct diff_options *o = t->v->opts;
	const unsigned long long period = row->cells[i].period, old = row->cells[0].period;
	const size_t start = out->n;

	switch (o->method) {
	case DIFF_DELTA:
	case DIFF_DELTA_ABS:
		buf_printf(out, "(%llu * 100 / %llu) - (%llu * 100 / %llu)", period,
			   (unsigned long long)t->d->totals[i], old,
			   (unsigned long long)t->d->baseline_total);
		break;
	case DIFF_CYCLES:
		break;
	case DIFF_RATIO:
		buf_printf(out, "%llu / %llu", period, old);
		break;
	case DIFF_WEIGHTED:
		buf_printf(out, "(%llu * %lld) - (%llu * %lld)", period, (long long)o->weight_new,
			   old, (long long)o->weight_old);
		break;
	}
	out->n = MIN(out->n, start + FORMULA_WIDTH - 1);
}

/* With -t perf pads ratios and weighted periods too. It leaves out weighted differences of 0
 * (format_number). */
static void format_value(const struct diff_options *o, const struct diff_cell *c, struct buf *out)
{
	switch (o->method) {
	case DIFF_DELTA:
	case DIFF_DELTA_ABS:
		buf_printf(out, "%+4.2f%%", c->value);
		break;
	case DIFF_CYCLES:
		break;
	case DIFF_RATIO:
		buf_printf(out, "%14.6f", c->value);
		break;
	case DIFF_WEIGHTED:
		buf_printf(out, "%14lld", (long long)c->value);
		break;
	}
}

static bool not_comparable(const struct diff_row *row, const struct diff_column *col)
{
	const struct diff_cell *c = &row->cells[col->at];

	return col->kind == VALUE && c->present && !c->compared;
}

/* Appends a number's text; nothing where perf leaves the column empty. */
static void format_number(const struct diff_table *t, const struct diff_row *row,
			  const struct diff_column *col, struct buf *out)
{
	const struct diff_cell *c = &row->cells[col->at];

	switch (col->kind) {
	case BASELINE:
		if (row->in_baseline)
			buf_printf(out, t->v->separator ? "%.2f" : "%.2f%%",
				   t->d->baseline_total ? 100.0 * (double)c->period /
								  (double)t->d->baseline_total
							: 0);
		break;
	case BASE_PERIOD:
		buf_dec(out, c->period);
		break;
	case VALUE:
		if (c->compared &&
		    !(t->v->separator && t->v->opts->method == DIFF_WEIGHTED && c->value == 0))
			format_value(t->v->opts, c, out);
		else if (not_comparable(row, col))
			buf_str(out, "N/A");
		break;
	case INTERVAL:
		if (c->compared)
			buf_printf(out, "%+.2f%% to %+.2f%%", c->low, c->high);
		break;
	case NOISE:
		if (c->compared && diff_cell_is_noise(c))
			buf_str(out, "noise");
		break;
	case FORMULA:
		if (c->present)
			format_formula(t, row, col->at, out);
		break;
	case PERIOD:
		if (c->present)
			buf_dec(out, c->period);
		break;
	case BLOCK:
	case BLOCK_HISTORY:
	case KEY:
		break;
	}
}

/* The percentage that chooses a number's colour; negative: the number has no colour. */
static double colour_of(const struct diff_table *t, const struct diff_row *row,
			const struct diff_column *col)
{
	const struct diff_cell *c = &row->cells[col->at];

	if (col->kind == BASELINE && row->in_baseline && t->d->baseline_total)
		return 100.0 * (double)c->period / (double)t->d->baseline_total;
	if (col->kind == VALUE && c->compared)
		return c->value < 0 ? -c->value : c->value;
	return -1;
}

static void put_padded(struct buf *text, size_t width, const char *separator, struct out *out)
{
	if (separator)
		buf_add(&out->buf, text->at, text->n);
	else
		buf_right(&out->buf, buf_text(text), width);
}

static void put_number(const struct diff_table *t, const struct diff_row *row,
		       const struct diff_column *col, struct out *out)
{
	const double percent = colour_of(t, row, col);
	struct buf text = {0};

	format_number(t, row, col, &text);
	if (percent >= 0)
		out_percent_colour(out, percent);
	put_padded(&text, not_comparable(row, col) ? col->width : col->digits, t->v->separator,
		   out);
	out_normal(out);
	buf_release(&text);
}

/* A line of the table, for rows_show(). */
struct diff_table_row {
	const struct diff_table *table;
	const struct diff_row *row;
	size_t block; /* index of the block in each cell */
};

static const struct diff_block *diff_row_block(const struct diff_table_row *r, size_t table)
{
	const struct diff_cell *c = &r->row->cells[table];

	return table && r->block < c->blocks.n ? &c->blocks.at[r->block] : NULL;
}

static void put_block(const struct diff_table_row *r, const struct diff_column *col,
		      struct out *out)
{
	const struct diff_block *b = diff_row_block(r, col->at);
	AUTO_BUF text = {0};

	if (b) {
		block_range(b->block, r->table->d->tables[col->at], &text);
		buf_printf(&text, " %4lld", (long long)b->cycles);
	}
	put_padded(&text, col->width, r->table->v->separator, out);
}

/* A bar for each value, the taller the larger. */
static void format_bars(const uint64_t *values, uint32_t n, struct buf *out)
{
	static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	uint64_t low = UINT64_MAX, high = 0, step;

	for (uint32_t i = 0; i < n; i++) {
		low = MIN(low, values[i]);
		high = MAX(high, values[i]);
	}
	/* in 256ths, as perf divides */
	step = MAX(((high - low) << 8) / (ARRAY_SIZE(bars) - 1), 1u);
	for (uint32_t i = 0; i < n; i++)
		buf_str(out, bars[MIN(((values[i] - low) << 8) / step, ARRAY_SIZE(bars) - 1)]);
}

/* Perf counts the width in bytes, and appends a blank for each missing bar. */
static void put_block_history(const struct diff_table_row *r, const struct diff_column *col,
			      struct out *out)
{
	const struct diff_block *b = diff_row_block(r, col->at);
	const char *separator = r->table->v->separator;
	const uint32_t n = b ? b->n_differences : 0;
	AUTO_BUF text = {0};
	bool any = false;

	for (uint32_t i = 0; i < n; i++)
		any |= b->differences[i] != 0;
	if (n > 1 && any) {
		buf_printf(&text, "±%5.1f%% ", diff_block_spread(b));
		format_bars(b->differences, n, &text);
		if (!separator)
			buf_char(&text, ' ');
	}
	put_padded(&text, col->width, separator, out);
	if (text.n && !separator)
		buf_fill(&out->buf, ' ', STRETCH_FIRST - n);
}

static void diff_cell_show(const void *v, size_t column, struct out *out)
{
	const struct diff_table_row *r = v;
	const struct diff_column *col = &r->table->columns.at[column];
	const struct table *table = r->row->table;

	if (col->kind == KEY)
		report_key(table, r->row->entry, &table->layout.columns.at[col->at], col->width,
			   r->table->v->separator, out);
	else if (col->kind == BLOCK)
		put_block(r, col, out);
	else if (col->kind == BLOCK_HISTORY)
		put_block_history(r, col, out);
	else
		put_number(r->table, r->row, col, out);
}

/* Perf shows a line for each of the baseline's blocks. It leaves out a block when another recording
 * has the row with fewer blocks, and all but the first when another recording has no such row. */
static bool has_line(const struct diff_table_row *r)
{
	for (size_t i = 1; i < r->table->d->n_tables; i++)
		if (r->row->cells[i].present ? !diff_row_block(r, i) : r->block > 0)
			return false;
	return true;
}

void diff_table_show_row(const struct diff_table *t, const struct diff_row *row, struct out *out)
{
	struct diff_table_row line = {t, row, 0};

	if (t->v->opts->method != DIFF_CYCLES)
		rows_show(&t->rows, diff_cell_show, &line, out);
	else
		for (; line.block < row->cells[0].blocks.n; line.block++)
			if (has_line(&line))
				rows_show(&t->rows, diff_cell_show, &line, out);
}

/* -- headings -- */

void diff_table_show_headers(const struct diff_table *t, struct out *out)
{
	rows_show_headers(&t->rows, out);
}

size_t diff_table_profile_at(const struct diff_table *t, size_t column)
{
	size_t end = 2; /* the header's "# " */

	for (size_t i = 0; i < t->columns.n; i++) {
		const struct diff_column *c = &t->columns.at[i];

		end += c->width + 2;
		if (column < end)
			return c->kind == KEY ? SIZE_MAX : c->at;
	}
	return SIZE_MAX;
}

static void put_paths(const struct diff_table *t, struct out *out)
{
	buf_str(&out->buf, "# Data files:\n");
	for (size_t i = 0; i < t->d->n_tables; i++)
		buf_printf(&out->buf, "#  [%zu] %s %s\n", i, t->v->paths[i], i ? "" : "(Baseline)");
	buf_str(&out->buf, "#\n");
}

bool diff_show(const struct diff_view *v, const struct diff *d, bool first, struct out *out)
{
	AUTO(diff_table) *t = diff_table_new(v, d);

	if (!v->quiet) {
		buf_printf(&out->buf, "%s# Event '%s'\n#\n", first ? "" : "\n", d->event->name);
		if (d->n_tables > 2 || v->list_paths)
			put_paths(t, out);
	}
	if (!v->quiet)
		rows_show_headers(&t->rows, out);
	for (size_t i = 0; i < d->rows.n; i++) {
		diff_table_show_row(t, &d->rows.at[i], out);
		if (!out_ready(out))
			break;
	}
	return out_ready(out);
}
