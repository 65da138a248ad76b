// SPDX-License-Identifier: MIT
#include "view/browser/browse.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void browse_release(struct browse *b)
{
	buf_release(&b->search);
	buf_release(&b->message);
}

void browse_say(struct browse *b, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	buf_clear(&b->message);
	buf_str(&b->message, text);
}

void browse_say_unknown(struct browse *b)
{
	browse_say(b, "no such key: %c lists the keys", b->ops->searches_back ? 'h' : '?');
}

bool browse_leaves(int key)
{
	return key == 'q' || key == 'Q' || key == SCREEN_CTRL('c') || key == SCREEN_GONE;
}

/* -- what is seen -- */

static void keep_in_sight(struct browse *b)
{
	if (b->at >= b->n)
		b->at = b->n ? b->n - 1 : 0;
	if (b->at < b->top)
		b->top = b->at;
	if (b->height && b->at >= b->top + b->height)
		b->top = b->at - b->height + 1;
	if (b->top + b->height > b->n)
		b->top = b->n > b->height ? b->n - b->height : 0;
}

bool browse_sees(const struct browse *b, size_t row)
{
	return row >= b->top && row < b->top + b->height;
}

void browse_select(struct browse *b, size_t row)
{
	if (!browse_sees(b, row))
		b->top = row > b->height / 2 ? row - b->height / 2 : 0;
	b->at = row;
}

/* Draws, in the last column, which part of the list is visible. */
static void draw_slider(struct browse *b)
{
	static const char *const signs[2][2] = {{"|", "#"}, {"\u2502", "\u2588"}};
	const size_t length = b->n ? MAX((size_t)b->height * b->height / b->n, 1u) : 0;
	const size_t room = b->n - b->height, way = b->height - length;
	const size_t first = room ? (b->top * way + room / 2) / room : 0;
	struct screen *s = b->screen;

	for (size_t y = 0; y < b->height; y++) {
		const char *sign = signs[s->utf8][y >= first && y < first + length];

		screen_text(s, b->body + (unsigned int)y, s->columns - 1, 1, sign, strlen(sign),
			    STYLE_DIM);
	}
}

static void draw_status(struct browse *b)
{
	const char *help = b->ops->searches_back ? "  h:help" : "  ?:help";
	struct screen *s = b->screen;
	AUTO_BUF text = {0};

	if (b->message.n)
		buf_add(&text, b->message.at, b->message.n);
	else if (b->ops->status)
		b->ops->status(b->ctx, &text);
	screen_bar(s, s->rows - 1, buf_text(&text), STYLE_BAR);
	/* a message that needs all of the line is worth more than the hint */
	if (!b->message.n || text.n + strlen(help) <= s->columns)
		screen_text(s, s->rows - 1, s->columns - (unsigned int)strlen(help), s->columns,
			    help, strlen(help), STYLE_BAR);
}

static void draw_rows(struct browse *b)
{
	struct screen_line line = {0};

	for (unsigned int y = 0; y < b->height && b->top + y < b->n; y++) {
		screen_line_clear(&line);
		b->ops->row(b->ctx, b->top + y, &line);
		screen_draw_line(b->screen, b->body + y, &line, b->shift,
				 b->top + y == b->at ? STYLE_SELECTED : 0, buf_text(&b->search));
	}
	screen_line_release(&line);
}

static void browse_draw(struct browse *b)
{
	struct screen *s = b->screen;
	struct screen_line header = {0};
	AUTO_BUF title = {0};

	screen_begin(s);
	b->ops->title(b->ctx, &title);
	screen_bar(s, 0, buf_text(&title), STYLE_BAR);
	b->body = 1;
	screen_line_style(&header, STYLE_HEADER);
	if (b->ops->header)
		b->ops->header(b->ctx, &header);
	if (header.text.n)
		screen_draw_line(s, b->body++, &header, b->shift, 0, NULL);
	screen_line_release(&header);
	b->height = s->rows > b->body + 1 ? s->rows - b->body - 1 : 0;
	if (b->ops->draw) {
		b->ops->draw(b->ctx);
	} else {
		keep_in_sight(b);
		draw_rows(b);
		if (b->n > b->height)
			draw_slider(b);
	}
	if (s->rows)
		draw_status(b);
}

