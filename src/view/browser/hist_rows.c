// SPDX-License-Identifier: MIT
/* The rows of a report's browser: entries, and the lines of their call trees. */
#include "view/browser/hist.h"

#include <math.h>
#include <string.h>

#define INDENT 3 /* columns for each level of a tree */

/* -- trees -- */

void hist_folds_release(struct hist_folds *f)
{
	idmap_release(&f->set);
	*f = (struct hist_folds){0};
}

static void tree_release(struct hist_tree *t)
{
	arena_release(&t->arena);
	hist_folds_release(&t->folds);
	vec_release(&t->lines);
}

void hist_trees_release(struct hist *h)
{
	for (size_t i = 0; i < h->trees.n; i++)
		tree_release(&h->trees.at[i]);
	vec_release(&h->trees);
}

void hist_place_trees(struct hist *h)
{
	size_t lines = 0;

	for (size_t i = 0; i < h->trees.n; i++) {
		h->trees.at[i].row = h->trees.at[i].at + lines;
		lines += h->trees.at[i].lines.n;
	}
	h->browse.n = h->shown.n + lines;
}

static bool node_is_open(const struct hist_tree *t, uint64_t path)
{
	const uint32_t open = idmap_find(&t->folds.set, path);

	return open == HASH_NONE ? t->folds.all : open;
}

static uint64_t least_of(const struct hist *h, const struct calltree_node *parent)
{
	if (h->view.tree->mode != CALLTREE_FRACTAL)
		return report_tree_least(&h->cells);
	return (uint64_t)ceil((double)parent->children_hit * (h->view.tree->min_percent / 100.0));
}

/* The children of a node that are shown, heaviest first, in the tree's arena. */
static size_t children_of(const struct hist *h, struct hist_tree *t,
			  const struct calltree_node *parent, const struct calltree_node ***shown)
{
	size_t n = calltree_children(&t->arena, parent, least_of(h, parent), shown);

	if (h->view.tree->print_limit)
		n = MIN(n, h->view.tree->print_limit);
	return n;
}

/* The path to a frame below the frame that the path before leads to. */
static uint64_t path_below(const struct hist *h, uint64_t path, uint32_t frame, struct buf *name)
{
	buf_clear(name);
	report_frame_name((void *)(uintptr_t)&h->cells, frame, name);
	return hash_bytes(name->at, name->n, path);
}

#define DEPTH_MOST 1024 /* of branches within branches */

static void add_lines(struct hist *h, struct hist_tree *t, const struct calltree_node *parent,
		      const struct hist_line *above, struct buf *name)
{
	const uint64_t total = above->total;
	const uint16_t depth = above->depth + 1;
	const bool fractal = h->view.tree->mode == CALLTREE_FRACTAL;
	const struct calltree_node **shown, **below;
	const size_t n = children_of(h, t, parent, &shown);

	for (size_t i = 0; i < n && depth < DEPTH_MOST; i++) {
		const struct calltree_node *node = shown[i];
		const bool more = children_of(h, t, node, &below);
		struct hist_line line = {
			.node = node,
			.depth = depth,
			.sign = ' ',
			.value = n > 1 || calltree_period(node) != calltree_period(parent),
			.total = total,
			.path = above->path,
		};

		for (; line.frame < node->n_frames; line.frame++) {
			line.path =
				path_below(h, line.path, calltree_frame(node, line.frame), name);
			if (more && line.frame + 1 == node->n_frames)
				line.sign = node_is_open(t, line.path) ? '-' : '+';
			vec_add(&t->lines, line);
			line.value = false;
		}
		line.total = fractal ? node->children_hit : total;
		if (line.sign == '-')
			add_lines(h, t, node, &line, name);
	}
}

static uint64_t tree_total(const struct hist *h, const struct entry *e)
{
	if (h->view.tree->mode != CALLTREE_FRACTAL)
		return h->cells.entries->period;
	return report_tree_period(&h->cells, e);
}

static void renew_lines(struct hist *h, struct hist_tree *t)
{
	const struct hist_line entry = {.total = tree_total(h, h->shown.at[t->at])};
	AUTO_BUF name = {0};

	t->lines.n = 0;
	add_lines(h, t, t->root, &entry, &name);
}

