// SPDX-License-Identifier: MIT
/*
 * Sources: tools/perf/Documentation/jitdump-specification.txt (a line is { u64 address, u32 line,
 * u32 discriminator, name }, where the name "\xff" is that of the line before); DWARF 4, 6.2
 * and 7.5.
 */
#include "symbol/jit/jit_lines.h"

#include "base/cursor.h"
#include "os/files/mapped.h"

#include <dwarf.h>

static int jit_lines_by_place(const void *a, const void *b)
{
	const struct jit_line *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* True for printable UTF-8. Some runtimes write bytes that are no name. */
static bool is_text(const char *s)
{
	while (*s) {
		const uint8_t c = (uint8_t)*s++;
		int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc2 ? 1 : 0;

		if (c < ' ' || c == 0x7f || (c >= 0x80 && !more) || c > 0xf4)
			return false;
		for (; more; more--)
			if ((*s++ & 0xc0) != 0x80)
				return false;
	}
	return true;
}

bool jit_lines_read(struct jit_lines *lines, int fd, const struct jit_line_table *table, bool swap,
		    uint64_t code_size)
{
	struct cursor c;
	const char *last = NULL;

	buf_reserve(&lines->bytes, table->size);
	c = cursor_over(lines->bytes.at,
			file_read_at(fd, table->offset, lines->bytes.at, table->size), swap);
	for (uint32_t i = 0; i < table->n; i++) {
		struct jit_line l = {.at = cursor_u64(&c) - table->base, .order = i};
		const char *name, *end;

		l.line = cursor_u32(&c);
		l.discriminator = cursor_u32(&c);
		name = (const char *)c.p;
		end = memchr(name, 0, cursor_left(&c));
		if (c.bad || !end)
			break;
		cursor_skip(&c, (size_t)(end + 1 - name));
		if (strcmp(name, "\xff")) {
			if (!*name || !is_text(name))
				break;
			last = name;
		}
		l.file = last;
		if (last && l.at < code_size)
			vec_add(lines, l);
	}
	if (lines->n)
		qsort(lines->at, lines->n, sizeof(*lines->at), jit_lines_by_place);
	return lines->n > 0;
}

void jit_lines_release(struct jit_lines *lines)
{
	buf_release(&lines->bytes);
	vec_release(lines);
}

const struct jit_line *jit_lines_find(const struct jit_lines *lines, uint64_t at)
{
	const struct jit_line *found = NULL;

	for (size_t i = 0; i < lines->n && lines->at[i].at <= at; i++)
		found = &lines->at[i];
	return found;
}

static void jit_lines_number(struct buf *b, uint64_t v, size_t size)
{
	uint8_t bytes[8] = {0};

	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		v = __builtin_bswap64(v) >> 8 * (8 - size);
	memcpy(bytes, &v, 8);
	buf_add(b, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? bytes + 8 - size : bytes, size);
}

static void uleb(struct buf *b, uint64_t v)
{
	for (; v > 0x7f; v >>= 7)
		buf_char(b, (char)(v | 0x80));
	buf_char(b, (char)v);
}

static void sleb(struct buf *b, int64_t v)
{
	for (; v < -0x40 || v > 0x3f; v >>= 7)
		buf_char(b, (char)(v | 0x80));
	buf_char(b, (char)(v & 0x7f));
}

static void jit_lines_text(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s) + 1);
}

/* Appends an extended opcode with n bytes of operands; the caller appends those. */
static void extended(struct buf *b, uint8_t opcode, size_t n)
{
	buf_char(b, 0);
	uleb(b, 1 + n);
	buf_char(b, (char)opcode);
}

