// SPDX-License-Identifier: MIT
#include "analysis/annotate/annotate.h"

#include "symbol/disasm/flow.h"
#include "symbol/lines/lines.h"

/* The end of an instruction's range: the next instruction. */
static uint64_t end_of(const struct disasm *d, size_t line)
{
	for (size_t i = line + 1; i < d->lines.n; i++)
		if (d->lines.at[i].vaddr != DISASM_NO_ADDRESS)
			return d->lines.at[i].vaddr;
	return d->end;
}

/* The index of the first place at or above the offset. */
static size_t place_at(const struct annotate_symbol *s, uint64_t offset)
{
	size_t low = 0, high = s->places.n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (s->places.at[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Moves a weight from one line to another. */
static void weight_move(struct annotate_weight *to, struct annotate_weight *from,
			const struct annotate_weight *w)
{
	to->samples += w->samples;
	to->period += w->period;
	from->samples -= w->samples;
	from->period -= w->period;
}

/* Moves the inexact samples of the places of a line to the instruction that ran before. */
static void correct_skid(struct annotate_lines *l, const struct annotate *a,
			 const struct disasm_flow *flow, size_t line,
			 const struct annotate_place *place)
{
	const size_t before = disasm_flow_before(flow, line);
	const uint64_t skidded = place->of[0].samples - place->exact[0].samples;

	if (before == DISASM_NO_LINE) {
		l->kept += skidded;
		return;
	}
	l->moved += skidded;
	for (uint32_t e = 0; e < a->n_events; e++) {
		const struct annotate_weight w = {place->of[e].samples - place->exact[e].samples,
						  place->of[e].period - place->exact[e].period};

		weight_move(&l->of[before][e], &l->of[line][e], &w);
	}
}

static void correct_all_skids(struct annotate_lines *l, const struct annotate *a,
			      const struct annotate_symbol *s)
{
	const struct disasm *d = l->disasm;
	struct disasm_flow flow;

	disasm_flow_init(&flow, d, &l->arena);
	for (size_t i = 0; i < d->lines.n; i++) {
		const uint64_t vaddr = d->lines.at[i].vaddr;
		size_t k;

		if (vaddr == DISASM_NO_ADDRESS)
			continue;
		k = place_at(s, vaddr - d->start);
		if (k < s->places.n && s->places.at[k].offset == vaddr - d->start)
			correct_skid(l, a, &flow, i, &s->places.at[k]);
	}
}

void annotate_lines_init(struct annotate_lines *l, const struct annotate *a,
			 const struct annotate_symbol *s, const struct disasm *d, bool skid)
{
	*l = (struct annotate_lines){.disasm = d};
	l->of = arena_alloc(&l->arena, (d->lines.n + 1) * sizeof(*l->of));
	for (size_t i = 0; i < d->lines.n; i++) {
		const struct disasm_line *line = &d->lines.at[i];
		uint64_t end;

		if (line->vaddr == DISASM_NO_ADDRESS)
			continue;
		end = end_of(d, i) - d->start;
		l->of[i] = arena_alloc(&l->arena, a->n_events * sizeof(**l->of));
		for (size_t k = place_at(s, line->vaddr - d->start);
		     k < s->places.n && s->places.at[k].offset < end; k++)
			for (uint32_t e = 0; e < a->n_events; e++) {
				l->of[i][e].samples += s->places.at[k].of[e].samples;
				l->of[i][e].period += s->places.at[k].of[e].period;
			}
	}
	line_branches_init(&l->branches, &a->branches, s->dso, s->sym, d, &l->arena);
	if (skid)
		correct_all_skids(l, a, s);
}

void annotate_lines_release(struct annotate_lines *l)
{
	arena_release(&l->arena);
	*l = (struct annotate_lines){0};
}

/* "hot.c:12". Without a known source line it is perf's text, which has no function for PLT
 * stubs. */
static const char *source_path(struct arena *arena, const struct annotate_symbol *s,
			       uint64_t offset, uint64_t vaddr, bool full_paths)
{
	const struct source_place place = dso_source(s->dso, s->sym->start + offset);
	AUTO_BUF text = {0};

	if (!place.n || !source_line_text(&place.at[0], full_paths, &text)) {
		if (place.asked && !s->sym->plt)
			buf_str(&text, "??:0");
		else
			buf_printf(&text, "%s[%llx]", s->dso->short_name,
				   (unsigned long long)vaddr);
	}
	return arena_strdup(arena, buf_text(&text));
}

static double *percents_of(struct annotate_sources *out, struct arena *arena, const char *path,
			   uint32_t n_events)
{
	for (size_t i = 0; i < out->at.n; i++)
		if (!strcmp(out->at.at[i].path, path))
			return out->at.at[i].percents;
	vec_add(&out->at,
		(struct annotate_source){path, arena_alloc(arena, n_events * sizeof(double))});
	return vec_last(&out->at)->percents;
}

/* Orders sources by the shares of the events, one after the other. Equal ones are in descending
 * order of paths, as in perf. */
static bool comes_before(const struct annotate_source *a, const struct annotate_source *b,
			 uint32_t n_events)
{
	for (uint32_t e = 0; e < n_events; e++)
		if (a->percents[e] != b->percents[e])
			return a->percents[e] > b->percents[e];
	return strcmp(a->path, b->path) > 0;
}

static void sort_by_share(struct annotate_source *at, size_t n, uint32_t n_events)
{
	for (size_t i = 1; i < n; i++) {
		const struct annotate_source moving = at[i];
		size_t k = i;

		for (; k && comes_before(&moving, &at[k - 1], n_events); k--)
			at[k] = at[k - 1];
		at[k] = moving;
	}
}

void annotate_find_sources(struct annotate_lines *l, const struct annotate *a,
			   const struct annotate_symbol *s, enum percent_type type, bool full_paths,
			   struct annotate_sources *out)
{
	const struct disasm *d = l->disasm;

	l->paths = arena_alloc(&l->arena, (d->lines.n + 1) * sizeof(*l->paths));
	for (size_t i = 0; i < d->lines.n; i++) {
		const uint64_t vaddr = d->lines.at[i].vaddr;
		double most = 0, *sums;

		for (uint32_t e = 0; l->of[i] && e < a->n_events; e++)
			most = MAX(most, annotate_percent(a, s, type, &l->of[i][e], e));
		if (most <= ANNOTATE_NOTABLE)
			continue;
		l->paths[i] = source_path(&l->arena, s, vaddr - d->start, vaddr, full_paths);
		sums = percents_of(out, &l->arena, l->paths[i], a->n_events);
		for (uint32_t e = 0; e < a->n_events; e++)
			sums[e] += annotate_percent(a, s, type, &l->of[i][e], e);
	}
	sort_by_share(out->at.at, out->at.n, a->n_events);
}

void annotate_sources_release(struct annotate_sources *s)
{
	vec_release(&s->at);
}
