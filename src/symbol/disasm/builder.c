// SPDX-License-Identifier: MIT
#include "symbol/disasm/builder.h"

#define TAB 8

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

void disasm_set_place(struct disasm_builder *b, const char *file, size_t n, uint32_t line)
{
	if (!b->file || strlen(b->file) != n || memcmp(b->file, file, n))
		b->file = arena_strndup(&b->d->arena, file, n);
	b->number = b->line = line;
}

/* A copy with tabs expanded, for a text that begins in that column. */
static const char *expand_tabs(struct arena *arena, const char *text, size_t n, size_t column)
{
	AUTO_BUF out = {0};

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\t') {
			size_t more = TAB - column % TAB;

			buf_fill(&out, ' ', more);
			column += more;
		} else {
			buf_char(&out, text[i]);
			column++;
		}
	}
	buf_make_lines_safe(&out, 0);
	return arena_strndup(arena, out.at ? out.at : "", out.n);
}

static void builder_add(struct disasm_builder *b, uint64_t vaddr, const char *text)
{
	struct disasm_line line = {.vaddr = vaddr,
				   .text = text,
				   .number = b->number++,
				   .file = b->file,
				   .line = b->line};

	vec_add(&b->d->lines, line);
}

void disasm_add_text(struct disasm_builder *b, const char *text, size_t n)
{
	while (n && is_blank(*text)) {
		text++;
		n--;
	}
	while (n && is_blank(text[n - 1]))
		n--;
	builder_add(b, DISASM_NO_ADDRESS, expand_tabs(&b->d->arena, text, n, 0));
}

void disasm_add_instruction(struct disasm_builder *b, uint64_t vaddr, size_t column,
			    const char *text, size_t n)
{
	while (n && is_blank(text[n - 1]))
		n--;
	builder_add(b, vaddr, expand_tabs(&b->d->arena, text, n, column));
}
