// SPDX-License-Identifier: MIT
#include "view/out/short_name.h"

#include <ctype.h>
#include <string.h>

size_t name_length(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* The bytes of "operator<<" and others that have brackets in their names; 0: there is none at p. */
static size_t bracket_operator(const char *name, const char *p)
{
	static const char *const signs[] = {"()", "<=>", "<<=", ">>=", "->*", "<<",
					    ">>", "->",	 "<=",	">=",  "<",   ">"};
	static const char word[] = "operator";
	const size_t n = sizeof(word) - 1;

	if (strncmp(p, word, n) || (p > name && (isalnum((unsigned char)p[-1]) || p[-1] == '_')))
		return 0;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (!strncmp(p + n, signs[i], strlen(signs[i])))
			return n + strlen(signs[i]);
	return 0;
}

/* Appends what is outside of all brackets of n bytes. False: they do not match. */
static bool put_outside(const char *name, size_t n, struct buf *out)
{
	size_t depth = 0;

	for (const char *p = name, *end = name + n; p < end;) {
		const size_t operator_bytes = bracket_operator(name, p);

		if (operator_bytes) {
			if (!depth)
				buf_add(out, p, operator_bytes);
			p += operator_bytes;
			continue;
		}
		if (*p == '<' || *p == '(') {
			depth++;
		} else if (*p == ')' || (*p == '>' && (p == name || p[-1] != '-'))) {
			if (!depth--)
				return false;
		} else if (!depth) {
			buf_char(out, *p);
		}
		p++;
	}
	return !depth;
}

/* Appends the name without arguments and anonymous namespaces. False: its brackets do not match, or
 * nothing is left. */
static bool put_plain(const char *name, struct buf *out)
{
	const char *as = *name == '<' ? strstr(name, " as ") : NULL, *from;
	AUTO_BUF text = {0};

	if (as && !put_outside(name + 1, (size_t)(as - name) - 1, &text))
		return false;
	if (!put_outside(name, strlen(name), &text))
		return false;
	from = buf_text(&text);
	if (text.n > 6 && !strcmp(from + text.n - 6, " const"))
		text.n -= 6;
	for (from = buf_text(&text); !strncmp(from, "::", 2); from += 2)
		;
	for (; *from; from++)
		if (strncmp(from, "::::", 4))
			buf_char(out, *from);
		else
			from++;
	return out->n > 0;
}

/* The last parts of a name: so many of them, parted by "::". */
static const char *last_parts(const char *name, int parts)
{
	const char *p = name + strlen(name);

	while (p > name)
		if (!strncmp(--p, "::", 2) && !--parts)
			return p + 2;
	return name;
}

void short_name(const char *name, size_t room, struct buf *out)
{
	AUTO_BUF plain = {0};
	const char *shown = name, *found;

	if (name_length(name) > room) {
		shown = put_plain(name, &plain) ? buf_text(&plain) : name;
		found = last_parts(shown, 2);
		if (name_length(shown) > room)
			shown = name_length(found) <= room ? found : last_parts(shown, 1);
	}
	buf_str(out, *shown ? shown : name);
}
