// SPDX-License-Identifier: MIT
/*
 * Checks the names in expressions over a tracepoint's fields. For wrong ones the kernel says no
 * more than EINVAL.
 *
 * Source: Documentation/trace/events.rst, "Event filtering": predicates FIELD OP VALUE, joined by
 * && and
 * ||, with ! and parentheses. Values are numbers, words, or strings in quotes.
 */
#include "event/filter/filter_text.h"

#include <ctype.h>
#include <string.h>

/* Names that the kernel has for every event, beside the fields of its format. */
static const char *const everywhere[] = {"cpu",	       "CPU",	     "comm",	  "COMM",
					 "common_cpu", "stacktrace", "STACKTRACE"};

static bool is_operator(char c)
{
	return c && strchr("=!<>~&", c);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static bool is_field(const struct tp_format *format, const char *name, size_t n)
{
	for (size_t i = 0; i < format->fields.n; i++)
		if (strlen(format->fields.at[i].name) == n &&
		    !memcmp(format->fields.at[i].name, name, n))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(everywhere); i++)
		if (strlen(everywhere[i]) == n && !memcmp(everywhere[i], name, n))
			return true;
	return false;
}

static int unknown(const char *text, const char *at, size_t n, const struct tp_format *format,
		   struct err *err)
{
	VEC(const char *) names = {0};

	filter_fail(err, text, at, "'%s:%s' has no field '%.*s'", format->system, format->name,
		    (int)MIN(n, 64), at);
	for (size_t i = 0; i < format->fields.n; i++)
		vec_add(&names, format->fields.at[i].name);
	filter_suggest(err, at, n, names.at, names.n);
	vec_release(&names);
	return -1;
}

/* Passes over a value, up to the next operator && or || or a closing parenthesis. */
static const char *skip_value(const char *p)
{
	while (*p && *p != ')' && strncmp(p, "&&", 2) != 0 && strncmp(p, "||", 2) != 0) {
		const char *end = *p == '"' || *p == '\'' ? strchr(p + 1, *p) : NULL;

		p = end ? end + 1 : p + 1;
	}
	return p;
}

int filter_check_fields(const char *text, const struct tp_format *format, struct err *err)
{
	const char *p = text;

	while (*p) {
		size_t n = 0, name;

		if (!is_word(*p)) {
			p++;
			continue;
		}
		while (is_word(p[n]))
			n++;
		/* "comm.ustring": a field and how it is read */
		name = strcspn(p, ".");
		name = MIN(name, n);
		for (const char *op = p + n;; op++) {
			if (isspace((unsigned char)*op))
				continue;
			/* a function, or no predicate: the kernel checks it */
			if (!is_operator(*op))
				name = 0;
			break;
		}
		if (name && !is_field(format, p, name))
			return unknown(text, p, name, format, err);
		p = skip_value(p + n);
	}
	return 0;
}
