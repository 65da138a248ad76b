// SPDX-License-Identifier: MIT
#include "view/report/callgraph.h"

#include <math.h>

#define MARGIN 12 /* blanks before each line of a tree */

struct drawing {
	const struct callgraph_view *v;
	struct out *out;
	struct arena arena;
	int left_margin;
	uint64_t depth_mask[(1 << 16) / 64]; /* bit i: level i still has its vertical stroke */
};

static bool level_has_line(const struct drawing *d, int level)
{
	return d->depth_mask[level / 64] >> (level % 64) & 1;
}

static void set_level(struct drawing *d, int level, bool line)
{
	uint64_t bit = 1ull << (level % 64);

	if (line)
		d->depth_mask[level / 64] |= bit;
	else
		d->depth_mask[level / 64] &= ~bit;
}

static void margin(struct drawing *d)
{
	buf_fill(&d->out->buf, ' ', (size_t)(MARGIN + d->left_margin));
}

static void put_value(struct drawing *d, uint64_t period, uint64_t count, uint64_t total)
{
	double percent = total ? 100.0 * (double)period / (double)total : 0;

	switch (d->v->params->value) {
	case CALLTREE_COUNT:
		buf_dec(&d->out->buf, count);
		break;
	case CALLTREE_PERIOD:
		buf_dec(&d->out->buf, period);
		break;
	case CALLTREE_PERCENT:
		out_percent_colour(d->out, percent);
		buf_printf(&d->out->buf, "%.2f%%", percent);
		out_normal(d->out);
		break;
	}
}

/* The line between two branches: only the vertical strokes. */
static void put_gap(struct drawing *d, int depth)
{
	margin(d);
	for (int i = 0; i < depth; i++) {
		buf_char(&d->out->buf, level_has_line(d, i) ? '|' : ' ');
		buf_fill(&d->out->buf, ' ', 10);
	}
	buf_char(&d->out->buf, '\n');
}

/* The strokes before a frame; the first frame of a node carries its value on the last of them. */
static void put_strokes(struct drawing *d, int depth, bool first, uint64_t period, uint64_t count,
			uint64_t total)
{
	margin(d);
	for (int i = 0; i < depth; i++) {
		buf_char(&d->out->buf, level_has_line(d, i) ? '|' : ' ');
		if (first && i == depth - 1) {
			buf_str(&d->out->buf, "--");
			put_value(d, period, count, total);
			buf_str(&d->out->buf, "--");
		} else {
			buf_fill(&d->out->buf, ' ', 10);
		}
	}
}

static void put_node(struct drawing *d, const struct calltree_node *n, int depth, uint64_t total)
{
	for (uint32_t i = 0; i < n->n_frames; i++) {
		put_strokes(d, depth, !i, calltree_period(n), calltree_count(n), total);
		d->v->frame_name(d->v->ctx, calltree_frame(n, i), &d->out->buf);
		buf_char(&d->out->buf, '\n');
	}
}

static uint64_t threshold(const struct drawing *d, const struct calltree_node *parent)
{
	if (d->v->params->mode != CALLTREE_FRACTAL)
		return d->v->min_hit;
	return (uint64_t)ceil((double)parent->children_hit * (d->v->params->min_percent / 100.0));
}

/* Shows the sum of the branches below the limit as one branch, so that fractal trees add up to 100
 * %. */
static void put_rest(struct drawing *d, const struct calltree_node *parent, int depth,
		     uint64_t rest, uint64_t shown_count, uint64_t total)
{
	uint64_t count = 0;

	if (d->v->params->value == CALLTREE_COUNT && parent->parent) {
		if (parent->children_count <= shown_count)
			return;
		count = parent->children_count - shown_count;
	}
	set_level(d, depth - 1, false);
	put_strokes(d, depth, true, rest, count, total);
	buf_str(&d->out->buf, "[...]\n");
}

#define MAX_DEPTH ((1 << 16) - 2)

static size_t put_children(struct drawing *d, const struct calltree_node *parent, int depth,
			   uint64_t total)
{
	const struct calltree_params *params = d->v->params;
	bool fractal = params->mode == CALLTREE_FRACTAL;
	const struct calltree_node **shown;
	size_t n = calltree_children(&d->arena, parent, threshold(d, parent), &shown);
	uint64_t rest = total, count = 0;
	bool rest_line = level_has_line(d, depth - 1);

	if (depth >= MAX_DEPTH)
		return 0;
	for (size_t i = 0; i < n; i++) {
		const struct calltree_node *child = shown[i];

		rest -= calltree_period(child);
		count += calltree_count(child);
		put_gap(d, depth);
		/* The last branch ends the line of its level, unless a rest follows it. */
		if (i + 1 == n && (!fractal || !rest))
			set_level(d, depth - 1, false);
		put_node(d, child, depth, total);
		set_level(d, depth, true);
		put_children(d, child, depth + 1, fractal ? child->children_hit : total);
		if (params->print_limit && i + 1 == params->print_limit)
			break;
	}
	if (fractal && rest && rest != total)
		put_rest(d, parent, depth, rest, count, total);
	set_level(d, depth - 1, rest_line);
	return n;
}

