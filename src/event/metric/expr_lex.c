// SPDX-License-Identifier: MIT
/* Splits an expression into words, numbers and names. */
#include "event/metric/expr_grammar.h"

#include "base/options/options.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Columns of text that are shown before the place of a mistake, and in all. */
#define SHOWN_BEFORE 40
#define SHOWN	     70

void metric_fail(struct metric_lexer *lx, const char *fmt, ...)
{
	size_t place = (size_t)(lx->token - lx->text),
	       cut = place > SHOWN_BEFORE ? place - SHOWN_BEFORE : 0;
	char what[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	err_set(lx->err, ERR_INPUT, "expression '%.200s': %s", lx->text, what);
	err_hint(lx->err, "%s%.*s\n%*s\\___ %s", cut ? ".." : "", SHOWN, lx->text + cut,
		 (int)((cut ? 2 : 0) + place - cut), "", what);
}

/*
 * The number in p[0..n): digits with at most one point, then perhaps e and a whole number. Does not
 * depend on the locale. Exact up to 2^53 with a power of ten up to 10^22.
 */
static double decimal(const char *p, size_t n)
{
	const char *end = p + n;
	double v = 0;
	int power = 0;
	bool fraction = false;

	for (; p < end && *p != 'e'; p++) {
		if (*p == '.') {
			fraction = true;
			continue;
		}
		v = v * 10 + (*p - '0');
		power -= fraction;
	}
	if (p < end) {
		bool minus = *++p == '-';
		int e = 0;

		for (p += minus; p < end; p++)
			e = MIN(e * 10 + (*p - '0'), 100000);
		power += minus ? -e : e;
	}
	/* one power at a time that a double holds exactly, so that 1e-400 isn't 1 / infinity */
	for (; power > 22 && v > 0 && !isinf(v); power -= 22)
		v *= 1e22;
	for (; power < -22 && v > 0; power += 22)
		v /= 1e22;
	if (v > 0 && !isinf(v))
		v = power < 0 ? v / pow(10, -power) : v * pow(10, power);
	return v;
}

/* The length of the number that the text begins with; 0: none. */
static size_t number_length(const char *p)
{
	size_t n = strspn(p, "0123456789"), digits = n;

	if (p[n] == '.') {
		size_t more = strspn(p + n + 1, "0123456789");

		digits += more;
		n += 1 + more;
	}
	if (!digits)
		return 0;
	if (p[n] == 'e') {
		size_t sign = p[n + 1] == '-', power = strspn(p + n + 1 + sign, "0123456789");

		if (power)
			n += 1 + sign + power;
	}
	return n;
}

double metric_scale(const char *text, const char **unit)
{
	size_t n = number_length(text);

	*unit = text + n;
	return n ? decimal(text, n) : 1;
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.:@?", c));
}

static size_t name_length(const char *p)
{
	size_t n = 0;

	for (;; n++) {
		if (p[n] == '\\' && p[n + 1])
			n++;
		else if (!in_name(p[n]))
			return n;
	}
}

static const char *name(struct metric_lexer *lx, const char *p, size_t n)
{
	char *text = arena_alloc(lx->arena, n + 1);
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		if (p[i] == '\\')
			text[k++] = p[++i];
		else
			text[k++] = p[i] == '@' ? '/' : p[i];
	}
	return text;
}

static int keyword(const char *p, size_t n)
{
	static const struct {
		const char *word;
		int token;
	} words[] = {
		{"min", TOKEN_MIN},
		{"max", TOKEN_MAX},
		{"if", TOKEN_IF},
		{"else", TOKEN_ELSE},
		{"d_ratio", TOKEN_D_RATIO},
		{"source_count", TOKEN_SOURCE_COUNT},
		{"has_event", TOKEN_HAS_EVENT},
		{"strcmp_cpuid_str", TOKEN_STRCMP_CPUID_STR},
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i].word) == n && !memcmp(words[i].word, p, n))
			return words[i].token;
	return 0;
}

static int literal(union metric_token *value, struct metric_lexer *lx)
{
	static const struct metric_facts nothing;
	const char *names[METRIC_LITERALS], *near;
	size_t n = 1;
	double unused;

	while (isalnum((unsigned char)lx->p[n]) || lx->p[n] == '_')
		n++;
	value->text = arena_strndup(lx->arena, lx->p + 1, n - 1);
	lx->p += n;
	if (metric_literal(value->text, &nothing, &unused))
		return TOKEN_LITERAL;
	metric_literal_names(names);
	near = nearest_name(value->text, names, METRIC_LITERALS);
	metric_fail(lx, "unknown literal '#%.60s'%s%s%s", value->text,
		    near ? "; did you mean '#" : "", near ? near : "", near ? "'?" : "");
	return TOKEN_METRIC_GRAMMAR_error;
}

/* Takes an operator of one or two characters; 0 when there is none. */
static int operator(struct metric_lexer *lx)
{
	static const struct {
		char text[3];
		int token;
	} pairs[] = {
		{"<=", TOKEN_LESS_OR_EQUAL},
		{">=", TOKEN_GREATER_OR_EQUAL},
		{"==", TOKEN_EQUAL},
		{"!=", TOKEN_UNEQUAL},
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		if (!strncmp(lx->p, pairs[i].text, 2)) {
			lx->p += 2;
			return pairs[i].token;
		}
	return strchr("+-*/%&|^<>(),", *lx->p++) ? lx->token[0] : 0;
}

int metric_lex(union metric_token *value, struct metric_lexer *lx)
{
	size_t digits, n;
	int word;

	lx->p += strspn(lx->p, " \t\n\r");
	lx->token = lx->p;
	if (!*lx->p)
		return 0;
	if (*lx->p == '#')
		return literal(value, lx);
	digits = number_length(lx->p);
	n = name_length(lx->p);
	if (digits && digits >= n) {
		value->number = decimal(lx->p, digits);
		lx->p += digits;
		return TOKEN_NUMBER;
	}
	if (!n) {
		word = operator(lx);
		if (word)
			return word;
		metric_fail(lx, "unexpected '%c'", lx->token[0]);
		return TOKEN_METRIC_GRAMMAR_error;
	}
	word = keyword(lx->p, n);
	value->text = name(lx, lx->p, n);
	lx->p += n;
	return word ? word : TOKEN_ID;
}
