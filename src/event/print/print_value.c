// SPDX-License-Identifier: MIT
/* The numbers that print formats make of fields. */
#include "event/print/print.h"

/* Where a dynamic array lies: false when outside the sample. */
static bool dynamic(const struct print_sample *s, const struct tp_field *f, uint64_t *offset,
		    size_t *len)
{
	uint32_t loc = (uint32_t)print_load(s, f->offset, f->size == 8 ? 8 : 4);

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

/* Element i of the array, maybe cast, that node n is a subscript of. */
static uint64_t element(const struct print_sample *s, const struct print_node *n, uint64_t i)
{
	const struct print_node *base = n->a, *cast = NULL;
	uint64_t v, offset;
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
	v = i > s->size ? 0 : print_load(s, offset, size);
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

uint64_t print_calculate(const struct print_sample *s, const struct print_value *v)
{
	const struct print_calculation *c = v->calculation;
	uint64_t offset, n;
	size_t len;

	switch (c->op[0]) {
	case 0:
		n = dynamic(s, c->node->field, &offset, &len) ? len : 0;
		break;
	case '[':
		n = element(s, c->node, print_number(s, &c->b));
		break;
	case '?':
		n = print_number(s, print_number(s, &c->a) ? &c->b : &c->c);
		break;
	default:
		n = binary(c->op, print_number(s, &c->a), print_number(s, &c->b));
	}
	return n & v->mask;
}

static struct print_value constant(uint64_t number)
{
	return (struct print_value){.kind = VALUE_CONSTANT, .mask = number};
}

static struct print_value of_field(const struct tp_field *f)
{
	if (!f || (f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8))
		return constant(0);
	return (struct print_value){.kind = VALUE_FIELD, .size = (uint8_t)f->size, .offset = f->offset,
				    .mask = UINT64_MAX >> (64 - 8 * f->size)};
}

static struct print_value shifted(struct print_value v, unsigned int by)
{
	if (v.shift + by > 63)
		return constant(0);
	v.shift = (uint8_t)(v.shift + by);
	v.mask >>= by;
	return v;
}

static struct print_value calculated(const struct print_calculation *c, struct arena *arena)
{
	struct print_calculation *copy = arena_alloc(arena, sizeof(*copy));

	*copy = *c;
	return (struct print_value){.kind = VALUE_CALCULATED, .mask = UINT64_MAX, .calculation = copy};
}

static struct print_value of_operator(const struct print_node *n, struct arena *arena)
{
	struct print_calculation c = {.op = {n->op[0], n->op[1], 0}, .node = n};

	if (n->op[0] == '[') {
		c.b = print_value_of(n->b, arena);
		return calculated(&c, arena);
	}
	c.a = print_value_of(n->a, arena);
	if (n->op[0] == '?') {
		c.b = print_value_of(n->b->a, arena);
		c.c = print_value_of(n->b->b, arena);
		if (c.a.kind == VALUE_CONSTANT)
			return c.a.mask ? c.b : c.c;
		return calculated(&c, arena);
	}
	c.b = print_value_of(n->b, arena);
	if (c.a.kind == VALUE_CONSTANT && c.b.kind == VALUE_CONSTANT)
		return constant(binary(n->op, c.a.mask, c.b.mask));
	if (c.b.kind == VALUE_CONSTANT && !strcmp(n->op, "&")) {
		c.a.mask &= c.b.mask;
		return c.a;
	}
	if (c.a.kind == VALUE_FIELD && c.b.kind == VALUE_CONSTANT && !strcmp(n->op, ">>"))
		return shifted(c.a, c.b.mask & 63);
	return calculated(&c, arena);
}

struct print_value print_value_of(const struct print_node *n, struct arena *arena)
{
	struct print_value v;

	switch (n->kind) {
	case PRINT_NUMBER:
		return constant(n->number);
	case PRINT_FIELD:
		return of_field(n->field);
	case PRINT_CAST:
		v = print_value_of(n->a, arena);
		if (!n->pointer)
			v.mask &= n->mask;
		return v;
	case PRINT_OPERATOR:
		return of_operator(n, arena);
	case PRINT_DYNAMIC_LEN:
		return n->field ? calculated(&(struct print_calculation){.node = n}, arena) : constant(0);
	default:
		return constant(0);
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
