// SPDX-License-Identifier: MIT
#include "analysis/functions/graph.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "12.345 us", after marks such as '+' and '!', before the bar. */
static bool parse_duration(const char *p, const char *bar, uint64_t *ns)
{
	const char *unit = bar;
	uint64_t whole = 0, part = 0, digits = 0;

	while (unit > p && unit[-1] == ' ')
		unit--;
	if (unit - p < 4 || memcmp(unit - 3, " us", 3))
		return false;
	for (p = unit - 3; isdigit((unsigned char)p[-1]) || p[-1] == '.';)
		p--;
	for (; p < unit && isdigit((unsigned char)*p); p++, digits++)
		whole = whole * 10 + (uint64_t)(*p - '0');
	if (!digits)
		return false;
	if (*p == '.')
		for (uint64_t value = 100; value && isdigit((unsigned char)*++p); value /= 10)
			part += value * (uint64_t)(*p - '0');
	*ns = whole * 1000 + part;
	return true;
}

bool graph_line_parse(const char *line, size_t n, struct graph_return *out)
{
	const char *end = line + n, *bar = memchr(line, '|', n), *p, *name;

	/* with more columns (funcgraph-proc, abstime) the last bar stands before the function */
	for (p = bar; p && (p = memchr(p + 1, '|', (size_t)(end - p - 1)));)
		bar = p;
	if (!bar || *line == '#' || bar == line || !parse_duration(line, bar, &out->ns))
		return false;
	for (p = bar + 1; p < end && isspace((unsigned char)*p);)
		p++;
	out->name = NULL;
	out->name_n = 0;
	if (p < end && *p == '}') {
		name = memchr(p, '*', (size_t)(end - p));
		if (!name || end - name < 3)
			return true;
		p = name + 2;
		end -= end[-1] == '\n';
		name = p;
		while (p < end && *p != ' ')
			p++;
	} else {
		name = p;
		while (p < end && *p != '(' && *p != ';' && *p != ' ')
			p++;
	}
	out->name = name;
	out->name_n = (size_t)(p - name);
	return true;
}

void graph_times_release(struct graph_times *t)
{
	intern_release(&t->names);
	vec_release(&t->rows);
	buf_release(&t->partial);
}

static void add_line(struct graph_times *t, const char *line, size_t n)
{
	struct graph_return r;
	struct graph_row *row;
	uint32_t id;

	if (!graph_line_parse(line, n, &r))
		return;
	if (t->buckets)
		duration_buckets_add(t->buckets, r.ns);
	if (!r.name)
		return;
	id = intern_put(&t->names, r.name, r.name_n);
	while (t->rows.n <= id)
		(void)vec_extend(&t->rows, 1);
	row = &t->rows.at[id];
	row->calls++;
	row->sum_ns += r.ns;
	row->max_ns = MAX(row->max_ns, r.ns);
}

void graph_times_add(struct graph_times *t, const char *text, size_t n)
{
	while (n) {
		const char *end = memchr(text, '\n', n);
		size_t len = end ? (size_t)(end - text) : n;

		if (!end) {
			buf_add(&t->partial, text, n);
			return;
		}
		if (t->partial.n) {
			buf_add(&t->partial, text, len);
			add_line(t, t->partial.at, t->partial.n);
			buf_clear(&t->partial);
		} else {
			add_line(t, text, len);
		}
		text += len + 1;
		n -= len + 1;
	}
}

static int compare(const struct graph_row *a, const struct graph_row *b, enum graph_order order)
{
	const uint64_t values[][2] = {
		[GRAPH_TOTAL] = {a->sum_ns, b->sum_ns},
		[GRAPH_AVG] = {a->calls ? a->sum_ns / a->calls : 0,
			       b->calls ? b->sum_ns / b->calls : 0},
		[GRAPH_MAX] = {a->max_ns, b->max_ns},
		[GRAPH_COUNT] = {a->calls, b->calls},
	};

	if (order != GRAPH_NAME && values[order][0] != values[order][1])
		return values[order][0] > values[order][1] ? -1 : 1;
	return strcmp(a->name ? a->name : "", b->name ? b->name : "");
}

static int by_order(const void *a, const void *b, void *order)
{
	return compare(a, b, *(enum graph_order *)order);
}

void graph_times_sort(struct graph_times *t, enum graph_order order)
{
	for (uint32_t i = 0; i < t->rows.n; i++)
		t->rows.at[i].name = intern_text(&t->names, i);
	if (t->rows.n)
		qsort_r(t->rows.at, t->rows.n, sizeof(*t->rows.at), by_order, &order);
}
