// SPDX-License-Identifier: MIT
#include "view/report/report.h"
#include "view/report/blocks.h"
#include "view/report/callgraph.h"

#include <stdio.h>

uint64_t report_unit(uint64_t n, char *unit)
{
	*unit = ' ';
	for (const char *u = "KMG"; *u && n > 1000; u++) {
		n /= 1000;
		*unit = *u;
	}
	return n;
}

/* -- one table -- */

/* A cached text of a percentage: thousands of rows share few percentages. */
struct percent_text {
	uint64_t value, total;
	unsigned int width;
	unsigned int n; /* bytes of text; 0: the slot is empty */
	uint8_t text[24];
};
#define PERCENT_TEXTS 64

static bool grouped(const struct report_view *v, const struct event *ev)
{
	return v->table->opts.group && ev->members > 1;
}

/* True when an entry of the event, or of its group, has the part. */
static bool part_shown(const struct report_view *v, const struct event_entries *ev, enum sum sum)
{
	const uint32_t n = grouped(v, ev->event) ? ev->event->members : 1;

	for (uint32_t k = 0; k < n; k++) {
		const struct event_entries *of = &v->table->events.at[ev->event->index + k];

		for (size_t i = 0; i < of->entries.n; i++)
			if (entry_sum(of->entries.at[i], sum))
				return true;
	}
	return false;
}

static bool column_shown(const struct report_view *v, const struct event_entries *ev,
			 const struct field *f)
{
	const struct key_use *use;

	if (f->hidden)
		return false;
	if (f->key < 0)
		return !sum_title(f->sum) || part_shown(v, ev, f->sum);
	use = &v->table->layout.keys.at[f->key];
	return !(use->key->flags & KEY_TP_FIELD) || use->event == ev->event;
}

static unsigned int sum_width(enum sum sum)
{
	switch (sum) {
	case SUM_SAMPLES:
	case SUM_PERIOD:
		return 12;
	case SUM_GUEST_SYS:
	case SUM_GUEST_US:
		return 9;
	default:
		return sum_title(sum) ? 7 : 8;
	}
}

/* The width of a field over these entries, and over the hierarchy below them. An entry above others
 * holds all values of one of them, though it shows those of its own level only. */
static unsigned int entries_width(const struct table *table, struct entry *const *entries, size_t n,
				  const struct field *f)
{
	const struct key_use *use = &table->layout.keys.at[f->key];
	unsigned int width = 0;

	for (size_t i = 0; i < n; i++) {
		const struct entry *e = entries[i];

		entries_prefetch(entries, i, n);
		if (e->filtered)
			continue;
		width = MAX(width, use->key->width);
		if (!use->key->measure)
			break;
		width = MAX(width, use->key->measure(table, use, e, e->values[f->key]));
		if (e->levels && e->levels->below.n)
			width = MAX(width, entries_width(table, e->levels->below.at,
							 e->levels->below.n, f));
	}
	return width;
}

static unsigned int key_width(const struct table *table, const struct event_entries *ev,
			      const struct field *f)
{
	unsigned int width = table->opts.layout.hierarchy
				     ? entries_width(table, ev->roots.at, ev->roots.n, f)
				     : entries_width(table, ev->entries.at, ev->entries.n, f);

	return MAX(width, (unsigned int)strlen(f->header));
}

static unsigned int field_width(const struct report_view *v, const struct event_entries *ev,
				const struct field *f)
{
	unsigned int width;

	if (f->key >= 0)
		return f->user_width ? f->user_width : key_width(v->table, ev, f);
	width = f->user_width ? f->user_width : sum_width(f->sum);
	if (grouped(v, ev->event))
		width = MAX(width, ev->event->members * sum_width(f->sum));
	return MAX(width, (unsigned int)strlen(f->header));
}

