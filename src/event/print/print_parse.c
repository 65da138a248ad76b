// SPDX-License-Identifier: MIT
/*
 * Parses the expressions of a print format.
 *
 * They are C, but libtraceevent reads them differently: operators of equal precedence associate to
 * the right, parentheses on the right of an operator don't protect a weaker operator in them, and
 * ?: takes everything before it as its condition. Tools parse the resulting texts, so the trees
 * here are those of libtraceevent.
 */
#include "event/print/print.h"

#include <ctype.h>

#define MAX_DEPTH 200 /* of nested expressions: the text comes from a file */

enum token_type { T_END, T_ITEM, T_QUOTED, T_DELIM, T_OP };

struct reader {
	const char *p;
	enum token_type type; /* of the token that was read last */
	const char *text;
	const struct tp_format *fmt;
	struct arena *arena;
	struct print *print;
	unsigned int depth;
};

/* Reads a quoted text. Adjacent texts are joined; escapes stay as they are. */
static bool read_quoted(struct reader *r)
{
	struct buf b = {0};
	bool ok = true;

	while (ok && *r->p == '"') {
		const char *start = ++r->p;

		while (*r->p && *r->p != '"')
			r->p += *r->p == '\\' && r->p[1] ? 2 : 1;
		ok = *r->p == '"';
		buf_add(&b, start, (size_t)(r->p - start));
		r->p += ok;
		while (ok && isspace((unsigned char)*r->p))
			r->p++;
	}
	r->type = T_QUOTED;
	r->text = arena_strdup(r->arena, buf_text(&b));
	buf_release(&b);
	return ok;
}

static size_t operator_len(const char *p)
{
	static const char *const doubles[] = {"->", "||", "&&", "++", "--", "<=", ">=", "==",
					      "!=", "<<", ">>", "+=", "-=", "|=", "&="};

	for (size_t i = 0; i < ARRAY_SIZE(doubles); i++)
		if (!strncmp(p, doubles[i], 2))
			return 2;
	return 1;
}

static bool next(struct reader *r)
{
	const char *start;

	while (isspace((unsigned char)*r->p))
		r->p++;
	start = r->p;
	if (!*start) {
		r->type = T_END;
		r->text = "";
		return true;
	}
	if (*start == '"')
		return read_quoted(r);
	if (*start == '\'' && start[1] && start[1] != '\\' && start[2] == '\'') {
		/* a character: its number */
		r->p += 3;
		r->type = T_ITEM;
		r->text = arena_printf(r->arena, "%d", start[1]);
		return true;
	}
	if (isalnum((unsigned char)*start) || *start == '_') {
		while (isalnum((unsigned char)*r->p) || *r->p == '_')
			r->p++;
		r->type = T_ITEM;
	} else if (strchr("(),", *start)) {
		r->p++;
		r->type = T_DELIM;
	} else {
		r->p += operator_len(start);
		r->type = T_OP;
	}
	r->text = arena_strndup(r->arena, start, (size_t)(r->p - start));
	return true;
}

static bool is(const struct reader *r, enum token_type type, const char *text)
{
	return r->type == type && !strcmp(r->text, text);
}

static bool expect(struct reader *r, enum token_type type, const char *text)
{
	return is(r, type, text) && next(r);
}

static struct print_node *node(struct reader *r)
{
	return arena_alloc(r->arena, sizeof(struct print_node));
}

/* Both start at the token that was read last, and end with the token behind their text read. */
static bool value(struct reader *r, struct print_node *n);
static bool operation(struct reader *r, struct print_node *n);

/* True when the next token is an operator, and no mark that looks like one. */
static bool goes_on(const struct reader *r)
{
	return r->type == T_OP && strcmp(r->text, ":") && strcmp(r->text, "]") &&
	       strcmp(r->text, "}");
}

/* Parses a whole argument: a value and the operators behind it. */
static bool expression(struct reader *r, struct print_node *n)
{
	if (!value(r, n))
		return false;
	while (goes_on(r))
		if (!operation(r, n))
			return false;
	return true;
}

static int priority(const char *op)
{
	static const struct {
		const char *op;
		int prio;
	} ops[] = {
		{"~", 4},   {"!", 4},  {"*", 6},  {"/", 6},  {"%", 6},	 {"+", 7},   {"-", 7},
		{"<<", 8},  {">>", 8}, {"<", 9},  {">", 9},  {"<=", 9},	 {">=", 9},  {"==", 10},
		{"!=", 10}, {"&", 11}, {"^", 12}, {"|", 13}, {"&&", 14}, {"||", 15}, {"?", 16},
	};

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (!strcmp(op, ops[i].op))
			return ops[i].prio;
	return -1;
}

