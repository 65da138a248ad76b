// SPDX-License-Identifier: MIT
#include "symbol/disasm/insn.h"

#include "base/mem.h"

#include <ctype.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* True when the word is in the list. */
static bool list_has(const char *list, const char *word, size_t n)
{
	while (list && *list) {
		const size_t length = strcspn(list, " ");

		if (list[length - 1] == '*' ? n + 1 >= length && !memcmp(list, word, length - 1)
					    : n == length && !memcmp(list, word, n))
			return true;
		list += length;
		list += strspn(list, " ");
	}
	return false;
}

bool insn_is_prefix(const char *word, size_t n)
{
	static const char prefixes[] = "lock rep repz repnz repe repne bnd notrack data16 addr32 "
				       "cs ds es fs gs ss rex.W rex "
				       "xacquire xrelease {evex} {vex}";

	return list_has(prefixes, word, n);
}

/* True when the list of returns has the instruction. Some instructions return with one operand ("br
 * %r14") and jump with others. */
static bool returns(const char *list, const char *name, size_t n, const char *operands)
{
	while (list && *list) {
		const size_t length = strcspn(list, ",");
		const char *blank = memchr(list, ' ', length);
		const size_t word = blank ? (size_t)(blank - list) : length;

		if (n == word && !memcmp(list, name, n) &&
		    (!blank || !strncmp(operands, blank + 1, length - word - 1)))
			return true;
		list += length;
		list += strspn(list, ", ");
	}
	return false;
}

static enum insn_kind insn_kind_of(const struct insn_machine *m, const char *name, size_t n,
				   const char *operands)
{
	if (returns(m->returns, name, n, operands))
		return INSN_RETURN;
	if (list_has(m->calls, name, n))
		return INSN_CALL;
	if (list_has(m->jumps, name, n))
		return INSN_JUMP;
	return list_has(m->nops, name, n) ? INSN_NOP : INSN_OTHER;
}

/* Parses a number at text: "0x1f", "-32", "+0x4", or (hex) hexadecimal without "0x". Returns its
 * length; 0: none. */
static size_t number_at(const char *text, bool hex, uint64_t *value)
{
	const size_t sign = *text == '-' || *text == '+';
	size_t i = sign, digits;
	uint64_t v = 0;

	if (text[i] == '0' && text[i + 1] == 'x') {
		i += 2;
		hex = true;
	}
	for (digits = i; hex ? isxdigit((unsigned char)text[i]) : isdigit((unsigned char)text[i]);
	     i++)
		v = v * (hex ? 16 : 10) + (uint64_t)(isdigit((unsigned char)text[i])
							     ? text[i] - '0'
							     : (text[i] | 32) - 'a' + 10);
	*value = *text == '-' ? 0 - v : v;
	return i == digits ? 0 : i;
}

/* The start of the comment, or the end of the text. */
static const char *end_of_operands(const char *operands)
{
	static const char *const comments[] = {" # ", " // ", " ; ", " @ "};
	const char *end = operands + strlen(operands);

	for (size_t i = 0; i < ARRAY_SIZE(comments); i++) {
		const char *at = strstr(operands, comments[i]);

		if (at && at < end)
			end = at;
	}
	return end;
}

/* The last operand, before a comment. */
static const char *last_operand(const char *operands)
{
	const char *end = end_of_operands(operands), *at = operands;

	for (const char *p = operands; p < end; p++)
		if (*p == ',' ||
		    (is_blank(*p) && p + 1 < end && (p[1] == '.' || isdigit((unsigned char)p[1]))))
			at = p + 1;
	while (is_blank(*at))
		at++;
	return at;
}

/* Parses objdump's target: "1139 <main+0x20>", or "0x1139" without symbols. */
static void read_objdump_target(struct insn *i, const struct insn_machine *m, const char *text)
{
	const char *operands = text + i->operands, *angle = strchr(operands, '<');
	const char *at = angle && angle > operands ? angle - 1 : NULL;

	while (at && at > operands && isxdigit((unsigned char)at[-1]))
		at--;
	if (at && at > operands + 1 && at[-1] == 'x' && at[-2] == '0')
		at -= 2;
	if (!at) {
		if (m->form == TARGET_UNTOLD)
			return;
		at = last_operand(operands);
		if (*at == '*' || *at == '%')
			return;
	}
	i->target_n = number_at(at, true, &i->target);
	i->target_at = (size_t)(at - text);
	/* a register's name may look like a number */
	i->has_target = i->target_n && (angle || !at[i->target_n] || is_blank(at[i->target_n]));
}

static void read_llvm_target(struct insn *i, const struct insn_machine *m, const char *text,
			     uint64_t vaddr)
{
	const char *operands = text + i->operands, *at = last_operand(operands);

	if (m->form == TARGET_UNTOLD)
		return;
	if (m->form == TARGET_GOTO) {
		at = strstr(text, "goto ");
		if (!at)
			return;
		at += 5;
		at += strspn(at, " ");
	}
	if (m->form == TARGET_DOT && *at++ != '.')
		return;
	if (*at == '#')
		at++;
	i->target_n = number_at(at, false, &i->target);
	if (!i->target_n ||
	    (at[i->target_n] && !is_blank(at[i->target_n]) && at[i->target_n] != '#'))
		return;
	i->has_target = true;
	i->target_at = (size_t)(at - text) - (m->form == TARGET_DOT);
	i->target_n += m->form == TARGET_DOT;
	if (m->form == TARGET_GOTO)
		i->target = vaddr + 8 + i->target * 8;
	else if (m->form != TARGET_ADDRESS)
		i->target += vaddr;
	if (m->bits == 32)
		i->target = (uint32_t)i->target;
}

void insn_read(struct insn *i, const struct insn_machine *m, const char *text, uint64_t vaddr,
	       bool llvm)
{
	size_t at = 0, n;

	*i = (struct insn){0};
	for (;;) {
		at += strspn(text + at, " \t");
		n = strcspn(text + at, " \t");
		if (!n || !insn_is_prefix(text + at, n) ||
		    !text[at + n + strspn(text + at + n, " \t")])
			break;
		at += n;
	}
	i->name = at;
	i->name_n = n;
	i->operands = at + n + strspn(text + at + n, " \t");
	i->kind = insn_kind_of(m, text + at, n, text + i->operands);
	if (i->kind != INSN_JUMP && i->kind != INSN_CALL)
		return;
	i->always = i->kind == INSN_JUMP && list_has(m->always, text + at, n);
	if (llvm)
		read_llvm_target(i, m, text, vaddr);
	else
		read_objdump_target(i, m, text);
}
