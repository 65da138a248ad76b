// SPDX-License-Identifier: MIT
/* The DWARF stack machine, with the operations that call frames use. */
#include "symbol/unwind/cfi.h"

#include "symbol/unwind/encoded.h"

#define DEPTH	  64

enum {
	OP_ADDR = 0x03, OP_DEREF = 0x06, OP_CONST1U = 0x08, OP_CONST1S, OP_CONST2U, OP_CONST2S,
	OP_CONST4U, OP_CONST4S, OP_CONST8U, OP_CONST8S, OP_CONSTU, OP_CONSTS, OP_DUP, OP_DROP,
	OP_OVER, OP_PICK, OP_SWAP, OP_ROT, OP_ABS = 0x19, OP_AND, OP_DIV, OP_MINUS, OP_MOD, OP_MUL,
	OP_NEG, OP_NOT, OP_OR, OP_PLUS, OP_PLUS_UCONST, OP_SHL, OP_SHR, OP_SHRA, OP_XOR, OP_BRA,
	OP_EQ, OP_GE, OP_GT, OP_LE, OP_LT, OP_NE, OP_SKIP, OP_LIT0, OP_LIT31 = OP_LIT0 + 31,
	OP_BREG0 = 0x70, OP_BREG31 = OP_BREG0 + 31, OP_BREGX = 0x92, OP_DEREF_SIZE = 0x94,
	OP_NOP = 0x96,
};

struct machine {
	uint64_t at[DEPTH];
	unsigned int n;
	bool failed;
	struct cursor in;
	const uint8_t *start;
	const struct cfi_context *context;
	unsigned int word;
};

static void cfi_expression_push(struct machine *m, uint64_t v)
{
	if (m->n == DEPTH)
		m->failed = true;
	else
		m->at[m->n++] = m->word == 4 ? (uint32_t)v : v;
}

static uint64_t pop(struct machine *m)
{
	if (!m->n) {
		m->failed = true;
		return 0;
	}
	return m->at[--m->n];
}

static uint64_t below(struct machine *m, unsigned int depth)
{
	if (depth >= m->n) {
		m->failed = true;
		return 0;
	}
	return m->at[m->n - 1 - depth];
}

static void push_register(struct machine *m, uint64_t number, int64_t offset)
{
	uint64_t v = 0;

	if (number > UINT32_MAX || !m->context->reg(m->context->ctx, (unsigned int)number, &v))
		m->failed = true;
	cfi_expression_push(m, v + (uint64_t)offset);
}

static void cfi_expression_load(struct machine *m, unsigned int size)
{
	uint64_t address = pop(m), v = 0;

	if (m->failed || (size != 1 && size != 2 && size != 4 && size != 8) ||
	    !m->context->read(m->context->ctx, address, size, &v))
		m->failed = true;
	cfi_expression_push(m, v);
}

static void jump(struct machine *m, int16_t by)
{
	const uint8_t *to = m->in.p + by;

	if (to < m->start || to > m->in.end)
		m->failed = true;
	else
		m->in.p = to;
}

static void cfi_expression_constant(struct machine *m, uint8_t op)
{
	switch (op) {
	case OP_ADDR:
		cfi_expression_push(m, read_word(&m->in, m->word));
		break;
	case OP_CONST1U:
		cfi_expression_push(m, cursor_u8(&m->in));
		break;
	case OP_CONST1S:
		cfi_expression_push(m, (uint64_t)(int8_t)cursor_u8(&m->in));
		break;
	case OP_CONST2U:
		cfi_expression_push(m, cursor_u16(&m->in));
		break;
	case OP_CONST2S:
		cfi_expression_push(m, (uint64_t)(int16_t)cursor_u16(&m->in));
		break;
	case OP_CONST4U:
		cfi_expression_push(m, cursor_u32(&m->in));
		break;
	case OP_CONST4S:
		cfi_expression_push(m, (uint64_t)(int32_t)cursor_u32(&m->in));
		break;
	case OP_CONST8U:
	case OP_CONST8S:
		cfi_expression_push(m, cursor_u64(&m->in));
		break;
	case OP_CONSTU:
		cfi_expression_push(m, read_uleb(&m->in));
		break;
	default:
		cfi_expression_push(m, (uint64_t)read_sleb(&m->in));
	}
}

static void unary(struct machine *m, uint8_t op)
{
	uint64_t a = pop(m);

	switch (op) {
	case OP_ABS:
		cfi_expression_push(m, (int64_t)a < 0 ? -a : a);
		break;
	case OP_NEG:
		cfi_expression_push(m, -a);
		break;
	case OP_NOT:
		cfi_expression_push(m, ~a);
		break;
	default:
		cfi_expression_push(m, a + read_uleb(&m->in));
	}
}

