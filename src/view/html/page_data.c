// SPDX-License-Identifier: MIT
#include "view/html/page_data.h"

#include "view/out/json.h"

#include <stdio.h>

/* -- columns -- */

struct columns {
	struct buf names, bytes; /* the head's list of columns; their bytes */
	struct json list;	 /* into .names */
	/* The current column: how many numbers, the first of them, whether all are that, and where
	 * its bytes begin. */
	size_t n, from;
	uint64_t first;
	bool is_same;
};

static void column_begin(struct columns *c, const char *name)
{
	json_open(&c->list, '{');
	json_text_member(&c->list, "name", name);
	c->n = 0;
	c->from = c->bytes.n;
	c->is_same = true;
}

static void column_add(struct columns *c, uint64_t v)
{
	v = MIN(v, (1ull << 53) - 1);
	if (!c->n)
		c->first = v;
	c->is_same &= v == c->first;
	for (; v > 127; v >>= 7)
		buf_char(&c->bytes, (char)(v | 128));
	buf_char(&c->bytes, (char)v);
	c->n++;
}

static void column_end(struct columns *c)
{
	json_number_member(&c->list, "n", c->n);
	if (c->n && c->is_same) {
		json_number_member(&c->list, "same", c->first);
		c->bytes.n = c->from;
	}
	json_close(&c->list, '}');
}

/* Strings of the head: names of functions, then of dsos. */
static void page_data_put_functions(const struct stacks *s, struct columns *c,
				    struct intern *strings)
{
	column_begin(c, "func.name");
	for (size_t i = 0; i < s->functions.n; i++)
		column_add(c, intern_str(strings, s->functions.at[i].name));
	column_end(c);
	column_begin(c, "func.dso");
	for (size_t i = 0; i < s->functions.n; i++)
		column_add(c, intern_str(strings, s->dsos.at[s->functions.at[i].dso].name));
	column_end(c);
	column_begin(c, "func.kind");
	for (size_t i = 0; i < s->functions.n; i++)
		column_add(c, s->functions.at[i].kind);
	column_end(c);
}

static void put_nodes(const struct stacks *s, struct columns *c)
{
	column_begin(c, "node.func");
	for (size_t i = 0; i < s->nodes.n; i++)
		column_add(c, i ? s->frames.at[s->nodes.at[i].frame].function : 0);
	column_end(c);
	column_begin(c, "node.parent");
	for (size_t i = 0; i < s->nodes.n; i++)
		column_add(c, i - s->nodes.at[i].parent);
	column_end(c);
}

/* The samples of one event. */
struct event_rows {
	uint32_t event;
	const struct stack_sample *at;
	size_t n;
};

typedef uint64_t (*column_of)(const struct stack_sample *s);

static uint64_t node_of(const struct stack_sample *s)
{
	return s->node;
}
static uint64_t page_data_thread_of(const struct stack_sample *s)
{
	return s->thread;
}
static uint64_t cpu_of(const struct stack_sample *s)
{
	return (uint64_t)(s->cpu + 1);
}
static uint64_t weight_of(const struct stack_sample *s)
{
	return s->weight;
}
static uint64_t count_of(const struct stack_sample *s)
{
	return s->samples;
}
static uint64_t side_of(const struct stack_sample *s)
{
	return s->side;
}

static void put_event(const struct export_input *page, struct columns *c,
		      const struct event_rows *rows, unsigned int number)
{
	static const struct {
		const char *name;
		column_of of;
	} columns[] = {
		{"node", node_of},   {"thread", page_data_thread_of},
		{"cpu", cpu_of},     {"weight", weight_of},
		{"count", count_of}, {"side", side_of},
	};
	uint64_t before = 0;
	char name[32];

	for (size_t k = 0; k < ARRAY_SIZE(columns); k++) {
		snprintf(name, sizeof(name), "event%u.%s", number, columns[k].name);
		if (columns[k].of == side_of && !page->sides[1])
			continue;
		column_begin(c, name);
		for (size_t i = 0; i < rows->n; i++)
			column_add(c, columns[k].of(&rows->at[i]));
		column_end(c);
	}
	if (!page->stacks->how.times)
		return;
	snprintf(name, sizeof(name), "event%u.time", number);
	column_begin(c, name);
	for (size_t i = 0; i < rows->n; i++) {
		column_add(c, rows->at[i].time - before);
		before = rows->at[i].time;
	}
	column_end(c);
}

/* -- the head -- */