void report_table_init(struct report_table *t, const struct report_view *v,
		       const struct event_entries *ev, const uint32_t *ranks)
{
	const struct layout *l = &v->table->layout;

	memset(t, 0, sizeof(*t));
	t->v = v;
	t->entries = ev;
	t->ranks = ranks;
	t->percents = arena_alloc(&t->arena, PERCENT_TEXTS * sizeof(*t->percents));
	t->widths = arena_alloc(&t->arena, l->columns.n * sizeof(*t->widths));
	t->shown = arena_alloc(&t->arena, l->columns.n * sizeof(*t->shown));
	t->rows.separator = v->separator;
	for (size_t i = 0; i < l->columns.n; i++) {
		const struct field *f = &l->columns.at[i];
		struct rows_column column = {.header = f->header, .index = i};

		t->shown[i] = column_shown(v, ev, f);
		/* perf pads this event's last column when other events show more columns */
		t->rows.fill_last = !t->shown[i];
		if (!t->shown[i])
			continue;
		t->widths[i] = field_width(v, ev, f);
		column.width = t->widths[i];
		column.title = f->key < 0 ? sum_title(f->sum) : NULL;
		column.header_right = f->key < 0 || l->keys.at[f->key].key->flags & KEY_TP_FIELD;
		rows_add(&t->rows, column);
	}
}

void report_table_release(struct report_table *t)
{
	rows_release(&t->rows);
	arena_release(&t->arena);
}

/* -- cells -- */

static void report_put_percent(const struct report_table *t, uint64_t value, uint64_t total,
			       unsigned int width, struct out *out)
{
	struct percent_text *known =
		&t->percents[(value * 0x9e3779b97f4a7c15u >> 32 ^ width) % PERCENT_TEXTS];
	double percent = total ? 100.0 * (double)value / (double)total : 0;
	size_t start;

	out_percent_colour(out, percent);
	start = out->buf.n;
	if (known->n && known->value == value && known->total == total && known->width == width) {
		buf_add(&out->buf, known->text, known->n);
		out_normal(out);
		return;
	}
	if (t->v->separator)
		buf_printf(&out->buf, " %.2f%%", percent);
	else
		buf_printf(&out->buf, " %*.2f%%", (int)width - 2, percent);
	if (out->buf.n - start <= sizeof(known->text)) {
		*known = (struct percent_text){
			value, total, width, (unsigned int)(out->buf.n - start), {0}};
		memcpy(known->text, out->buf.at + start, known->n);
	}
	out_normal(out);
}

/* A share as " 12.3%", an average as " 12.3". */
static void report_put_part(const struct report_table *t, enum sum sum, uint64_t value,
			    uint64_t total, unsigned int width, struct out *out)
{
	const bool average = sum_is_average(sum);
	const double percent = total ? 100.0 * (double)value / (double)total : 0;
	const int digits = t->v->separator ? 0 : (int)width - !average;

	if (!average)
		out_percent_colour(out, percent);
	buf_printf(&out->buf, "%*.1f%s", digits, average ? (double)value / 10 : percent,
		   average ? "" : "%");
	if (!average)
		out_normal(out);
}

static void put_sum(const struct report_table *t, const struct entry *e, const struct field *f,
		    uint64_t total, struct out *out)
{
	unsigned int width = f->user_width ? f->user_width : sum_width(f->sum);
	uint64_t value = e ? entry_sum(e, f->sum) : 0;

	if (sum_is_part(f->sum)) {
		report_put_part(t, f->sum, value, total, width, out);
		return;
	}
	if (f->sum != SUM_SAMPLES && f->sum != SUM_PERIOD) {
		report_put_percent(t, value, total, width, out);
		return;
	}
	buf_char(&out->buf, ' ');
	buf_dec_right(&out->buf, value, t->v->separator ? 1 : width - 1);
}

static void put_sums(const struct report_table *t, const struct entry *e, const struct field *f,
		     struct out *out)
{
	const struct table *table = t->v->table;
	const struct event *ev = t->entries->event;