void browse_show(struct browse *b)
{
	browse_draw(b);
	screen_show(b->screen);
}

/* -- search -- */

static bool row_matches(struct browse *b, size_t row, const char *sought, struct screen_line *line)
{
	screen_line_clear(line);
	b->ops->row(b->ctx, row, line);
	return screen_find(buf_text(&line->text), sought);
}

/* Selects the first matching row of [from, to). */
static bool search_span(struct browse *b, size_t from, size_t to)
{
	const char *sought = buf_text(&b->search);
	struct screen_line line = {0};
	bool found = false;

	for (size_t row = from; row < to && !found && *sought; row++) {
		found = row_matches(b, row, sought, &line);
		if (found)
			browse_select(b, row);
	}
	screen_line_release(&line);
	return found;
}

/* Selects the last matching row of [from, to). */
static bool search_span_back(struct browse *b, size_t from, size_t to)
{
	const char *sought = buf_text(&b->search);
	struct screen_line line = {0};
	bool found = false;

	for (size_t row = to; row-- > from && !found && *sought;) {
		found = row_matches(b, row, sought, &line);
		if (found)
			browse_select(b, row);
	}
	screen_line_release(&line);
	return found;
}

/* Searches the rows that are still to come. */
static bool search_ahead(struct browse *b)
{
	size_t seen = b->n;
	bool found = false;

	while (!found && b->search.n && b->ops->more && b->ops->more(b->ctx)) {
		found = search_span(b, seen, b->n);
		seen = b->n;
	}
	return found;
}

/* Selects the first matching row, starting at row from and wrapping around. ahead: rows that are
 * still to come are searched, too. False: no row matches. */
static bool search_rows(struct browse *b, size_t from, bool back, bool ahead)
{
	bool found;

	if (back)
		return search_span_back(b, 0, MIN(from + 1, b->n)) ||
		       search_span_back(b, from + 1, b->n);
	found = search_span(b, from, b->n) || (ahead && search_ahead(b)) ||
		search_span(b, 0, MIN(from, b->n));
	/* the rows below it, so that it stays in the middle of the screen */
	while (found && b->n < b->at + b->height && b->ops->more && b->ops->more(b->ctx))
		;
	return found;
}

bool browse_find(struct browse *b, const char *sought)
{
	buf_clear(&b->search);
	buf_str(&b->search, sought);
	return search_rows(b, 0, false, true);
}

static void say_not_found(struct browse *b)
{
	browse_say(b, "'%s' is nowhere", buf_text(&b->search));
}

static void search_on(struct browse *b, bool back)
{
	if (!b->search.n || !b->n)
		return;
	if (!search_rows(b, back ? (b->at + b->n - 1) % b->n : b->at + 1, back, true))
		say_not_found(b);
}

/* Appends a character as UTF-8. */
static void add_character(struct buf *text, unsigned int c)
{
	static const uint8_t leads[] = {0, 0xc0, 0xe0, 0xf0};
	const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

	buf_char(text, (char)(leads[more] | c >> 6 * more));
	for (int i = more; i-- > 0;)
		buf_char(text, (char)(0x80 | (c >> 6 * i & 0x3f)));
}

/* Edits a line of text in place of the status line. Handles one key and returns it, so that the
 * caller can act on each key. */
