// SPDX-License-Identifier: MIT
/* Operands of AArch64: the register that is written comes first, but for stores. */
#include "base/mem.h"
#include "probe/types/operand.h"

#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define STACK_POINTER 31
#define OPERANDS_MOST 4
#define CALL_CHANGES  0x4007ffff /* x0 to x18, and x30 */

/* The operands' texts: "x0", "[x1, #8]!", "lsl #3". */
struct a64_texts {
	struct a64_text {
		const char *p;
		size_t n;
	} at[OPERANDS_MOST];
	unsigned int n;
};

static void texts_split(struct a64_texts *t, const char *text)
{
	*t = (struct a64_texts){.n = 0};
	while (t->n < OPERANDS_MOST) {
		bool inside = false;
		size_t n = 0;

		text += strspn(text, " \t");
		for (; text[n] && (inside || text[n] != ',') && strncmp(text + n, "//", 2) &&
		       text[n] != '<';
		     n++)
			inside = text[n] == '[' || (inside && text[n] != ']');
		if (!n)
			return;
		t->at[t->n].p = text;
		t->at[t->n++].n = n;
		text += n;
		if (*text++ != ',')
			return;
	}
}

/* "x7", "w7", "sp" at the beginning of a text; "xzr" is no register. */
static int register_at(const char *text, bool *whole)
{
	char *end;
	unsigned long number;

	*whole = *text != 'w';
	if (!strncmp(text, "sp", 2) || !strncmp(text, "wsp", 3))
		return STACK_POINTER;
	if ((*text != 'x' && *text != 'w') || !isdigit((unsigned char)text[1]))
		return NO_REGISTER;
	number = strtoul(text + 1, &end, 10);
	return number < STACK_POINTER && !isalnum((unsigned char)*end) ? (int)number : NO_REGISTER;
}

static int64_t number_of(const char *text)
{
	text += strspn(text, " #");
	return *text == '-' ? -(int64_t)strtoull(text + 1, NULL, 0)
			    : (int64_t)strtoull(text, NULL, 0);
}

/* "[x1]", "[x1, #8]", "[x1, x2, lsl #3]", "[x1, #8]!"; a number behind it is added to x1 later. */
static void a64_read_memory(struct operands *o, struct operand *m, const struct a64_text *t,
			    const struct a64_text *behind)
{
	const char *end = t->p + t->n, *comma = memchr(t->p, ',', t->n);
	bool whole;

	*m = (struct operand){.kind = OPERAND_MEMORY, .index = NO_REGISTER};
	m->base = register_at(t->p + 1, &whole);
	if (comma) {
		comma++;
		comma += strspn(comma, " ");
		if (*comma == '#')
			m->offset = number_of(comma);
		else
			m->index = register_at(comma, &whole);
	}
	if (end[-1] == '!') {
		o->stepped = m->base;
		o->step = m->offset;
	} else if (behind && *behind->p == '#') {
		o->stepped = m->base;
		o->step = number_of(behind->p);
	} else if (behind) { /* a register's value */
		o->pair = m->base;
	}
}

static void a64_read_operand(struct operand *o, const struct a64_text *t)
{
	*o = (struct operand){.index = NO_REGISTER};
	o->base = register_at(t->p, &o->whole);
	if (o->base != NO_REGISTER) {
		o->kind = OPERAND_REGISTER;
	} else if (*t->p == '#') {
		o->kind = OPERAND_NUMBER;
		o->offset = number_of(t->p);
	}
}

/* An address in the text: of adrp, and of loads near the instruction. */
static void a64_read_address(struct operand *o, const struct a64_text *t)
{
	const char *digits = t->p + (!strncmp(t->p, "0x", 2) ? 2 : 0);

	if (!isxdigit((unsigned char)*digits))
		return;
	*o = (struct operand){.kind = OPERAND_MEMORY,
			      .base = NO_REGISTER,
			      .index = NO_REGISTER,
			      .has_address = true,
			      .address = strtoull(digits, NULL, 16)};
}

static bool starts(const char *name, size_t n, const char *with)
{
	return n >= strlen(with) && !memcmp(name, with, strlen(with));
}