static void cfi_expression_binary(struct machine *m, uint8_t op)
{
	uint64_t b = pop(m), a = pop(m);
	int64_t sa = m->word == 4 ? (int32_t)a : (int64_t)a;
	int64_t sb = m->word == 4 ? (int32_t)b : (int64_t)b;

	switch (op) {
	case OP_AND:
		cfi_expression_push(m, a & b);
		break;
	case OP_OR:
		cfi_expression_push(m, a | b);
		break;
	case OP_XOR:
		cfi_expression_push(m, a ^ b);
		break;
	case OP_PLUS:
		cfi_expression_push(m, a + b);
		break;
	case OP_MINUS:
		cfi_expression_push(m, a - b);
		break;
	case OP_MUL:
		cfi_expression_push(m, a * b);
		break;
	case OP_DIV:
		if (!sb || sb == -1)
			cfi_expression_push(m, sb ? -a : (m->failed = true));
		else
			cfi_expression_push(m, (uint64_t)(sa / sb));
		break;
	case OP_MOD:
		if (!b)
			m->failed = true;
		cfi_expression_push(m, b ? a % b : 0);
		break;
	case OP_SHL:
		cfi_expression_push(m, b < 64 ? a << b : 0);
		break;
	case OP_SHR:
		cfi_expression_push(m, b < 64 ? a >> b : 0);
		break;
	case OP_SHRA:
		cfi_expression_push(m, (uint64_t)(sa >> (b < 63 ? b : 63)));
		break;
	case OP_EQ:
		cfi_expression_push(m, sa == sb);
		break;
	case OP_NE:
		cfi_expression_push(m, sa != sb);
		break;
	case OP_GE:
		cfi_expression_push(m, sa >= sb);
		break;
	case OP_GT:
		cfi_expression_push(m, sa > sb);
		break;
	case OP_LE:
		cfi_expression_push(m, sa <= sb);
		break;
	default:
		cfi_expression_push(m, sa < sb);
	}
}

static void about_stack(struct machine *m, uint8_t op)
{
	uint64_t a, b, c;

	switch (op) {
	case OP_DUP:
		cfi_expression_push(m, below(m, 0));
		break;
	case OP_DROP: pop(m); break;
	case OP_OVER:
		cfi_expression_push(m, below(m, 1));
		break;
	case OP_PICK:
		cfi_expression_push(m, below(m, cursor_u8(&m->in)));
		break;
	case OP_SWAP:
		a = pop(m);
		b = pop(m);
		cfi_expression_push(m, a);
		cfi_expression_push(m, b);
		break;
	default:
		a = pop(m);
		b = pop(m);
		c = pop(m);
		cfi_expression_push(m, a);
		cfi_expression_push(m, c);
		cfi_expression_push(m, b);
	}
}

static void step(struct machine *m)
{
	uint8_t op = cursor_u8(&m->in);
	int16_t by;

	if (op >= OP_LIT0 && op <= OP_LIT31) {
		cfi_expression_push(m, op - OP_LIT0);
	} else if (op >= OP_BREG0 && op <= OP_BREG31) {
		push_register(m, op - OP_BREG0, read_sleb(&m->in));
	} else if (op == OP_BREGX) {
		uint64_t number = read_uleb(&m->in);

		push_register(m, number, read_sleb(&m->in));
	} else if (op == OP_DEREF) {
		cfi_expression_load(m, m->word);
	} else if (op == OP_DEREF_SIZE) {
		cfi_expression_load(m, cursor_u8(&m->in));
	} else if (op == OP_ADDR || (op >= OP_CONST1U && op <= OP_CONSTS)) {
		cfi_expression_constant(m, op);
	} else if (op >= OP_DUP && op <= OP_ROT) {
		about_stack(m, op);
	} else if (op == OP_ABS || op == OP_NEG || op == OP_NOT || op == OP_PLUS_UCONST) {
		unary(m, op);
	} else if (op == OP_SKIP || op == OP_BRA) {
		by = (int16_t)cursor_u16(&m->in);
		if (op == OP_SKIP || pop(m))
			jump(m, by);
	} else if (op >= OP_AND && op <= OP_NE) {
		cfi_expression_binary(m, op);
	} else if (op != OP_NOP) {
		m->failed = true;
	}
}

bool cfi_expression(const struct cfi *c, bool debug, int32_t at, uint16_t size,
		    const struct cfi_context *context, bool has_start, uint64_t start, uint64_t *v)
{
	const struct cfi_section *s = debug ? &c->debug : &c->eh;
	struct machine m = {.context = context, .word = c->machine->word};

	if (at < 0 || (size_t)at > s->n || size > s->n - (size_t)at)
		return false;
	m.start = s->p + at;
	m.in = cursor_over(m.start, size, c->elf->swap);
	if (has_start)
		cfi_expression_push(&m, start);
	/* branches may go backwards: the number of steps is bounded */
	while (cursor_left(&m.in) && !m.failed && !m.in.bad) {
		if (!*context->steps)
			return false;
		--*context->steps;
		step(&m);
	}
	*v = pop(&m);
	return !m.failed && !m.in.bad;
}
