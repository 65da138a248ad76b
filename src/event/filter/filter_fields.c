// SPDX-License-Identifier: MIT
/*
 * Checks expressions over a tracepoint's fields. For wrong ones the kernel says no more than
 * EINVAL.
 *
 * Source: Documentation/trace/events.rst, "Event filtering": predicates FIELD OP VALUE, joined by
 * && and
 * ||, with ! and parentheses. Values are numbers, strings in quotes, and CPUS{LIST}. What the
 * kernel of Linux 6.18 accepts is accepted.
 */
#include "event/filter/filter_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Names that the kernel has for every event, beside the fields of its format. */
static const struct general_name {
	const char *name;
	bool is_string, is_number;
} everywhere[] = {
	{"cpu", .is_number = true},
	{"CPU", .is_number = true},
	{"comm", .is_string = true},
	{"COMM", .is_string = true},
	{"stacktrace"},
	{"STACKTRACE"},
	{"common_cpu", .is_number = true},
};

/* A two-character operator stands before the one that it begins with. */
static const char *const operators[] = {"==", "!=", "<=", ">=", "~", "<", ">", "&"};

struct expression {
	const char *text, *at; /* all of it, and what is next */
	const char *event;     /* its name in errors */
	const struct tp_format *format;
	struct err *err;
	const char *name; /* of the predicate: its field */
	int length;	  /* of that name in bytes, at most 64 */
	bool is_string, is_number;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static void expression_skip_blanks(struct expression *e)
{
	while (isspace((unsigned char)*e->at))
		e->at++;
}

static bool is_named(const char *name, const char *at, size_t n)
{
	return strlen(name) == n && !memcmp(name, at, n);
}

static int unknown(struct expression *e, size_t n)
{
	VEC(const char *) names = {0};

	filter_fail(e->err, e->text, e->at, "'%s' has no field '%.*s'", e->event, (int)MIN(n, 64),
		    e->at);
	for (size_t i = 0; i < e->format->fields.n; i++)
		vec_add(&names, e->format->fields.at[i].name);
	filter_suggest(e->err, e->at, n, names.at, names.n);
	vec_release(&names);
	return -1;
}

/* The field's name, perhaps with how it is read behind it ("comm.ustring"). */
static int expression_take_field(struct expression *e)
{
	const struct tp_field *field = NULL;
	const struct general_name *general = NULL;
	size_t n = 0;

	while (is_word(e->at[n]))
		n++;
	if (!n)
		return filter_fail(e->err, e->text, e->at, "a field's name should stand here");
	for (size_t i = 0; i < e->format->fields.n; i++)
		if (is_named(e->format->fields.at[i].name, e->at, n))
			field = &e->format->fields.at[i];
	for (size_t i = 0; i < ARRAY_SIZE(everywhere) && !field; i++)
		if (is_named(everywhere[i].name, e->at, n))
			general = &everywhere[i];
	if (!field && !general)
		return unknown(e, n);
	e->name = e->at;
	e->length = (int)MIN(n, 64);
	e->is_string = field ? field->is_string : general->is_string;
	e->is_number = field ? !field->is_string && !field->is_array && !field->elements &&
				       !field->is_dynamic && !field->is_relative &&
				       !field->is_pointer
			     : general->is_number;
	e->at += n;
	if (*e->at != '.')
		return 0;
	/* the kernel knows which of these ways a field can be read */
	e->is_string = e->is_number = false;
	for (e->at++; is_word(*e->at);)
		e->at++;
	return 0;
}

/* NULL: there is none. */
static const char *expression_take_operator(struct expression *e)
{
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		const size_t n = strlen(operators[i]);

		if (strncmp(e->at, operators[i], n) || !strncmp(e->at, "&&", 2))
			continue;
		e->at += n;
		return operators[i];
	}
	return NULL;
}

static int expression_take_string(struct expression *e, const char *op, const char *op_at)
{
	const char *end = strchr(e->at + 1, *e->at);

	if (e->is_number)
		return filter_fail(e->err, e->text, e->at,
				   "'%.*s' is a number, so this may not be a string", e->length,
				   e->name);
	if (strcmp(op, "==") && strcmp(op, "!=") && strcmp(op, "~"))
		return filter_fail(e->err, e->text, op_at,
				   "strings are compared by ==, != and ~ (a glob)");
	if (!end)
		return filter_fail(e->err, e->text, e->at, "this quote is not closed");
	e->at = end + 1;
	return 0;
}

