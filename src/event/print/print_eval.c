// SPDX-License-Identifier: MIT
#include "event/print/print.h"

static uint64_t number_at(const struct print_sample *s, uint64_t offset, size_t size)
{
	if (offset > s->size || s->size - offset < size)
		return 0;
	return tp_raw_number(s->raw + offset, size, s->formats->swap, false);
}

/* Where a dynamic array lies: false when outside the sample. */
static bool dynamic(const struct print_sample *s, const struct tp_field *f, uint64_t *offset,
		    size_t *len)
{
	uint32_t loc = (uint32_t)number_at(s, f->offset, f->size == 8 ? 8 : 4);

	*len = loc >> 16;
	*offset = (loc & 0xffff) + (f->is_relative ? (uint64_t)f->offset + f->size : 0);
	return *offset <= s->size && *len <= s->size - *offset;
}

/* What one element of an array takes, as far as the declaration tells. */
static size_t element_size(const struct print_sample *s, const struct tp_field *f)
{
	size_t long_size = s->formats->long_size ? s->formats->long_size : 8;

	if (!f->is_array)
		return f->size;
	if (f->elements)
		return f->size / f->elements;
	if (strstr(f->type, "char") || strstr(f->type, "u8") || strstr(f->type, "s8"))
		return 1;
	if (strstr(f->type, "u16") || strstr(f->type, "s16") || strstr(f->type, "short"))
		return 2;
	if (strstr(f->type, "64"))
		return 8;
	if (strstr(f->type, "32") || (strstr(f->type, "int") && !strstr(f->type, "long")))
		return 4;
	return long_size;
}

static uint64_t index_of(const struct print_sample *s, const struct print_node *n)
{
	uint64_t i = print_eval(s, n->b), v, offset;
	const struct print_node *base = n->a, *cast = NULL;
	size_t len, size;

	for (; base->kind == PRINT_CAST; base = base->a)
		if (!cast)
			cast = base;
	if (!base->field)
		return 0;
	size = element_size(s, base->field);
	if (base->kind == PRINT_FIELD) {
		offset = base->field->offset + i * size;
	} else {
		/* libtraceevent counts bytes here, whatever the elements are */
		if (!dynamic(s, base->field, &offset, &len))
			return 0;
		offset += i;
	}
	v = i > s->size ? 0 : number_at(s, offset, size);
	return cast && cast->pointer ? v & cast->mask : v;
}

static uint64_t binary(const char op[3], uint64_t a, uint64_t b)
{
	char second = op[1];

	switch (op[0]) {
	case '|':
		return second ? a || b : a | b;
	case '&':
		return second ? a && b : a & b;
	case '^':
		return a ^ b;
	case '<':
		return second == '<' ? a << (b & 63) : second ? a <= b : a < b;
	case '>':
		return second == '>' ? a >> (b & 63) : second ? a >= b : a > b;
	case '=':
		return a == b;
	case '!':
		return second ? a != b : !b;
	case '~':
		return ~b;
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	case '/':
		return b ? a / b : 0;
	case '%':
		return b ? a % b : 0;
	default:
		return 0;
	}
}

/* ?: and subscripts don't ask for both sides. */
static uint64_t operator_value(const struct print_sample *s, const struct print_node *n)
{
	if (n->op[0] == '[')
		return index_of(s, n);
	if (n->op[0] == '?')
		return print_eval(s, print_eval(s, n->a) ? n->b->a : n->b->b);
	return binary(n->op, print_eval(s, n->a), print_eval(s, n->b));
}

uint64_t print_eval(const struct print_sample *s, const struct print_node *n)
{
	uint64_t offset, v;
	size_t len;

	switch (n->kind) {
	case PRINT_NUMBER:
		return n->number;
	case PRINT_FIELD:
		return n->field ? number_at(s, n->field->offset, n->field->size) : 0;
	case PRINT_CAST:
		v = print_eval(s, n->a);
		return n->pointer ? v : v & n->mask;
	case PRINT_OPERATOR:
		return operator_value(s, n);
	case PRINT_DYNAMIC_LEN:
		return n->field && dynamic(s, n->field, &offset, &len) ? len : 0;
	default:
		return 0;
	}
}

const uint8_t *print_bytes(const struct print_sample *s, const struct print_node *n, size_t *len)
{
	uint64_t offset;

	*len = 0;
	while (n->kind == PRINT_CAST)
		n = n->a;
	if (!n->field)
		return NULL;
	if (n->kind == PRINT_FIELD) {
		if (n->field->offset > s->size)
			return NULL;
		/* no size: all that is left */
		*len = n->field->size ? n->field->size : s->size - n->field->offset;
		if (*len > s->size - n->field->offset)
			return NULL;
		return s->raw + n->field->offset;
	}
	if (!dynamic(s, n->field, &offset, len))
		return NULL;
	return s->raw + offset;
}
