// SPDX-License-Identifier: MIT
#include "symbol/demangle.h"

#include "base/buf.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* bytes of a demangled name: back references let a short name expand without end */
#define MAX_SHOWN 65536
#define MAX_D_REFERENCES 24
#define MAX_D_NAME 4096

struct shown {
	struct buf text;
	jmp_buf too_long;
};

static void demangle_add(const char *p, size_t n, void *ctx)
{
	struct shown *s = ctx;

	if (s->text.n + n > MAX_SHOWN)
		longjmp(s->too_long, 1);
	buf_add(&s->text, p, n);
}

/* The callback demanglers allocate nothing on the heap: longjmp() out of them leaks nothing. */
static bool demangle_compiled(const char *name, int options, struct shown *s)
{
	if (setjmp(s->too_long))
		return false;
	if (rust_demangle_callback(name, options, demangle_add, s))
		return true;
	buf_clear(&s->text);
	return cplus_demangle_v3_callback(name, options, demangle_add, s);
}

/* The demangler of D allocates, and each back reference ('Q') may double the size of the name. */
static bool demangle_d(const char *name, struct shown *s)
{
	size_t references = 0;
	char *text;

	if (name[1] != 'D')
		return false;
	for (const char *p = name; *p; p++)
		references += *p == 'Q';
	if (references > MAX_D_REFERENCES || strlen(name) > MAX_D_NAME)
		return false;
	text = dlang_demangle(name, DMGL_NO_OPTS);
	if (text && strlen(text) <= MAX_SHOWN)
		buf_str(&s->text, text);
	free(text);
	return s->text.n > 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* camlModule__Sub__name_123: "__" separates, "$xx" is any character. */
static bool demangle_ocaml(const char *name, struct buf *out)
{
	if (strncmp(name, "caml", 4) || name[4] < 'A' || name[4] > 'Z')
		return false;
	for (const char *p = name + 4; *p; p++) {
		if (p[0] == '_' && p[1] == '_') {
			buf_char(out, '.');
			p++;
		} else if (p[0] == '$' && hex_digit(p[1]) >= 0 && hex_digit(p[2]) >= 0) {
			buf_char(out, (char)(hex_digit(p[1]) << 4 | hex_digit(p[2])));
			p += 2;
		} else {
			buf_char(out, *p);
		}
	}
	return true;
}

static const char *java_class(const char *p, const char *end, struct buf *out)
{
	for (; p < end && *p != ';'; p++)
		buf_char(out, *p == '/' ? '.' : *p);
	return p < end ? p + 1 : NULL;
}

/* One field descriptor (JVM specification, 4.3.2). */
static const char *java_type(const char *p, const char *end, struct buf *out)
{
	static const char *const names[26] = {
		['B' - 'A'] = "byte",  ['C' - 'A'] = "char", ['D' - 'A'] = "double",
		['F' - 'A'] = "float", ['I' - 'A'] = "int",  ['J' - 'A'] = "long",
		['S' - 'A'] = "short", ['V' - 'A'] = "void", ['Z' - 'A'] = "boolean",
	};
	size_t arrays = 0;

	for (; p < end && *p == '['; p++)
		arrays++;
	if (p == end || *p < 'A' || *p > 'Z')
		return NULL;
	if (*p == 'L') {
		p = java_class(p + 1, end, out);
	} else {
		if (!names[*p - 'A'])
			return NULL;
		buf_str(out, names[*p++ - 'A']);
	}
	while (p && arrays--)
		buf_str(out, "[]");
	return p;
}

/* "Lorg/x/Y;name(IJ)V" is "org.x.Y.name(int, long)". */
static bool demangle_java(const char *name, struct buf *out)
{
	const char *open = strchr(name, '('), *close = open ? strchr(open, ')') : NULL, *p;

	if (name[0] != 'L' || !close || !close[1])
		return false;
	p = java_class(name + 1, open, out);
	if (!p || p == open)
		return false;
	buf_char(out, '.');
	buf_add(out, p, (size_t)(open + 1 - p));
	for (p = open + 1; p && p < close;) {
		if (p > open + 1)
			buf_str(out, ", ");
		p = java_type(p, close, out);
	}
	buf_char(out, ')');
	return p != NULL;
}

char *demangle(const char *name, bool with_params)
{
	const int options = with_params ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;
	struct shown s = {0};
	bool done;

	/* most names are C's: the first character rejects them */
	if (name[0] == '_')
		done = demangle_compiled(name, options, &s) ||
		       (buf_clear(&s.text), demangle_d(name, &s));
	else
		done = demangle_ocaml(name, &s.text) ||
		       (buf_clear(&s.text), demangle_java(name, &s.text));
	if (!done) {
		buf_release(&s.text);
		return NULL;
	}
	buf_text(&s.text);
	return s.text.at;
}
