/* SPDX-License-Identifier: MIT */
/*
 * A screen of cells, and the terminal that shows it.
 *
 * Browsers draw into the cells and ask for keys. What shows the cells and reads the keys is a
 * struct screen_terminal: a real terminal by ncursesw (screen_open()), or memory, in which tests
 * look at cells and to which they type.
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

/* The smallest screen that is drawn on; on a smaller one stands a sentence that says so. */
#define SCREEN_COLUMNS_LEAST 40
#define SCREEN_ROWS_LEAST    10

/* How a cell looks. The flag STYLE_SELECTED may be added to each. */
enum style {
	STYLE_TEXT,
	STYLE_BAR,    /* title and status */
	STYLE_HEADER, /* of columns */
	STYLE_HOT,    /* 5 % and more */
	STYLE_WARM,   /* more than 0.5 % */
	STYLE_DIM,    /* what is said beside */
	STYLE_MATCH,  /* what is searched for */
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

/* Keys that are no characters. Characters are their Unicode numbers, control keys 1 to 26. */
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
	SCREEN_CLICK, /* screen.mouse_* say where; a second one at once is SCREEN_ENTER */
	SCREEN_WHEEL_UP,
	SCREEN_WHEEL_DOWN,
	SCREEN_RESIZED,
	SCREEN_OTHER, /* a key that has no meaning here */
	SCREEN_GONE,  /* no key comes any more: the terminal has gone, or the program is to end */
};
#define SCREEN_CTRL(letter) ((letter)&0x1f)

struct screen;

struct screen_terminal {
	void (*show)(struct screen *s);
	/* Waits for a key for at most so many milliseconds (-1: as long as it takes). 0: none. */
	int (*key)(struct screen *s, int timeout_ms);
	/* Finds the size, which may have changed. */
	void (*measure)(struct screen *s, unsigned int *columns, unsigned int *rows);
	void (*close)(struct screen *s);
};

struct screen {
	unsigned int columns, rows;
	struct screen_cell *cells; /* rows of columns */
	bool utf8;		   /* the terminal knows characters beyond ASCII */
	unsigned int mouse_column, mouse_row;
	/* Called instead of waiting for a key, when not NULL: samples go on meanwhile. It returns
	 * when one may have come, or after timeout_ms (-1: never). False: the program is to end. */
	bool (*wait)(void *ctx, int timeout_ms);
	void *wait_ctx;
	const struct screen_terminal *terminal;
	void *data; /* the terminal's own */
};

/* True where a browser can be: standard input and output are a terminal that can move its
 * cursor. */
bool screen_possible(void);
/* Takes the terminal over. The recording's names are shown as UTF-8 where the locale says so. NULL:
 * *err. */
struct screen *screen_open(struct err *err);
/* A screen of another terminal, which gets data. */
struct screen *screen_new(const struct screen_terminal *terminal, void *data);
/* The terminal is as it was before. */
void screen_close(struct screen *s);

/* Clears all cells; those of the size that the terminal has now. */
void screen_begin(struct screen *s);
void screen_show(struct screen *s);
int screen_key(struct screen *s, int timeout_ms);

/* A line of text, with a style from each of some bytes on. */
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
/* What is appended to l->text from now on has this style. */
void screen_line_style(struct screen_line *l, uint8_t style);

/*
 * Draws UTF-8 into one row from a column on, at most so many columns; what is not UTF-8, and
 * control characters, are '?'. Without utf8 so is all that is not ASCII. skip: columns of the text
 * that are left out in front. Returns the columns that were drawn.
 */
unsigned int screen_text(struct screen *s, unsigned int row, unsigned int column,
			 unsigned int width, const char *text, size_t n, uint8_t style);
/* A whole row: flags are added to all styles, and fill what is right of the text. Bytes of the line
 * that match the search (NULL: none) are STYLE_MATCH. */
void screen_draw_line(struct screen *s, unsigned int row, const struct screen_line *l,
		      unsigned int skip, uint8_t flags, const char *search);
/* One text over the whole row. */
void screen_bar(struct screen *s, unsigned int row, const char *text, uint8_t style);
/* The first place where a text stands in another one, whatever the case of letters when the sought
 * one has no capitals. NULL: nowhere, or nothing is sought. */
const char *screen_find(const char *text, const char *sought);

#endif
