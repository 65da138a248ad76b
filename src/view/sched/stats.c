// SPDX-License-Identifier: MIT
/* The tables of `perf sched stats`, as perf of Linux 7.0 prints them. */
#include "view/sched/stats.h"

#define WIDTH 100
#define NAME  65

/* What is printed: one measurement, or two side by side. */
struct stats_page {
	const struct sched_stats *s, *other; /* other: NULL or the second one */
	bool texts;			     /* fields are explained, not named */
	struct buf *b;
};

static void stats_rule(struct buf *b, const char *title)
{
	const size_t n = strlen(title), before = (WIDTH - n) / 2;

	buf_fill(b, '-', before);
	buf_str(b, title);
	buf_fill(b, '-', WIDTH - n - before);
	buf_char(b, '\n');
}

static double share(double part, double whole)
{
	return whole ? part / whole * 100 : 0;
}
static double change(double from, double to)
{
	return from ? (to - from) / from * 100 : 0;
}
static double mean(double sum, double n)
{
	return n ? sum / n : 0;
}

/* The name of a field: a derived one begins with a star. */
static void stats_name(struct stats_page *p, const char *star, const char *prefix,
		       const struct schedstat_field *f, const char *suffix)
{
	AUTO_BUF name = {0};

	buf_printf(&name, "%s%s%s%s", star, p->texts ? "" : prefix, p->texts ? f->text : f->name,
		   p->texts ? suffix : "");
	buf_left(p->b, buf_text(&name), NAME);
	buf_str(p->b, ": ");
}

static void stats_counts(struct stats_page *p, uint64_t v, uint64_t w)
{
	buf_dec_right(p->b, v, 11);
	if (!p->other)
		return;
	buf_char(p->b, ',');
	buf_dec_right(p->b, w, 11);
	buf_printf(p->b, "  | %8.2f%% |", change((double)v, (double)w));
}

static void stats_show_cpu(struct stats_page *p, const struct schedstat_row *row,
			   const struct schedstat_row *other)
{
	struct buf *b = p->b;

	buf_left(b, "DESC", NAME);
	if (other)
		buf_printf(b, " %12s %11s %12s %14s %10s\n", "COUNT1", "COUNT2", "PCT_CHANGE",
			   "PCT_CHANGE1", "PCT_CHANGE2");
	else
		buf_printf(b, " %12s %12s\n", "COUNT", "PCT_CHANGE");
	stats_rule(b, "");
	for (size_t i = 0; i < SCHEDSTAT_CPU_VALUES; i++) {
		const struct schedstat_field *f = &schedstat_cpu_fields[i];
		const double v = (double)row->values[i];
		const double w = other ? (double)other->values[i] : 0;

		stats_name(p, "", "", f, "");
		stats_counts(p, row->values[i], other ? other->values[i] : 0);
		if (f->share_of >= 0 && other)
			buf_printf(b, "  ( %8.2f%%,  %8.2f%% )",
				   share(v, (double)row->values[f->share_of]),
				   share(w, (double)other->values[f->share_of]));
		else if (f->share_of >= 0)
			buf_printf(b, "  ( %8.2f%% )", share(v, (double)row->values[f->share_of]));
		buf_char(b, '\n');
	}
	stats_rule(b, "");
}

static void stats_show_field(struct stats_page *p, const char *prefix, const char *suffix,
			     const struct schedstat_field *f, uint64_t v, uint64_t w)
{
	stats_name(p, "", prefix, f, suffix);
	stats_counts(p, v, w);
	if (f->jiffies && p->other)
		buf_printf(p->b, "  $ %11.2f, %11.2f $", mean((double)p->s->jiffies, (double)v),
			   mean((double)p->other->jiffies, (double)w));
	else if (f->jiffies)
		buf_printf(p->b, "  $ %11.2f $", mean((double)p->s->jiffies, (double)v));
	buf_char(p->b, '\n');
}

static const struct schedstat_field successes = {"_lb_success_count",
						 "load_balance() success count", false, -1};
