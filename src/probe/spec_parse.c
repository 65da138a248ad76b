// SPDX-License-Identifier: MIT
#include "probe/spec.h"

#include "base/options/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 70 /* columns of the text that a message shows */

int probe_spec_fail(const char *text, const char *at, struct err *err, const char *fmt, ...)
{
	const size_t place = (size_t)(at - text), cut = place > SHOWN / 2 ? place - SHOWN / 2 : 0;
	char what[300], line[SHOWN + 1];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	snprintf(line, sizeof(line), "%s", text + cut);
	for (char *p = line; *p; p++)
		if (isspace((unsigned char)*p) || iscntrl((unsigned char)*p))
			*p = ' ';
	err_set(err, ERR_USAGE, "probe '%.200s': %s", text, what);
	return err_draw(err, "probe syntax error: '%s%s'\n%*s\\___ %s", cut ? ".." : "", line,
			(int)(21 + (cut ? 2 : 0) + place - cut), "", what);
}

struct parser {
	struct probe_spec *s;
	struct arena *arena;
	struct err *err;
};

static int fail(const struct parser *p, const char *at, const char *what)
{
	return probe_spec_fail(p->s->text, at, p->err, "%s", what);
}

/* The first of the separators in [at, end) that no backslash precedes; else the end. */
static const char *find_separator(const char *at, const char *end, const char *separators)
{
	for (; at < end; at++) {
		if (*at == '\\' && at + 1 < end)
			at++;
		else if (*at == ':' && at + 1 < end && at[1] == ':')
			at++;
		else if (strchr(separators, *at))
			return at;
	}
	return end;
}

/* A copy without the backslashes; NULL for nothing. */
static const char *unescaped(struct arena *arena, const char *at, const char *end)
{
	char *copy = arena_strndup(arena, at, (size_t)(end - at)), *to = copy;

	for (const char *from = copy; *from; from++) {
		if (*from == '\\' && from[1])
			from++;
		*to++ = *from;
	}
	*to = 0;
	return *copy ? copy : NULL;
}

bool probe_is_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	while (isalnum((unsigned char)*s) || *s == '_')
		s++;
	return !*s;
}

bool probe_is_glob(const char *name)
{
	return strpbrk(name, "*?[") != NULL;
}

/* "GROUP:EVENT=" before the point. */
static int parse_names(struct parser *p, const char *at, const char *end)
{
	const char *colon = memchr(at, ':', (size_t)(end - at));

	if (colon) {
		p->s->group = unescaped(p->arena, at, colon);
		if (!p->s->group || !probe_is_name(p->s->group))
			return fail(p, at, "a group's name is made of letters, digits and '_'");
		at = colon + 1;
	}
	p->s->event = unescaped(p->arena, at, end);
	if (colon && !p->s->event)
		return 0; /* "GROUP:=": a group with a name of our choice */
	if (!p->s->event || !probe_is_name(p->s->event))
		return fail(p, at, "an event's name is made of letters, digits and '_'");
	return 0;
}

static int parse_number(struct parser *p, const char *at, const char *end, uint64_t *v,
			const char *what)
{
	char copy[32];

	snprintf(copy, sizeof(copy), "%.*s", (int)MIN((size_t)(end - at), sizeof(copy) - 1), at);
	return parse_u64(copy, v) ? fail(p, at, what) : 0;
}

/* What follows the function or the file: c says of which kind it is. */
static int parse_part(struct parser *p, char c, const char *at, const char *end)
{
	struct probe_spec *s = p->s;
	uint64_t number;

	switch (c) {
	case ';':
		s->pattern = arena_strndup(p->arena, at, (size_t)(end - at));
		return *s->pattern ? 0 : fail(p, at, "a pattern should stand here");
	case ':':
		if (at == end)
			return 0;
		if (parse_number(p, at, end, &number, "a line's number should stand here"))
			return -1;
		if (number > INT32_MAX)
			return fail(p, at, "no file has so many lines");
		s->line = (uint32_t)number;
		s->line_given = true;
		return 0;
	case '+':
		return parse_number(p, at, end, &s->offset, "an offset in bytes should stand here");
	case '@':
		if (s->file)
			return fail(p, at, "a file can have no file");
		s->file = unescaped(p->arena, at, end);
		return s->file ? 0 : fail(p, at, "a file's name should stand here");
	default:
		if (end - at != 6 || memcmp(at, "return", 6))
			return fail(p, at, "only 'return' can follow '%'");
		s->retprobe = true;
		return 0;
	}
}

