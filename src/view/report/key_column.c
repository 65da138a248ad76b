// SPDX-License-Identifier: MIT
/* Fits the text of a key into its column. */
#include "view/report/report.h"

#include <elf.h>
#include <string.h>

#define VERBOSE_WIDTH 21 /* of an address, the origin of its symbol, and blanks */

/* Cuts the function's name to n characters. Offsets, addresses and the text behind the name are
 * kept whole. */
static void cut_name(const struct key_symbol *s, size_t start, size_t n, struct buf *out)
{
	const struct symbol *sym = s->frame->where->sym;
	size_t name;

	if (!sym || sym->type == STT_OBJECT)
		return;
	name = strlen(s->frame->where->name);
	if (name <= n)
		return;
	memmove(out->at + start + n, out->at + start + name, out->n - start - name);
	out->n -= name - n;
}

/* "[k] name", or "[k] 0x0123" with the address when the frame has no symbol. */
static void key_column_show_symbol(const struct key_symbol *s, bool verbose, unsigned int width,
				   struct buf *out)
{
	size_t start = out->n;

	if (verbose && !s->with_offset) {
		buf_str(out, s->address ? "0x" : "");
		buf_hex(out, s->address);
		if (out->n - start < 18)
			buf_fill(out, ' ', 18 - (out->n - start));
		buf_char(out, ' ');
		buf_char(out, s->frame->where->dso ? s->frame->where->dso->origin : '!');
		buf_char(out, ' ');
		width = width > VERBOSE_WIDTH ? width - VERBOSE_WIDTH : 0;
	}
	buf_char(out, '[');
	buf_char(out, s->level);
	buf_str(out, "] ");
	start = out->n;
	key_symbol_text(s, out);
	if (width >= 4)
		cut_name(s, start, width - 4, out);
	else if (s->with_offset)
		cut_name(s, start, 0, out);
}

/* "-12" with zeros to so many digits: "-0012". */
static void show_zeros(const char *number, unsigned int digits, struct buf *out)
{
	const bool negative = number[0] == '-';
	const size_t n = strlen(number + negative);

	if (negative)
		buf_char(out, '-');
	/* a zero of no digits is nothing */
	if (!digits && !strcmp(number, "0"))
		return;
	if (n < digits)
		buf_fill(out, '0', digits - n);
	buf_str(out, number + negative);
}

static void show_zeros_right(const char *number, unsigned int width, struct buf *out)
{
	struct buf text = {0};

	show_zeros(number, width > 3 ? width - 3 : 0, &text);
	buf_right(out, buf_text(&text), width);
	buf_release(&text);
}

static void show_colon(const char *text, unsigned int width, struct buf *out)
{
	const size_t n = strcspn(text, ":");

	if (n < 7)
		buf_fill(out, ' ', 7 - n);
	buf_add(out, text, n + 1);
	rows_left_cut(text + n + 1, MAX(width, 8u) - 8, out);
}

/* Fits the text at the end of out, from start on, by cutting or padding it behind. False: this fit
 * needs text in front of it. */
static bool fit_in_place(enum key_fit fit, unsigned int width, size_t start, struct buf *out)
{
	const size_t n = out->n - start;

	if (fit > KEY_SHORT)
		return false;
	if ((fit == KEY_CUT || fit == KEY_SHORT) && n > width)
		out->n = start + width;
	if ((fit == KEY_CUT || fit == KEY_LEFT) && n < width)
		buf_fill(out, ' ', width - n);
	return true;
}

static void fit_right(const char *text, size_t n, enum key_fit fit, unsigned int width,
		      struct buf *out)
{
	switch (fit) {
	case KEY_RIGHT:
		buf_right(out, text, width);
		break;
	case KEY_RIGHT_CUT:
		buf_fill(out, ' ', width - MIN(n, width));
		buf_add(out, text, MIN(n, width));
		break;
	case KEY_ZEROS:
		show_zeros(text, width, out);
		break;
	case KEY_ZEROS_RIGHT:
		show_zeros_right(text, width, out);
		break;
	case KEY_COLON:
		show_colon(text, width, out);
		break;
	default:
		break;
	}
}

static void show_text(const struct table *table, const struct key_use *use, const struct entry *e,
		      unsigned int width, struct buf *out)
{
	const size_t start = out->n;
	struct buf text = {0};

	use->key->text(table, use, e, e->values[use->index], out);
	if (fit_in_place(use->key->fit, width, start, out))
		return;
	buf_add(&text, out->at + start, out->n - start);
	out->n = start;
	fit_right(buf_text(&text), text.n, use->key->fit, width, out);
	buf_release(&text);
}

/* -t: replaces the separator in a value, where it would end the field. */
static void replace_separator(struct buf *b, size_t start, char separator)
{
	for (size_t i = start; i < b->n; i++)
		if (b->at[i] == separator)
			b->at[i] = '.';
}

void report_key(const struct table *table, const struct entry *e, const struct field *f,
		unsigned int width, const char *separator, struct out *out)
{
	const struct key_use *use = &table->layout.keys.at[f->key];
	const size_t start = out->buf.n;
	struct key_symbol symbol;

	if (use->key->symbol) {
		use->key->symbol(table, use, e, e->values[use->index], &symbol);
		key_column_show_symbol(&symbol, table->opts.verbose, width, &out->buf);
	} else {
		show_text(table, use, e, width, &out->buf);
	}
	buf_make_safe(&out->buf, start);
	if (separator)
		replace_separator(&out->buf, start, separator[0]);
}
