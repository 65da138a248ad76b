// SPDX-License-Identifier: MIT
/*
 * A flame graph in the cells of a screen: the outermost callers above, what they called below, each
 * box as wide as its share. Boxes of less than a column are left out, but for the selected one.
 */
#include "analysis/flame.h"
#include "analysis/stacks.h"
#include "view/browser/hist.h"
#include "view/out/short_name.h"

#include <string.h>

struct flame_screen {
	struct browse browse; /* its rows are boxes, so a search looks at the boxes' names */
	struct hist *h;
	struct flame flame;
	VEC(uint32_t) zooms; /* stack of zoomed boxes; the last one fills the screen */
	uint32_t top;	     /* the depth of the first row */
	bool left;
};

static const struct flame_box *box_at(const struct flame_screen *f, size_t box)
{
	return &f->flame.boxes.at[box];
}

static uint32_t zoomed_box(const struct flame_screen *f)
{
	return f->zooms.n ? *vec_last(&f->zooms) : 0;
}

static bool box_is_below(const struct flame_screen *f, uint32_t box, uint32_t above)
{
	return box >= above && box < box_at(f, above)->end;
}

/* The columns of a box. A box that contains the zoomed box gets all columns. False: the box is not
 * visible. */
static bool box_columns(const struct flame_screen *f, uint32_t at, unsigned int *from,
			unsigned int *to)
{
	const struct flame_box *box = box_at(f, at), *all = box_at(f, zoomed_box(f));
	const unsigned int columns = f->browse.screen->columns;
	double scale;

	*from = 0;
	*to = columns;
	if (box_is_below(f, zoomed_box(f), at))
		return true;
	if (!box_is_below(f, at, zoomed_box(f)) || !all->period)
		return false;
	scale = (double)columns / (double)all->period;
	*from = (unsigned int)((double)(box->start - all->start) * scale);
	*to = (unsigned int)((double)(box->start - all->start + box->period) * scale);
	*to = MIN(*to, columns);
	if (at == f->browse.at && *from == *to && columns) {
		*from = MIN(*from, columns - 1);
		*to = *from + 1;
	}
	return *from < *to;
}

/* -- what boxes are called -- */

static const struct frame *box_frame(const struct flame_screen *f, uint32_t at)
{
	const uint32_t id = box_at(f, at)->frame;

	return id == HASH_NONE ? NULL : table_frame(f->h->table, id);
}

static void box_name(const struct flame_screen *f, uint32_t at, struct buf *out)
{
	const struct frame *frame = box_frame(f, at);

	if (!frame)
		buf_str(out, "all");
	else if (frame->where->name)
		buf_safe(out, frame->where->name);
	else if (frame->where->dso)
		buf_printf(out, "[%s]", frame->where->dso->short_name);
	else
		buf_printf(out, "0x%llx", (unsigned long long)frame->ip);
}

static uint8_t box_style(const struct flame_screen *f, uint32_t at)
{
	static const uint8_t styles[STACK_KINDS] = {
		[STACK_PROGRAM] = STYLE_BOX_PROGRAM, [STACK_LIBRARY] = STYLE_BOX_LIBRARY,
		[STACK_KERNEL] = STYLE_BOX_KERNEL,   [STACK_JIT] = STYLE_BOX_JIT,
		[STACK_INLINED] = STYLE_BOX_JIT,     [STACK_UNKNOWN] = STYLE_BOX_UNKNOWN,
	};
	const struct frame *frame = box_frame(f, at);

	return frame ? styles[stack_kind_of(frame)] : STYLE_BOX_UNKNOWN;
}

/* -- what is seen -- */

static void draw_box(const struct flame_screen *f, uint32_t at, unsigned int row, unsigned int from,
		     unsigned int to)
{
	struct screen *s = f->browse.screen;
	uint8_t style = box_style(f, at);
	unsigned int column = from;
	AUTO_BUF text = {0};
	AUTO_BUF label = {0};

	box_name(f, at, &text);
	if (f->browse.search.n && screen_find(buf_text(&text), (const char *)f->browse.search.at))
		style = STYLE_MATCH;
	if (at == f->browse.at)
		style |= STYLE_SELECTED;
	column += s->utf8 ? screen_text(s, row, column, 1, "\xe2\x96\x8f", 3, style)
			  : screen_text(s, row, column, 1, "|", 1, style);
	short_name(buf_text(&text), to - column, &label);
	column += screen_text(s, row, column, to - column, label.at, label.n, style);
	while (column < to)
		column += screen_text(s, row, column, 1, " ", 1, style);
}

