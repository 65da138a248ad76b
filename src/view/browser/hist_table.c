// SPDX-License-Identifier: MIT
/* The table of a report's browser: how it is made anew, and which entries are shown in which
 * order. */
#include "view/browser/hist.h"

#include "profile/table/key/key.h"

#include <stdlib.h>
#include <string.h>

/* -- order -- */

static int compare_columns(const struct hist *h, const struct entry *a, const struct entry *b)
{
	const struct field *f = &h->table->layout.columns.at[h->sort_column];

	if (f->key >= 0)
		return key_sort(h->table, &h->table->layout.keys.at[f->key], a->values[f->key],
				b->values[f->key]);
	return entry_sum(a, f->sum) > entry_sum(b, f->sum)   ? -1
	       : entry_sum(a, f->sum) < entry_sum(b, f->sum) ? 1
							     : 0;
}

struct placed {
	struct entry *entry;
	size_t at; /* position in the table's own order */
};

static int compare_placed(const void *a, const void *b, void *ctx)
{
	const struct placed *x = a, *y = b;
	const struct hist *h = ctx;
	int order = compare_columns(h, x->entry, y->entry);

	if (h->reversed)
		order = -order;
	return order ? order : x->at < y->at ? -1 : x->at > y->at;
}

static void reverse_shown(struct hist *h)
{
	for (size_t i = 0, end = h->shown.n; i + 1 < end; i++) {
		struct entry *first = h->shown.at[i];

		h->shown.at[i] = h->shown.at[--end];
		h->shown.at[end] = first;
	}
}

/* A stable sort by one column. */
static void sort_shown(struct hist *h)
{
	struct placed *placed;

	if (h->sort_column < 0) {
		if (h->reversed)
			reverse_shown(h);
		return;
	}
	placed = mem_alloc((h->shown.n + 1) * sizeof(*placed));
	for (size_t i = 0; i < h->shown.n; i++)
		placed[i] = (struct placed){h->shown.at[i], i};
	qsort_r(placed, h->shown.n, sizeof(*placed), compare_placed, h);
	for (size_t i = 0; i < h->shown.n; i++)
		h->shown.at[i] = placed[i].entry;
	free(placed);
}

static bool column_is_good(const struct hist *h, int column)
{
	return column >= 0 && (size_t)column < h->table->layout.columns.n && h->cells.shown[column];
}

void hist_sort_beside(struct hist *h, bool left)
{
	const int n = (int)h->table->layout.columns.n;
	int column = h->sort_column < 0 ? (left ? n : -1) : h->sort_column;

	do
		column += left ? -1 : 1;
	while (column >= 0 && column < n && !column_is_good(h, column));
	h->sort_column = column_is_good(h, column) ? column : -1;
	h->reversed &= h->sort_column >= 0;
	hist_collect_anew(h);
	h->browse.at = h->browse.top = 0;
}

void hist_sort_at(void *ctx, unsigned int column)
{
	struct hist *h = ctx;
	const size_t n = h->table->layout.columns.n;
	unsigned int end = h->ranks ? 2 : 0; /* signs of call chains are left of the columns */

	for (size_t i = 0; i < n; i++) {
		if (!h->cells.shown[i])
			continue;
		end += h->cells.widths[i] + 2;
		if (column >= end)
			continue;
		h->reversed = (int)i == h->sort_column && !h->reversed;
		h->sort_column = (int)i;
		hist_collect_anew(h);
		h->browse.at = h->browse.top = 0;
		return;
	}
}

unsigned int hist_beside(void *ctx, unsigned int from, bool right)
{
	const struct hist *h = ctx;
	unsigned int start = 0, before, end = h->ranks ? 2 : 0;
	bool first = true;

	for (size_t i = 0; i < h->table->layout.columns.n; i++) {
		if (!h->cells.shown[i])
			continue;
		before = start;
		start = first ? 0 : end;
		first = false;
		if (right ? start > from : start >= from)
			return right ? start : before;
		end += h->cells.widths[i] + 2;
	}
	/* within the last column */
	return right ? from + SHIFT_STEP : MAX(start, from - MIN(from, (unsigned int)SHIFT_STEP));
}

