// SPDX-License-Identifier: MIT
#include "view/browser/screen.h"

#include "base/mem.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

struct screen *screen_new(const struct screen_terminal *terminal, void *data)
{
	struct screen *s = NEW(struct screen);

	s->terminal = terminal;
	s->data = data;
	screen_begin(s);
	return s;
}

void screen_close(struct screen *s)
{
	if (!s)
		return;
	s->terminal->close(s);
	free(s->cells);
	free(s);
}

void screen_begin(struct screen *s)
{
	unsigned int columns = 0, rows = 0;

	s->terminal->measure(s, &columns, &rows);
	if (columns != s->columns || rows != s->rows) {
		s->columns = columns;
		s->rows = rows;
		s->cells = mem_resize(s->cells, (size_t)columns * rows * sizeof(*s->cells) + 1);
	}
	for (size_t i = 0; i < (size_t)columns * rows; i++)
		s->cells[i] = (struct screen_cell){' ', STYLE_TEXT};
}

void screen_show(struct screen *s)
{
	if (s->columns < SCREEN_COLUMNS_LEAST || s->rows < SCREEN_ROWS_LEAST) {
		for (size_t i = 0; i < (size_t)s->columns * s->rows; i++)
			s->cells[i] = (struct screen_cell){' ', STYLE_TEXT};
		screen_bar(s, 0, "terminal too small: 40x10 at least", STYLE_TEXT);
	}
	s->terminal->show(s);
}

int screen_key(struct screen *s, int timeout_ms)
{
	int key;

	if (!s->wait)
		return s->terminal->key(s, timeout_ms);
	key = s->terminal->key(s, 0);
	if (key || !timeout_ms)
		return key;
	if (!s->wait(s->wait_ctx, timeout_ms))
		return SCREEN_GONE;
	return s->terminal->key(s, 0);
}

/* -- lines -- */

void screen_line_clear(struct screen_line *l)
{
	buf_clear(&l->text);
	l->n_marks = 0;
}

void screen_line_release(struct screen_line *l)
{
	buf_release(&l->text);
	l->n_marks = 0;
}

void screen_line_style(struct screen_line *l, uint8_t style)
{
	if (l->n_marks && l->marks[l->n_marks - 1].from == l->text.n)
		l->n_marks--;
	if (l->n_marks == ARRAY_SIZE(l->marks))
		return;
	l->marks[l->n_marks].from = l->text.n;
	l->marks[l->n_marks++].style = style;
}

/* -- characters -- */

/* Decodes the character at p, where n > 0 bytes are left; *length: its bytes. '?' for invalid
 * UTF-8. */
static uint32_t decode(const uint8_t *p, size_t n, size_t *length)
{
	const size_t len = *p < 0x80   ? 1
			   : *p < 0xc2 ? 0
			   : *p < 0xe0 ? 2
			   : *p < 0xf0 ? 3
			   : *p < 0xf5 ? 4
				       : 0;
	uint32_t c;

	*length = 1;
	if (len == 1)
		return *p < 0x20 || *p == 0x7f ? '?' : *p;
	if (!len || len > n)
		return '?';
	c = *p & (0xffu >> (len + 1));
	for (size_t i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return '?';
		c = c << 6 | (p[i] & 0x3f);
	}
	*length = len;
	return c < 0xa0 ? '?' : c;
}

static unsigned int character_width(uint32_t c)
{
	const int width = c < 0x300 ? 1 : wcwidth((wchar_t)c);

	return width < 0 ? 1 : (unsigned int)width;
}

/* The position and limits at which text is drawn. */
struct pen {
	struct screen *s;
	unsigned int row, column, end; /* end: the first column behind its area */
	unsigned int skip;	       /* columns still to skip */
};

static void draw_character(struct pen *pen, uint32_t c, uint8_t style)
{
	struct screen_cell *row = &pen->s->cells[(size_t)pen->row * pen->s->columns];
	unsigned int width;

	if (c >= 0x80 && !pen->s->utf8)
		c = c >= 0x2190 && c < 0x2194 ? (uint32_t)"<^>v"[c - 0x2190] : '?';
	width = character_width(c);
	if (!width) /* combining characters are left out */
		return;
	if (pen->skip) {
		pen->skip -= width < pen->skip ? width : pen->skip;
		return;
	}
	if (pen->column + width > pen->end) {
		pen->end = pen->column;
		return;
	}
	row[pen->column++] = (struct screen_cell){c, style};
	if (width == 2)
		row[pen->column++] = (struct screen_cell){0, style};
}

unsigned int screen_text(struct screen *s, unsigned int row, unsigned int column,
			 unsigned int width, const char *text, size_t n, uint8_t style)
{
	struct pen pen = {s, row, column, MIN(column + width, s->columns), 0};
	size_t length;

	if (row >= s->rows || column >= s->columns)
		return 0;
	for (size_t i = 0; i < n && pen.column < pen.end; i += length)
		draw_character(&pen, decode((const uint8_t *)text + i, n - i, &length), style);
	return pen.column - column;
}

const char *screen_find(const char *text, const char *sought)
{
	bool capitals = false;

	if (!sought || !*sought)
		return NULL;
	for (const char *c = sought; *c; c++)
		capitals |= isupper((unsigned char)*c) != 0;
	return capitals ? strstr(text, sought) : strcasestr(text, sought);
}

void screen_draw_line(struct screen *s, unsigned int row, const struct screen_line *l,
		      unsigned int skip, uint8_t flags, const char *search)
{
	struct screen_line *line = (struct screen_line *)(uintptr_t)l; /* to end its text */
	const char *text = buf_text(&line->text), *found = screen_find(text, search);
	struct pen pen = {s, row, 0, s->columns, skip};
	uint8_t style = STYLE_TEXT;
	unsigned int mark = 0;
	size_t length;

	if (row >= s->rows)
		return;
	for (size_t i = 0; i < l->text.n && pen.column < pen.end; i += length) {
		const size_t at = (size_t)(found ? found - text : 0);
		uint8_t now;

		while (mark < l->n_marks && l->marks[mark].from <= i)
			style = l->marks[mark++].style;
		now = found && i >= at && i < at + strlen(search) ? STYLE_MATCH : style;
		draw_character(&pen, decode((const uint8_t *)text + i, l->text.n - i, &length),
			       now | flags);
		if (found && i + length >= at + strlen(search))
			found = screen_find(text + i + length, search);
	}
	for (; pen.column < s->columns; pen.column++)
		s->cells[(size_t)row * s->columns + pen.column] =
			(struct screen_cell){' ', STYLE_TEXT | flags};
}

void screen_bar(struct screen *s, unsigned int row, const char *text, uint8_t style)
{
	unsigned int column;

	if (row >= s->rows)
		return;
	column = screen_text(s, row, 0, s->columns, text, strlen(text), style);
	for (; column < s->columns; column++)
		s->cells[(size_t)row * s->columns + column] = (struct screen_cell){' ', style};
}
