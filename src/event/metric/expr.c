// SPDX-License-Identifier: MIT
#include "event/metric/expr_grammar.h"

#include "base/hash.h"

#include <math.h>
#include <string.h>

static uint32_t depth_of(const struct metric_node *n)
{
	return n ? n->depth : 0;
}

const struct metric_node *metric_node(struct metric_lexer *lx, enum metric_op op,
				      const struct metric_node *a, const struct metric_node *b,
				      const struct metric_node *c)
{
	struct metric_node *n = arena_alloc(lx->arena, sizeof(*n));

	n->op = op;
	n->a = a;
	n->b = b;
	n->c = c;
	n->depth = 1 + MAX(depth_of(a), MAX(depth_of(b), depth_of(c)));
	if (n->depth <= METRIC_DEPTH_MOST)
		return n;
	metric_fail(lx, "nested too deeply");
	return NULL;
}

const struct metric_node *metric_node_text(struct metric_lexer *lx, enum metric_op op,
					   const char *text)
{
	struct metric_node *n = arena_alloc(lx->arena, sizeof(*n));

	n->op = op;
	n->text = text;
	n->depth = 1;
	return n;
}

const struct metric_node *metric_node_number(struct arena *arena, double number)
{
	struct metric_node *n = arena_alloc(arena, sizeof(*n));

	n->op = OP_NUMBER;
	n->number = number;
	n->depth = 1;
	return n;
}

const struct metric_expr *metric_parse(const char *text, struct arena *arena, struct err *err)
{
	struct metric_lexer lx = {
		.text = text, .p = text, .token = text, .arena = arena, .err = err};

	if (strlen(text) > METRIC_TEXT_MOST) {
		err_set(err, ERR_INPUT, "expression '%.60s...': longer than %d bytes", text,
			METRIC_TEXT_MOST);
		return NULL;
	}
	return metric_grammar_parse(&lx) ? NULL : metric_expr_of(lx.root, arena);
}

/* The ids of an expression, each once. Up to FEW ids are searched one by one, more are interned. */
#define FEW 32
struct ids {
	VEC(const char *) texts;
	struct intern seen; /* all ids, once there are more than FEW */
};

static uint32_t id_of(struct ids *ids, const char *text)
{
	uint32_t id = 0;

	if (ids->texts.n < FEW) {
		while (id < ids->texts.n && strcmp(ids->texts.at[id], text))
			id++;
	} else {
		for (size_t i = ids->seen.entries.n; i < ids->texts.n; i++)
			intern_str(&ids->seen, ids->texts.at[i]);
		id = intern_str(&ids->seen, text);
	}
	if (id == ids->texts.n)
		vec_add(&ids->texts, text);
	return id;
}

static struct metric_node *numbered(const struct metric_node *n, struct ids *ids,
				    struct arena *arena)
{
	struct metric_node *copy;

	if (!n)
		return NULL;
	copy = arena_copy(arena, n, sizeof(*n));
	if (n->op == OP_ID || n->op == OP_SOURCES)
		copy->id = id_of(ids, n->text);
	copy->a = numbered(n->a, ids, arena);
	copy->b = numbered(n->b, ids, arena);
	copy->c = numbered(n->c, ids, arena);
	return copy;
}

const struct metric_expr *metric_expr_of(const struct metric_node *root, struct arena *arena)
{
	struct metric_expr *e = arena_alloc(arena, sizeof(*e));
	struct ids ids = {0};

	e->root = numbered(root, &ids, arena);
	e->ids = arena_copy(arena, ids.texts.at, ids.texts.n * sizeof(*ids.texts.at));
	e->n_ids = (uint32_t)ids.texts.n;
	vec_release(&ids.texts);
	intern_release(&ids.seen);
	return e;
}

/* A number without its fraction; beyond the range of int64_t the nearest value in it. */
static int64_t expr_whole(double v)
{
	if (v >= 0x1p63)
		return INT64_MAX;
	return v < -0x1p63 ? INT64_MIN : (int64_t)v;
}

static double bits(enum metric_op op, double a, double b)
{
	if (isnan(a) || isnan(b)) {
		double known = isnan(a) ? b : a;

		if (isnan(known))
			return NAN;
		if (op == OP_AND)
			return expr_whole(known) ? NAN : 0;
		return op == OP_OR && expr_whole(known) ? (double)expr_whole(known) : NAN;
	}
	switch (op) {
	case OP_AND:
		return (double)(expr_whole(a) & expr_whole(b));
	case OP_OR:
		return (double)(expr_whole(a) | expr_whole(b));
	default:
		return (double)(expr_whole(a) ^ expr_whole(b));
	}
}

static double remainder_of(double a, double b)
{
	int64_t by;

	if (isnan(a) || isnan(b))
		return NAN;
	by = expr_whole(b);
	if (by == -1) /* INT64_MIN % -1 overflows */
		return 0;
	return by ? (double)(expr_whole(a) % by) : NAN;
}

double metric_apply(enum metric_op op, double a, double b)
{
	switch (op) {
	case OP_MINUS:
		return -a;
	case OP_OR:
	case OP_XOR:
	case OP_AND:
		return bits(op, a, b);
	case OP_LESS:
		return a < b;
	case OP_GREATER:
		return a > b;
	case OP_LESS_OR_EQUAL:
		return a <= b;
	case OP_GREATER_OR_EQUAL:
		return a >= b;
	case OP_EQUAL:
		return a == b;
	case OP_UNEQUAL:
		return a < b || a > b;
	case OP_ADD:
		return a + b;
	case OP_SUBTRACT:
		return a - b;
	case OP_MULTIPLY:
		return a * b;
	case OP_DIVIDE:
		return b == 0 ? NAN : a / b;
	case OP_REMAINDER:
		return remainder_of(a, b);
	case OP_MIN:
		return isnan(a) || isnan(b) ? NAN : MIN(a, b);
	case OP_MAX:
		return isnan(a) || isnan(b) ? NAN : MAX(a, b);
	case OP_RATIO:
		return b == 0 ? 0 : a / b;
	default:
		return NAN;
	}
}

struct values {
	const double *counts;
	const uint32_t *sources;
};

static double expr_value_of(const struct metric_node *n, const struct values *v)
{
	switch (n->op) {
	case OP_NUMBER:
		return n->number;
	case OP_ID:
		return v->counts[n->id];
	case OP_SOURCES:
		return v->sources ? v->sources[n->id] : 1;
	case OP_LITERAL:
	case OP_HAS_EVENT:
	case OP_CPUID:
		return NAN;
	case OP_MINUS:
		return -expr_value_of(n->a, v);
	case OP_IF:
		return expr_value_of(n->b, v) == 0 ? expr_value_of(n->c, v)
						   : expr_value_of(n->a, v);
	default:
		return metric_apply(n->op, expr_value_of(n->a, v), expr_value_of(n->b, v));
	}
}

double metric_eval(const struct metric_expr *e, const double *counts, const uint32_t *sources)
{
	struct values v = {counts, sources};

	return expr_value_of(e->root, &v);
}