static const struct schedstat_field pulled = {
	"_lb_avg_pulled", "avg task pulled per successful lb attempt", false, -1};

static uint32_t stats_successes(const struct schedstat_layout *l, const uint64_t *v)
{
	return (uint32_t)(v[0] - v[1] - v[l->failed]);
}

static void stats_show_derived(struct stats_page *p, const struct schedstat_layout *l,
			       const struct schedstat_balance *when, const uint64_t *v,
			       const uint64_t *w)
{
	const uint32_t good = stats_successes(l, v), other = w ? stats_successes(l, w) : 0;
	const double each = mean((double)v[l->gained], good);
	const double theirs = w ? mean((double)w[l->gained], other) : 0;
	AUTO_CHAR *on = mem_printf(" on cpu %s", when->text);
	AUTO_CHAR *in = mem_printf(" (cpu %s)", when->text);

	stats_name(p, "*", when->name, &successes, on);
	stats_counts(p, good, other);
	buf_char(p->b, '\n');
	stats_name(p, "*", when->name, &pulled, in);
	buf_printf(p->b, "%11.2f", each);
	if (w)
		buf_printf(p->b, ",%11.2f  | %8.2f%% |", theirs, change(each, theirs));
	buf_char(p->b, '\n');
}

static void stats_show_balance_title(const struct schedstat_balance *when, struct buf *b)
{
	AUTO_CHAR *title = mem_printf(" <Category %s> ", when->name);

	stats_rule(b, title);
}

static void stats_show_domain(struct stats_page *p, const struct schedstat_row *row,
			      const struct schedstat_row *other)
{
	const struct schedstat_layout *l = schedstat_layout(p->s->version);
	const uint64_t *v = row->values, *w = other ? other->values : NULL;

	buf_left(p->b, "DESC", NAME);
	if (other)
		buf_printf(p->b, " %12s %11s %12s %16s %12s\n", "COUNT1", "COUNT2", "PCT_CHANGE",
			   "AVG_JIFFIES1", "AVG_JIFFIES2");
	else
		buf_printf(p->b, " %12s %14s\n", "COUNT", "AVG_JIFFIES");
	for (size_t i = 0; i < ARRAY_SIZE(l->balance); i++) {
		const struct schedstat_balance *when = l->balance[i];
		AUTO_CHAR *on = mem_printf(" on cpu %s", when->text);

		stats_show_balance_title(when, p->b);
		for (size_t f = 0; f < l->n_balance; f++)
			stats_show_field(p, when->name, on, &l->of_balance[f], v[f], w ? w[f] : 0);
		stats_show_derived(p, l, when, v, w);
		v += l->n_balance;
		w = w ? w + l->n_balance : NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(schedstat_parts); i++) {
		stats_rule(p->b, schedstat_parts[i].title);
		for (size_t f = 0; f < 3; f++, v++) {
			stats_show_field(p, "", "", &schedstat_parts[i].fields[f], *v, w ? *w : 0);
			w = w ? w + 1 : NULL;
		}
	}
	stats_rule(p->b, "");
}

/* "CPU 0, DOMAIN SMT CPUS 0,64". all: the average of all CPUs; domain -1: the CPU itself. */
static void stats_show_title(struct stats_page *p, bool all, uint32_t cpu, int domain)
{
	const struct schedstat_domain *d = sched_stats_domain(p->s, cpu, domain);

	if (domain < 0)
		buf_char(p->b, '\n'), stats_rule(p->b, "");
	if (all)
		buf_str(p->b, "CPU <ALL CPUS SUMMARY>");
	else
		buf_printf(p->b, "CPU %u", cpu);
	if (domain >= 0) {
		buf_str(p->b, ", DOMAIN ");
		if (d && d->name)
			buf_safe(p->b, d->name);
		else
			buf_printf(p->b, "%d", domain);
	}
	if (domain >= 0 && !all) {
		buf_str(p->b, " CPUS ");
		buf_safe(p->b, d ? d->list : "");
	}
	buf_char(p->b, '\n');
	stats_rule(p->b, "");
}