static int expression_take_number(struct expression *e, const char *op, const char *op_at)
{
	const char *begin = e->at;
	char *end;

	if (e->is_string)
		return filter_fail(e->err, e->text, e->at,
				   "'%.*s' is a string, so this should stand in quotes", e->length,
				   e->name);
	if (!strcmp(op, "~"))
		return filter_fail(e->err, e->text, op_at, "~ compares a string with a glob");
	e->at += *e->at == '-';
	errno = 0;
	strtoull(e->at, &end, 0);
	while (isalnum((unsigned char)*e->at))
		e->at++;
	if (errno || end != e->at || end == begin || end[-1] == '-')
		return filter_fail(e->err, e->text, begin, "'%.*s' is no number of 64 bits",
				   (int)MIN(e->at - begin, 64), begin);
	return 0;
}

/* "CPUS{0-3,7}": which CPUs there are is the kernel's to know. */
static int expression_take_cpus(struct expression *e, const char *op, const char *op_at)
{
	const char *begin = e->at;
	size_t n;

	if (e->is_string)
		return filter_fail(e->err, e->text, e->at, "'%.*s' is a string, not CPUs",
				   e->length, e->name);
	if (strcmp(op, "==") && strcmp(op, "!=") && strcmp(op, "&"))
		return filter_fail(e->err, e->text, op_at, "CPUs are compared by ==, != and &");
	e->at += strlen("CPUS");
	if (*e->at != '{')
		return filter_fail(e->err, e->text, e->at, "'{' should stand here: CPUS{0-3}");
	n = strspn(e->at + 1, "0123456789-,:/ ");
	if (!isdigit((unsigned char)e->at[1]) || (e->at[n + 1] && e->at[n + 1] != '}'))
		return filter_fail(e->err, e->text,
				   e->at + 1 + (isdigit((unsigned char)e->at[1]) ? n : 0),
				   "numbers of CPUs should stand here: CPUS{0-3}");
	if (!e->at[n + 1])
		return filter_fail(e->err, e->text, begin, "a '}' is missing behind the CPUs");
	e->at += n + 2;
	return 0;
}

static int expression_take_value(struct expression *e, const char *op, const char *op_at)
{
	if (*e->at == '"' || *e->at == '\'')
		return expression_take_string(e, op, op_at);
	if (isdigit((unsigned char)*e->at) || *e->at == '-')
		return expression_take_number(e, op, op_at);
	if (!strncmp(e->at, "CPUS", 4))
		return expression_take_cpus(e, op, op_at);
	if (!is_word(*e->at))
		return filter_fail(e->err, e->text, e->at, "a value should stand here");
	/* functions are named without quotes */
	if (e->is_string || e->is_number) {
		if (strcmp(e->format->system, "ftrace"))
			return filter_fail(
				e->err, e->text, e->at,
				e->is_string ? "'%.*s' is a string, so this should stand in quotes"
					     : "'%.*s' is a number, and this is none",
				e->length, e->name);
	}
	while (*e->at && !strchr("()&|! ", *e->at))
		e->at++;
	return 0;
}

static int expression_take_predicate(struct expression *e)
{
	const char *op_at, *op;

	if (expression_take_field(e))
		return -1;
	expression_skip_blanks(e);
	op_at = e->at;
	op = expression_take_operator(e);
	if (!op)
		return filter_fail(e->err, e->text, op_at,
				   "one of == != < <= > >= & ~ should stand here");
	expression_skip_blanks(e);
	return expression_take_value(e, op, op_at);
}

int filter_check_fields(const char *text, const char *event, const struct tp_format *format,
			struct err *err)
{
	struct expression e = {
		.text = text, .at = text, .event = event, .format = format, .err = err};
	const char *opened = NULL;
	size_t depth = 0;

	for (;;) {
		while (isspace((unsigned char)*e.at) || *e.at == '!' || *e.at == '(') {
			if (*e.at == '(' && !depth++)
				opened = e.at;
			e.at++;
		}
		if (!*e.at)
			break;
		if (expression_take_predicate(&e))
			return -1;
		expression_skip_blanks(&e);
		while (*e.at == ')' && depth) {
			depth--;
			e.at++;
			expression_skip_blanks(&e);
		}
		if (!*e.at)
			break;
		if (*e.at == ')')
			return filter_fail(err, text, e.at, "no parenthesis is open here");
		if (strncmp(e.at, "&&", 2) != 0 && strncmp(e.at, "||", 2) != 0)
			return filter_fail(err, text, e.at, "&& or || should stand here");
		e.at += 2;
	}
	return depth ? filter_fail(err, text, opened, "this parenthesis is not closed") : 0;
}
