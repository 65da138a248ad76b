// SPDX-License-Identifier: MIT
/* The terminal of a browser, by ncursesw. */
#include "view/browser/screen.h"

#include "base/mem.h"
#include "os/terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <ncursesw/curses.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

/* term.h's macros for the terminal's size */
#undef columns
#undef lines

struct curses {
	SCREEN *terminal;
	struct guard guard;
	attr_t attributes[STYLES];
	short pairs[STYLES];
	char *locale; /* LC_CTYPE before screen_open() */
};

bool screen_possible(void)
{
	const char *term = getenv("TERM");
	int failed;

	if (!terminal_is(STDIN_FILENO) || !terminal_is(STDOUT_FILENO) || !term || !*term ||
	    !strcmp(term, "dumb"))
		return false;
	if (setupterm(term, STDOUT_FILENO, &failed) == ERR)
		return false;
	failed = !cursor_address;
	del_curterm(cur_term);
	return !failed;
}

static void curses_measure(struct screen *s, unsigned int *columns, unsigned int *rows)
{
	(void)s;
	*columns = (unsigned int)COLS;
	*rows = (unsigned int)LINES;
}

static void curses_show(struct screen *s)
{
	const struct curses *c = s->data;

	for (unsigned int y = 0; y < s->rows; y++)
		for (unsigned int x = 0; x < s->columns; x++) {
			const struct screen_cell *cell = &s->cells[(size_t)y * s->columns + x];
			const wchar_t text[2] = {(wchar_t)cell->character, 0};
			const unsigned int style = cell->style & ~(unsigned int)STYLE_SELECTED;
			attr_t attributes = c->attributes[style];
			short pair = c->pairs[style];
			cchar_t out;

			if (!cell->character)
				continue;
			if (cell->style & STYLE_SELECTED) {
				attributes = style == STYLE_MATCH ? A_BOLD : A_REVERSE;
				pair = style == STYLE_MATCH ? pair : 0;
			}
			setcchar(&out, text, attributes, pair, NULL);
			mvadd_wch((int)y, (int)x, &out);
		}
	/* park a cursor that cannot be hidden in the last cell */
	move((int)s->rows - 1, (int)s->columns - 1);
	refresh();
}

static int mouse_key(struct screen *s)
{
	MEVENT event;

	if (getmouse(&event) == ERR)
		return SCREEN_OTHER;
	s->mouse_column = (unsigned int)MAX(event.x, 0);
	s->mouse_row = (unsigned int)MAX(event.y, 0);
	if (event.bstate & BUTTON4_PRESSED)
		return SCREEN_WHEEL_UP;
	if (event.bstate & BUTTON5_PRESSED)
		return SCREEN_WHEEL_DOWN;
	if (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))
		return SCREEN_CLICK;
	return SCREEN_OTHER;
}

static int function_key(struct screen *s, int key)
{
	static const struct {
		int curses, key;
	} table[] = {
		{KEY_UP, SCREEN_UP},	      {KEY_DOWN, SCREEN_DOWN},
		{KEY_LEFT, SCREEN_LEFT},      {KEY_RIGHT, SCREEN_RIGHT},
		{KEY_PPAGE, SCREEN_PAGE_UP},  {KEY_NPAGE, SCREEN_PAGE_DOWN},
		{KEY_HOME, SCREEN_HOME},      {KEY_END, SCREEN_END},
		{KEY_ENTER, SCREEN_ENTER},    {KEY_BACKSPACE, SCREEN_BACKSPACE},
		{KEY_BTAB, SCREEN_BACK_TAB},  {KEY_F(1), SCREEN_F1},
		{KEY_RESIZE, SCREEN_RESIZED},
	};

	if (key == KEY_MOUSE)
		return mouse_key(s);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].curses == key)
			return table[i].key;
	return SCREEN_OTHER;
}

static int character_key(int key)
{
	switch (key) {
	case '\r':
	case '\n':
		return SCREEN_ENTER;
	case '\t':
		return SCREEN_TAB;
	case 8:
	case 127:
		return SCREEN_BACKSPACE;
	default:
		return key ? key : SCREEN_OTHER;
	}
}

