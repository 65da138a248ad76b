// SPDX-License-Identifier: MIT
#include "analysis/annotate/excerpts.h"

void excerpts_release(struct excerpts *x)
{
	for (size_t i = 0; i < x->functions.n; i++)
		vec_release(&x->functions.at[i].lines);
	vec_release(&x->functions);
	arena_release(&x->arena);
}

static uint32_t line_millionths(const struct annotate *a, const struct annotate_lines *l,
				size_t line)
{
	const struct annotate_weight *w = l->of[line];

	if (!w || !a->totals[0].period)
		return 0;
	return (uint32_t)(1e6 * (double)w->period / (double)a->totals[0].period + 0.5);
}

/* Finds the lines from the first with samples to the last one, with a margin. False: no line has
 * samples. */
static bool find_hot_lines(const struct annotate_lines *l, size_t *from, size_t *to)
{
	const size_t n = l->disasm->lines.n;
	bool found = false;

	for (size_t i = 0; i < n; i++)
		if (l->of[i] && l->of[i]->samples) {
			*from = found ? *from : i;
			*to = i + 1;
			found = true;
		}
	if (!found)
		return false;
	*from -= MIN(*from, EXCERPT_MARGIN);
	*to = MIN(MIN(*to + EXCERPT_MARGIN, n), *from + EXCERPT_LINES);
	return true;
}

static const char *line_label(struct arena *arena, const struct disasm_line *line)
{
	if (line->vaddr != DISASM_NO_ADDRESS)
		return arena_printf(arena, "%llx", (unsigned long long)line->vaddr);
	return line->file ? arena_printf(arena, "%u", line->line) : "";
}

/* True for a line of source that is not at hand: its text is its place, which its file and its
 * number tell as well. */
static bool line_is_place(const struct disasm_line *line)
{
	const size_t n = line->file ? strlen(line->file) : 0;

	return n && !strncmp(line->text, line->file, n) && line->text[n] == ':' &&
	       strspn(line->text + n + 1, "0123456789") == strlen(line->text + n + 1);
}

static void excerpt_add_lines(struct excerpts *x, struct excerpt *e, const struct annotate *a,
			      const struct annotate_lines *l)
{
	size_t from, to;

	if (!find_hot_lines(l, &from, &to))
		return;
	for (size_t i = from; i < to; i++) {
		const struct disasm_line *line = &l->disasm->lines.at[i];
		const bool code = line->vaddr != DISASM_NO_ADDRESS;

		/* skip headings before the first line whose source is known */
		if (!code && (!*line->text || !line->file))
			continue;
		if (!e->file && line->file)
			e->file = arena_strdup(&x->arena, line->file);
		if (!code && line_is_place(line))
			continue;
		vec_add(&e->lines,
			((struct excerpt_line){
				line_label(&x->arena, line),
				arena_printf(&x->arena, "%s%s", code ? "    " : "", line->text),
				line_millionths(a, l, i)}));
	}
}

static void excerpts_add_function(struct excerpts *x, const struct annotate *a,
				  const struct annotate_symbol *s, const struct disasm_options *how)
{
	struct excerpt e = {.name = s->name, .dso = s->dso};
	struct annotate_lines lines;
	struct disasm d = {0};
	struct err err = {0};

	if (!disasm_symbol(&d, s->dso, s->sym, how, &err)) {
		annotate_lines_init(&lines, a, s, &d, false);
		excerpt_add_lines(x, &e, a, &lines);
		annotate_lines_release(&lines);
	}
	disasm_release(&d);
	if (e.lines.n)
		vec_add(&x->functions, e);
}

void excerpts_make(struct excerpts *x, const struct annotate *a, const struct disasm_options *how)
{
	*x = (struct excerpts){0};
	for (size_t i = 0; i < a->symbols.n && i < EXCERPTS_MOST; i++)
		if (a->symbols.at[i].percent >= EXCERPT_PERCENT)
			excerpts_add_function(x, a, &a->symbols.at[i], how);
}
