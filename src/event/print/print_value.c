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

/* The size of a field, or of an element of an array with a known number of elements; 0 for other
 * arrays. */
static size_t known_size(const struct tp_field *f)
{
	return !f->is_array ? f->size : f->elements ? f->size / f->elements : 0;
}

/* The size of an element, as far as the declaration tells. */
static size_t element_size(const struct print_sample *s, const struct tp_field *f)
{
	size_t long_size = s->formats->long_size ? s->formats->long_size : 8;

	if (!f->is_array || f->elements)
		return known_size(f);
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

/* The array that node n is a subscript of; *mask: the bits of an element that count. */
static const struct print_node *array_of(const struct print_node *n, uint64_t *mask)
{
	const struct print_node *array = n->a;

	*mask = array->kind == PRINT_CAST && array->pointer ? array->mask : UINT64_MAX;
	while (array->kind == PRINT_CAST)
		array = array->a;
	return array;
}

/* Element i of the array that node n is a subscript of. */
static uint64_t element(const struct print_sample *s, const struct print_node *n, uint64_t i)
{
	uint64_t offset, mask;
	const struct print_node *base = array_of(n, &mask);
	size_t len, size;

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
	return i > s->size ? 0 : print_load(s, offset, size) & mask;
}

static uint64_t print_value_binary(const char op[3], uint64_t a, uint64_t b)
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
		n = print_value_binary(c->op, print_number(s, &c->a), print_number(s, &c->b));
	}
	return n & v->mask;
}

static struct print_value print_value_constant(uint64_t number)
{
	return (struct print_value){.kind = VALUE_CONSTANT, .mask = number};
}

static struct print_value loaded(uint32_t offset, size_t size)
{
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return print_value_constant(0);
	return (struct print_value){.kind = VALUE_FIELD, .size = (uint8_t)size, .offset = offset,
				    .mask = UINT64_MAX >> (64 - 8 * size)};
}

static struct print_value shifted(struct print_value v, unsigned int by)
{
	if (v.shift + by > 63)
		return print_value_constant(0);
	v.shift = (uint8_t)(v.shift + by);
	v.mask >>= by;
	return v;
}

static struct print_value calculated(const struct print_calculation *c, struct arena *arena)
{
	struct print_calculation *copy = arena_alloc(arena, sizeof(*copy));

	*copy = *c;
	return (struct print_value){
		.kind = VALUE_CALCULATED, .mask = UINT64_MAX, .calculation = copy};
}

/* Compiles a subscript: with a constant index it becomes a field. */
static struct print_value of_subscript(const struct print_calculation *c, struct arena *arena)
{
	uint64_t mask, i = c->b.mask;
	const struct print_node *array = array_of(c->node, &mask);
	struct print_value v;
	size_t size;

	if (array->kind != PRINT_FIELD || !array->field || c->b.kind != VALUE_CONSTANT ||
	    i > UINT16_MAX)
		return calculated(c, arena);
	size = known_size(array->field);
	if (!size || size > 8 || array->field->offset > UINT16_MAX)
		return calculated(c, arena);
	v = loaded((uint32_t)(array->field->offset + i * size), size);
	v.mask &= mask;
	return v;
}

static struct print_value of_operator(const struct print_node *n, struct arena *arena)
{
	struct print_calculation c = {.op = {n->op[0], n->op[1], 0}, .node = n};

	if (n->op[0] == '[') {
		c.b = print_value_of(n->b, arena);
		return of_subscript(&c, arena);
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
		return print_value_constant(print_value_binary(n->op, c.a.mask, c.b.mask));
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
		return print_value_constant(n->number);
	case PRINT_FIELD:
		return n->field ? loaded(n->field->offset, n->field->size)
				: print_value_constant(0);
	case PRINT_CAST:
		v = print_value_of(n->a, arena);
		if (!n->pointer)
			v.mask &= n->mask;
		return v;
	case PRINT_OPERATOR:
		return of_operator(n, arena);
	case PRINT_DYNAMIC_LEN:
		return n->field ? calculated(&(struct print_calculation){.node = n}, arena)
				: print_value_constant(0);
	default:
		return print_value_constant(0);
	}
}

const uint8_t *print_bytes(const struct print_sample *s, const struct print_node *n, size_t *len)
{
	uint64_t offset;

	*len = 0;
	while (n->kind == PRINT_CAST)
		n = n->a;
	if (!n->field || !s->raw)
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