static void make_operator(struct print_node *n, const char *op, struct print_node *left)
{
	*n = (struct print_node){.kind = PRINT_OPERATOR, .a = left};
	memcpy(n->op, op, strnlen(op, 2));
}

/* Parses "a ? b : c"; n is the '?'. Only a value belongs to the colon: operators after it apply to
 * the whole. */
static bool choice(struct reader *r, struct print_node *n)
{
	struct print_node *both = node(r), *yes = node(r), *no = node(r);

	if (!next(r) || !expression(r, yes) || !expect(r, T_OP, ":") || !value(r, no))
		return false;
	make_operator(both, ":", yes);
	both->b = no;
	n->b = both;
	return true;
}

static bool subscript(struct reader *r, struct print_node *n)
{
	n->b = node(r);
	return next(r) && value(r, n->b) && expect(r, T_OP, "]");
}

static bool print_parse_binary(struct reader *r, struct print_node *n, struct print_node **right)
{
	n->prio = priority(n->op);
	/* "(type *)": n becomes the type again */
	if (!next(r))
		return false;
	if (n->op[0] == '*' && !n->op[1] && is(r, T_DELIM, ")")) {
		struct print_node *left = n->a;

		if (left->kind != PRINT_ATOM)
			return false;
		*n = *left;
		n->pointer = true;
		*right = NULL;
		return true;
	}
	*right = node(r);
	if (!value(r, *right))
		return false;
	if ((*right)->kind == PRINT_OPERATOR && n->prio < priority((*right)->op)) {
		struct print_node tmp;

		n->b = (*right)->a;
		tmp = *n;
		*n = **right;
		**right = tmp;
		n->a = *right;
	} else {
		n->b = *right;
	}
	return true;
}

/* Parses an operation: n is the left operand of the operator that was read last, and becomes the
 * result. */
static bool operation(struct reader *r, struct print_node *n)
{
	struct print_node *left = node(r), *right = NULL;
	const char *op = r->text;
	bool ok;

	if (++r->depth > MAX_DEPTH)
		return false;
	*left = *n;
	make_operator(n, op, left);
	if (!strcmp(op, "?"))
		ok = choice(r, n);
	else if (!strcmp(op, "["))
		ok = subscript(r, n);
	else
		ok = priority(op) > 4 && print_parse_binary(r, n, &right);
	if (ok && goes_on(r)) {
		struct print_node *on = priority(r->text) > n->prio ? n : right;

		ok = on && operation(r, on);
	}
	r->depth--;
	return ok;
}

/*
 * The value of a name in a list, which must be constant. libtraceevent takes a text that isn't a
 * number, also one that begins with '-', as -1, except for some expressions that it knows.
 */
static bool name_value(const struct print_node *n, struct arena *arena, uint64_t *v)
{
	static const char *const softirqs[] = {
		"HI_SOFTIRQ",	   "TIMER_SOFTIRQ",    "NET_TX_SOFTIRQ",  "NET_RX_SOFTIRQ",
		"BLOCK_SOFTIRQ",   "IRQ_POLL_SOFTIRQ", "TASKLET_SOFTIRQ", "SCHED_SOFTIRQ",
		"HRTIMER_SOFTIRQ", "RCU_SOFTIRQ"};
	const struct tp_formats no_formats = {0};
	const struct print_sample none = {.formats = &no_formats};
	struct print_value number;

	while (n->kind == PRINT_CAST)
		n = n->a;
	switch (n->kind) {
	case PRINT_NUMBER:
		*v = n->number;
		return true;
	case PRINT_ATOM:
		*v = (uint64_t)-1;
		for (size_t i = 0; i < ARRAY_SIZE(softirqs); i++)
			if (!strcmp(n->text, softirqs[i]))
				*v = i;
		if (!strncmp(n->text, "HRTIMER_", 8) && strstr(n->text, "RESTART"))
			*v = !strcmp(n->text, "HRTIMER_RESTART");
		return true;
	case PRINT_OPERATOR:
		number = print_value_of(n, arena);
		*v = print_number(&none, &number);
		if ((int64_t)*v < 0)
			*v = (uint64_t)-1;
		return true;
	default:
		return false;
	}
}

