// SPDX-License-Identifier: MIT
/* Menus, and texts to be read. */
#include "view/browser/browse.h"

#include "base/mem.h"

#include <string.h>

/* -- a menu -- */

struct menu {
	const char *title;
	const char *const *items;
};

static void menu_row(void *ctx, size_t row, struct screen_line *out)
{
	const struct menu *m = ctx;

	buf_str(&out->text, "  ");
	buf_str(&out->text, m->items[row]);
}

static void menu_title(void *ctx, struct buf *out)
{
	const struct menu *m = ctx;

	buf_str(out, m->title);
}

static void menu_status(void *ctx, struct buf *out)
{
	(void)ctx;
	buf_str(out, "ENTER: choose, ESC: back");
}

long browse_choose(struct browse *b, const char *title, const char *const *items, size_t n)
{
	static const struct browse_ops ops = {.row = menu_row,
					      .title = menu_title,
					      .status = menu_status,
					      .help = "ENTER\tchoose\n"};
	struct menu menu = {title, items};
	struct browse list = {.screen = b->screen, .ops = &ops, .ctx = &menu, .n = n};
	int key;

	do
		key = browse_key(&list);
	while (key != SCREEN_ENTER && key != SCREEN_ESCAPE && !browse_leaves(key));
	browse_release(&list);
	return key == SCREEN_ENTER && n ? (long)list.at : -1;
}

/* -- a text -- */

struct page {
	const char *title, *text;
	VEC(size_t) lines; /* where each begins */
};

static void page_row(void *ctx, size_t row, struct screen_line *out)
{
	const struct page *p = ctx;
	const char *line = p->text + p->lines.at[row];
	size_t n = strcspn(line, "\n");

	for (size_t i = 0; i < n; i++) {
		if (line[i] == '\t')
			buf_fill(&out->text, ' ', 8 - out->text.n % 8);
		else
			buf_char(&out->text, line[i]);
	}
}

static void page_title(void *ctx, struct buf *out)
{
	const struct page *p = ctx;

	buf_str(out, p->title);
}

static void page_status(void *ctx, struct buf *out)
{
	const struct page *p = ctx;

	buf_printf(out, "%zu lines  ESC: back", p->lines.n);
}

int browse_text(struct screen *s, const char *title, const char *text)
{
	return browse_text_at(s, title, text, NULL);
}

int browse_text_at(struct screen *s, const char *title, const char *text, const char *sought)
{
	static const struct browse_ops ops = {
		.row = page_row, .title = page_title, .status = page_status};
	struct page page = {.title = title, .text = text};
	struct browse list = {.screen = s, .ops = &ops, .ctx = &page};
	int key;

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
		vec_add(&page.lines, (size_t)(line - text));
	list.n = page.lines.n;
	if (sought)
		browse_find(&list, sought);
	do
		key = browse_key(&list);
	while (key != SCREEN_ESCAPE && key != SCREEN_ENTER && !browse_leaves(key));
	browse_release(&list);
	vec_release(&page.lines);
	return key;
}
