// SPDX-License-Identifier: MIT
#include "probe/definition.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

void probe_def_release(struct probe_def *d)
{
	for (size_t i = 0; i < d->args.n; i++)
		vec_release(&d->args.at[i].derefs);
	vec_release(&d->args);
}

void probe_defs_release(struct probe_defs *d)
{
	for (size_t i = 0; i < d->n; i++)
		probe_def_release(&d->at[i]);
	vec_release(d);
	arena_release(&d->arena);
}

void probe_fetch_text(const struct probe_fetch *f, struct buf *out)
{
	size_t n = f->derefs.n, first = 0;

	buf_char(out, ' ');
	if (f->name)
		buf_printf(out, "%s=", f->name);
	/* a variable of its own address: the first offset is added to the symbol */
	if (f->base[0] == '@' && n)
		first = 1;
	for (size_t i = n; i > first; i--)
		buf_printf(out, f->derefs.at[i - 1].user ? "+u%" PRId64 "(" : "%+" PRId64 "(",
			   f->derefs.at[i - 1].offset);
	buf_str(out, f->base);
	if (first)
		buf_printf(out, "%+" PRId64, f->derefs.at[0].offset);
	buf_fill(out, ')', n - first);
	if (f->type)
		buf_printf(out, ":%s", f->type);
}

static void add_place(const struct probe_def *d, struct buf *out)
{
	if (d->file) {
		buf_printf(out, "%s:0x%" PRIx64, d->file, d->address);
		if (d->counter)
			buf_printf(out, "(0x%" PRIx64 ")", d->counter);
		return;
	}
	if (d->module)
		buf_printf(out, "%s:", d->module);
	if (d->symbol)
		buf_printf(out, "%s+%" PRIu64, d->symbol, d->offset);
	else
		buf_printf(out, "0x%" PRIx64, d->address);
}

void probe_def_text(const struct probe_def *d, struct buf *out)
{
	buf_printf(out, "%c:%s/%s ", d->retprobe ? 'r' : 'p', d->group, d->event);
	add_place(d, out);
	for (size_t i = 0; i < d->args.n; i++)
		probe_fetch_text(&d->args.at[i], out);
}

void probe_def_bootconfig(const struct probe_def *d, struct buf *out)
{
	buf_printf(out, "ftrace.event.kprobes.%s.%s.probe = \"%s", d->group, d->event,
		   d->retprobe ? "r:" : "");
	add_place(d, out);
	for (size_t i = 0; i < d->args.n; i++)
		probe_fetch_text(&d->args.at[i], out);
	buf_char(out, '"');
}

static size_t definition_word_length(const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && !isspace((unsigned char)p[n]))
		n++;
	return n;
}

/* "PATH:0xOFFSET(0xCOUNTER)": the path may have colons itself. */
static bool parse_file(const char *p, size_t n, struct arena *arena, struct probe_def *out)
{
	const char *text = arena_strndup(arena, p, n), *colon = strrchr(text, ':');
	char *rest;

	if (!colon)
		return false;
	out->file = arena_strndup(arena, text, (size_t)(colon - text));
	out->address = strtoull(colon + 1, &rest, 0);
	if (*rest == '(')
		out->counter = strtoull(rest + 1, &rest, 0);
	return rest != colon + 1;
}

static bool parse_symbol(const char *p, size_t n, struct arena *arena, struct probe_def *out)
{
	char *text = arena_strndup(arena, p, n), *mark = strchr(text, ':');

	if (mark) {
		*mark = 0;
		out->module = text;
		text = mark + 1;
	}
	if (text[0] == '0' && text[1] == 'x') {
		out->address = strtoull(text, NULL, 16);
		return true;
	}
	mark = strchr(text, '+');
	if (mark) {
		*mark = 0;
		out->offset = strtoull(mark + 1, NULL, 0);
	}
	out->symbol = text;
	return *text != 0;
}

bool probe_def_parse(const char *line, size_t n, bool user, struct arena *arena,
		     struct probe_def *out)
{
	const char *p = line, *end = line + n, *colon, *slash;
	size_t word = definition_word_length(p, end);

	*out = (struct probe_def){.retprobe = *p == 'r'};
	colon = memchr(p, ':', word);
	slash = colon ? memchr(colon, '/', (size_t)(p + word - colon)) : NULL;
	if ((*p != 'p' && *p != 'r') || !slash)
		return false;
	out->group = arena_strndup(arena, colon + 1, (size_t)(slash - colon - 1));
	out->event = arena_strndup(arena, slash + 1, (size_t)(p + word - slash - 1));
	p += word + (p + word < end);
	word = definition_word_length(p, end);
	if (!(user ? parse_file : parse_symbol)(p, word, arena, out))
		return false;
	for (p += word; p < end; p += word) {
		const char *equal;

		p += isspace((unsigned char)*p) != 0;
		word = definition_word_length(p, end);
		equal = memchr(p, '=', word);
		if (equal)
			vec_add(&out->args,
				(struct probe_fetch){
					.name = arena_strndup(arena, p, (size_t)(equal - p))});
		else if (!word)
			break;
	}
	return true;
}