/* Parses { value, "text" }, ...; a null pointer as the text may end the list. */
static bool names(struct reader *r, struct print_node *n)
{
	n->names = arena_alloc(r->arena, sizeof(*n->names));
	vec_add(&r->print->names, n->names);
	while (is(r, T_OP, "{")) {
		struct print_node *number = node(r), *text = node(r);
		struct print_name name;

		if (!next(r) || !expression(r, number) || !expect(r, T_DELIM, ",") ||
		    !name_value(number, r->arena, &name.value) || !value(r, text) ||
		    !expect(r, T_OP, "}"))
			return false;
		while (text->kind == PRINT_CAST)
			text = text->a;
		if (text->kind != PRINT_ATOM && text->kind != PRINT_NUMBER)
			return false;
		name.text = text->text;
		name.len = (uint32_t)strlen(name.text);
		vec_add(n->names, name);
		if (is(r, T_DELIM, ",") && !next(r))
			return false;
	}
	return expect(r, T_DELIM, ")");
}

static bool flags(struct reader *r, struct print_node *n)
{
	n->a = node(r);
	if (!expression(r, n->a) || !expect(r, T_DELIM, ","))
		return false;
	n->text = "";
	if (r->type == T_QUOTED || r->type == T_ITEM) {
		n->text = r->text;
		if (!next(r))
			return false;
	}
	return expect(r, T_DELIM, ",") && names(r, n);
}

static bool symbolic(struct reader *r, struct print_node *n)
{
	n->a = node(r);
	return expression(r, n->a) && expect(r, T_DELIM, ",") && names(r, n);
}

/* Parses helpers whose arguments are values, not expressions: bytes, their number, their width. */
static bool of_bytes(struct reader *r, struct print_node *n)
{
	n->a = node(r);
	n->b = node(r);
	if (!value(r, n->a) || !expect(r, T_DELIM, ",") || !value(r, n->b))
		return false;
	if (n->kind == PRINT_ARRAY) {
		n->c = node(r);
		if (!expect(r, T_DELIM, ",") || !value(r, n->c))
			return false;
	}
	return expect(r, T_DELIM, ")");
}

/* Parses helpers that take the name of a field. The field must exist, except for strings. */
static bool of_field(struct reader *r, struct print_node *n)
{
	if (r->type != T_ITEM)
		return false;
	n->text = r->text;
	n->field = tp_format_field(r->fmt, r->text);
	if (!n->field && n->kind != PRINT_STRING && n->kind != PRINT_BITMASK)
		return false;
	return next(r) && expect(r, T_DELIM, ")");
}

static bool function(struct reader *r, struct print_node *n, const char *name)
{
	static const struct {
		const char *name;
		enum print_kind kind;
		bool (*parse)(struct reader *r, struct print_node *n);
	} helpers[] = {
		{"__print_flags", PRINT_FLAGS, flags},
		{"__print_symbolic", PRINT_SYMBOLIC, symbolic},
		{"__print_hex", PRINT_HEX, of_bytes},
		{"__print_hex_str", PRINT_HEX_STR, of_bytes},
		{"__print_array", PRINT_ARRAY, of_bytes},
		{"__get_str", PRINT_STRING, of_field},
		{"__get_rel_str", PRINT_STRING, of_field},
		{"__get_bitmask", PRINT_BITMASK, of_field},
		{"__get_rel_bitmask", PRINT_BITMASK, of_field},
		{"__get_dynamic_array", PRINT_DYNAMIC, of_field},
		{"__get_rel_dynamic_array", PRINT_DYNAMIC, of_field},
		{"__get_dynamic_array_len", PRINT_DYNAMIC_LEN, of_field},
		{"__get_rel_dynamic_array_len", PRINT_DYNAMIC_LEN, of_field},
	};
	struct print_node likely = {0};

	if (!next(r)) /* the parenthesis */
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(helpers); i++)
		if (!strcmp(name, helpers[i].name)) {
			n->kind = helpers[i].kind;
			return helpers[i].parse(r, n);
		}
	if (!strcmp(name, "__builtin_expect"))
		return expression(r, n) && expect(r, T_DELIM, ",") && expression(r, &likely) &&
		       expect(r, T_DELIM, ")");
	return false;
}