static void stats_explain(struct buf *b, const char *star, const char *prefix,
			  const struct schedstat_field *f, const char *suffix)
{
	AUTO_CHAR *name = mem_printf("%s%s%s", star, prefix, f->name);

	buf_left(b, name, 30);
	buf_printf(b, "-> %s%s\n", f->text, suffix);
}

static void stats_explain_fields(const struct sched_stats *s, struct buf *b)
{
	const struct schedstat_layout *l = schedstat_layout(s->version);

	for (size_t i = 0; i < SCHEDSTAT_CPU_VALUES; i++)
		stats_explain(b, "", "", &schedstat_cpu_fields[i], "");
	for (size_t i = 0; i < ARRAY_SIZE(l->balance); i++) {
		const struct schedstat_balance *when = l->balance[i];
		AUTO_CHAR *on = mem_printf(" on cpu %s", when->text);
		AUTO_CHAR *in = mem_printf(" (cpu %s)", when->text);

		stats_show_balance_title(when, b);
		for (size_t f = 0; f < l->n_balance; f++)
			stats_explain(b, "", when->name, &l->of_balance[f], on);
		stats_explain(b, "*", when->name, &successes, on);
		stats_explain(b, "*", when->name, &pulled, in);
	}
	for (size_t i = 0; i < ARRAY_SIZE(schedstat_parts); i++) {
		stats_rule(b, schedstat_parts[i].title);
		for (size_t f = 0; f < 3; f++)
			stats_explain(b, "", "", &schedstat_parts[i].fields[f], "");
	}
}

static void stats_show_head(struct stats_page *p)
{
	static const char *const columns[][2] = {
		{"DESC", "Description of the field"},
		{"COUNT", "Value of the field"},
		{"PCT_CHANGE", "Percent change with corresponding base value"},
		{"AVG_JIFFIES", "Avg time in jiffies between two consecutive occurrence of event"},
	};
	struct buf *b = p->b;

	buf_str(b, "Description\n");
	stats_rule(b, "");
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		buf_left(b, columns[i][0], 30);
		buf_printf(b, "-> %s\n", columns[i][1]);
	}
	if (!p->texts) {
		stats_rule(b, "");
		stats_explain_fields(p->s, b);
	}
	stats_rule(b, "");
	buf_char(b, '\n');
	buf_left(b, "Time elapsed (in jiffies)", NAME);
	buf_str(b, ": ");
	buf_dec_right(b, p->s->jiffies, 11);
	if (p->other) {
		buf_char(b, ',');
		buf_dec_right(b, p->other->jiffies, 11);
	}
	buf_char(b, '\n');
	stats_rule(b, "");
}

static void stats_show_row(struct stats_page *p, bool all, uint32_t cpu,
			   const struct schedstat_row *row, const struct schedstat_row *other)
{
	stats_show_title(p, all, cpu, row->domain);
	if (row->domain < 0)
		stats_show_cpu(p, row, other);
	else
		stats_show_domain(p, row, other);
}

void sched_stats_show(const struct sched_stats *s, bool texts, struct out *out)
{
	struct stats_page p = {.s = s, .texts = texts, .b = &out->buf};

	stats_show_head(&p);
	for (size_t i = 0; i < s->mean.n; i++)
		stats_show_row(&p, true, s->rows.at[0].row.cpu, &s->mean.at[i], NULL);
	for (size_t i = 0; i < s->rows.n && out_ready(out); i++)
		stats_show_row(&p, false, s->rows.at[i].row.cpu, &s->rows.at[i].row, NULL);
}

void sched_stats_show_diff(const struct sched_stats *s, const struct sched_stats *other, bool texts,
			   struct out *out)
{
	struct stats_page p = {.s = s, .other = other, .texts = texts, .b = &out->buf};

	stats_show_head(&p);
	for (size_t i = 0; i < s->mean.n && out_ready(out); i++)
		stats_show_row(&p, true, s->rows.at[0].row.cpu, &s->mean.at[i], &other->mean.at[i]);
}