	if (f->sum == SUM_CHILDREN && !table->opts.children) {
		buf_right(&out->buf, "N/A", f->user_width ? f->user_width : sum_width(f->sum));
		return;
	}
	put_sum(t, e, f, table_total(table, t->entries, f->sum), out);
	if (!grouped(t->v, ev))
		return;
	for (uint32_t i = 1; i < ev->members; i++)
		put_sum(t, e->group ? e->group[i] : NULL, f,
			table_total(table, &table->events.at[ev->index + i], f->sum), out);
}

void report_cell(const struct report_table *t, const struct entry *e, size_t column,
		 struct out *out)
{
	const struct field *f = &t->v->table->layout.columns.at[column];

	if (f->key < 0)
		put_sums(t, e, f, out);
	else
		report_key(t->v->table, e, f, t->widths[column], t->v->separator, out);
}

/* A row of a table, for rows_show(). */
struct report_row {
	const struct report_table *table;
	const struct entry *entry;
};

static void report_row_cell(const void *row, size_t column, struct out *out)
{
	const struct report_row *r = row;

	report_cell(r->table, r->entry, column, out);
}

static void report_row_show(const struct report_table *t, const struct entry *e, struct out *out)
{
	rows_show(&t->rows, report_row_cell, &(struct report_row){t, e}, out);
}

/* -- call trees -- */

bool report_has_tree(const struct report_table *t)
{
	return t->ranks && t->entries->event->attr.sample_type & SAMPLE_CALLCHAIN;
}

uint64_t report_tree_period(const struct report_table *t, const struct entry *e)
{
	return t->v->table->opts.children ? e->total : e->self->period;
}

bool report_entry_has_tree(const struct report_table *t, const struct entry *e)
{
	if (!report_has_tree(t) || !e->hits.n)
		return false;
	return t->v->tree->mode == CALLTREE_FRACTAL ||
	       report_tree_period(t, e) >= report_tree_least(t);
}

void report_frame_name(void *ctx, uint32_t id, struct buf *out)
{
	const struct report_table *t = ctx;

	callgraph_frame_name(frames_at(&t->v->table->samples->frames, id), t->v->tree->key, out);
}

struct calltree_node *report_tree_root(const struct report_table *t, const struct entry *e,
				       uint64_t min_hit, struct arena *arena)
{
	const struct table *table = t->v->table;
	struct chain_hit *hits = mem_alloc(e->hits.n * sizeof(*hits));
	struct hits_walk w = hits_begin(&e->hits);
	struct calltree_node *root;
	size_t n = 0;

	while (hits_next(&e->hits, &w)) {
		const struct chain_group *group = &table->groups.at[w.group];

		hits[n++] = (struct chain_hit){group->chain, w.from, group->period, group->samples};
	}
	root = calltree_build(arena, table->chains, t->ranks,
			      table->opts.caller_order ? ORDER_CALLER : ORDER_CALLEE, min_hit, hits,
			      n);
	free(hits);
	return root;
}

uint64_t report_tree_least(const struct report_table *t)
{
	return (uint64_t)((double)table_total(t->v->table, t->entries, SUM_OVERHEAD) *
			  (t->v->tree->min_percent / 100));
}

uint64_t report_tree_made(const struct report_table *t)
{
	if (t->v->tree->mode == CALLTREE_FRACTAL || t->v->tree->key == CALLTREE_BY_SRCLINE)
		return 0;
	return report_tree_least(t);
}

void report_tree(const struct report_table *t, const struct entry *e, int left_margin,
		 struct out *out)
{
	const struct report_view *v = t->v;
	struct callgraph_view view;
	struct arena arena = {0};