static void keep_selected_in_sight(struct flame_screen *f)
{
	const uint32_t depth = box_at(f, f->browse.at)->depth;
	const unsigned int height = f->browse.height;

	if (depth < f->top)
		f->top = depth;
	if (height && depth >= f->top + height)
		f->top = depth - height + 1;
}

static void flame_draw(void *ctx)
{
	struct flame_screen *f = ctx;
	unsigned int from, to;

	buf_text(&f->browse.search);
	keep_selected_in_sight(f);
	for (uint32_t i = 0; i < f->flame.boxes.n;) {
		const struct flame_box *box = box_at(f, i);

		if (!box_columns(f, i, &from, &to)) {
			/* no box below it is wider; but the selected box is always drawn */
			i = box_is_below(f, (uint32_t)f->browse.at, i) ||
					    box_is_below(f, zoomed_box(f), i)
				    ? i + 1
				    : box->end;
			continue;
		}
		if (box->depth >= f->top && box->depth < f->top + f->browse.height)
			draw_box(f, i, f->browse.body + box->depth - f->top, from, to);
		i++;
	}
}

static void flame_row(void *ctx, size_t row, struct screen_line *out)
{
	box_name(ctx, (uint32_t)row, &out->text);
}

static void flame_title(void *ctx, struct buf *out)
{
	struct flame_screen *f = ctx;

	buf_str(out, "Flame graph");
	if (f->zooms.n) {
		buf_str(out, " of ");
		box_name(f, zoomed_box(f), out);
	}
	buf_str(out, "  ");
	hist_title(f->h, out);
}

/* The share of all boxes that match the search, in percent. A match inside a matching box is not
 * counted again. */
static double matched_share(const struct flame_screen *f)
{
	const char *sought = (const char *)f->browse.search.at;
	uint64_t period = 0;
	AUTO_BUF name = {0};

	for (uint32_t i = 0; i < f->flame.boxes.n;) {
		buf_clear(&name);
		box_name(f, i, &name);
		if (screen_find(buf_text(&name), sought)) {
			period += box_at(f, i)->period;
			i = box_at(f, i)->end;
		} else {
			i++;
		}
	}
	return box_at(f, 0)->period ? 100 * (double)period / (double)box_at(f, 0)->period : 0;
}

static void flame_status(void *ctx, struct buf *out)
{
	const struct flame_screen *f = ctx;
	const struct flame_box *box = box_at(f, f->browse.at);
	const double all = (double)MAX(box_at(f, 0)->period, 1u);
	const struct frame *frame = box_frame(f, (uint32_t)f->browse.at);

	buf_printf(out, "%.2f%%, self %.2f%%, %llu samples  ", 100 * (double)box->period / all,
		   100 * (double)box->self / all, (unsigned long long)box->samples);
	if (f->browse.search.n)
		buf_printf(out, "['%.*s': %.2f%%]  ", (int)f->browse.search.n, f->browse.search.at,
			   matched_share(f));
	box_name(f, (uint32_t)f->browse.at, out);
	if (frame && frame->where->dso) {
		buf_str(out, "  ");
		buf_safe(out, frame->where->dso->long_name);
	}
}

static const char flame_help[] = "UP, DOWN\tthe caller, the widest of what is called\n"
				 "LEFT, RIGHT\tthe box beside\n"
				 "ENTER\tzoom into the box\n"
				 "ESC\tzoom out, then leave\n"
				 "a\tannotated code of the function\n";

static const struct browse_ops flame_ops = {.row = flame_row,
					    .draw = flame_draw,
					    .title = flame_title,
					    .status = flame_status,
					    .help = flame_help};

/* -- keys -- */

static void select_caller(struct flame_screen *f)
{
	f->browse.at = box_at(f, f->browse.at)->parent;
}

/* Selects the first callee. From a box that contains the zoomed box, selects the callee that leads
 * to the zoomed box. */
static void select_called(struct flame_screen *f)
{
	const uint32_t at = (uint32_t)f->browse.at, zoomed = zoomed_box(f);
	uint32_t next = at + 1;

	if (at != zoomed && box_is_below(f, zoomed, at))
		while (!box_is_below(f, zoomed, next))
			next = box_at(f, next)->end;
	if (next < box_at(f, at)->end)
		f->browse.at = next;
}