/* add x0, x1, #8; add x0, x1, x2: the address of what lies there. */
static void a64_read_sum(struct operands *o, const struct a64_texts *t, bool negative)
{
	struct operand right;

	a64_read_operand(&o->from, &t->at[1]);
	a64_read_operand(&right, &t->at[2]);
	if (o->from.kind != OPERAND_REGISTER || (negative && right.kind != OPERAND_NUMBER))
		return;
	o->from.kind = OPERAND_MEMORY;
	o->from.index = right.base;
	if (right.kind == OPERAND_NUMBER)
		o->from.offset = negative ? -right.offset : right.offset;
	if (t->n > 3 && right.kind == OPERAND_NUMBER && starts(t->at[3].p, t->at[3].n, "lsl"))
		o->from.offset =
			(int64_t)((uint64_t)o->from.offset << (number_of(t->at[3].p + 3) & 63));
	o->operation = OPERATION_ADDRESS;
	o->n = 2;
}

/* The operand in memory, and those before it. */
static void a64_read_access(struct operands *o, const struct a64_texts *t, unsigned int memory,
			    bool store)
{
	const struct a64_text *behind = memory + 1 < t->n ? &t->at[memory + 1] : NULL;
	struct operand at, first = {.base = NO_REGISTER}, last = first;

	a64_read_memory(o, &at, &t->at[memory], behind);
	if (memory)
		a64_read_operand(&first, &t->at[0]);
	if (memory > 1)
		a64_read_operand(&last, &t->at[memory - 1]);
	o->n = 2;
	if (store) {
		o->from = first;
		o->to = at;
		return;
	}
	o->from = at;
	o->to = first;
	if (memory > 1 && last.base != NO_REGISTER)
		o->pair = last.base;
}

/* Loads and stores of whole registers. */
static bool is_word_access(const char *name, size_t n)
{
	static const char *const words[] = {"ldr", "ldp", "ldur", "str", "stur"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (n == strlen(words[i]) && !memcmp(name, words[i], n))
			return true;
	return false;
}

static void operands_read_a64(struct operands *o, const char *name, size_t n)
{
	const bool load = starts(name, n, "ld");
	struct a64_texts t;

	*o = (struct operands){.from = {.base = NO_REGISTER, .index = NO_REGISTER},
			       .to = {.base = NO_REGISTER, .index = NO_REGISTER},
			       .pair = NO_REGISTER,
			       .stepped = NO_REGISTER};
	texts_split(&t, name + n);
	o->n = t.n;
	for (unsigned int i = 0; i < t.n; i++) {
		if (*t.at[i].p != '[')
			continue;
		a64_read_access(o, &t, i, starts(name, n, "st"));
		if (starts(name, n, "prfm"))
			o->to = (struct operand){.base = NO_REGISTER};
		/* of a byte, a half word or vector registers nothing can be followed */
		if (is_word_access(name, n) && (load ? o->to : o->from).kind == OPERAND_REGISTER &&
		    (load ? o->to : o->from).whole)
			o->operation = OPERATION_MOVE;
		return;
	}
	if (!t.n)
		return;
	a64_read_operand(&o->to, &t.at[0]);
	if (t.n == 2) {
		a64_read_operand(&o->from, &t.at[1]);
		if (n == 3 && !memcmp(name, "mov", 3))
			o->operation = OPERATION_MOVE;
		if (starts(name, n, "adr") || (load && o->from.kind == OPERAND_NONE)) {
			a64_read_address(&o->from, &t.at[1]);
			o->operation = load ? OPERATION_MOVE : OPERATION_ADDRESS;
		}
	} else if (t.n > 2 && n == 3 && (!memcmp(name, "add", 3) || !memcmp(name, "sub", 3))) {
		a64_read_sum(o, &t, name[0] == 's');
	}
}

static bool operands_write_a64(const struct operands *o, const char *name, size_t n, int number)
{
	static const char *const readers[] = {"cmp", "cmn", "tst", "ccm", "fcmp", "msr", "prfm"};

	if (o->stepped == number || o->pair == number)
		return true;
	/* a store by which another thread may be locked out says in a register whether it worked */
	if (starts(name, n, "stxr") || starts(name, n, "stlxr"))
		return o->from.base == number;
	for (size_t i = 0; i < ARRAY_SIZE(readers); i++)
		if (starts(name, n, readers[i]))
			return false;
	return o->to.kind == OPERAND_REGISTER && o->to.base == number;
}

const struct operand_machine operand_machine_a64 = {EM_AARCH64, CALL_CHANGES, operands_read_a64,
						    operands_write_a64};
