// SPDX-License-Identifier: MIT
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Messages contain file names and comms, whose control characters a terminal must not obey. */
static void make_printable(char *text, size_t size, bool lines)
{
	char clean[768];
	size_t n = 0;

	for (const char *p = text; *p && n + 5 < sizeof(clean); p++) {
		unsigned char c = (unsigned char)*p;

		if ((c < 0x20 || c == 0x7f) && !(lines && c == '\n'))
			n += (size_t)snprintf(clean + n, sizeof(clean) - n, "\\x%02x", c);
		else
			clean[n++] = (char)c;
	}
	clean[n] = 0;
	snprintf(text, size, "%s", clean);
}

int err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return -1;
	e->code = code;
	e->sys = 0;
	e->hint[0] = 0;
	e->drawn = false;
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	make_printable(e->text, sizeof(e->text), false);
	return -1;
}

int err_sys(struct err *e, int sys, const char *fmt, ...)
{
	size_t n;
	va_list ap;

	if (!e)
		return -1;
	e->code = ERR_SYSTEM;
	e->sys = sys;
	e->hint[0] = 0;
	e->drawn = false;
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	make_printable(e->text, sizeof(e->text), false);
	n = strlen(e->text);
	snprintf(e->text + n, sizeof(e->text) - n, ": %s", strerror(sys));
	return -1;
}

static int set_hint(struct err *e, bool drawn, const char *fmt, va_list ap)
{
	if (!e)
		return -1;
	vsnprintf(e->hint, sizeof(e->hint), fmt, ap);
	make_printable(e->hint, sizeof(e->hint), true);
	e->drawn = drawn;
	return -1;
}

int err_hint(struct err *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_hint(e, false, fmt, ap);
	va_end(ap);
	return -1;
}

int err_draw(struct err *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_hint(e, true, fmt, ap);
	va_end(ap);
	return -1;
}

int err_prefix(struct err *e, const char *what)
{
	char old[sizeof(e->text)];

	if (!e)
		return -1;
	e->drawn = false;
	memcpy(old, e->text, sizeof(old));
	snprintf(e->text, sizeof(e->text), "%.200s: %.560s", what, old);
	return -1;
}
