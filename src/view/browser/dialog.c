// SPDX-License-Identifier: MIT
/* Menus. */
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