static int type_key(struct browse *b, const char *question, struct buf *text)
{
	struct screen *s = b->screen;
	const char *shown = buf_text(text);
	const size_t room =
		s->columns > strlen(question) + 3 ? s->columns - strlen(question) - 3 : 0;
	AUTO_BUF line = {0};
	int key;

	browse_draw(b);
	/* of a text wider than the screen, its end: that is where characters are added */
	if (text->n > room)
		shown += text->n - room;
	while (((uint8_t)*shown & 0xc0) == 0x80)
		shown++;
	buf_printf(&line, "%s: %s_", question, shown);
	if (s->rows)
		screen_bar(s, s->rows - 1, buf_text(&line), STYLE_BAR);
	screen_show(s);
	key = screen_key(s, -1);
	if (key == SCREEN_BACKSPACE) {
		while (text->n && ((uint8_t)text->at[text->n - 1] & 0xc0) == 0x80)
			text->n--;
		text->n -= text->n > 0;
	} else if (key == SCREEN_CTRL('u')) {
		buf_clear(text);
	} else if ((key >= ' ' && key < 0x7f) || (key >= 0xa0 && key < 0x110000)) {
		add_character(text, (unsigned int)key);
	}
	return key;
}

static bool typing_ends(int key)
{
	return key == SCREEN_ESCAPE || key == SCREEN_CTRL('c') || key == SCREEN_GONE;
}

bool browse_ask(struct browse *b, const char *question, struct buf *text)
{
	int key;

	do
		key = type_key(b, question, text);
	while (key != SCREEN_ENTER && !typing_ends(key));
	return key == SCREEN_ENTER;
}

/* Each typed key selects the first row that matches the text so far; Escape returns to the row
 * before the search. */
static void search_incrementally(struct browse *b, bool back)
{
	const size_t before = b->at;
	struct buf last = b->search;
	bool found = false;
	int key;

	b->search = (struct buf){0};
	do {
		key = type_key(b, back ? "search back" : "search", &b->search);
		b->at = before;
		found = b->n && search_rows(b, before, back, key == SCREEN_ENTER);
	} while (key != SCREEN_ENTER && !typing_ends(key));
	if (key == SCREEN_ENTER && b->search.n) {
		if (!found)
			say_not_found(b);
		buf_release(&last);
		return;
	}
	if (key == SCREEN_ENTER) { /* nothing was typed: search for the last text again */
		buf_release(&b->search);
		b->search = last;
		search_on(b, back);
		return;
	}
	buf_release(&b->search);
	buf_release(&last);
	browse_select(b, before);
}

/* -- keys -- */

static void move_by(struct browse *b, long rows)
{
	if (rows < 0)
		b->at -= MIN((size_t)-rows, b->at);
	else
		b->at = b->n ? MIN(b->at + (size_t)rows, b->n - 1) : 0;
}

static int browse_click(struct browse *b)
{
	const size_t row = b->top + b->screen->mouse_row - b->body;

	if (b->ops->sort_at && b->body > 1 && b->screen->mouse_row == b->body - 1)
		b->ops->sort_at(b->ctx, b->screen->mouse_column + b->shift);
	if (b->screen->mouse_row < b->body || b->screen->mouse_row >= b->body + b->height ||
	    row >= b->n)
		return 0;
	if (row == b->at)
		return SCREEN_ENTER;
	b->at = row;
	return 0;
}

#define HELP_KEYS 18 /* columns */

/* Appends "key<TAB>what it does" as lines of at most width columns, the second part indented. */
static void add_help_line(const char *line, size_t end, unsigned int width, struct buf *out)
{
	const size_t key = strcspn(line, "\t");
	const char *text = line + key + 1;
	size_t left = end - key - 1;
	const size_t room = MAX(width, HELP_KEYS + 16u) - HELP_KEYS;

	buf_printf(out, "%-*.*s", HELP_KEYS - 1, (int)key, line);
	while (left) {
		size_t n = MIN(left, room - 1);

		while (n < left && n > 1 && text[n] != ' ')
			n--;
		if (n == 1) /* a word wider than the room */
			n = MIN(left, room - 1);
		buf_printf(out, " %.*s\n", (int)n, text);
		n += text[n] == ' ' && n < left;
		text += n;
		left -= n;
		if (left)
			buf_fill(out, ' ', HELP_KEYS - 1);
	}
}

