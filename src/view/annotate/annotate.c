// SPDX-License-Identifier: MIT
#include "view/annotate/annotate.h"

#include <stdio.h>

#define RULE_MAX 207 /* dashes that perf's line below the title has at most, before its last four */
#define UNKNOWN_LINE "??:0" /* perf does not repeat it from function to function */
#define BRANCH_NOTABLE 0.1    /* percent; less is not shown */
#define COVERED_SELDOM 0.01
#define COVERED_OFTEN  0.75
#define RED	 "\033[31m"
#define GREEN	 "\033[32m"
#define BLUE	 "\033[34m"
#define MAGENTA	 "\033[35m"

const char *percent_type_text(enum percent_type type)
{
	static const char *const texts[] = {
		[PERCENT_LOCAL_PERIOD] = "local period",
		[PERCENT_GLOBAL_PERIOD] = "global period",
		[PERCENT_LOCAL_HITS] = "local hits",
		[PERCENT_GLOBAL_HITS] = "global hits",
	};

	return texts[type];
}

void annotate_event_name(const struct annotate_view *v, const struct annotate *a, struct buf *out)
{
	const struct event *leader = a->event;

	if (a->n_events == 1) {
		buf_str(out, leader->name);
		return;
	}
	if (!v->forced_group)
		buf_printf(out, "%s { ",
			   leader->group_name && *leader->group_name ? leader->group_name
								     : "anon group");
	for (uint32_t i = 0; i < a->n_events; i++)
		buf_printf(out, "%s%s", i ? ", " : "",
			   a->table->events.at[leader->index + i].event->name);
	buf_str(out, v->forced_group ? "" : " }");
}

/* NULL: none. */
static const char *percent_colour(double percent)
{
	return percent >= 5 ? RED : percent > ANNOTATE_NOTABLE ? GREEN : NULL;
}

static void put_coloured(struct out *out, const char *colour, const char *text)
{
	if (colour && out->colour)
		buf_str(&out->buf, colour);
	buf_str(&out->buf, text);
	if (colour && out->colour)
		buf_str(&out->buf, "\033[m");
}

static const char *file_name(const struct annotate_view *v, const struct dso *dso)
{
	const char *slash = v->full_paths ? NULL : strrchr(dso->long_name, '/');

	return slash ? slash + 1 : dso->long_name;
}

static size_t column_width(const struct annotate_view *v, const struct annotate *a)
{
	return (v->period ? 12 : 8) * a->n_events;
}

static void annotate_show_title(const struct annotate_view *v, const struct annotate *a,
				const struct annotate_symbol *s, struct out *out)
{
	struct buf *b = &out->buf;
	const size_t start = b->n;
	AUTO_BUF event = {0};
	size_t n;

	annotate_event_name(v, a, &event);
	buf_char(b, ' ');
	buf_left(b, v->period ? "Period" : v->samples ? "Samples" : "Percent", column_width(v, a));
	buf_printf(b, "|\tSource code & Disassembly of %s for %s (%llu samples, percent: %s)\n",
		   file_name(v, s->dso), buf_text(&event), (unsigned long long)s->sums[0].samples,
		   percent_type_text(v->percent_type));
	n = b->n - start;
	buf_fill(b, '-', MIN(n, (size_t)RULE_MAX));
	buf_fill(b, ' ', n - MIN(n, (size_t)RULE_MAX));
	buf_str(b, "----\n");
}

/* -v: shows each address with its number of samples. */
static void show_hits(const struct annotate_symbol *s, uint64_t start, struct out *out)
{
	for (size_t i = 0; i < s->places.n; i++) {
		const struct annotate_place *p = &s->places.at[i];

		if (!p->of[0].samples)
			continue;
		buf_hex_right(&out->buf, start + p->offset, 32);
		buf_printf(&out->buf, ": %llu\n", (unsigned long long)p->of[0].samples);
	}
	buf_printf(&out->buf, "%32s: %llu\n", "h->nr_samples",
		   (unsigned long long)s->sums[0].samples);
}