/* True when the terminal has gone: curses reports that like a missing key. */
static bool hung_up(void)
{
	struct pollfd fd = {STDIN_FILENO, POLLIN, 0};

	return poll(&fd, 1, 0) > 0 && fd.revents & (POLLHUP | POLLERR | POLLNVAL);
}

#define BYTE_MS 50 /* until the next byte of a character */

/* Reads the rest of a UTF-8 character. An invalid or incomplete one is no key. get_wch() is not
 * used: after a byte that begins no character it swallows the next 144 keys. */
static int utf8_key(int lead)
{
	static const int least[] = {0x80, 0x800, 0x10000};
	const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
	int key = lead & 0x3f >> more;

	if (lead < 0xc2 || lead > 0xf4)
		return SCREEN_OTHER;
	timeout(BYTE_MS);
	for (int i = 0; i < more; i++) {
		const int byte = getch();

		if (byte < 0x80 || byte > 0xbf) {
			if (byte != ERR)
				ungetch(byte);
			return SCREEN_OTHER;
		}
		key = key << 6 | (byte & 0x3f);
	}
	/* overlong ones, surrogates, and those beyond Unicode (RFC 3629) */
	if (key < least[more - 1] || key >> 11 == 0xd800 >> 11 || key >= 0x110000)
		return SCREEN_OTHER;
	return key;
}

/* ESC, or a sequence that nobody knows (CSI, ECMA-48): its bytes are no keys. */
static int escape_key(void)
{
	int byte;

	timeout(0);
	byte = getch();
	if (byte != '[') {
		if (byte != ERR)
			ungetch(byte);
		return SCREEN_ESCAPE;
	}
	do
		byte = getch();
	while (byte >= 0x20 && byte < 0x40);
	return SCREEN_OTHER;
}

static int curses_key(struct screen *s, int timeout_ms)
{
	int key;

	timeout(timeout_ms);
	key = getch();
	if (key == ERR)
		return hung_up() ? SCREEN_GONE : 0;
	if (key == 27)
		return escape_key();
	if (key == SCREEN_CTRL('l')) {
		clearok(curscr, TRUE);
		return SCREEN_RESIZED;
	}
	if (key >= KEY_MIN)
		return function_key(s, key);
	return key < 0x80 ? character_key(key) : utf8_key(key);
}

static void curses_close(struct screen *s)
{
	struct curses *c = s->data;

	endwin();
	delscreen(c->terminal);
	guard_end(&c->guard);
	setlocale(LC_CTYPE, c->locale);
	free(c->locale);
	free(c);
}

static const struct screen_terminal curses_terminal = {
	.show = curses_show,
	.key = curses_key,
	.measure = curses_measure,
	.close = curses_close,
};

