/* SPDX-License-Identifier: MIT */
/*
 * A browser: a list of rows with a title above and a status line below, which moves, searches and
 * scrolls by itself. Its owner says what the rows are and handles all other keys.
 *
 * Rows are asked for when they are shown: a list of millions costs what its screen costs. A search
 * asks for rows until one matches.
 */
#ifndef VIEW_BROWSER_BROWSE_H
#define VIEW_BROWSER_BROWSE_H

#include "view/browser/screen.h"

struct browse_ops {
	/* Appends row's text. */
	void (*row)(void *ctx, size_t row, struct screen_line *out);
	/* Draws into the screen's rows [body, body + height) what is no list; row is then only
	 * asked for what a search looks at. NULL: the rows are drawn. */
	void (*draw)(void *ctx);
	void (*title)(void *ctx, struct buf *out);
	/* What the columns are; NULL, or nothing appended: no such line. */
	void (*header)(void *ctx, struct screen_line *out);
	/* What is said of the selected row. */
	void (*status)(void *ctx, struct buf *out);
	/* Keys, one a line: "key<TAB>what it does", without those of all browsers. */
	const char *help;
};

struct browse {
	struct screen *screen;
	const struct browse_ops *ops;
	void *ctx;
	size_t n;		   /* rows */
	size_t top;		   /* the first that is shown */
	size_t at;		   /* the selected one */
	unsigned int shift;	   /* columns left out on the left */
	unsigned int body, height; /* screen rows of the list: the first, and how many */
	const char *help;		   /* more lines like ops->help, or NULL */
	struct buf search;	   /* what n and N look for */
	struct buf message;	   /* stands on the status line until the next key */
};

void browse_release(struct browse *b);
/* Draws and shows all of it. */
void browse_show(struct browse *b);
/* Moves, searches, helps: 0 when the key was one of those, else the key. A row that was clicked
 * twice is SCREEN_ENTER. */
int browse_take(struct browse *b, int key);
/* Shows the browser until a key comes that is not its own. SCREEN_GONE must be obeyed. */
int browse_key(struct browse *b);
/* Selects a row, and shows it in the middle when it was not to be seen. */
void browse_select(struct browse *b, size_t row);
/* Selects the first row that matches, which n and N go on from. False: none does. */
bool browse_find(struct browse *b, const char *sought);
void browse_say(struct browse *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* True for the keys that leave any browser: q, Q and ^C, SCREEN_GONE. */
bool browse_leaves(int key);

/* -- dialogs on the browser's screen -- */

/* Asks for a line in place of the status line; text holds what stands there at first. False when it
 * was left by Escape. */
bool browse_ask(struct browse *b, const char *question, struct buf *text);
/* Lets one of n items be chosen, from a menu over the browser. -1: none. */
long browse_choose(struct browse *b, const char *title, const char *const *items, size_t n);
/* A text of many lines, with search and all, until a key leaves it. The key. */
int browse_text(struct screen *s, const char *title, const char *text);
/* The same, from the first line with what is sought. */
int browse_text_at(struct screen *s, const char *title, const char *text, const char *sought);

#endif
