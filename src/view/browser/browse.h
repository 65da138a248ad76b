/* SPDX-License-Identifier: MIT */
/*
 * A browser: a list of rows with a title above and a status line below. It handles the keys that
 * move, search and scroll. Its owner provides the rows and handles all other keys.
 *
 * A row's text is made only when the row is shown, so the cost of a long list is that of one
 * screen. A search makes the text of rows until one matches.
 */
#ifndef VIEW_BROWSER_BROWSE_H
#define VIEW_BROWSER_BROWSE_H

#include "view/browser/screen.h"

#define SHIFT_STEP 8 /* characters that a list without columns scrolls to the side by */

struct browse_ops {
	/* Appends row's text. */
	void (*row)(void *ctx, size_t row, struct screen_line *out);
	/* Draws a view that is no list into the screen's rows [body, body + height). row() is then
	 * called by searches only. NULL: the rows are drawn as a list. */
	void (*draw)(void *ctx);
	void (*title)(void *ctx, struct buf *out);
	/* Appends the column headers; NULL, or nothing appended: no header line. */
	void (*header)(void *ctx, struct screen_line *out);
	/* Appends the text of the status line, about the selected row. */
	void (*status)(void *ctx, struct buf *out);
	/* Waits for more rows, and adds them to the browser's .n: for lists that grow while they
	 * are shown. False: there are none left, or a key was typed meanwhile. NULL: no list that
	 * grows. */
	bool (*more)(void *ctx);
	/* Sorts by the column that the header line has at this character. NULL: rows are not sorted
	 * by columns. */
	void (*sort_at)(void *ctx, unsigned int column);
	/* The first character to be shown when the user scrolls to the side from this one. NULL:
	 * some characters further. */
	unsigned int (*beside)(void *ctx, unsigned int from, bool right);
	/* The key '?' searches back, as in perf's annotate. Otherwise it shows help, as h and F1.
	 */
	bool searches_back;
	/* The keys LEFT and RIGHT are the owner's. Otherwise they scroll to the side. */
	bool owns_sides;
	/* The owner's keys, one in each line: "key<TAB>what it does". Keys of all browsers are
	 * added. */
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
	struct buf message;	   /* shown in the status line until the next key */
};

void browse_release(struct browse *b);
/* Draws the whole browser, and shows it. */
void browse_show(struct browse *b);
/* Handles a key that moves, searches or shows help. Returns 0 when it did, else the key. A double
 * click on a row returns SCREEN_ENTER. */
int browse_take(struct browse *b, int key);
/* Shows the browser until a key comes that it does not handle, and returns that key. On SCREEN_GONE
 * the caller must leave the browser. */
int browse_key(struct browse *b);
/* Selects a row. A row that was not visible is shown in the middle. */
void browse_select(struct browse *b, size_t row);
/* True when the row was on the screen when that was drawn last. */
bool browse_sees(const struct browse *b, size_t row);
/* Selects the first row that matches; n and N then continue this search. False: no row matches. */
bool browse_find(struct browse *b, const char *sought);
/* Scrolls to the side. */
void browse_scroll(struct browse *b, bool right);
/* Shows a message until the next key. */
void browse_say(struct browse *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Shows an error until the next key, or, when it needs more than the status line, as a page. */
void browse_say_error(struct browse *b, const struct err *err);
/* Tells which key shows help: for keys that mean nothing. */
void browse_say_unknown(struct browse *b);
/* True for the keys that leave any browser: q, Q and ^C, SCREEN_GONE. */
bool browse_leaves(int key);

/* -- dialogs on the browser's screen -- */

/* Asks for a line in place of the status line. text has the initial text, and gets the answer.
 * False when the user left with Escape. */
bool browse_ask(struct browse *b, const char *question, struct buf *text);
/* Asks a question in the status line. True: ENTER, y, or a key that leaves any browser. */
bool browse_confirm(struct browse *b, const char *question);
/* Shows a menu of n items over the browser. Returns the index of the chosen item; -1: none. */
long browse_choose(struct browse *b, const char *title, const char *const *items, size_t n);
/* A text that is still being written. */
struct browse_feed {
	int fd; /* is polled */
	/* Appends the next bytes, for which it may wait. False: there are none left; the last lines
	 * were appended. */
	bool (*read)(void *ctx, struct buf *text);
	void *ctx;
};
/* Shows a text as browse_text_at() does, from its first bytes on. It is read as far as it is looked
 * at, or searched. */
int browse_text_feed(struct screen *s, const char *title, const struct browse_feed *feed,
		const char *sought);
/* Shows a text of many lines, which can be searched, until a key leaves it. Returns that key. */
int browse_text(struct screen *s, const char *title, const char *text);
/* The same, of a text that is made for the screen's width, and anew when that changes. */
int browse_text_wrapped(struct screen *s, const char *title,
			void (*make)(void *ctx, unsigned int columns, struct buf *out), void *ctx);
/* The same as browse_text(), starting at the first line that contains sought. */
int browse_text_at(struct screen *s, const char *title, const char *text, const char *sought);

#endif