/* Selects the next visible box of this depth; without one the selection stays. */
static void select_beside(struct flame_screen *f, bool left)
{
	const uint32_t at = (uint32_t)f->browse.at, depth = box_at(f, at)->depth;
	const uint32_t step = left ? UINT32_MAX : 1;
	unsigned int from, to;

	for (uint32_t i = at + step; i < f->flame.boxes.n; i += step)
		if (box_at(f, i)->depth == depth && box_columns(f, i, &from, &to)) {
			f->browse.at = i;
			return;
		}
}

/* The box under the mouse; the root when there is none. */
static uint32_t box_under_mouse(const struct flame_screen *f)
{
	const struct screen *s = f->browse.screen;
	const uint32_t depth = s->mouse_row - f->browse.body + f->top;
	unsigned int from, to;
	uint32_t found = 0;

	for (uint32_t i = 0; i < f->flame.boxes.n && s->mouse_row >= f->browse.body; i++)
		if (box_at(f, i)->depth == depth && box_columns(f, i, &from, &to) &&
		    s->mouse_column >= from && s->mouse_column < to)
			found = i;
	return found;
}

static void zoom_box(struct flame_screen *f)
{
	const uint32_t at = (uint32_t)f->browse.at;

	if (at != zoomed_box(f))
		vec_add(&f->zooms, at);
}

static void zoom_out(struct flame_screen *f)
{
	if (f->zooms.n)
		f->zooms.n--;
	else
		f->left = true;
}

/* Zooms out until the selected box is visible: a search may have found a box outside the zoom. */
static void show_selected(struct flame_screen *f)
{
	const uint32_t at = (uint32_t)f->browse.at;

	while (f->zooms.n && !box_is_below(f, at, zoomed_box(f)) &&
	       !box_is_below(f, zoomed_box(f), at))
		f->zooms.n--;
}

static bool flame_move(struct flame_screen *f, int key)
{
	const long page = MAX((long)f->browse.height - 1, 1);
	const long step = key == SCREEN_PAGE_UP || key == SCREEN_PAGE_DOWN || key == ' ' ? page : 1;

	switch (key) {
	case SCREEN_UP:
	case SCREEN_PAGE_UP:
	case SCREEN_WHEEL_UP:
		for (long i = 0; i < step; i++)
			select_caller(f);
		return true;
	case SCREEN_DOWN:
	case SCREEN_PAGE_DOWN:
	case SCREEN_WHEEL_DOWN:
	case ' ':
		for (long i = 0; i < step; i++)
			select_called(f);
		return true;
	case SCREEN_LEFT:
	case SCREEN_RIGHT:
		select_beside(f, key == SCREEN_LEFT);
		return true;
	default:
		return false;
	}
}

static void flame_click(struct flame_screen *f)
{
	const uint32_t box = box_under_mouse(f);

	if (box == f->browse.at)
		zoom_box(f);
	f->browse.at = box;
}

static void flame_take(struct flame_screen *f, int key)
{
	buf_clear(&f->browse.message);
	if (flame_move(f, key))
		return;
	if (key == SCREEN_CLICK) {
		flame_click(f);
		return;
	}
	key = browse_take(&f->browse, key);
	show_selected(f);
	if (key == SCREEN_ENTER) {
		zoom_box(f);
	} else if (key == SCREEN_ESCAPE || key == SCREEN_BACKSPACE) {
		zoom_out(f);
	} else if (key == 'a') {
		hist_annotate(f->h, box_frame(f, (uint32_t)f->browse.at), &f->browse);
	} else if (key == 'G') {
		f->left = true;
	} else if (browse_leaves(key)) {
		f->h->end = HIST_LEAVE;
	}
}

void hist_flame(struct hist *h)
{
	struct flame_screen f = {.h = h};

	if (!h->ranks || !h->table->opts.chains) {
		browse_say(&h->browse, "there are no call chains: 'perf record -g' records them");
		return;
	}
	flame_make(&f.flame, h->table, h->event);
	f.browse = (struct browse){
		.screen = h->browse.screen, .ops = &flame_ops, .ctx = &f, .n = f.flame.boxes.n};
	while (!f.left && h->end != HIST_LEAVE) {
		browse_show(&f.browse);
		flame_take(&f, screen_key(f.browse.screen, -1));
	}
	browse_release(&f.browse);
	flame_release(&f.flame);
	vec_release(&f.zooms);
}
