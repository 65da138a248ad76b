// SPDX-License-Identifier: MIT
#include "view/annotate/types.h"

#include <stdio.h>

#define INDENT	     4
#define NUMBERS_FILL 24 /* of a closing brace: the columns of offset and size */

static const char type_rule[] =
	"============================================================================\n";
static const char stat_rule[] = "-----------------------------------------------------------\n";

static int value_width(const struct annotate_view *v)
{
	return v->period ? 11 : 7;
}

static void show_values(const struct annotate_view *v, const struct annotate_types *a,
			const struct annotated_type *t, const struct data_member *m,
			struct out *out)
{
	for (uint32_t e = 0; e < a->n_events; e++) {
		const struct annotate_weight w = annotated_type_sum(t, e, m->offset, m->size);
		const double percent =
			t->sums[e].period ? 100.0 * (double)w.period / (double)t->sums[e].period
					  : 0;

		out_percent_colour(out, percent);
		if (v->period)
			buf_printf(&out->buf, " %11llu", (unsigned long long)w.period);
		else if (v->samples)
			buf_printf(&out->buf, " %7llu", (unsigned long long)w.samples);
		else
			buf_printf(&out->buf, " %7.2f", percent);
		out_normal(out);
	}
}

/* Closes the structures that are open beyond a depth; returns the depth. */
static unsigned int close_structures(const struct annotate_view *v, const struct annotate_types *a,
				     unsigned int open, unsigned int depth, struct buf *b)
{
	while (open > depth) {
		open--;
		buf_fill(b, ' ',
			 (size_t)(value_width(v) + 1) * a->n_events + NUMBERS_FILL + INDENT * open);
		buf_str(b, "};\n");
	}
	return open;
}

bool annotate_show_type(const struct annotate_view *v, const struct annotate_types *a,
			const struct annotated_type *t, struct out *out)
{
	const uint32_t first = a->event->index;
	struct buf *b = &out->buf;
	unsigned int open = 0;

	buf_printf(b, "Annotate type: '%s' in ", t->type->name);
	buf_safe(b, t->dso->long_name);
	buf_printf(b, " (%llu samples):\n", (unsigned long long)t->samples);
	for (uint32_t e = 0; a->n_events > 1 && e < a->n_events; e++)
		buf_printf(b, " event[%u] = %s\n", e, a->table->events.at[first + e].event->name);
	buf_str(b, type_rule);
	buf_printf(b, "%*s %10s %10s  %s\n", (value_width(v) + 1) * (int)a->n_events,
		   v->period	? "Period"
		   : v->samples ? "Samples"
				: "Percent",
		   "offset", "size", "field");
	for (size_t i = 0; i < t->type->members.n; i++) {
		const struct data_member *m = &t->type->members.at[i];

		open = close_structures(v, a, open, m->depth, b);
		show_values(v, a, t, m, out);
		buf_printf(b, " %#10llx %#10llx  %*s%s\t%s%s\n", (unsigned long long)m->offset,
			   (unsigned long long)m->size, (int)(INDENT * m->depth), "", m->type,
			   m->name, m->has_members ? " {" : ";");
		open += m->has_members;
		if (!out_ready(out))
			return false;
	}
	close_structures(v, a, open, 0, b);
	buf_char(b, '\n');
	return out_ready(out);
}

static void show_totals(unsigned int good, unsigned int bad, struct buf *b)
{
	const unsigned int total = good + bad;
	const double whole = total ? total : 1;

	buf_printf(b, "total %u, ok %u (%.1f%%), bad %u (%.1f%%)\n", total, good,
		   100.0 * good / whole, bad, 100.0 * bad / whole);
}

void annotate_show_type_stat(const struct annotate_types *a, struct out *out)
{
	unsigned int bad = 0;

	for (int i = DATA_FOUND + 1; i < DATA_MISSES; i++)
		bad += a->outcomes[i];
	buf_str(&out->buf, "Annotate data type stats:\n");
	show_totals(a->outcomes[DATA_FOUND], bad, &out->buf);
	buf_str(&out->buf, stat_rule);
	for (enum data_miss i = DATA_FOUND + 1; i < DATA_MISSES; i++)
		if (a->outcomes[i])
			buf_printf(&out->buf, "%10u : %s\n", a->outcomes[i], data_miss_name(i));
	buf_char(&out->buf, '\n');
}

void annotate_show_insn_stat(const struct annotate_types *a, struct out *out)
{
	unsigned int good = 0, bad = 0;

	for (size_t i = 0; i < a->insns.n; i++) {
		good += a->insns.at[i].good;
		bad += a->insns.at[i].bad;
	}
	buf_str(&out->buf, "Annotate Instruction stats\n");
	show_totals(good, bad, &out->buf);
	buf_printf(&out->buf, "\n  %-10s: %5s %5s\n", "Name", "Good", "Bad");
	buf_str(&out->buf, stat_rule);
	for (size_t i = 0; i < a->insns.n; i++)
		buf_printf(&out->buf, "  %-10s: %5u %5u\n", a->insns.at[i].name,
			   a->insns.at[i].good, a->insns.at[i].bad);
	buf_char(&out->buf, '\n');
}