	if (!report_entry_has_tree(t, e))
		return;
	view = (struct callgraph_view){
		.params = v->tree,
		.total = t->entries->period,
		.row_period = report_tree_period(t, e),
		.min_hit = report_tree_least(t),
		.left_margin = left_margin,
		.skip_first = !v->fields && v->sort && !strncmp(v->sort, "sym", 3),
		.separator = v->separator ? v->separator : ";",
		.frame_name = report_frame_name,
		.ctx = (void *)(uintptr_t)t,
	};
	callgraph_show(&view, report_tree_root(t, e, report_tree_made(t), &arena), out);
	arena_release(&arena);
}

/* -- events -- */

static void group_name(const struct report_view *v, const struct event *leader, struct buf *out)
{
	const struct table *table = v->table;

	if (v->forced_group)
		;
	else if (leader->group_name && leader->group_name[0])
		buf_printf(out, "%s", leader->group_name);
	else
		buf_str(out, "anon group");
	buf_str(out, v->forced_group ? "" : " { ");
	for (uint32_t i = 0; i < leader->members; i++)
		buf_printf(out, "%s%s", i ? ", " : "",
			   table->events.at[leader->index + i].event->name);
	buf_str(out, v->forced_group ? "" : " }");
}

uint64_t report_event_title(const struct report_view *v, const struct event_entries *ev,
			    struct buf *b)
{
	const struct table *table = v->table;
	uint32_t n = grouped(v, ev->event) ? ev->event->members : 1;
	uint64_t samples = 0, period = 0;
	char unit;

	for (uint32_t i = 0; i < n; i++) {
		const struct event_entries *member = &table->events.at[ev->event->index + i];

		samples += table->opts.relative ? member->shown_samples : member->samples;
		period += table->opts.relative ? member->shown_period : member->period;
	}
	samples = report_unit(samples, &unit);
	buf_printf(b, "Samples: %llu%c of event%s '", (unsigned long long)samples, unit,
		   ev->event->members > 1 ? "s" : "");
	if (n > 1)
		group_name(v, ev->event, b);
	else
		buf_str(b, ev->event->name);
	buf_char(b, '\'');
	return period;
}

/* "# Threads: 3 lived 1.200 s: on-cpu 10.0 %, blocked 90.0 %". Covers the whole recording, whatever
 * the filters. */
static void put_lives(const struct wall *w, struct buf *b)
{
	const char *before = "";

	buf_printf(b, "\n# Threads: %llu lived %.6f s:", (unsigned long long)w->threads,
		   (double)w->life_ns / 1e9);
	for (int state = 0; state < WALL_STATES; state++) {
		const char *name = wall_state_name((enum wall_state)state);
		uint64_t ns = 0;

		/* states of the same name are neighbours: add them up */
		for (; state < WALL_STATES; state++) {
			ns += w->ns[state];
			if (state + 1 == WALL_STATES ||
			    strcmp(name, wall_state_name((enum wall_state)(state + 1))))
				break;
		}
		if (!ns)
			continue;
		buf_printf(b, "%s %s %.1f %%", before, name, 100 * (double)ns / (double)w->life_ns);
		before = ",";
	}
	if (w->has_states && w->ns[WALL_BLOCKED] + w->ns[WALL_OFF_CPU])
		buf_printf(b,
			   "\n# Reasons: of %.1f %% of the time off the CPUs, as /proc told them",
			   100 * (double)w->told_ns /
				   (double)(w->ns[WALL_BLOCKED] + w->ns[WALL_OFF_CPU]));
}

static void put_heading(const struct report_view *v, const struct event_entries *ev,
			struct out *out)
{
	const struct table *table = v->table;
	struct buf *b = &out->buf;
	uint64_t period;

	buf_str(b, "# ");
	period = report_event_title(v, ev, b);
	if (v->time_slices)
		buf_printf(b, " (time slices: %s)", v->time_slices);
	if (v->reference_callgraph && strstr(ev->event->name, "call-graph=no"))
		buf_str(b, ", show reference callgraph");
	if (v->memory) {
		buf_printf(b, "\n# Total weight : %llu", (unsigned long long)period);
		buf_printf(b, "\n# Sort order   : %s", v->sort ? v->sort : v->memory_sort);
	} else {
		buf_printf(b, "\n# Event count (approx.): %llu", (unsigned long long)period);
	}
	if (v->wall)
		put_lives(v->wall, b);
	if (table->opts.filter.socket >= 0)
		buf_printf(b, "\n# Processor Socket: %d", table->opts.filter.socket);
	buf_str(b, "\n#\n");
}

