// SPDX-License-Identifier: MIT
#include "probe/types/operand.h"

#include "base/mem.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define SHORTER 4 /* names of a register, by size */

static const char *const registers[][SHORTER + 1] = {
	{"rax", "eax", "ax", "al", "ah"}, {"rdx", "edx", "dx", "dl", "dh"},
	{"rcx", "ecx", "cx", "cl", "ch"}, {"rbx", "ebx", "bx", "bl", "bh"},
	{"rsi", "esi", "si", "sil"},	  {"rdi", "edi", "di", "dil"},
	{"rbp", "ebp", "bp", "bpl"},	  {"rsp", "esp", "sp", "spl"},
	{"r8", "r8d", "r8w", "r8b"},	  {"r9", "r9d", "r9w", "r9b"},
	{"r10", "r10d", "r10w", "r10b"},  {"r11", "r11d", "r11w", "r11b"},
	{"r12", "r12d", "r12w", "r12b"},  {"r13", "r13d", "r13w", "r13b"},
	{"r14", "r14d", "r14w", "r14b"},  {"r15", "r15d", "r15w", "r15b"},
};

static int register_number(const char *name, size_t n, bool *whole)
{
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++)
		for (size_t k = 0; k <= SHORTER && registers[i][k]; k++)
			if (strlen(registers[i][k]) == n && !memcmp(registers[i][k], name, n)) {
				*whole = k == 0;
				return (int)i;
			}
	return NO_REGISTER;
}

/* The register in text[0..n), which may begin with blanks and "%". */
static int register_read(const char *text, size_t n, bool *whole)
{
	while (n && (*text == ' ' || *text == '%')) {
		text++;
		n--;
	}
	while (n && text[n - 1] == ' ')
		n--;
	return register_number(text, n, whole);
}

/* "disp(base,index,scale)"; after: what follows the operands, where disassemblers write addresses
 * that the program counter tells. */
static void operand_read_memory(struct operand *o, const char *text, size_t n, const char *after)
{
	const char *open = memchr(text, '(', n),
		   *close = open ? memchr(open, ')', n - (size_t)(open - text)) : NULL;
	const char *comma, *end;
	bool whole;

	o->kind = OPERAND_MEMORY;
	if (*text == '*') {
		text++;
		n--;
	}
	if (*text == '%') {
		const char *colon = memchr(text, ':', n);

		o->segment = true;
		if (colon)
			text = colon + 1;
	}
	o->offset = (int64_t)strtoll(text, NULL, 0);
	if (!open || !close) {
		o->has_address = true;
		o->address = (uint64_t)o->offset;
		return;
	}
	comma = memchr(open, ',', (size_t)(close - open));
	end = comma ? comma : close;
	o->base = register_read(open + 1, (size_t)(end - open - 1), &whole);
	if (end - open >= 5 && !memcmp(open + 1, "%rip", 4)) {
		const char *hash = strchr(after, '#');

		o->has_address = hash != NULL;
		o->address = hash ? strtoull(hash + 1, NULL, 16) : 0;
		o->kind = hash ? OPERAND_MEMORY : OPERAND_NONE;
	}
	if (comma) {
		end = memchr(comma + 1, ',', (size_t)(close - comma - 1));
		o->index =
			register_read(comma + 1, (size_t)((end ? end : close) - comma - 1), &whole);
	}
	if (o->base == NO_REGISTER && !o->has_address && !o->segment) {
		o->has_address = true; /* disp(,%rax,8) */
		o->address = (uint64_t)o->offset;
	}
}

static void operand_read(struct operand *o, const char *text, size_t n, const char *after)
{
	while (n && *text == ' ') {
		text++;
		n--;
	}
	*o = (struct operand){.base = NO_REGISTER, .index = NO_REGISTER};
	if (!n)
		return;
	if (*text == '$') {
		o->kind = OPERAND_NUMBER;
		o->offset = (int64_t)strtoll(text + 1, NULL, 0);
	} else if (*text == '%' && !memchr(text, ':', n)) {
		o->base = register_read(text, n, &o->whole);
		o->kind = o->base == NO_REGISTER ? OPERAND_NONE : OPERAND_REGISTER;
	} else {
		operand_read_memory(o, text, n, after);
	}
}