const char *hist_sort_name(const struct hist *h)
{
	return h->sort_column < 0 ? NULL : h->table->layout.columns.at[h->sort_column].header;
}

/* -- which entries -- */

static bool filter_lets(const struct hist *h, const struct entry *e, struct out *text)
{
	const struct layout *l = &h->table->layout;
	bool found = false;

	for (size_t i = 0; i < l->columns.n && !found; i++) {
		const struct field *f = &l->columns.at[i];

		if (f->key < 0 || !h->cells.shown[i])
			continue;
		buf_clear(&text->buf);
		key_text(h->table, &l->keys.at[f->key], e, &text->buf);
		found = screen_find(buf_text(&text->buf), (const char *)h->filter.at);
	}
	return found;
}

void hist_collect(struct hist *h)
{
	const struct event_entries *ev = &h->table->events.at[h->event];
	struct out text = {.fd = -1};

	buf_text(&h->filter);
	h->shown.n = 0;
	for (size_t i = 0; i < ev->entries.n; i++) {
		struct entry *e = ev->entries.at[i];

		entries_prefetch(ev->entries.at, i, ev->entries.n);
		if (e->filtered || report_percent(&h->cells, e) < h->view.percent_limit ||
		    e->self->samples < h->view.least_samples)
			continue;
		if (!h->filter.n || filter_lets(h, e, &text))
			vec_add(&h->shown, e);
	}
	buf_release(&text.buf);
	sort_shown(h);
	hist_place_trees(h);
}

/* -- events -- */

bool hist_event_shown(const struct hist *h, size_t event)
{
	const struct event_entries *ev = &h->table->events.at[event];

	if (h->table->opts.group && !event_is_leader(ev->event))
		return false;
	return !ev->event->side_band && (!h->view.skip_empty || ev->samples);
}

static void measure_event(struct hist *h)
{
	report_table_release(&h->cells);
	report_table_init(&h->cells, &h->view, &h->table->events.at[h->event], h->ranks);
	if (!column_is_good(h, h->sort_column))
		h->sort_column = -1;
}

void hist_set_event(struct hist *h, size_t event)
{
	h->event = event;
	hist_trees_release(h);
	measure_event(h);
	hist_collect(h);
	h->browse.at = h->browse.top = 0;
}

void hist_next_event(struct hist *h, bool back)
{
	const size_t n = h->table->events.n;
	size_t event = h->event;

	do
		event = (event + (back ? n - 1 : 1)) % n;
	while (event != h->event && !hist_event_shown(h, event));
	if (event == h->event)
		browse_say(&h->browse, "there is no other event");
	else
		hist_set_event(h, event);
}

/* -- made anew -- */

uint64_t hist_identity(const struct table *t, size_t keys, const struct entry *e, struct buf *text)
{
	buf_clear(text);
	for (size_t i = 0; i < keys; i++) {
		key_identity(t, &t->layout.keys.at[i], e, text);
		buf_char(text, '\0');
	}
	return hash_bytes(text->at, text->n, 0);
}

static uint64_t entry_identity(const struct hist *h, const struct entry *e, struct buf *text)
{
	return hist_identity(h->table, h->table->layout.keys.n, e, text);
}

/* An entry whose tree was open. */
struct kept_tree {
	uint64_t identity;
	struct hist_folds folds;
};

/* State kept over a new table. */
struct kept {
	VEC(struct kept_tree) trees;
	struct idmap tree_of; /* identity -> index in trees */
	uint64_t selected;    /* identity of the selected row's entry */
	uint64_t line;	      /* the row's path in its tree; 0: the entry itself */
	size_t at;	      /* the entry's index in hist.shown */
	bool moved;	      /* the selection is not the first row */
};

