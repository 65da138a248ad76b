// SPDX-License-Identifier: MIT
#include "probe/spec.h"

#include <inttypes.h>
#include <string.h>

#define FILE_SHOWN 30 /* characters of a file's name */

/* Names with characters that have a meaning get their backslashes back, but for colons in pairs. */
static void add_escaped(const char *s, struct buf *out)
{
	for (; *s; s++) {
		if (s[0] == ':' && s[1] == ':') {
			buf_char(out, *s++);
		} else if (strchr(";:+@%=", *s)) {
			buf_char(out, '\\');
		}
		buf_char(out, *s);
	}
}

void probe_point_text(const struct probe_spec *s, struct buf *out)
{
	if (s->sdt)
		buf_printf(out, "%%%s:", s->group);
	if (s->function)
		add_escaped(s->function, out);
	if (s->offset)
		buf_printf(out, "+%" PRIu64, s->offset);
	else if (s->line && s->function)
		buf_printf(out, ":%u", s->line);
	else if (s->retprobe)
		buf_str(out, "%return");
	if (s->file) {
		const size_t n = strlen(s->file);
		const char *shown = s->file;

		if (n > FILE_SHOWN) { /* from a folder on */
			shown = strchr(s->file + n - FILE_SHOWN, '/');
			shown = shown ? shown + 1 : s->file + n - FILE_SHOWN;
		}
		buf_char(out, '@');
		add_escaped(shown, out);
		if (s->line && !s->function)
			buf_printf(out, ":%u", s->line);
	}
}

void probe_arg_text(const struct probe_arg *a, struct buf *out)
{
	if (a->name)
		buf_printf(out, "%s=", a->name);
	buf_str(out, a->value);
	for (size_t i = 0; i < a->fields.n; i++) {
		const struct probe_field *f = &a->fields.at[i];

		if (f->name)
			buf_printf(out, "%s%s", f->arrow ? "->" : ".", f->name);
		else
			buf_printf(out, "[%" PRId64 "]", f->index);
	}
	if (a->type)
		buf_printf(out, ":%s", a->type);
	if (a->user)
		buf_str(out, "@user");
}

const char *probe_arg_field_name(const struct probe_arg *a, struct arena *arena)
{
	if (a->name)
		return a->name;
	if (a->fields.n)
		return a->label;
	return a->type ? arena_printf(arena, "%s_%s", a->value, a->type) : a->value;
}

bool probe_arg_is_variable(const struct probe_arg *a)
{
	return a->fields.n || probe_is_name(a->value);
}

bool probe_arg_is_list(const struct probe_arg *a)
{
	return !strcmp(a->value, "$vars") || !strcmp(a->value, "$params");
}

bool probe_spec_needs_dwarf(const struct probe_spec *s)
{
	if (s->file || s->line_given || s->pattern)
		return true;
	for (size_t i = 0; i < s->args.n; i++)
		if (probe_arg_is_variable(&s->args.at[i]) || probe_arg_is_list(&s->args.at[i]))
			return true;
	return false;
}