/* The index in h->trees of that entry's tree, or where it would be inserted. */
static size_t find_tree(const struct hist *h, size_t at)
{
	size_t low = 0, high = h->trees.n;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (h->trees.at[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool tree_is_at(const struct hist *h, size_t place, size_t at)
{
	return place < h->trees.n && h->trees.at[place].at == at;
}

bool hist_can_open(const struct hist *h, const struct entry *e)
{
	return report_entry_has_tree(&h->cells, e);
}

static void close_tree(struct hist *h, size_t at)
{
	const size_t place = find_tree(h, at);

	if (!tree_is_at(h, place, at))
		return;
	tree_release(&h->trees.at[place]);
	memmove(&h->trees.at[place], &h->trees.at[place + 1],
		(h->trees.n - 1 - place) * sizeof(*h->trees.at));
	h->trees.n--;
}

struct hist_tree *hist_open(struct hist *h, size_t at, struct hist_folds *folds)
{
	const struct entry *e = h->shown.at[at];
	const size_t place = find_tree(h, at);
	struct hist_tree tree = {.at = at};

	if (!hist_can_open(h, e)) {
		hist_folds_release(folds);
		return NULL;
	}
	if (tree_is_at(h, place, at))
		close_tree(h, at);
	tree.folds = *folds;
	*folds = (struct hist_folds){0};
	tree.root = report_tree_root(&h->cells, e, report_tree_made(&h->cells), &tree.arena);
	vec_add(&h->trees, tree);
	memmove(&h->trees.at[place + 1], &h->trees.at[place],
		(h->trees.n - 1 - place) * sizeof(tree));
	h->trees.at[place] = tree;
	renew_lines(h, &h->trees.at[place]);
	return &h->trees.at[place];
}

void hist_toggle(struct hist *h, size_t row)
{
	const struct hist_row r = hist_row(h, row);
	struct hist_folds folds = {0};

	if (!r.entry)
		return;
	if (!r.line) {
		if (r.tree)
			close_tree(h, r.at);
		else
			hist_open(h, r.at, &folds);
	} else if (r.line->sign != ' ') {
		*idmap_put(&r.tree->folds.set, r.line->path) = r.line->sign == '+';
		renew_lines(h, r.tree);
	}
	hist_place_trees(h);
}

void hist_open_all(struct hist *h, size_t at, bool open)
{
	struct hist_folds folds = {.all = open};

	if (open)
		hist_open(h, at, &folds);
	else
		close_tree(h, at);
}

void hist_take_folds(struct hist_tree *t, struct hist_folds *folds)
{
	/* branches that other chains part later stay unfolded */
	for (size_t i = 0; i < t->lines.n; i++) {
		const struct hist_line *line = &t->lines.at[i];

		if (line->frame + 1 < line->node->n_frames)
			*idmap_put(&t->folds.set, line->path) = true;
	}
	*folds = t->folds;
	t->folds = (struct hist_folds){0};
}

/* -- rows -- */

struct hist_row hist_row(const struct hist *h, size_t row)
{
	size_t low = 0, high = h->trees.n, lines = 0;
	struct hist_row r = {0};

	if (row >= h->browse.n)
		return r;
	/* find the last tree that begins at or before the row */
	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (h->trees.at[middle].row <= row)
			low = middle + 1;
		else
			high = middle;
	}
	if (low) {
		struct hist_tree *t = &h->trees.at[low - 1];
		const size_t below = row - t->row;

		lines = t->row - t->at + t->lines.n;
		if (below <= t->lines.n) {
			r = (struct hist_row){h->shown.at[t->at], t->at, t,
					      below ? &t->lines.at[below - 1] : NULL};
			return r;
		}
	}
	r.at = row - lines;
	r.entry = h->shown.at[r.at];
	return r;
}

size_t hist_entry_row(const struct hist *h, size_t at)
{
	const size_t place = find_tree(h, at);
	const struct hist_tree *before = place ? &h->trees.at[place - 1] : NULL;

	return before ? at + before->row - before->at + before->lines.n : at;
}

const struct frame *hist_row_frame(const struct hist *h, const struct hist_row *r)
{
	uint32_t id;

	if (!r->entry)
		return NULL;
	if (!r->line)
		return table_entry_frame(h->table, r->entry, true);
	id = calltree_frame(r->line->node, r->line->frame);
	return id == HASH_NONE ? NULL : table_frame(h->table, id);
}

const struct dso *hist_row_dso(const struct hist *h, const struct hist_row *r)
{
	const struct frame *frame = r->entry && !r->line
					    ? table_entry_frame(h->table, r->entry, false)
					    : hist_row_frame(h, r);

	return frame ? frame->where->dso : NULL;
}

void hist_row_name(const struct hist *h, const struct hist_row *r, struct buf *out)
{
	const struct frame *frame = hist_row_frame(h, r);

	if (r->line)
		report_frame_name((void *)(uintptr_t)&h->cells,
				  calltree_frame(r->line->node, r->line->frame), out);
	else if (frame && frame->where->sym)
		buf_safe(out, frame->where->name);
	else if (frame)
		buf_printf(out, "0x%llx", (unsigned long long)frame_addr(frame));
}

/* -- how they look -- */

static uint8_t percent_style(double percent)
{
	return percent >= 5 ? STYLE_HOT : percent > 0.5 ? STYLE_WARM : STYLE_TEXT;
}

static void draw_value(const struct hist *h, const struct hist_line *l, struct screen_line *out)
{
	const uint64_t period = calltree_period(l->node);
	const double percent = l->total ? 100.0 * (double)period / (double)l->total : 0;

	screen_line_style(out, percent_style(percent));
	if (h->view.tree->value == CALLTREE_COUNT)
		buf_dec(&out->text, calltree_count(l->node));
	else if (h->view.tree->value == CALLTREE_PERIOD)
		buf_dec(&out->text, period);
	else
		buf_printf(&out->text, "%.2f%%", percent);
	screen_line_style(out, STYLE_TEXT);
	buf_char(&out->text, ' ');
}

static void draw_tree_line(const struct hist *h, const struct hist_row *r, struct screen_line *out)
{
	const struct frame *frame = hist_row_frame(h, r);

	buf_fill(&out->text, ' ', (size_t)r->line->depth * INDENT);
	buf_char(&out->text, r->line->sign);
	buf_char(&out->text, ' ');
	if (r->line->value)
		draw_value(h, r->line, out);
	hist_row_name(h, r, &out->text);
	if (!h->with_dsos)
		return;
	screen_line_style(out, STYLE_DIM);
	buf_char(&out->text, ' ');
	buf_safe(&out->text,
		 frame && frame->where->dso ? frame->where->dso->short_name : "[unknown]");
}

static void draw_cell(const struct hist *h, const struct entry *e, size_t column,
		      struct screen_line *out)
{
	const struct field *f = &h->table->layout.columns.at[column];
	const size_t start = out->text.n;
	struct out cell = {.fd = -1};

	if (f->key < 0 && f->sum != SUM_SAMPLES && f->sum != SUM_PERIOD) {
		const uint64_t total = table_total(h->table, h->cells.entries, f->sum);
		const uint64_t value = f->sum == SUM_CHILDREN && !h->table->opts.children
					       ? 0
					       : entry_sum(e, f->sum);

		screen_line_style(out,
				  percent_style(total ? 100.0 * (double)value / (double)total : 0));
	}
	cell.buf = out->text;
	report_cell(&h->cells, e, column, &cell);
	out->text = cell.buf;
	screen_line_style(out, STYLE_TEXT);
	if (out->text.n - start < h->cells.widths[column])
		buf_fill(&out->text, ' ', h->cells.widths[column] - (out->text.n - start));
}

static void draw_entry(const struct hist *h, const struct hist_row *r, struct screen_line *out)
{
	const struct layout *l = &h->table->layout;
	bool first = true;

	if (h->ranks) {
		buf_char(&out->text, !hist_can_open(h, r->entry) ? ' ' : r->tree ? '-' : '+');
		buf_char(&out->text, ' ');
	}
	for (size_t i = 0; i < l->columns.n; i++) {
		if (!h->cells.shown[i])
			continue;
		if (!first)
			buf_str(&out->text, "  ");
		first = false;
		draw_cell(h, r->entry, i, out);
	}
}

void hist_draw_row(void *ctx, size_t row, struct screen_line *out)
{
	const struct hist *h = ctx;
	const struct hist_row r = hist_row(h, row);

	if (r.line)
		draw_tree_line(h, &r, out);
	else if (r.entry)
		draw_entry(h, &r, out);
}

void hist_draw_header(void *ctx, struct screen_line *out)
{
	const struct hist *h = ctx;
	const struct layout *l = &h->table->layout;
	bool first = true;

	if (!h->headers)
		return;
	buf_str(&out->text, h->ranks ? "  " : "");
	for (size_t i = 0; i < l->columns.n; i++) {
		const struct field *f = &l->columns.at[i];

		if (!h->cells.shown[i])
			continue;
		if (!first)
			buf_str(&out->text, "  ");
		first = false;
		if ((int)i == h->sort_column)
			screen_line_style(out, STYLE_MATCH);
		if (f->key < 0)
			buf_right(&out->text, f->header, h->cells.widths[i]);
		else
			rows_left_cut(f->header, h->cells.widths[i], &out->text);
		if ((int)i == h->sort_column)
			screen_line_style(out, STYLE_HEADER);
	}
}
