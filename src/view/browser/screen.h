/* SPDX-License-Identifier: MIT */
/*
 * A screen of cells, and the terminal that shows it.
 *
 * Browsers draw into the cells and ask for keys. A struct screen_terminal shows the cells and reads
 * the keys. It is a real terminal by ncursesw (screen_open()), or memory in tests, which read the
 * cells and supply the keys.
 *
 *   screen_open -> { draw -> screen_show -> screen_key } ... -> screen_close
 */
#ifndef VIEW_BROWSER_SCREEN_H
#define VIEW_BROWSER_SCREEN_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The smallest screen that browsers draw on; a smaller one shows a sentence that says so. */
#define SCREEN_COLUMNS_LEAST 40
#define SCREEN_ROWS_LEAST    10

/* How a cell looks. The flag STYLE_SELECTED may be added to each. */
enum style {
	STYLE_TEXT,
	STYLE_BAR,    /* title and status */
	STYLE_HEADER, /* of columns */
	STYLE_HOT,    /* 5 % and more */
	STYLE_WARM,   /* more than 0.5 % */
	STYLE_DIM,    /* additional text */
	STYLE_MATCH,  /* text that matches the search */
	STYLE_ARROW,
	STYLE_BOX_PROGRAM, /* boxes of flame graphs, by the kind of code */
	STYLE_BOX_LIBRARY,
	STYLE_BOX_KERNEL,
	STYLE_BOX_JIT,
	STYLE_BOX_UNKNOWN,
	STYLES,
	STYLE_SELECTED = 0x40,
};

struct screen_cell {
	uint32_t character; /* Unicode; 0: the right half of a wide one */
	uint8_t style;
};

/* Keys that are no characters. A character is its Unicode number, a control key 1 to 26. */
enum screen_key {
	SCREEN_UP = 0x110000,
	SCREEN_DOWN,
	SCREEN_LEFT,
	SCREEN_RIGHT,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_HOME,
	SCREEN_END,
	SCREEN_BACKSPACE,
	SCREEN_ENTER,
	SCREEN_ESCAPE,
	SCREEN_TAB,
	SCREEN_BACK_TAB,
	SCREEN_F1,
	SCREEN_CLICK, /* at screen.mouse_*; a double click is SCREEN_ENTER */
	SCREEN_WHEEL_UP,
	SCREEN_WHEEL_DOWN,
	SCREEN_RESIZED,
	SCREEN_OTHER, /* a key that has no meaning here */
	SCREEN_GONE,  /* no more keys: the terminal has gone, or the program must end */
};
#define SCREEN_CTRL(letter) ((letter)&0x1f)

struct screen;

struct screen_terminal {
	void (*show)(struct screen *s);
	/* Waits up to timeout_ms for a key (-1: without limit). Returns 0 when none came. */
	int (*key)(struct screen *s, int timeout_ms);
	/* Gets the terminal's current size. */
	void (*measure)(struct screen *s, unsigned int *columns, unsigned int *rows);
	void (*close)(struct screen *s);
};

struct screen {
	unsigned int columns, rows;
	struct screen_cell *cells; /* rows of columns */
	bool utf8;		   /* the terminal can show characters beyond ASCII */
	unsigned int mouse_column, mouse_row;
	/* When not NULL, called instead of waiting for a key, so that samples can be read
	 * meanwhile. It returns when a key may have come, or after timeout_ms (-1: no timeout).
	 * False: the program must end. */
	bool (*wait)(void *ctx, int timeout_ms);
	void *wait_ctx;
	const struct screen_terminal *terminal;
	void *data; /* the terminal's own */
};

/* True when browsers work here: standard input and output are a terminal that can move its
 * cursor. */
bool screen_possible(void);
/* Takes over the terminal. Names are shown as UTF-8 when the locale is UTF-8. NULL with *err on
 * failure. */
struct screen *screen_open(struct err *err);
/* A screen on another terminal; data becomes its .data. */
struct screen *screen_new(const struct screen_terminal *terminal, void *data);
/* Restores the terminal, and frees the screen. */
void screen_close(struct screen *s);

/* Adapts the cells to the terminal's current size, and clears all of them. */
void screen_begin(struct screen *s);
void screen_show(struct screen *s);
int screen_key(struct screen *s, int timeout_ms);

/* A line of text with marks; each mark sets the style from a byte on. */
struct screen_line {
	struct buf text;
	struct {
		size_t from;
		uint8_t style;
	} marks[24];
	unsigned int n_marks;
};
void screen_line_clear(struct screen_line *l);
void screen_line_release(struct screen_line *l);
/* Text appended to l->text from now on has this style. */
void screen_line_style(struct screen_line *l, uint8_t style);

/*
 * Draws UTF-8 text into one row, from a column on, in at most width columns. Invalid UTF-8 and
 * control characters are drawn as '?'; without .utf8 all characters beyond ASCII are. skip: columns
 * of the text to skip at its start. Returns the number of columns drawn.
 */
unsigned int screen_text(struct screen *s, unsigned int row, unsigned int column,
			 unsigned int width, const char *text, size_t n, uint8_t style);
/* Draws a whole row. flags are added to all styles, also right of the text. Bytes that match the
 * search (NULL: none) get STYLE_MATCH. */
void screen_draw_line(struct screen *s, unsigned int row, const struct screen_line *l,
		      unsigned int skip, uint8_t flags, const char *search);
/* Draws one text in one style over the whole row. */
void screen_bar(struct screen *s, unsigned int row, const char *text, uint8_t style);
/* The first occurrence of sought in text. Ignores case when sought has no capitals. NULL: no
 * occurrence, or sought is empty or NULL. */
const char *screen_find(const char *text, const char *sought);

#endif