/* Appends the keys of a browser, in lines of the screen's width. */
static void browse_help_make(void *ctx, unsigned int columns, struct buf *out)
{
	static const char moves[] = "UP/DOWN, wheel\tmove\n"
				    "PGUP/PGDN, SPACE\tmove by a screen\n"
				    "HOME/END\tthe first, the last row\n";
	static const char search[] = "/\tsearch while you type\n";
	static const char others[] = "n, N\tthe next, the previous match\n"
				     "click\tselect a row; a second click is ENTER\n";
	static const char leave[] = "CTRL-L\tdraw the screen anew\n"
				    "ESC\tback\nq, CTRL-C\tleave\n\n";
	const struct browse *b = ctx;
	const struct browse_ops *o = b->ops;
	const char *parts[] = {
		moves,
		o->owns_sides ? NULL : "LEFT/RIGHT\tscroll to the side\n",
		search,
		o->searches_back ? "?\tsearch back while you type\n" : NULL,
		others,
		o->sort_at ? "click on a header\tsort by the column\n" : NULL,
		o->searches_back ? "h, F1\tthis help\n" : "h, ?, F1\tthis help\n",
		leave,
		o->help,
		b->help,
	};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		for (const char *line = parts[i]; line && *line;) {
			const size_t end = strcspn(line, "\n");

			if (end)
				add_help_line(line, end, columns - 1, out);
			else
				buf_char(out, '\n');
			line += end + 1;
		}
}

static void browse_help(struct browse *b)
{
	browse_text_wrapped(b->screen, "Keys", browse_help_make, b);
}

void browse_scroll(struct browse *b, bool right)
{
	if (b->ops->beside)
		b->shift = b->ops->beside(b->ctx, b->shift, right);
	else if (right)
		b->shift += SHIFT_STEP;
	else
		b->shift -= MIN(b->shift, (unsigned int)SHIFT_STEP);
}

/* Moves the selection; true when the key was a moving one. */
static bool browse_move(struct browse *b, int key)
{
	const long page = MAX((long)b->height - 1, 1);

	switch (key) {
	case SCREEN_UP:
	case SCREEN_DOWN:
		move_by(b, key == SCREEN_UP ? -1 : 1);
		return true;
	case SCREEN_WHEEL_UP:
	case SCREEN_WHEEL_DOWN:
		move_by(b, key == SCREEN_WHEEL_UP ? -3 : 3);
		return true;
	case SCREEN_PAGE_UP:
		b->top -= MIN(b->top, (size_t)page);
		move_by(b, -page);
		return true;
	case SCREEN_PAGE_DOWN:
	case ' ':
		b->top += (size_t)page; /* drawing keeps it within the list */
		move_by(b, page);
		return true;
	case SCREEN_HOME:
		b->at = 0;
		return true;
	case SCREEN_END:
		while (b->ops->more && b->ops->more(b->ctx))
			;
		b->at = b->n ? b->n - 1 : 0;
		return true;
	case SCREEN_LEFT:
	case SCREEN_RIGHT:
		if (!b->ops->owns_sides)
			browse_scroll(b, key == SCREEN_RIGHT);
		return !b->ops->owns_sides;
	default:
		return false;
	}
}

int browse_take(struct browse *b, int key)
{
	buf_clear(&b->message);
	if (browse_move(b, key))
		return 0;
	switch (key) {
	case SCREEN_CLICK:
		return browse_click(b);
	case '/':
		search_incrementally(b, false);
		return 0;
	case 'n':
	case 'N':
		search_on(b, key == 'N');
		return 0;
	case '?':
		if (b->ops->searches_back)
			search_incrementally(b, true);
		else
			browse_help(b);
		return 0;
	case 'h':
	case SCREEN_F1:
		browse_help(b);
		return 0;
	case SCREEN_RESIZED:
	case SCREEN_OTHER:
		return 0;
	default:
		return key;
	}
}

int browse_key(struct browse *b)
{
	int key;

	do {
		browse_show(b);
		key = browse_take(b, screen_key(b->screen, -1));
	} while (!key);
	return key;
}