static void choose_looks(struct curses *c)
{
	/* Of 256 colours boxes take light ones, on which black text is read easily. */
	static const short light[STYLES] = {
		[STYLE_BOX_PROGRAM] = 215, [STYLE_BOX_LIBRARY] = 150, [STYLE_BOX_KERNEL] = 117,
		[STYLE_BOX_JIT] = 182,	   [STYLE_BOX_UNKNOWN] = 252,
	};
	static const struct {
		attr_t plain, coloured;	  /* without colours, and with */
		short colour, background; /* -1: the terminal's own */
	} looks[STYLES] = {
		[STYLE_BAR] = {A_REVERSE, A_REVERSE, -1, -1},
		[STYLE_HEADER] = {A_BOLD, A_BOLD, -1, -1},
		[STYLE_HOT] = {A_BOLD, 0, COLOR_RED, -1},
		[STYLE_WARM] = {0, 0, COLOR_GREEN, -1},
		[STYLE_DIM] = {0, 0, COLOR_CYAN, -1},
		[STYLE_MATCH] = {A_UNDERLINE, A_UNDERLINE, COLOR_MAGENTA, -1},
		[STYLE_ARROW] = {0, 0, COLOR_BLUE, -1},
		[STYLE_BOX_PROGRAM] = {0, 0, COLOR_BLACK, COLOR_YELLOW},
		[STYLE_BOX_LIBRARY] = {0, 0, COLOR_BLACK, COLOR_GREEN},
		[STYLE_BOX_KERNEL] = {0, 0, COLOR_WHITE, COLOR_BLUE},
		[STYLE_BOX_JIT] = {0, 0, COLOR_BLACK, COLOR_CYAN},
		[STYLE_BOX_UNKNOWN] = {0, 0, COLOR_BLACK, COLOR_WHITE},
	};
	const bool colours = has_colors() && !getenv("NO_COLOR") && start_color() == OK &&
			     use_default_colors() == OK;

	for (int i = 0; i < STYLES; i++) {
		c->attributes[i] = colours ? looks[i].coloured : looks[i].plain;
		if (!colours || i == STYLE_TEXT || looks[i].colour < 0)
			continue;
		c->pairs[i] = (short)i;
		if (COLORS >= 256 && light[i])
			init_pair((short)i, 16, light[i]); /* 16: black whatever the theme */
		else
			init_pair((short)i, looks[i].colour, looks[i].background);
	}
}

/* Makes known what terminals send for these keys beside what TERM tells: many people's TERM is that
 * of another terminal, and a sequence that is not known would be ESC, which leaves. */
static void define_keys(void)
{
	static const struct {
		const char *sequence;
		int key;
	} keys[] = {
		{"\033[A", KEY_UP},    {"\033OA", KEY_UP},     {"\033[B", KEY_DOWN},
		{"\033OB", KEY_DOWN},  {"\033[C", KEY_RIGHT},  {"\033OC", KEY_RIGHT},
		{"\033[D", KEY_LEFT},  {"\033OD", KEY_LEFT},   {"\033[H", KEY_HOME},
		{"\033OH", KEY_HOME},  {"\033[1~", KEY_HOME},  {"\033[7~", KEY_HOME},
		{"\033[F", KEY_END},   {"\033OF", KEY_END},    {"\033[4~", KEY_END},
		{"\033[8~", KEY_END},  {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE},
		{"\033[Z", KEY_BTAB},  {"\033OP", KEY_F(1)},   {"\033[11~", KEY_F(1)},
		{"\033[[A", KEY_F(1)},
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!key_defined(keys[i].sequence))
			define_key(keys[i].sequence, keys[i].key);
}

static void add_capability(struct buf *out, const char *text)
{
	if (text)
		buf_str(out, text);
}

static void guard_terminal(struct curses *c, const struct termios *before)
{
	AUTO_BUF goodbye = {0};

	add_capability(&goodbye, exit_attribute_mode);
	add_capability(&goodbye, cursor_normal);
	add_capability(&goodbye, keypad_local);
	add_capability(&goodbye, exit_ca_mode);
	if (has_mouse())
		buf_str(&goodbye, "\033[?1006l\033[?1000l");
	terminal_guard_begin(&c->guard, STDOUT_FILENO, before, buf_text(&goodbye));
}

struct screen *screen_open(struct err *err)
{
	struct curses *c = NEW(struct curses);
	struct termios before = {0};
	struct screen *s;

	c->locale = mem_strdup(setlocale(LC_CTYPE, NULL));
	setlocale(LC_CTYPE, "");
	tcgetattr(STDIN_FILENO, &before);
	c->terminal = newterm(NULL, stdout, stdin);
	if (!c->terminal) {
		setlocale(LC_CTYPE, c->locale);
		free(c->locale);
		free(c);
		err_set(err, ERR_UNSUPPORTED, "the terminal '%s' is not known", getenv("TERM"));
		return NULL;
	}
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	define_keys();
	set_escdelay(25);
	curs_set(0);
	mouseinterval(0);
	mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
	choose_looks(c);
	guard_terminal(c, &before);
	s = screen_new(&curses_terminal, c);
	s->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	return s;
}
