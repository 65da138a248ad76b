// SPDX-License-Identifier: MIT
#include "view/browser/diff_screen.h"

#include <string.h>

struct diff_screen {
	struct browse browse;
	const struct table *const *tables;
	size_t n_tables;
	struct diff_view view;
	const struct diff_code *code;
	struct diff_options opts; /* changed by keys */
	size_t event;		  /* index in the baseline's events */
	struct diff diff;
	struct diff_table *table;
	VEC(uint32_t) shown; /* indices of the diff's rows */
	struct buf filter;   /* only rows that contain it are shown; empty: all rows */
	bool left;
};

/* -- what is compared -- */

static void row_text(const struct diff_screen *d, uint32_t row, struct buf *out)
{
	struct out text = {.fd = -1, .buf = *out};

	diff_table_show_row(d->table, &d->diff.rows.at[row], &text);
	*out = text.buf;
	if (out->n && out->at[out->n - 1] == '\n')
		out->n--;
}

static void collect_rows(struct diff_screen *d)
{
	AUTO_BUF text = {0};

	buf_text(&d->filter);
	d->shown.n = 0;
	for (uint32_t i = 0; i < d->diff.rows.n; i++) {
		buf_clear(&text);
		if (d->filter.n)
			row_text(d, i, &text);
		if (!d->filter.n || screen_find(buf_text(&text), d->filter.at))
			vec_add(&d->shown, i);
	}
	d->browse.n = d->shown.n;
	d->browse.at = d->browse.top = 0;
}

static void release_diff(struct diff_screen *d)
{
	diff_table_free(d->table);
	diff_release(&d->diff);
	d->table = NULL;
}

static void compare_anew(struct diff_screen *d)
{
	if (d->table)
		release_diff(d);
	d->view.opts = &d->opts;
	diff_make(&d->diff, d->tables, d->n_tables, d->event, &d->opts);
	d->table = diff_table_new(&d->view, &d->diff);
	collect_rows(d);
}

static void next_event(struct diff_screen *d, bool back)
{
	const size_t n = d->tables[0]->events.n;

	if (n < 2) {
		browse_say(&d->browse, "there is no other event");
		return;
	}
	d->event = (d->event + (back ? n - 1 : 1)) % n;
	compare_anew(d);
}

/* -- what is seen -- */

static const char *method_name(const struct diff_options *o)
{
	static const char *const names[] = {[DIFF_DELTA] = "delta",
					    [DIFF_DELTA_ABS] = "delta-abs",
					    [DIFF_RATIO] = "ratio",
					    [DIFF_WEIGHTED] = "wdiff"};

	return names[o->method];
}

static void diff_row_draw(void *ctx, size_t at, struct screen_line *out)
{
	const struct diff_screen *d = ctx;
	const struct diff_cell *c = &d->diff.rows.at[d->shown.at[at]].cells[MAX(d->opts.order, 1u)];
	const double change = c->compared ? (c->value < 0 ? -c->value : c->value) : 0;
	const bool percent = d->opts.method == DIFF_DELTA || d->opts.method == DIFF_DELTA_ABS;

	screen_line_style(out, !percent	       ? STYLE_TEXT
			       : change >= 5   ? STYLE_HOT
			       : change >= 0.5 ? STYLE_WARM
					       : STYLE_TEXT);
	row_text(d, d->shown.at[at], &out->text);
}

static void diff_header_draw(void *ctx, struct screen_line *out)
{
	const struct diff_screen *d = ctx;
	struct out text = {.fd = -1};

	diff_table_show_headers(d->table, &text);
	buf_text(&text.buf);
	/* without the '#' in front, and the line of dots */
	buf_char(&out->text, ' ');
	buf_add(&out->text, text.buf.at + 1, strcspn(text.buf.at + 1, "\n"));
	buf_release(&text.buf);
}

static void diff_sort_at(void *ctx, unsigned int column)
{
	struct diff_screen *d = ctx;
	const size_t profile = diff_table_profile_at(d->table, column);

	if (profile == SIZE_MAX) {
		browse_say(&d->browse, "rows are sorted by values only");
		return;
	}
	d->opts.order = profile;
	compare_anew(d);
}

static void diff_title(void *ctx, struct buf *out)
{
	const struct diff_screen *d = ctx;

	buf_printf(out, "Event '%s'  %s", d->diff.event->name, method_name(&d->opts));
	if (d->opts.method == DIFF_WEIGHTED)
		buf_printf(out, ":%lld,%lld", (long long)d->opts.weight_old,
			   (long long)d->opts.weight_new);
	for (size_t i = d->n_tables; i-- > 0;)
		buf_printf(out, "%s%s",
			   i + 1 == d->n_tables ? "  "
			   : i			? ", "
						: " against ",
			   d->view.paths[i]);
	buf_printf(out, "  sorted by %s", d->view.paths[d->opts.order]);
	buf_str(out, d->opts.baseline_only ? ", in the baseline only" : "");
	if (d->filter.n)
		buf_printf(out, ", rows with: %.*s", (int)d->filter.n, d->filter.at);
}

static const struct diff_row *selected_row(const struct diff_screen *d)
{
	return &d->diff.rows.at[d->shown.at[d->browse.at]];
}