/* The bits that a cast to the type keeps; all for unknown types. */
static uint64_t type_mask(const char *type)
{
	if (!strncmp(type, "unsigned ", 9))
		type += 9;
	if (!strcmp(type, "u8") || !strcmp(type, "s8") || !strcmp(type, "char"))
		return 0xff;
	if (!strcmp(type, "u16") || !strcmp(type, "s16") || !strcmp(type, "short"))
		return 0xffff;
	if (!strcmp(type, "u32") || !strcmp(type, "s32") || !strcmp(type, "int"))
		return 0xffffffff;
	return UINT64_MAX;
}

/* Parses "(x)": a cast when a value or another parenthesis follows. */
static bool parentheses(struct reader *r, struct print_node *n)
{
	struct print_node *item;

	if (!next(r) || !expression(r, n) || !expect(r, T_DELIM, ")"))
		return false;
	if (r->type != T_ITEM && r->type != T_QUOTED && !is(r, T_DELIM, "("))
		return true;
	if (n->kind != PRINT_ATOM)
		return false;
	item = node(r);
	*n = (struct print_node){
		.kind = PRINT_CAST, .pointer = n->pointer, .mask = type_mask(n->text), .a = item};
	return value(r, item);
}

static bool item(struct reader *r, struct print_node *n)
{
	const char *word = r->text;
	int words = 1;

	if (!next(r))
		return false;
	if (!strcmp(word, "REC")) {
		if (!expect(r, T_OP, "->") || r->type != T_ITEM)
			return false;
		n->kind = PRINT_FIELD;
		n->text = r->text;
		n->field = tp_format_field(r->fmt, r->text);
		return next(r);
	}
	if (is(r, T_DELIM, "("))
		return function(r, n, word);
	n->kind = isdigit((unsigned char)word[0]) ? PRINT_NUMBER : PRINT_ATOM;
	n->number = n->kind == PRINT_NUMBER ? strtoull(word, NULL, 0) : 0;
	/* the name of a type may have several words; only the first few matter */
	for (; r->type == T_ITEM; words++) {
		if (words < 4)
			word = arena_printf(r->arena, "%s %s", word, r->text);
		if (!next(r))
			return false;
	}
	n->text = word;
	return true;
}

/* Parses "-x": the sign applies to the value behind it. */
static bool sign(struct reader *r, struct print_node *n)
{
	if (r->text[1] || !strchr("~!+-", r->text[0]))
		return false;
	make_operator(n, r->text, node(r));
	n->b = node(r);
	if (!next(r) || !value(r, n->b))
		return false;
	return !goes_on(r) || operation(r, priority(r->text) > 0 ? n : n->b);
}

static bool value(struct reader *r, struct print_node *n)
{
	bool ok = false;

	if (++r->depth > MAX_DEPTH)
		return false;
	if (r->type == T_ITEM) {
		ok = item(r, n);
	} else if (r->type == T_QUOTED) {
		n->kind = PRINT_ATOM;
		n->text = r->text;
		ok = next(r);
	} else if (is(r, T_DELIM, "(")) {
		ok = parentheses(r, n);
	} else if (r->type == T_OP) {
		ok = sign(r, n);
	}
	r->depth--;
	return ok;
}

/* Parses the arguments of all conversions: too few are an error, too many are not. */
static bool arguments(struct reader *r)
{
	struct print_node *n;

	for (size_t i = 0; i < r->print->pieces.n; i++) {
		struct print_piece *piece = &r->print->pieces.at[i];

		if (piece->star) {
			piece->star_arg = node(r);
			if (!expect(r, T_DELIM, ",") || !expression(r, piece->star_arg))
				return false;
		}
		if (piece->conversion) {
			piece->arg = node(r);
			if (!expect(r, T_DELIM, ",") || !expression(r, piece->arg))
				return false;
		}
	}
	while (is(r, T_DELIM, ",")) {
		n = node(r);
		if (!next(r) || !expression(r, n))
			return false;
	}
	return true;
}

bool print_parse(struct print *p, const struct tp_format *fmt, struct arena *arena)
{
	struct reader r = {.p = fmt->print_fmt, .fmt = fmt, .arena = arena, .print = p};
	const char *format;

	if (!next(&r) || r.type != T_QUOTED)
		return false;
	format = r.text;
	if (!next(&r) || !print_format(p, format, arena) || !arguments(&r))
		return false;
	print_compile(p, arena);
	return true;
}

void print_release(struct print *p)
{
	for (size_t i = 0; i < p->names.n; i++) {
		idmap_release(&p->names.at[i]->by_value);
		vec_release(p->names.at[i]);
	}
	vec_release(&p->names);
	vec_release(&p->pieces);
}
