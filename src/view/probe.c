// SPDX-License-Identifier: MIT
#include "view/probe.h"

#include "os/files/mapped.h"
#include "probe/made_probes.h"

#include <inttypes.h>
#include <string.h>

#define SOURCE_MOST (64u << 20) /* bytes */
#define LINES_AFTER 2		/* lines shown after the last line of a function */

static void begin_row(const struct probe_def *d, struct buf *out)
{
	AUTO_BUF name = {0};

	buf_printf(&name, "%s:%s", d->group, d->event);
	buf_printf(out, "  %-20s (on ", buf_text(&name));
}

static void end_row(const struct probe_def *d, struct buf *out)
{
	const char *in = d->file ? d->file : d->module;

	if (in)
		buf_printf(out, " in %s", in);
}

void probe_show_added(const struct probe_def *d, const struct probe_spec *s, struct buf *out)
{
	begin_row(d, out);
	probe_point_text(s, out);
	end_row(d, out);
	for (size_t i = 0; i < s->args.n; i++) {
		buf_str(out, i ? " " : " with ");
		probe_arg_text(&s->args.at[i], out);
	}
	buf_str(out, ")\n");
}

void probe_show_listed(const struct probe_def *d, const struct probe_place *place, struct buf *out)
{
	struct probe_spec point = {.function = place->function,
				   .file = place->file,
				   .offset = place->offset,
				   .line = place->line,
				   .retprobe = d->retprobe};
	struct made_owner owner;

	begin_row(d, out);
	if (place->function || place->file)
		probe_point_text(&point, out);
	else if (d->symbol)
		buf_printf(out, "%s+%" PRIu64, d->symbol, d->offset);
	else
		buf_printf(out, "0x%" PRIx64, d->address);
	if (d->retprobe && (place->line || place->offset))
		buf_str(out, "%return");
	end_row(d, out);
	for (size_t i = 0; i < d->args.n; i++)
		buf_printf(out, "%s%s", i ? " " : " with ", d->args.at[i].name);
	buf_char(out, ')');
	if (made_probes_owner(d->group, &owner))
		buf_printf(out, ", made by 'perf%s%s', process %d%s", *owner.command ? " " : "",
			   owner.command, owner.pid, owner.is_gone ? ", which is gone" : "");
	buf_char(out, '\n');
}

/* Shows one source line, with its number or without. Returns the start of the next line. */
static const char *probe_show_line(const char *p, const char *end, bool numbered, uint32_t number,
				   struct buf *out)
{
	const char *stop = memchr(p, '\n', (size_t)(end - p));

	if (!stop)
		stop = end;
	if (numbered)
		buf_printf(out, "%7u  ", number);
	else
		buf_fill(out, ' ', 9);
	buf_add(out, p, (size_t)(stop - p));
	buf_char(out, '\n');
	return stop + (stop < end);
}

int probe_show_lines(const struct probe_lines *l, struct buf *out, struct err *err)
{
	uint32_t line = 1, last = l->last;
	struct mapped m = {0};
	const char *p, *end;
	size_t next = 0;

	if (mapped_read(&m, l->path, SOURCE_MOST, err))
		return err_hint(err, "-s says in which folder the sources are");
	if (l->function)
		buf_printf(out, "<%s@%s:%u>\n", l->function, l->path, l->first - l->offset);
	else
		buf_printf(out, "<%s:%u>\n", l->path, l->first);
	p = (const char *)m.p;
	end = p + m.n;
	if (last == UINT32_MAX)
		last = l->lines.n ? *vec_last(&l->lines) + 1 + LINES_AFTER : l->first;
	for (; p < end && line <= last; line++) {
		const bool numbered = next < l->lines.n && l->lines.at[next] == line;
		const char *stop = memchr(p, '\n', (size_t)(end - p));

		if (line >= l->first)
			p = probe_show_line(p, end, numbered, line - l->offset, out);
		else
			p = stop ? stop + 1 : end;
		next += numbered;
	}
	mapped_release(&m);
	return 0;
}

int probe_show_variables(const struct probe_variables *v, const struct probe_spec *s,
			 const char *filter, struct buf *out, struct err *err)
{
	buf_str(out, "Available variables at ");
	probe_point_text(s, out);
	buf_char(out, '\n');
	for (size_t i = 0; i < v->places.n; i++) {
		const struct probe_variables_at *at = &v->places.at[i];
		size_t shown = 0;

		buf_printf(out, "\t@<%s+%" PRIu64 ">\n", at->symbol, at->offset);
		for (size_t j = 0; j < at->rows.n; j++) {
			const char *name = strchr(at->rows.at[j], '\t');
			const int fits =
				probe_filter_match(filter, name ? name + 1 : at->rows.at[j], err);

			if (fits < 0)
				return -1;
			if (!fits)
				continue;
			buf_printf(out, "\t\t%s\n", at->rows.at[j]);
			shown++;
		}
		if (!shown)
			buf_str(out, "\t\t(No matched variables)\n");
	}
	return 0;
}
