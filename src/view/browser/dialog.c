// SPDX-License-Identifier: MIT
/* Questions, menus and errors. */
#include "view/browser/browse.h"

#include "base/mem.h"

#include <string.h>

/* -- errors -- */

/* Appends text in lines of at most width bytes, broken at blanks. */
static void add_wrapped(const char *text, size_t width, struct buf *out)
{
	while (*text) {
		const size_t line = strcspn(text, "\n");
		size_t n = MIN(line, width);

		while (n < line && n && text[n] != ' ')
			n--;
		if (n < line && !n) /* a word wider than the line */
			n = width;
		buf_add(out, text, n);
		buf_char(out, '\n');
		text += n;
		text += *text == ' ' || *text == '\n';
	}
}

static void error_make(void *ctx, unsigned int columns, struct buf *out)
{
	const struct err *err = ctx;

	if (!err->drawn)
		add_wrapped(err->text, columns - 1, out);
	if (!err->drawn && err->hint[0])
		buf_char(out, '\n');
	add_wrapped(err->hint, columns - 1, out);
}

void browse_say_error(struct browse *b, const struct err *err)
{
	struct err shown = *err;

	if (!err->hint[0] && !strchr(err->text, '\n') && strlen(err->text) <= b->screen->columns)
		browse_say(b, "%s", err->text);
	else
		browse_text_wrapped(b->screen, "This cannot be done", error_make, &shown);
}

/* -- questions -- */

bool browse_confirm(struct browse *b, const char *question)
{
	int key;

	do {
		browse_say(b, "%s  ENTER: yes, ESC: no", question);
		browse_show(b);
		key = screen_key(b->screen, -1);
	} while (!key || key == SCREEN_RESIZED || key == SCREEN_OTHER);
	buf_clear(&b->message);
	return key == SCREEN_ENTER || key == 'y' || key == 'Y' || browse_leaves(key);
}

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
					      .owns_sides = true,
					      .help = "ENTER, RIGHT\tchoose\n"
						      "LEFT\tback\n"};
	struct menu menu = {title, items};
	struct browse list = {.screen = b->screen, .ops = &ops, .ctx = &menu, .n = n};
	bool chosen = false, left = false;

	while (!chosen && !left) {
		const int key = browse_key(&list);

		chosen = key == SCREEN_ENTER || key == SCREEN_RIGHT;
		left = key == SCREEN_ESCAPE || key == SCREEN_LEFT || browse_leaves(key);
		if (!chosen && !left)
			browse_say_unknown(&list);
	}
	browse_release(&list);
	return chosen && n ? (long)list.at : -1;
}