/* Shows the columns of an instruction. Returns the last column's colour. */
static const char *show_columns(const struct annotate_view *v, const struct annotate *a,
				const struct annotate_symbol *s, const struct annotate_weight *of,
				struct out *out)
{
	const char *colour = NULL;
	char text[32];

	for (uint32_t e = 0; e < a->n_events; e++) {
		const double percent = annotate_percent(a, s, v->percent_type, &of[e], e);

		colour = percent_colour(percent);
		if (v->period)
			snprintf(text, sizeof(text), " %11llu", (unsigned long long)of[e].period);
		else if (v->samples)
			snprintf(text, sizeof(text), " %7llu", (unsigned long long)of[e].samples);
		else
			snprintf(text, sizeof(text), " %7.2f", percent);
		put_coloured(out, colour, text);
	}
	return colour;
}

static void show_path(struct annotate_view *v, const char *path, const char *colour,
		      struct out *out)
{
	if (v->last_path.n && !strcmp(buf_text(&v->last_path), path))
		return;
	buf_clear(&v->last_path);
	buf_str(&v->last_path, path);
	if (colour && out->colour)
		buf_str(&out->buf, colour);
	buf_printf(&out->buf, " // %s", path);
	if (colour && out->colour)
		buf_str(&out->buf, "\033[m");
}

/* What branch stacks tell of an instruction: "	# +12.50% -33.33% (p:90.00%)". */
static void show_coverage(const struct line_coverage *c, struct buf *b)
{
	if (c->entered <= BRANCH_NOTABLE && c->left <= BRANCH_NOTABLE)
		return;
	buf_str(b, "\t#");
	if (c->entered > BRANCH_NOTABLE)
		buf_printf(b, " +%.2f%%", c->entered);
	if (c->left > BRANCH_NOTABLE)
		buf_printf(b, " -%.2f%% (p:%.2f%%)", c->left, c->predicted);
}

/* Code that hardly ever ran is in the terminal's own colour, and code that ran nearly always has a
 * red address. */
static void show_instruction(const struct disasm_line *line, int width,
			     const struct line_coverage *c, struct out *out)
{
	const bool seldom = c && c->covered < COVERED_SELDOM;

	if (out->colour)
		buf_str(&out->buf, seldom ? "" : c && c->covered > COVERED_OFTEN ? RED : MAGENTA);
	buf_printf(&out->buf, "  %*llx:", width, (unsigned long long)line->vaddr);
	if (out->colour && !seldom)
		buf_str(&out->buf, "\033[m");
	put_coloured(out, seldom ? NULL : BLUE, line->text);
	if (c)
		show_coverage(c, &out->buf);
}

/* The number of digits of the last instruction's address. */
static int address_width(const struct disasm *d)
{
	for (size_t i = d->lines.n; i-- > 0;)
		if (d->lines.at[i].vaddr != DISASM_NO_ADDRESS)
			return snprintf(NULL, 0, "%llx", (unsigned long long)d->lines.at[i].vaddr);
	return 0;
}

void annotate_show_summary(const struct annotate_view *v, const struct annotate *a,
			   const struct annotate_symbol *s, struct annotate_lines *l,
			   struct out *out)
{
	struct annotate_sources sources = {0};

	annotate_find_sources(l, a, s, v->percent_type, v->full_paths, &sources);
	buf_printf(
		&out->buf,
		"\nSorted summary for file %s\n----------------------------------------------\n\n",
		s->dso->long_name);
	if (!sources.at.n)
		buf_printf(&out->buf, " Nothing higher than %1.1f%%\n", ANNOTATE_NOTABLE);
	for (size_t i = 0; i < sources.at.n; i++) {
		const struct annotate_source *source = &sources.at.at[i];
		double most = 0;
		AUTO_CHAR *path = mem_printf(" %s\n", source->path);

		for (uint32_t e = 0; e < a->n_events; e++) {
			char text[32];

			snprintf(text, sizeof(text), " %7.2f", source->percents[e]);
			put_coloured(out, percent_colour(source->percents[e]), text);
			most = MAX(most, source->percents[e]);
		}
		put_coloured(out, percent_colour(most), path);
	}
	annotate_sources_release(&sources);
}