double report_percent(const struct report_table *t, const struct entry *e)
{
	const struct table *table = t->v->table;
	uint64_t total = table_total(table, t->entries, SUM_OVERHEAD);

	if (!total)
		return 0;
	return 100.0 * (double)(table->opts.children ? e->total : e->self->period) / (double)total;
}

static bool report_show_event(const struct report_view *v, const struct event_entries *ev,
			      uint32_t *ranks, struct out *out)
{
	struct report_table t;

	report_table_init(&t, v, ev, ranks);
	if (!v->quiet)
		put_heading(v, ev, out);
	if (v->blocks) {
		report_table_release(&t);
		return blocks_show(v->blocks, v->table, ev, v->percent_limit, out);
	}
	if (v->table->opts.layout.hierarchy)
		report_hierarchy(&t, 0, out);
	else if (!v->quiet)
		rows_show_headers(&t.rows, out);
	for (size_t i = 0; i < ev->entries.n && !v->table->opts.layout.hierarchy; i++) {
		const struct entry *e = ev->entries.at[i];

		entries_prefetch(ev->entries.at, i, ev->entries.n);
		if (e->filtered || report_percent(&t, e) < v->percent_limit)
			continue;
		report_row_show(&t, e, out);
		report_tree(&t, e, 0, out);
		if (!out_ready(out))
			break;
	}
	buf_str(&out->buf, "\n\n");
	report_table_release(&t);
	return out_ready(out);
}

/* Cuts the line that begins at start to max_width bytes. */
static void cut_line(struct out *out, size_t start, size_t max_width)
{
	struct buf *b = &out->buf;

	if (!max_width || b->n - start <= max_width)
		return;
	b->n = start + max_width - 1;
	buf_char(b, '\n');
}

void report_rows(const struct report_view *v, const struct event_entries *ev, size_t max_rows,
		 size_t max_width, struct out *out)
{
	uint32_t *ranks = v->tree ? calltree_ranks(&v->table->samples->frames, v->tree->key) : NULL;
	struct report_table t;
	size_t rows = 0;

	report_table_init(&t, v, ev, ranks);
	if (v->table->opts.layout.hierarchy)
		report_hierarchy(&t, max_rows, out);
	for (size_t i = 0; i < ev->entries.n && !v->table->opts.layout.hierarchy; i++) {
		const struct entry *e = ev->entries.at[i];
		size_t start = out->buf.n;

		if (e->filtered || report_percent(&t, e) < v->percent_limit ||
		    e->self->samples < v->least_samples)
			continue;
		report_row_show(&t, e, out);
		cut_line(out, start, max_width);
		report_tree(&t, e, 0, out);
		if (max_rows && ++rows >= max_rows)
			break;
	}
	report_table_release(&t);
	free(ranks);
}

bool report_show(const struct report_view *v, struct out *out)
{
	const struct table *table = v->table;
	uint32_t *ranks = v->tree ? calltree_ranks(&table->samples->frames, v->tree->key) : NULL;
	bool more = true;

	if (!v->quiet)
		buf_printf(&out->buf, "#\n# Total Lost Samples: %llu\n#\n",
			   (unsigned long long)v->lost_samples);
	for (size_t i = 0; i < table->events.n && more; i++) {
		const struct event_entries *ev = &table->events.at[i];

		if (table->opts.group && !event_is_leader(ev->event))
			continue;
		if (v->skip_empty && !ev->samples)
			continue;
		more = report_show_event(v, ev, ranks, out);
	}
	free(ranks);
	return more;
}