static void program(struct buf *b, const struct jit_lines *lines, const uint32_t *files,
		    uint64_t address, uint64_t size)
{
	uint64_t at = 0, line = 1, file = 1;

	extended(b, DW_LNE_set_address, 8);
	jit_lines_number(b, address, 8);
	for (size_t i = 0; i < lines->n; i++) {
		const struct jit_line *l = &lines->at[i];

		if (files[i] != file) {
			buf_char(b, DW_LNS_set_file);
			uleb(b, files[i]);
		}
		if (l->discriminator) {
			struct buf operand = {0};

			uleb(&operand, l->discriminator);
			extended(b, DW_LNE_set_discriminator, operand.n);
			buf_add(b, operand.at, operand.n);
			buf_release(&operand);
		}
		buf_char(b, DW_LNS_advance_pc);
		uleb(b, l->at - at);
		buf_char(b, DW_LNS_advance_line);
		sleb(b, (int64_t)l->line - (int64_t)line);
		buf_char(b, DW_LNS_copy);
		at = l->at;
		line = l->line;
		file = files[i];
	}
	buf_char(b, DW_LNS_advance_pc);
	uleb(b, size - at);
	extended(b, DW_LNE_end_sequence, 0);
}

static void line_table(struct buf *b, const struct jit_lines *lines, uint64_t address,
		       uint64_t size)
{
	/* number of operands of each standard opcode */
	static const char lengths[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
	uint32_t *files = mem_alloc((lines->n + 1) * sizeof(*files));
	struct intern names = {0};
	struct buf rest = {0}, body = {0};

	jit_lines_number(&rest, 1, 1); /* minimum_instruction_length */
	jit_lines_number(&rest, 1, 1); /* maximum_operations_per_instruction */
	jit_lines_number(&rest, 1, 1); /* default_is_stmt */
	jit_lines_number(&rest, 0,
			 1); /* line_base; special opcodes are not used */
	jit_lines_number(&rest, 1, 1); /* line_range */
	jit_lines_number(&rest, sizeof(lengths) + 1, 1);
	buf_add(&rest, lengths, sizeof(lengths));
	buf_char(&rest, 0); /* no folders */
	for (size_t i = 0; i < lines->n; i++) {
		const size_t known = names.entries.n;

		files[i] = intern_str(&names, lines->at[i].file) + 1;
		if (files[i] <= known)
			continue;
		jit_lines_text(&rest, lines->at[i].file);
		buf_add(&rest, "\0\0", 3); /* folder, time, size */
	}
	buf_char(&rest, 0);
	program(&body, lines, files, address, size);
	jit_lines_number(b, 2 + 4 + rest.n + body.n, 4);
	jit_lines_number(b, 4, 2); /* version */
	jit_lines_number(b, rest.n, 4);
	buf_add(b, rest.at, rest.n);
	buf_add(b, body.at, body.n);
	buf_release(&rest);
	buf_release(&body);
	intern_release(&names);
	free(files);
}

void jit_dwarf_build(struct jit_dwarf *d, const struct jit_lines *lines, uint64_t address,
		     uint64_t size)
{
	static const uint8_t attributes[] = {DW_AT_name, DW_FORM_string, DW_AT_stmt_list,
					     DW_FORM_sec_offset, DW_AT_low_pc, DW_FORM_addr,
					     DW_AT_high_pc, DW_FORM_data8, 0, 0, 0};
	struct buf unit = {0};

	uleb(&d->abbrev, 1);
	uleb(&d->abbrev, DW_TAG_compile_unit);
	buf_char(&d->abbrev, DW_CHILDREN_no);
	buf_add(&d->abbrev, attributes, sizeof(attributes));
	jit_lines_number(&unit, 4, 2); /* version */
	jit_lines_number(&unit, 0, 4); /* offset in .debug_abbrev */
	jit_lines_number(&unit, 8, 1); /* size of an address */
	uleb(&unit, 1);
	jit_lines_text(&unit, lines->at[0].file);
	jit_lines_number(&unit, 0, 4); /* offset in .debug_line */
	jit_lines_number(&unit, address, 8);
	jit_lines_number(&unit, size, 8);
	jit_lines_number(&d->info, unit.n, 4);
	buf_add(&d->info, unit.at, unit.n);
	buf_release(&unit);
	line_table(&d->line, lines, address, size);
}

void jit_dwarf_release(struct jit_dwarf *d)
{
	buf_release(&d->abbrev);
	buf_release(&d->info);
	buf_release(&d->line);
}