/* What cannot stand together. */
static int check_point(const struct parser *p, const char *at)
{
	const struct probe_spec *s = p->s;

	if (!s->function && !s->file)
		return fail(p, at, "a function or a file should stand here");
	if (s->pattern && s->line)
		return fail(p, at, "a pattern and a line's number exclude each other");
	if (s->pattern && s->offset)
		return fail(p, at, "a pattern and an offset exclude each other");
	if (s->line && s->offset)
		return fail(p, at, "a line's number and an offset exclude each other");
	if (!s->line && !s->pattern && s->file && !s->function)
		return fail(p, at, "a file needs a line's number or a pattern");
	if (s->offset && !s->function)
		return fail(p, at, "an offset needs a function");
	if (s->retprobe && !s->function)
		return fail(p, at, "a return needs a function");
	if (s->retprobe && (s->offset || s->line || s->pattern))
		return fail(p, at, "a return has no offset, line or pattern");
	return 0;
}

/* A word with a dot in it, and ':' or ';' behind that, begins with a file. */
static bool begins_with_file(const char *at, const char *end)
{
	const char *stop;

	if (find_separator(at, end, "+@%") < end)
		return false;
	stop = find_separator(at, end, ";:");
	return stop < end && memchr(at, '.', (size_t)(stop - at));
}

static int parse_place(struct parser *p, const char *at, const char *end)
{
	const bool file = begins_with_file(at, end);
	const char *stop = find_separator(at, end, ";:+@%"), *begin = at;
	struct probe_spec *s = p->s;
	const char *name = unescaped(p->arena, at, stop);

	if (file)
		s->file = name;
	else
		s->function = name;
	if (name && name[0] == '0' && (name[1] == 'x' || name[1] == 'X')) {
		if (parse_u64(name, &s->address))
			return fail(p, at, "an address is hexadecimal");
		s->has_address = true;
	}
	while (stop < end) {
		const char c = *stop;

		at = stop + 1;
		stop = c == ';' ? end : find_separator(at, end, ";:+@%");
		if (c == ':' && at == stop && stop < end && *stop == '%')
			continue; /* ":%return" */
		if (parse_part(p, c, at, stop))
			return -1;
	}
	return check_point(p, begin);
}

/* "[%]sdt_PROVIDER:NAME": a marker by its name. */
static bool parse_marker(struct parser *p, const char *at, const char *end)
{
	const char *colon;

	at += *at == '%';
	colon = memchr(at, ':', (size_t)(end - at));
	if (end - at < 5 || memcmp(at, "sdt_", 4) || !colon || memchr(at, '=', (size_t)(end - at)))
		return false;
	p->s->sdt = true;
	p->s->group = arena_strndup(p->arena, at, (size_t)(colon - at));
	p->s->function = arena_strndup(p->arena, colon + 1, (size_t)(end - colon - 1));
	return true;
}

static int parse_point(struct parser *p, const char *at, const char *end)
{
	const char *stop = find_separator(at, end, ";=@+%");

	if (parse_marker(p, at, end))
		return probe_is_name(p->s->function) || probe_is_glob(p->s->function)
			       ? 0
			       : fail(p, at, "a marker is sdt_PROVIDER:NAME");
	if (stop < end && *stop == '=') {
		if (parse_names(p, at, stop))
			return -1;
		at = stop + 1;
		if (parse_marker(p, at, end))
			return 0;
	}
	return parse_place(p, at, end);
}