static void diff_status(void *ctx, struct buf *out)
{
	const struct diff_screen *d = ctx;
	const struct diff_row *row;
	const struct frame *frame;

	if (!d->shown.n) {
		buf_str(out, "nothing is left to be shown");
		return;
	}
	row = selected_row(d);
	buf_printf(out, "%zu/%zu", d->browse.at + 1, d->browse.n);
	for (size_t i = 0; i < d->n_tables; i++)
		buf_printf(out, "%s%.2f%%", i ? " -> " : "  ",
			   d->diff.totals[i] ? 100.0 * (double)row->cells[i].period /
						       (double)d->diff.totals[i]
					     : 0);
	frame = table_entry_frame(row->table, row->entry, true);
	if (frame) {
		buf_str(out, "  ");
		buf_safe(out, frame->where->sym ? frame->where->name : "[unknown]");
	}
	frame = table_entry_frame(row->table, row->entry, false);
	if (frame && frame->where->dso) {
		buf_str(out, "  ");
		buf_safe(out, frame->where->dso->long_name);
	}
}

static const char diff_help[] =
	"ENTER, a\tannotated code of the function, in the recording sorted by\n"
	"c\tcompare by delta, by delta-abs, by ratio\n"
	"b\tonly what the baseline has, too\n"
	"p\tperiods on or off\n"
	"0-9\tsort by the baseline, by the n-th recording after it\n"
	"&\tshow only rows that contain a text\n"
	"TAB, SHIFT-TAB\tnext, previous event\n";

static const struct browse_ops diff_ops = {.row = diff_row_draw,
					   .header = diff_header_draw,
					   .sort_at = diff_sort_at,
					   .title = diff_title,
					   .status = diff_status,
					   .help = diff_help};

/* -- keys -- */

static void change_method(struct diff_screen *d)
{
	const size_t methods = d->opts.confidence ? DIFF_RATIO : DIFF_WEIGHTED;

	d->opts.method = (d->opts.method + 1) % methods;
	compare_anew(d);
}

/* Shows the code of the selected row's function, in the recording that rows are sorted by or, where
 * that has no samples of it, in the first that has some. */
static void show_row_code(struct diff_screen *d)
{
	const struct diff_row *row = d->shown.n ? selected_row(d) : NULL;
	const struct frame *frame = NULL;
	size_t side = d->opts.order;
	struct err err = {0};
	int key;

	if (!row)
		return;
	for (size_t i = 0; i < d->n_tables && !row->cells[side].entry; i++)
		side = i;
	if (row->cells[side].entry)
		frame = table_entry_frame(d->tables[side], row->cells[side].entry, true);
	if (!frame || !frame->where->sym || !frame->where->dso) {
		browse_say(&d->browse, "the row is of no function");
		return;
	}
	key = d->code->show(d->code->ctx, d->browse.screen, side, row->cells[side].entry->event,
			    frame->where->dso, frame->where->sym, &err);
	if (!key)
		browse_say_error(&d->browse, &err);
	d->left = browse_leaves(key);
}

static void ask_rows(struct diff_screen *d)
{
	AUTO_BUF text = {0};

	buf_add(&text, d->filter.at, d->filter.n);
	if (!browse_ask(&d->browse, "rows with", &text))
		return;
	buf_clear(&d->filter);
	buf_add(&d->filter, text.at, text.n);
	collect_rows(d);
}

static void diff_take(struct diff_screen *d, int key)
{
	if (key == SCREEN_TAB || key == SCREEN_BACK_TAB) {
		next_event(d, key == SCREEN_BACK_TAB);
	} else if (key == SCREEN_ENTER || key == 'a') {
		show_row_code(d);
	} else if (key == 'c') {
		change_method(d);
	} else if (key == 'b') {
		d->opts.baseline_only = !d->opts.baseline_only;
		compare_anew(d);
	} else if (key == 'p') {
		d->view.periods = !d->view.periods;
		compare_anew(d);
	} else if (key >= '0' && key <= '9') {
		if ((size_t)(key - '0') >= d->n_tables) {
			browse_say(&d->browse, "there is no recording %c", (char)key);
			return;
		}
		d->opts.order = (size_t)(key - '0');
		compare_anew(d);
	} else if (key == '&') {
		ask_rows(d);
	} else if (key == SCREEN_ESCAPE && d->filter.n) {
		buf_clear(&d->filter);
		collect_rows(d);
	} else if (key == SCREEN_ESCAPE) {
		d->left = browse_confirm(&d->browse, "Leave?");
	} else if (browse_leaves(key)) {
		d->left = true;
	} else {
		browse_say_unknown(&d->browse);
	}
}

void diff_browse(struct screen *screen, const struct table *const *tables, size_t n,
		 const struct diff_view *view, const struct diff_code *code)
{
	struct diff_screen d = {
		.tables = tables, .n_tables = n, .view = *view, .code = code, .opts = *view->opts};

	d.browse = (struct browse){.screen = screen, .ops = &diff_ops, .ctx = &d};
	compare_anew(&d);
	while (!d.diff.rows.n && d.event + 1 < tables[0]->events.n)
		next_event(&d, false);
	while (!d.left)
		diff_take(&d, browse_key(&d.browse));
	release_diff(&d);
	browse_release(&d.browse);
	buf_release(&d.filter);
	vec_release(&d.shown);
}