/* Shows a tree of one chain only: its frames below each other, without percentages. False: the tree
 * has branches. */
static bool put_trunk(struct drawing *d, const struct calltree_node *trunk)
{
	uint32_t printed = 0;

	for (uint32_t i = d->v->skip_first ? 1 : 0; i < trunk->n_frames; i++) {
		if (!printed) {
			margin(d);
			buf_str(&d->out->buf, "|\n");
			margin(d);
			buf_str(&d->out->buf, "---");
			d->left_margin += 3;
		} else {
			margin(d);
		}
		d->v->frame_name(d->v->ctx, calltree_frame(trunk, i), &d->out->buf);
		buf_char(&d->out->buf, '\n');
		if (++printed == d->v->params->print_limit)
			break;
	}
	return printed;
}

static void show_tree(struct drawing *d, const struct calltree_node *root)
{
	const struct calltree_node **shown;
	size_t n = calltree_children(&d->arena, root, threshold(d, root), &shown);
	bool fractal = d->v->params->mode == CALLTREE_FRACTAL;
	uint64_t total = fractal ? d->v->row_period : d->v->total;
	size_t before = d->out->buf.n;

	set_level(d, 0, true);
	if (n == 1 && calltree_period(shown[0]) == d->v->row_period) {
		put_trunk(d, shown[0]);
		put_children(d, shown[0], 1, total);
	} else {
		put_children(d, root, 1, total);
	}
	if (d->out->buf.n != before)
		buf_char(&d->out->buf, '\n');
}

static void put_flat_frames(struct drawing *d, const struct calltree_node *n)
{
	if (n->parent)
		put_flat_frames(d, n->parent);
	for (uint32_t i = 0; i < n->n_frames; i++) {
		buf_fill(&d->out->buf, ' ', 16);
		d->v->frame_name(d->v->ctx, calltree_frame(n, i), &d->out->buf);
		buf_char(&d->out->buf, '\n');
	}
}

static bool put_folded_frames(struct drawing *d, const struct calltree_node *n)
{
	bool any = n->parent && put_folded_frames(d, n->parent);

	for (uint32_t i = 0; i < n->n_frames; i++) {
		if (any)
			buf_str(&d->out->buf, d->v->separator ? d->v->separator : ";");
		d->v->frame_name(d->v->ctx, calltree_frame(n, i), &d->out->buf);
		any = true;
	}
	return any;
}

static void show_chains(struct drawing *d, const struct calltree_node *root)
{
	bool folded = d->v->params->mode == CALLTREE_FOLDED;
	const struct calltree_node **shown;
	size_t n = calltree_leaves(&d->arena, root, d->v->min_hit, &shown);

	for (size_t i = 0; i < n; i++) {
		const struct calltree_node *node = shown[i];

		if (folded) {
			put_value(d, node->hit, node->count, d->v->total);
			buf_char(&d->out->buf, ' ');
			put_folded_frames(d, node);
		} else {
			buf_fill(&d->out->buf, ' ', 11);
			put_value(d, calltree_period(node), calltree_count(node), d->v->total);
			buf_char(&d->out->buf, '\n');
			put_flat_frames(d, node);
		}
		buf_char(&d->out->buf, '\n');
		if (i + 1 == d->v->params->print_limit)
			break;
	}
}

void callgraph_show(const struct callgraph_view *v, const struct calltree_node *root,
		    struct out *out)
{
	struct drawing d = {.v = v, .out = out, .left_margin = v->left_margin};

	switch (v->params->mode) {
	case CALLTREE_NONE:
		break;
	case CALLTREE_FLAT:
	case CALLTREE_FOLDED:
		show_chains(&d, root);
		break;
	case CALLTREE_GRAPH:
	case CALLTREE_FRACTAL:
		show_tree(&d, root);
		break;
	}
	arena_release(&d.arena);
}

void callgraph_frame_name(const struct frame *frame, enum calltree_key key, struct buf *out)
{
	const size_t start = out->n;

	if (frame->where->sym) {
		buf_str(out, frame->where->name);
		/* Without a known line, perf shows the offset in the function. For a file without
		 * debug information it shows a text of its own. */
		if (key != CALLTREE_BY_FUNCTION && frame->where->srcline) {
			buf_char(out, ' ');
			buf_str(out, frame->where->srcline);
		} else if (key != CALLTREE_BY_FUNCTION &&
			   (frame->where->dso->kind == DSO_FILE || frame->lines_asked)) {
			buf_str(out, " ??:0");
		} else if (key != CALLTREE_BY_FUNCTION) {
			buf_str(out, " +");
			buf_dec(out, frame_rva(frame) - frame->where->sym->start);
		}
		if (frame->inlined)
			buf_str(out, " (inlined)");
	} else {
		buf_str(out, frame->ip ? "0x" : "");
		buf_hex(out, frame->ip);
	}
	buf_make_safe(out, start);
}