/* ".MEMBER", "->MEMBER" or "[INDEX]" from *at on; moves it. */
static int parse_field(struct parser *p, struct probe_arg *a, const char **at, const char *end)
{
	struct probe_field f = {0};
	const char *from = *at;

	if (*from == '[') {
		const char *close = memchr(from, ']', (size_t)(end - from));
		uint64_t index;

		if (!close || close == from + 1 ||
		    parse_number(p, from + 1, close, &index, "a number should stand here"))
			return fail(p, from + 1, "an index is a number, followed by ']'");
		f.index = (int64_t)index;
		*at = close + 1;
	} else {
		f.arrow = *from == '-';
		if (f.arrow && (end - from < 2 || from[1] != '>'))
			return fail(p, from, "members follow '->' or '.'");
		from += 1 + f.arrow;
		for (*at = from; *at < end && !strchr("-.[", **at);)
			++*at;
		if (*at == from)
			return fail(p, from, "a member's name should stand here");
		f.name = arena_strndup(p->arena, from, (size_t)(*at - from));
		a->label = f.name;
	}
	vec_add(&a->fields, f);
	return 0;
}

static int parse_value(struct parser *p, struct probe_arg *a, const char *at, const char *end)
{
	const char *stop = at;

	while (stop < end && !strchr("-.[", *stop))
		stop++;
	a->value = arena_strndup(p->arena, at, (size_t)(stop - at));
	if (stop == end || !probe_is_name(a->value)) {
		a->value = arena_strndup(p->arena, at, (size_t)(end - at));
		return *a->value ? 0 : fail(p, at, "an argument's value should stand here");
	}
	a->label = a->value;
	while (stop < end)
		if (parse_field(p, a, &stop, end))
			return -1;
	return 0;
}

static int parse_arg(struct parser *p, const char *at, const char *end)
{
	struct probe_arg *a = vec_extend(&p->s->args, 1);
	const char *mark;

	a->at = at;
	mark = memchr(at, '=', (size_t)(end - at));
	if (mark) {
		a->name = arena_strndup(p->arena, at, (size_t)(mark - at));
		if (!probe_is_name(a->name))
			return fail(p, at, "an argument's name is made of letters, digits and '_'");
		at = mark + 1;
	}
	mark = end - at > 5 ? end - 5 : at;
	if (mark > at && !memcmp(mark, "@user", 5)) {
		a->user = true;
		end = mark;
	}
	/* "\"text:\"": what stands in quotes is the kernel's business */
	mark = at + 1 < end && at[0] == '\\' && at[1] == '"' ? NULL
							     : memchr(at, ':', (size_t)(end - at));
	if (mark) {
		a->type = arena_strndup(p->arena, mark + 1, (size_t)(end - mark - 1));
		if (!*a->type)
			return fail(p, mark + 1, "a type should stand here");
		end = mark;
	}
	if (parse_value(p, a, at, end))
		return -1;
	if (probe_arg_is_variable(a) && p->s->retprobe)
		return fail(p, a->at, "a variable is not there any more when its function returns");
	return 0;
}

int probe_spec_parse(struct probe_spec *s, const char *text, struct arena *arena, struct err *err)
{
	struct parser p = {s, arena, err};
	const char *at;
	bool point = false;

	*s = (struct probe_spec){.text = arena_strdup(arena, text)};
	for (at = s->text; *at;) {
		size_t n;

		if (isspace((unsigned char)*at)) {
			at++;
			continue;
		}
		for (n = 0; at[n] && !isspace((unsigned char)at[n]);)
			n++;
		if (s->args.n == PROBE_ARGS_MAX)
			return fail(&p, at, "no probe has so many arguments");
		if (point ? parse_arg(&p, at, at + n) : parse_point(&p, at, at + n))
			return -1;
		point = true;
		at += n;
	}
	return point ? 0 : fail(&p, s->text, "a place should stand here");
}

void probe_spec_release(struct probe_spec *s)
{
	for (size_t i = 0; i < s->args.n; i++)
		vec_release(&s->args.at[i].fields);
	vec_release(&s->args);
}
