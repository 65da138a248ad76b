// SPDX-License-Identifier: MIT
/* Screens, and a list on a screen, in memory: keys come from a text, cells are looked at. */
#include "sides.h"

#include "base/mem.h"
#include "view/browser/hist.h"

#include <locale.h>
#include <stdlib.h>

/* A terminal in memory. */
struct memory {
	unsigned int columns, rows;
	const int *keys; /* ends with 0 */
	unsigned int shown;
	bool closed;
};

static void memory_show(struct screen *s)
{
	struct memory *m = s->data;

	m->shown++;
}

static int memory_key(struct screen *s, int timeout_ms)
{
	struct memory *m = s->data;

	(void)timeout_ms;
	return *m->keys ? *m->keys++ : SCREEN_GONE;
}

static void memory_measure(struct screen *s, unsigned int *columns, unsigned int *rows)
{
	const struct memory *m = s->data;

	*columns = m->columns;
	*rows = m->rows;
}

static void memory_close(struct screen *s)
{
	struct memory *m = s->data;

	m->closed = true;
}

static const struct screen_terminal memory_terminal = {memory_show, memory_key, memory_measure,
						       memory_close};

/* A row of cells: ASCII as it is, other characters as <hexadecimal>, without blanks at its end. */
static const char *row_text(const struct screen *s, unsigned int row, struct buf *out)
{
	buf_clear(out);
	for (unsigned int x = 0; x < s->columns; x++) {
		const uint32_t c = s->cells[row * s->columns + x].character;

		if (c >= 0x80)
			buf_printf(out, "<%x>", c);
		else if (c)
			buf_char(out, (char)c);
	}
	while (out->n && out->at[out->n - 1] == ' ')
		out->n--;
	return buf_text(out);
}

static void text_is_cut_to_cells(void **state)
{
	static const struct {
		const char *text, *utf8, *ascii;
		unsigned int width, skip;
	} rows[] = {
		{"plain", "plain", "plain", 40, 0},
		{"plain", "pla", "pla", 3, 0},
		{"plain", "ain", "ain", 40, 2},
		{"h\xc3\xa4h", "h<e4>h", "h?h", 40, 0},
		/* two columns each: the second one has no room */
		{"\xe6\x97\xa5\xe6\x9c\xac", "<65e5>", "???", 3, 0},
		/* no UTF-8, cut UTF-8, overlong, control characters, and what only terminals read
		 */
		{"a\xff\xc3", "a??", "a??", 40, 0},
		{"\xc0\x80", "??", "??", 40, 0},
		{"a\033[31mb\177", "a?[31mb?", "a?[31mb?", 40, 0},
		{"\xc2\x9b", "?", "?", 40, 0},
	};
	struct memory m = {.columns = 40, .rows = 10};
	struct screen *s = screen_new(&memory_terminal, &m);
	struct screen_line line = {0};
	AUTO_BUF text = {0};

	(void)state;
	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (int utf8 = 0; utf8 < 2; utf8++) {
			s->utf8 = utf8;
			screen_begin(s);
			if (rows[i].skip) {
				screen_line_clear(&line);
				buf_str(&line.text, rows[i].text);
				screen_draw_line(s, 0, &line, rows[i].skip, 0, NULL);
			} else {
				screen_text(s, 0, 0, rows[i].width, rows[i].text,
					    strlen(rows[i].text), STYLE_TEXT);
			}
			if (i != 4 || utf8) /* without UTF-8 each is one column wide */
				assert_string_equal(row_text(s, 0, &text),
						    utf8 ? rows[i].utf8 : rows[i].ascii);
		}
	/* outside of the screen nothing is drawn */
	assert_int_equal(screen_text(s, 10, 0, 9, "x", 1, STYLE_TEXT), 0);
	assert_int_equal(screen_text(s, 0, 40, 9, "x", 1, STYLE_TEXT), 0);
	assert_int_equal(screen_text(s, 0, 38, 9, "xyz", 3, STYLE_TEXT), 2);
	screen_line_release(&line);
	screen_close(s);
	assert_true(m.closed);
}

static void search_tells_capitals_only_when_asked_with_some(void **state)
{
	const char text[] = "one Two";

	(void)state;
	assert_ptr_equal(screen_find(text, "two"), text + 4);
	assert_ptr_equal(screen_find(text, "Two"), text + 4);
	assert_null(screen_find(text, "One"));
	assert_null(screen_find(text, ""));
	assert_null(screen_find(text, NULL));
}

