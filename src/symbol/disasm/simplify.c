// SPDX-License-Identifier: MIT
#include "symbol/disasm/simplify.h"

#define COMMENT "        # " /* before the address of an operand, as binutils and we write it */

size_t disasm_name_width(const struct disasm_line *line)
{
	return strcspn(line->text + strspn(line->text, " "), " ");
}

bool disasm_jumps_inside(const struct disasm *d, const struct insn *insn)
{
	return insn->kind == INSN_JUMP && insn->has_target && insn->target >= d->start &&
	       insn->target <= d->end;
}

static void add_first_word(const char *text, size_t n, size_t width, struct buf *out)
{
	buf_add(out, text, n);
	buf_fill(out, ' ', n < width ? width - n : 0);
	buf_char(out, ' ');
}

static void add_jump(const struct disasm *d, const struct insn *insn, const char *text,
		     struct buf *out)
{
	const size_t first = insn->operands;

	buf_add(out, text + first, insn->target_at - first);
	buf_hex(out, insn->target - d->start);
}

/* "0x2e3b(%rip),%r10        # 4040 <table>" becomes "table,%r10". */
static bool add_named_operand(const char *operands, struct buf *out)
{
	const char *comment = strstr(operands, COMMENT), *rip = strstr(operands, "(%rip)"),
		   *start = rip, *name, *close;

	if (!comment || !rip || rip > comment || strchr(operands, '*'))
		return false;
	name = strchr(comment, '<');
	close = name ? strrchr(name, '>') : NULL;
	if (!close)
		return false;
	while (start > operands && start[-1] != ',' && start[-1] != ' ')
		start--;
	buf_add(out, operands, (size_t)(start - operands));
	buf_add(out, name + 1, (size_t)(close - name) - 1);
	rip += strlen("(%rip)");
	buf_add(out, rip, (size_t)(comment - rip));
	return true;
}

void disasm_simplify(const struct disasm *d, const struct disasm_line *line,
		     const struct insn *insn, const char *target, size_t width, struct buf *out)
{
	const char *text = line->text + strspn(line->text, " ");
	const size_t skipped = (size_t)(text - line->text), first = strcspn(text, " ");
	const char *rest = text + first + strspn(text + first, " ");
	const bool plain = insn->name == skipped;

	if (insn->kind == INSN_NOP && plain) {
		buf_left(out, "nop", width);
		return;
	}
	add_first_word(text, first, width, out);
	if (plain && disasm_jumps_inside(d, insn))
		add_jump(d, insn, line->text, out);
	else if (plain && target && *rest != '*')
		buf_str(out, target);
	else if (d->raw || !add_named_operand(rest, out))
		buf_str(out, rest);
}