static void put_threads(const struct stacks *s, struct json *head)
{
	json_name(head, "threads");
	json_open(head, '[');
	for (size_t i = 0; i < s->threads.n; i++) {
		const struct stack_thread *t = &s->threads.at[i];

		json_open(head, '{');
		json_number_member(head, "pid", t->pid);
		json_number_member(head, "tid", t->tid);
		json_text_member(head, "comm", t->comm);
		json_close(head, '}');
	}
	json_close(head, ']');
}

static void put_facts(const struct export_input *page, struct json *head)
{
	json_name(head, "facts");
	json_open(head, '[');
	for (size_t i = 0; i < page->n_facts; i++) {
		json_open(head, '[');
		json_text_element(head, page->facts[i].name);
		json_text_element(head, page->facts[i].value);
		json_close(head, ']');
	}
	json_close(head, ']');
}

static void put_strings(const struct intern *strings, struct json *head)
{
	json_name(head, "strings");
	json_open(head, '[');
	for (uint32_t i = 0; i < strings->entries.n; i++) {
		json_text_element(head, intern_text(strings, i));
	}
	json_close(head, ']');
}

static void put_sides(const struct export_input *page, struct json *head)
{
	json_name(head, "sides");
	json_open(head, '[');
	json_text_element(head, page->sides[0] ? page->sides[0] : "");
	if (page->sides[1])
		json_text_element(head, page->sides[1]);
	json_close(head, ']');
}

static void put_event_head(const struct event *ev, struct json *head)
{
	AUTO_BUF unit = {0};

	stacks_unit(ev, &unit);
	json_open(head, '{');
	json_text_member(head, "name", ev->name);
	json_text_member(head, "unit", buf_text(&unit));
	json_close(head, '}');
}

/* Writes the events that have samples, with their samples. */
static void put_events(const struct export_input *page, struct columns *c, struct json *head)
{
	const struct stacks *s = page->stacks;
	unsigned int n = 0;

	json_name(head, "events");
	json_open(head, '[');
	for (size_t i = 0, next; i < s->samples.n; i = next) {
		struct event_rows rows = {s->samples.at[i].event, &s->samples.at[i], 0};

		rows.n = export_event_rows(s, i);
		next = i + rows.n;
		put_event_head(page->events->events.at[rows.event], head);
		put_event(page, c, &rows, n++);
	}
	json_close(head, ']');
}

/* The index of the excerpt's function in the stacks; HASH_NONE: none. */
static uint32_t find_function(const struct stacks *s, const struct excerpt *e)
{
	for (uint32_t i = 0; i < s->functions.n; i++)
		if (s->dsos.at[s->functions.at[i].dso].dso == e->dso &&
		    !strcmp(s->functions.at[i].name, e->name))
			return i;
	return HASH_NONE;
}

static void put_excerpt(const struct excerpt *e, uint32_t function, struct json *head)
{
	json_open(head, '{');
	json_number_member(head, "func", function);
	json_text_member(head, "file", e->file ? e->file : e->dso->long_name);
	json_name(head, "lines");
	json_open(head, '[');
	for (size_t i = 0; i < e->lines.n; i++) {
		const struct excerpt_line *line = &e->lines.at[i];

		json_open(head, '[');
		json_text_element(head, line->label);
		json_text_element(head, line->text);
		json_decimal_element(head, line->millionths, 6);
		json_close(head, ']');
	}
	json_close(head, ']');
	json_close(head, '}');
}

static void put_excerpts(const struct export_input *page, struct json *head)
{
	json_name(head, "code");
	json_open(head, '[');
	for (size_t i = 0; page->code && i < page->code->functions.n; i++) {
		const struct excerpt *e = &page->code->functions.at[i];
		const uint32_t function = find_function(page->stacks, e);

		if (function != HASH_NONE)
			put_excerpt(e, function, head);
	}
	json_close(head, ']');
}

/* -- lanes -- */

/* True for a span of no length once its times are rounded to the quantum: the page would not show
 * it. */
static bool span_is_short(const struct wait_span *span, uint64_t quantum)
{
	return quantum && span->from / quantum == span->to / quantum;
}

struct span_columns {
	struct intern *strings;
	uint64_t start; /* time 0 of the page */
};

typedef uint64_t (*span_column)(const struct wait_span *span, const struct span_columns *c);