/* A list whose rows are their numbers, which counts how often one is asked for. */
struct numbers {
	size_t asked;
};

static void number_row(void *ctx, size_t row, struct screen_line *out)
{
	struct numbers *n = ctx;

	n->asked++;
	buf_printf(&out->text, "row %zu.", row);
}

static void number_title(void *ctx, struct buf *out)
{
	(void)ctx;
	buf_str(out, "numbers");
}

static const struct browse_ops number_ops = {.row = number_row, .title = number_title};

/* The key that the list gives back after these, and where it is then. */
static int type_keys(struct browse *b, const int *keys)
{
	struct memory *m = b->screen->data;

	m->keys = keys;
	return browse_key(b);
}

static void a_million_rows_cost_what_the_screen_shows(void **state)
{
	static const int end[] = {SCREEN_END, 'x', 0}, page[] = {SCREEN_PAGE_UP, 'x', 0},
			 home[] = {SCREEN_HOME, SCREEN_UP, SCREEN_DOWN, 'x', 0};
	struct memory m = {.columns = 40, .rows = 12};
	struct numbers numbers = {0};
	struct browse b = {.screen = screen_new(&memory_terminal, &m),
			   .ops = &number_ops,
			   .ctx = &numbers,
			   .n = 1000000};
	AUTO_BUF text = {0};

	(void)state;
	assert_int_equal(type_keys(&b, end), 'x');
	assert_int_equal(b.at, 999999);
	assert_string_equal(row_text(b.screen, 10, &text),
			    "row 999999.                            #");
	assert_string_equal(row_text(b.screen, 11, &text),
			    "                                  ?:help");
	type_keys(&b, page);
	assert_int_equal(b.at, 999990);
	type_keys(&b, home);
	assert_int_equal(b.at, 1);
	/* two screens for the first, two for the second, four for the third */
	assert_int_equal(numbers.asked, 8 * 10);
	browse_release(&b);
	screen_close(b.screen);
}

static void searching_goes_round(void **state)
{
	static const int search[] = {'/', '9', '9', '.', SCREEN_ENTER, 'x', 0},
			 next[] = {'n', 'x', 0}, back[] = {'N', 'N', 'x', 0},
			 not_there[] = {'/', 'z', 'x', SCREEN_ESCAPE, 'y', 0};
	struct memory m = {.columns = 40, .rows = 12};
	struct numbers numbers = {0};
	struct browse b = {.screen = screen_new(&memory_terminal, &m),
			   .ops = &number_ops,
			   .ctx = &numbers,
			   .n = 300};

	(void)state;
	type_keys(&b, search);
	assert_int_equal(b.at, 99);
	type_keys(&b, next);
	assert_int_equal(b.at, 199);
	type_keys(&b, next);
	type_keys(&b, next);
	assert_int_equal(b.at, 99);
	type_keys(&b, back);
	assert_int_equal(b.at, 199);
	assert_int_equal(type_keys(&b, not_there), 'y');
	assert_int_equal(b.at, 199);
	browse_release(&b);
	screen_close(b.screen);
}

static void questions_take_all_characters(void **state)
{
	static const int keys[] = {
		'a',	  0xe9,	     0x20ac,	     0x65e5, 0x1f525, SCREEN_BACKSPACE,
		0x10ffff, SCREEN_UP, SCREEN_RESIZED, 0x9b,   0x7f,    SCREEN_ENTER,
		0};
	static const int removed[] = {SCREEN_BACKSPACE, SCREEN_BACKSPACE, SCREEN_BACKSPACE,
				      SCREEN_ENTER, 0};
	struct memory m = {.columns = 40, .rows = 12, .keys = keys};
	struct numbers numbers = {0};
	struct browse b = {
		.screen = screen_new(&memory_terminal, &m), .ops = &number_ops, .ctx = &numbers};
	AUTO_BUF text = {0};

	(void)state;
	assert_true(browse_ask(&b, "text", &text));
	assert_string_equal(buf_text(&text), "a\xc3\xa9\xe2\x82\xac\xe6\x97\xa5\xf4\x8f\xbf\xbf");
	m.keys = removed;
	assert_true(browse_ask(&b, "text", &text));
	assert_string_equal(buf_text(&text), "a\xc3\xa9");
	browse_release(&b);
	screen_close(b.screen);
}