void annotate_show_skid(const struct annotate_lines *l, struct out *out)
{
	const uint64_t skidded = l->moved + l->kept;

	if (skidded)
		buf_printf(&out->buf,
			   "skid: %llu of %llu samples are counted at the instruction before\n",
			   (unsigned long long)l->moved, (unsigned long long)skidded);
}

static void annotate_show_line(struct annotate_view *v, const struct annotate *a,
			       const struct annotate_symbol *s, const struct annotate_lines *l,
			       size_t i, int width, struct out *out)
{
	const struct disasm_line *line = &l->disasm->lines.at[i];
	struct buf *b = &out->buf;

	if (line->vaddr == DISASM_NO_ADDRESS) {
		buf_char(b, ' ');
		buf_fill(b, ' ', column_width(v, a));
		buf_char(b, ':');
		if (*line->text)
			buf_printf(b, " %-*u %s", width, line->number, line->text);
	} else {
		const char *colour = show_columns(v, a, s, l->of[i], out);

		buf_str(b, " : ");
		show_instruction(line, width,
				 l->branches.coverage ? &l->branches.coverage[i] : NULL, out);
		if (l->paths && l->paths[i])
			show_path(v, l->paths[i], colour, out);
	}
	buf_char(b, '\n');
}

bool annotate_show(struct annotate_view *v, const struct annotate *a,
		   const struct annotate_symbol *s, struct annotate_lines *l, struct out *out)
{
	const int width = address_width(l->disasm);
	bool more = true;

	if (v->last_path.n && strcmp(buf_text(&v->last_path), UNKNOWN_LINE))
		buf_clear(&v->last_path);
	if (v->print_lines)
		annotate_show_summary(v, a, s, l, out);
	annotate_show_title(v, a, s, out);
	annotate_show_skid(l, out);
	if (v->verbose)
		show_hits(s, l->disasm->start, out);
	for (size_t i = 0; i < l->disasm->lines.n && more; i++) {
		annotate_show_line(v, a, s, l, i, width, out);
		more = out_ready(out);
	}
	return more;
}

static double most_percent(const struct annotate_view *v, const struct annotate *a,
			   const struct annotate_symbol *s, const struct annotate_weight *of)
{
	double most = 0;

	for (uint32_t e = 0; e < a->n_events; e++)
		most = MAX(most, annotate_percent(a, s, v->percent_type, &of[e], e));
	return most;
}

unsigned int annotate_show_hot(struct annotate_view *v, const struct annotate *a,
			       const struct annotate_symbol *s, struct annotate_lines *l,
			       double min_percent, unsigned int most, struct out *out)
{
	const int width = address_width(l->disasm);
	size_t before = SIZE_MAX; /* the previous instruction, when it was not shown */
	unsigned int shown = 0, left_out = 0;

	annotate_show_title(v, a, s, out);
	for (size_t i = 0; i < l->disasm->lines.n; i++) {
		if (l->disasm->lines.at[i].vaddr == DISASM_NO_ADDRESS)
			continue;
		if (most_percent(v, a, s, l->of[i]) < min_percent) {
			before = i;
			continue;
		}
		if (shown >= most) {
			left_out++;
			continue;
		}
		if (before != SIZE_MAX) {
			annotate_show_line(v, a, s, l, before, width, out);
			shown++;
		}
		annotate_show_line(v, a, s, l, i, width, out);
		shown++;
		before = SIZE_MAX;
	}
	return left_out;
}

void annotate_view_release(struct annotate_view *v)
{
	buf_release(&v->last_path);
}