static void keep(struct hist *h, struct kept *kept)
{
	const struct hist_row row = hist_row(h, h->browse.at);
	AUTO_BUF text = {0};

	kept->moved = row.entry && h->browse.at;
	if (kept->moved) {
		kept->selected = entry_identity(h, row.entry, &text);
		kept->line = row.line ? row.line->path : 0;
		kept->at = row.at;
	}
	for (size_t i = 0; i < h->trees.n; i++) {
		struct hist_tree *tree = &h->trees.at[i];
		struct kept_tree k = {entry_identity(h, h->shown.at[tree->at], &text), {{0}}};

		hist_take_folds(tree, &k.folds);
		*idmap_put(&kept->tree_of, k.identity) = (uint32_t)kept->trees.n;
		vec_add(&kept->trees, k);
	}
}

static void kept_release(struct kept *kept)
{
	for (size_t i = 0; i < kept->trees.n; i++)
		hist_folds_release(&kept->trees.at[i].folds);
	vec_release(&kept->trees);
	idmap_release(&kept->tree_of);
}

/* The row of the selected line of the tree of an entry; the entry's own when it has gone. */
static size_t kept_row(const struct hist *h, const struct kept *kept, size_t at)
{
	const size_t row = hist_entry_row(h, at);
	const struct hist_tree *tree = hist_row(h, row).tree;

	for (size_t i = 0; kept->line && tree && i < tree->lines.n; i++)
		if (tree->lines.at[i].path == kept->line)
			return row + 1 + i;
	return row;
}

static size_t distance(size_t a, size_t b)
{
	return a > b ? a - b : b - a;
}

/* Unfolds what was unfolded. Returns the selected row, or SIZE_MAX. */
static size_t restore(struct hist *h, const struct kept *kept)
{
	size_t selected = SIZE_MAX;
	AUTO_BUF text = {0};

	for (size_t i = 0; i < h->shown.n && (kept->trees.n || kept->moved); i++) {
		const uint64_t identity = entry_identity(h, h->shown.at[i], &text);
		const uint32_t tree = idmap_find(&kept->tree_of, identity);

		if (tree != HASH_NONE)
			hist_open(h, i, &kept->trees.at[tree].folds);
		/* of several entries with one name, the nearest */
		if (kept->moved && identity == kept->selected &&
		    (selected == SIZE_MAX || distance(i, kept->at) < distance(selected, kept->at)))
			selected = i;
	}
	hist_place_trees(h);
	return selected == SIZE_MAX ? SIZE_MAX : kept_row(h, kept, selected);
}

void hist_collect_anew(struct hist *h)
{
	struct kept kept = {0};

	keep(h, &kept);
	hist_trees_release(h);
	hist_collect(h);
	restore(h, &kept);
	kept_release(&kept);
}

static int hist_renew(struct hist *h, bool refresh, struct err *err)
{
	struct browse *list = &h->browse;
	const struct table *table;
	struct kept kept = {0};
	size_t row;

	if (h->table)
		keep(h, &kept);
	table = h->source.make(h->source.ctx, &h->opts, err);
	if (!table) {
		restore(h, &kept);
		kept_release(&kept);
		return -1;
	}
	hist_trees_release(h);
	free(h->ranks);
	h->ranks = NULL;
	h->table = h->view.table = table;
	if (h->view.tree)
		h->ranks = calltree_ranks(&table->samples->frames, h->view.tree->key);
	if (h->event >= table->events.n)
		h->event = 0;
	measure_event(h);
	hist_collect(h);
	row = restore(h, &kept);
	if (row != SIZE_MAX && (!refresh || browse_sees(list, row)))
		browse_select(list, row);
	kept_release(&kept);
	return 0;
}

int hist_remake(struct hist *h, struct err *err)
{
	return hist_renew(h, false, err);
}

int hist_refresh(struct hist *h, struct err *err)
{
	return hist_renew(h, true, err);
}
