// SPDX-License-Identifier: MIT
/* Handles the parsed text: its pieces, and messages about its mistakes. */
#include "event/parse/parse_state.h"

#include "base/options/options.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

/* The line of the text that is shown: cut at the front when the place is far in, as perf does. */
#define SHOWN_BEFORE 40
#define SHOWN	     70

static int parse_text_fail(struct parser *ps, const char *at, const char *what)
{
	size_t place = (size_t)(at - ps->text),
	       cut = place > SHOWN_BEFORE ? place - SHOWN_BEFORE : 0;
	char line[SHOWN + 1];

	ps->wrong_at = at;
	ps->wrong = what;
	snprintf(line, sizeof(line), "%s", ps->text + cut);
	for (char *p = line; *p; p++) /* the place is counted in columns */
		if (isspace((unsigned char)*p) || iscntrl((unsigned char)*p))
			*p = ' ';
	err_set(ps->err, ERR_USAGE, "event '%.200s': %s", ps->text, what);
	return err_draw(ps->err,
			"event syntax error: '%s%s'\n%*s\\___ %.400s\n\n"
			"Run 'perf list' for a list of valid events",
			cut ? ".." : "", line, (int)(21 + (cut ? 2 : 0) + place - cut), "", what);
}

int parse_fail(struct parser *ps, const char *at, const char *fmt, ...)
{
	char what[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return parse_text_fail(ps, at, arena_strdup(&ps->arena, what));
}

int parse_suggest(struct parser *ps, const char *word, const char *const *names, size_t n)
{
	const char *near = nearest_name(word, names, n);

	if (!near || !ps->err)
		return -1;
	return parse_text_fail(
		ps, ps->wrong_at,
		arena_printf(&ps->arena, "%s; did you mean '%.100s'?", ps->wrong, near));
}

int parse_advise(struct parser *ps, const char *fmt, ...)
{
	char text[sizeof(ps->err->hint)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return err_hint(ps->err, "%s", text);
}

bool span_is(struct span_of s, const char *word)
{
	return strlen(word) == s.n && !memcmp(s.p, word, s.n);
}

struct span_of span_trim(struct span_of s)
{
	while (s.n && isspace((unsigned char)*s.p)) {
		s.p++;
		s.n--;
	}
	while (s.n && isspace((unsigned char)s.p[s.n - 1]))
		s.n--;
	return s;
}

const char *span_text(struct parser *ps, struct span_of s)
{
	return arena_strndup(&ps->arena, s.p, s.n);
}

bool span_number(struct span_of s, uint64_t *v)
{
	char copy[32];

	if (!s.n || s.n >= sizeof(copy))
		return false;
	memcpy(copy, s.p, s.n);
	copy[s.n] = 0;
	return !parse_u64(copy, v);
}

bool span_hex(struct span_of s, uint64_t *v)
{
	*v = 0;
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (!isxdigit(c))
			return false;
		*v = *v << 4 | (uint64_t)(isdigit(c) ? c - '0' : (c | 32) - 'a' + 10);
	}
	return s.n && s.n <= 16;
}

void parse_blanks(struct parser *ps)
{
	while (isspace((unsigned char)*ps->p))
		ps->p++;
}

struct span_of parse_head(struct parser *ps)
{
	struct span_of head = {ps->p, strcspn(ps->p, ",{}/")};

	ps->p += head.n;
	return head;
}
