/* SPDX-License-Identifier: MIT */
/* The tree of an expression, and the functions that build it. Private to event/metric/expr*. */
#ifndef EVENT_METRIC_EXPR_NODE_H
#define EVENT_METRIC_EXPR_NODE_H

#include "event/metric/expr.h"

enum metric_op {
	/* without children */
	OP_NUMBER,
	OP_LITERAL,
	OP_ID,
	OP_SOURCES,
	OP_HAS_EVENT,
	OP_CPUID,
	/* of a */
	OP_MINUS,
	/* of a and b */
	OP_OR,
	OP_XOR,
	OP_AND,
	OP_LESS,
	OP_GREATER,
	OP_LESS_OR_EQUAL,
	OP_GREATER_OR_EQUAL,
	OP_EQUAL,
	OP_UNEQUAL,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_REMAINDER,
	OP_MIN,
	OP_MAX,
	OP_RATIO,
	/* a if b else c */
	OP_IF,
};

struct metric_node {
	enum metric_op op;
	uint32_t depth; /* 1 without children */
	uint32_t id;	/* of OP_ID and OP_SOURCES: index in the expression's ids */
	double number;
	const char *text; /* of all with a name in them */
	const struct metric_node *a, *b, *c;
};

/* The state of parsing a text. */
struct metric_lexer {
	const char *text, *p; /* the whole text; the rest to be read */
	const char *token;    /* the beginning of the last token */
	struct arena *arena;
	struct err *err;
	const struct metric_node *root;
};

/* The value of a token. */
union metric_token {
	double number;
	const char *text;
	const struct metric_node *node;
};

/* The next token (those of expr_grammar.h, 0 at the end) and its value; text that is no token sets
 * the error. */
int metric_lex(union metric_token *value, struct metric_lexer *lx);
/* Sets the error, with the place of the last token. */
void metric_fail(struct metric_lexer *lx, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A new node. Children may be NULL. NULL with the error set when the tree gets too deep. */
const struct metric_node *metric_node(struct metric_lexer *lx, enum metric_op op,
				      const struct metric_node *a, const struct metric_node *b,
				      const struct metric_node *c);
const struct metric_node *metric_node_text(struct metric_lexer *lx, enum metric_op op,
					   const char *text);
const struct metric_node *metric_node_number(struct arena *arena, double number);

/* Makes an expression of a tree: copies it and numbers its ids. */
const struct metric_expr *metric_expr_of(const struct metric_node *root, struct arena *arena);
/* Applies an operator to one or two numbers. */
double metric_apply(enum metric_op op, double a, double b);

/* A literal's value, NaN when it isn't known on that machine; false when there is none of that
 * name. */
bool metric_literal(const char *name, const struct metric_facts *facts, double *value);
/* The names of all literals, for suggestions. */
#define METRIC_LITERALS (FACT_COUNT + 2)
void metric_literal_names(const char *names[METRIC_LITERALS]);

#endif
