// SPDX-License-Identifier: MIT
#include "view/bench.h"

#include <math.h>
#include <string.h>

void bench_series_add(struct bench_series *s, const struct bench *run)
{
	for (size_t i = 0; i < run->values.n; i++) {
		const struct bench_value *v = &run->values.at[i];
		size_t j = 0;

		while (j < s->n && strcmp(s->at[j].name, v->name))
			j++;
		if (j == s->n) {
			struct bench_samples *new = vec_extend(s, 1);

			memcpy(new->name, v->name, sizeof(new->name));
		}
		vec_add(&s->at[j].v, v->v);
	}
}

void bench_series_release(struct bench_series *s)
{
	for (size_t i = 0; i < s->n; i++)
		vec_release(&s->at[i].v);
	vec_release(s);
}

/* Six significant digits, or more where that avoids an exponent; null for what JSON cannot hold. */
static void bench_show_number(struct buf *out, double v)
{
	if (!isfinite(v))
		buf_str(out, "null");
	else if (fabs(v) >= 1e5 && fabs(v) < 1e15)
		buf_printf(out, "%.0f", v);
	else
		buf_printf(out, "%.6g", v);
}

void bench_show_spread(struct bench_series *s, struct buf *out)
{
	for (size_t i = 0; i < s->n && s->at[i].v.n > 1; i++) {
		struct bench_spread spread;

		bench_spread(s->at[i].v.at, s->at[i].v.n, &spread);
		if (!i)
			buf_printf(out,
				   "\n# %zu runs: median (its %.1f%% interval) [least, most]\n",
				   spread.n, spread.coverage);
		buf_str(out, "# ");
		bench_show_number(out, spread.median);
		buf_str(out, " (");
		bench_show_number(out, spread.low);
		buf_str(out, " to ");
		bench_show_number(out, spread.high);
		buf_str(out, ") [");
		bench_show_number(out, spread.least);
		buf_str(out, ", ");
		bench_show_number(out, spread.most);
		buf_printf(out, "] %s\n", s->at[i].name);
	}
}

static void show_member(struct buf *out, const char *name, double v)
{
	buf_printf(out, "\"%s\": ", name);
	bench_show_number(out, v);
	buf_str(out, ", ");
}

void bench_show_json(struct bench_series *s, const char *benchmark, struct buf *out)
{
	buf_printf(out, "{\"benchmark\": \"%s\", \"values\": [", benchmark);
	for (size_t i = 0; i < s->n; i++) {
		struct bench_samples *samples = &s->at[i];
		struct buf in_order = {0};
		struct bench_spread spread;

		for (size_t j = 0; j < samples->v.n; j++) {
			buf_str(&in_order, j ? ", " : "");
			bench_show_number(&in_order, samples->v.at[j]);
		}
		bench_spread(samples->v.at, samples->v.n, &spread);
		buf_printf(out, "%s{\"name\": \"%s\", ", i ? ", " : "", samples->name);
		show_member(out, "median", spread.median);
		show_member(out, "low", spread.low);
		show_member(out, "high", spread.high);
		show_member(out, "coverage", spread.coverage);
		show_member(out, "least", spread.least);
		show_member(out, "most", spread.most);
		buf_printf(out, "\"runs\": [%s]}", buf_text(&in_order));
		buf_release(&in_order);
	}
	buf_str(out, "]}\n");
}