/* True for one of the words, which blanks separate, with or without a suffix of size. */
static bool name_is(const char *name, size_t n, const char *words)
{
	while (*words) {
		const size_t size = strcspn(words, " ");

		if (n >= size && n <= size + 1 && !memcmp(name, words, size) &&
		    (n == size || strchr("bwlq", name[size])))
			return true;
		words += size;
		words += *words == ' ';
	}
	return false;
}

/* The length of the operand that text begins with. */
static size_t operand_length(const char *text)
{
	size_t n = 0;
	bool inside = false;

	for (; text[n] && (inside || text[n] != ',') && text[n] != '#' && text[n] != '<'; n++)
		inside = text[n] == '(' || (inside && text[n] != ')');
	return n;
}

static enum operation operation_x86(const char *name, size_t n)
{
	if (n >= 3 && !memcmp(name, "nop", 3))
		return OPERATION_NOP;
	if (n >= 3 && !memcmp(name, "add", 3))
		return OPERATION_ADD;
	if (n >= 3 && !memcmp(name, "sub", 3))
		return OPERATION_SUB;
	if (n >= 3 && n <= 4 && !memcmp(name, "mov", 3))
		return OPERATION_MOVE;
	return name_is(name, n, "lea") ? OPERATION_ADDRESS : OPERATION_OTHER;
}

static void operands_read_x86(struct operands *o, const char *name, size_t n)
{
	const char *after = name + strcspn(name, "#"), *text = name + n;

	*o = (struct operands){.operation = operation_x86(name, n),
			       .from = {.base = NO_REGISTER, .index = NO_REGISTER},
			       .to = {.base = NO_REGISTER, .index = NO_REGISTER},
			       .pair = NO_REGISTER,
			       .stepped = NO_REGISTER,
			       .stack = name_is(name, n, "push pop call ret leave enter")};
	while (*text == ' ')
		text++;
	while (*text && *text != '#' && *text != '<') {
		const size_t length = operand_length(text);
		struct operand next;

		operand_read(&next, text, length, after);
		/* of three operands a number counts least: imul $3,(%rax),%rbx */
		if (o->n && (o->n == 1 || o->from.kind == OPERAND_NUMBER))
			o->from = o->to;
		o->to = next;
		o->n++;
		text += length;
		text += *text == ',';
	}
}

static bool operands_write_x86(const struct operands *o, const char *name, size_t n, int number)
{
	const bool low = number <= 2 || number == 4 || number == 5 || number == 11;

	/* registers that the text does not name: rax, rdx, rcx, rsi, rdi, r11 */
	if (low &&
	    (name_is(name, n, "movs stos lods scas cmps syscall cpuid rdtsc rdtscp cmpxchg") ||
	     (o->n < 2 &&
	      name_is(name, n, "mul imul div idiv cltq cltd cwtl cwtd cqto cqo cdq cdqe"))))
		return true;
	if (name_is(name, n, "xchg xadd") && o->from.kind == OPERAND_REGISTER &&
	    o->from.base == number)
		return true;
	if (name_is(name, n, "cmp test push bt nop"))
		return false;
	return o->to.kind == OPERAND_REGISTER && o->to.base == number;
}

/* rax, rdx, rcx, rsi, rdi and r8 to r11 */
static const struct operand_machine operand_machine_x86 = {EM_X86_64, 0xf37, operands_read_x86,
							   operands_write_x86};

const struct operand_machine *operand_machine_find(uint16_t elf, unsigned int bits)
{
	return bits != 64	   ? NULL
	       : elf == EM_X86_64  ? &operand_machine_x86
	       : elf == EM_AARCH64 ? &operand_machine_a64
				   : NULL;
}

const struct operand *operands_memory(const struct operands *o)
{
	if (o->operation == OPERATION_ADDRESS || o->operation == OPERATION_NOP)
		return NULL;
	return o->from.kind == OPERAND_MEMORY ? &o->from
	       : o->to.kind == OPERAND_MEMORY ? &o->to
					      : NULL;
}