static uint64_t span_lane(const struct wait_span *span, const struct span_columns *c)
{
	(void)c;
	return span->lane;
}
static uint64_t span_ns(const struct wait_span *span, const struct span_columns *c)
{
	const uint64_t from = MAX(span->from, c->start);

	return span->to > from ? span->to - from : 0;
}
static uint64_t span_state(const struct wait_span *span, const struct span_columns *c)
{
	(void)c;
	return span->state;
}
static uint64_t span_reason(const struct wait_span *span, const struct span_columns *c)
{
	return strcmp(span->reason, "-") ? intern_str(c->strings, span->reason) + 1ull : 0;
}
static uint64_t span_function(const struct wait_span *span, const struct span_columns *c)
{
	return span->function ? intern_str(c->strings, span->function) + 1ull : 0;
}
static uint64_t span_waker(const struct wait_span *span, const struct span_columns *c)
{
	(void)c;
	if (span->waker == WALL_NO_WAKER)
		return 0;
	return wall_waker_is_thread(span->waker) ? span->waker + 1ull : 1;
}

static void put_span_times(const struct export_input *page, struct columns *c)
{
	const struct wait_lanes *l = page->lanes;
	const uint64_t start = page->stacks->first[0], quantum = page->stacks->how.time_quantum;
	uint64_t before = start;
	uint32_t lane = 0;

	column_begin(c, "lane.time");
	for (size_t i = 0; i < l->spans.n; i++) {
		const struct wait_span *span = &l->spans.at[i];

		if (span_is_short(span, quantum))
			continue;
		if (span->lane != lane)
			before = start;
		lane = span->lane;
		column_add(c, span->from > before ? span->from - before : 0);
		before = MAX(span->from, before);
	}
	column_end(c);
}

static void put_lanes(const struct export_input *page, struct columns *c, struct intern *strings,
		      struct json *head)
{
	static const struct {
		const char *name;
		span_column of;
	} columns[] = {
		{"lane.at", span_lane},		  {"lane.ns", span_ns},
		{"lane.state", span_state},	  {"lane.reason", span_reason},
		{"lane.function", span_function}, {"lane.waker", span_waker},
	};
	const struct span_columns how = {strings, page->stacks->first[0]};
	const struct wait_lanes *l = page->lanes;

	json_name(head, "lanes");
	json_open(head, '[');
	for (size_t i = 0; l && i < l->lanes.n; i++) {
		json_open(head, '{');
		json_number_member(head, "pid", l->lanes.at[i].pid);
		json_number_member(head, "tid", l->lanes.at[i].tid);
		json_text_member(head, "comm", l->lanes.at[i].comm);
		json_close(head, '}');
	}
	json_close(head, ']');
	if (!l)
		return;
	for (size_t k = 0; k < ARRAY_SIZE(columns); k++) {
		column_begin(c, columns[k].name);
		for (size_t i = 0; i < l->spans.n; i++)
			if (!span_is_short(&l->spans.at[i], page->stacks->how.time_quantum))
				column_add(c, columns[k].of(&l->spans.at[i], &how));
		column_end(c);
	}
	put_span_times(page, c);
}

void page_data(const struct export_input *page, struct buf *out)
{
	const struct stacks *s = page->stacks;
	struct columns c = {.list = {.out = &c.names}};
	struct intern strings = {0};
	AUTO_BUF text = {0};
	struct json head = {.out = &text};
	uint32_t size;

	json_open(&head, '{');
	json_number_member(&head, "version", 1);
	json_text_member(&head, "title", page->title);
	json_text_member(&head, "losses", page->losses);
	json_number_member(&head, "start_ns", s->first[0]);
	json_number_member(&head, "duration_ns", MAX(s->duration[0], s->duration[1]));
	json_bool_member(&head, "timed", s->how.times);
	put_facts(page, &head);
	put_sides(page, &head);
	put_threads(s, &head);
	page_data_put_functions(s, &c, &strings);
	put_nodes(s, &c);
	put_events(page, &c, &head);
	put_lanes(page, &c, &strings, &head);
	put_strings(&strings, &head);
	put_excerpts(page, &head);
	json_name(&head, "columns");
	json_open(&head, '[');
	buf_add(&text, c.names.at, c.names.n);
	json_close(&head, ']');
	json_close(&head, '}');
	size = (uint32_t)text.n;
	for (int i = 0; i < 4; i++)
		buf_char(out, (char)(size >> 8 * i));
	buf_add(out, text.at, text.n);
	buf_add(out, c.bytes.at, c.bytes.n);
	buf_release(&c.names);
	buf_release(&c.bytes);
	intern_release(&strings);
}