static void all_sizes_and_lengths_are_drawn(void **state)
{
	static const int keys[] = {SCREEN_END, SCREEN_PAGE_UP, SCREEN_HOME, '?', SCREEN_ESCAPE, 'x',
				   0};
	struct memory m = {0};
	struct numbers numbers = {0};

	(void)state;
	for (m.rows = 0; m.rows < 14; m.rows++)
		for (m.columns = 0; m.columns < 50; m.columns += 7)
			for (size_t n = 0; n < 15; n += 7) {
				struct browse b = {.screen = screen_new(&memory_terminal, &m),
						   .ops = &number_ops,
						   .ctx = &numbers,
						   .n = n};

				assert_int_equal(type_keys(&b, keys), 'x');
				browse_release(&b);
				screen_close(b.screen);
			}
	assert_true(m.shown > 14 * 7 * 2);
}

/* -- rows of a table that is made anew -- */

struct tables {
	const struct table *at[3];
	size_t n;
};

static const struct table *next_table(void *ctx, const struct table_options *opts, struct err *err)
{
	struct tables *t = ctx;

	(void)opts;
	(void)err;
	return t->at[t->n++];
}

/* The function of the selected row, and the row's number. */
static void assert_selected(const struct hist *h, const char *name, size_t row)
{
	const struct hist_row r = hist_row(h, h->browse.at);
	AUTO_BUF text = {0};

	hist_row_name(h, &r, &text);
	assert_string_equal(buf_text(&text), name);
	assert_int_equal(h->browse.at, row);
}

/* A recording whose 26 functions have samples, of which one has the most. */
static const struct table *alphabet(struct side *s, unsigned int most)
{
	side_begin(s, "abcdefghijklmnopqrstuvwxyz");
	for (unsigned int i = 0; i < 26; i++)
		side_add(s, i, i == most ? 100 : 30 - i, 1);
	return side_finish(s, "symbol", 0);
}

static void new_samples_do_not_scroll(void **state)
{
	struct memory m = {.columns = 60, .rows = 10};
	struct screen *s = screen_new(&memory_terminal, &m);
	struct side sides[3];
	struct tables tables = {{alphabet(&sides[0], 26), alphabet(&sides[1], 20),
				 alphabet(&sides[2], 25)}, 0};
	const struct hist_source source = {.make = next_table, .ctx = &tables};
	const struct table_options opts = {.filter.socket = -1};
	const struct report_view view = {.quiet = true};
	struct hist h;
	struct err e = {0};

	(void)state;
	assert_int_equal(hist_init(&h, s, &source, &opts, &view, &e), 0);
	browse_select(&h.browse, 1);
	browse_show(&h.browse);
	assert_selected(&h, "b", 1);
	/* the row is still on the screen: it stays selected, where it is now */
	assert_int_equal(hist_refresh(&h, &e), 0);
	assert_selected(&h, "b", 2);
	/* it has left the screen: the row in its place is selected */
	browse_select(&h.browse, 25);
	browse_show(&h.browse);
	assert_selected(&h, "z", 25);
	assert_int_equal(hist_refresh(&h, &e), 0);
	assert_selected(&h, "y", 25);
	/* what the user does scrolls to it */
	tables.n = 0;
	assert_int_equal(hist_remake(&h, &e), 0);
	browse_select(&h.browse, 25);
	browse_show(&h.browse);
	tables.n = 2;
	assert_int_equal(hist_remake(&h, &e), 0);
	assert_selected(&h, "z", 0);
	hist_release(&h);
	screen_close(s);
	for (size_t i = 0; i < ARRAY_SIZE(sides); i++)
		side_end(&sides[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_cut_to_cells),
		cmocka_unit_test(search_tells_capitals_only_when_asked_with_some),
		cmocka_unit_test(a_million_rows_cost_what_the_screen_shows),
		cmocka_unit_test(searching_goes_round),
		cmocka_unit_test(questions_take_all_characters),
		cmocka_unit_test(all_sizes_and_lengths_are_drawn),
		cmocka_unit_test(new_samples_do_not_scroll),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
