// SPDX-License-Identifier: MIT
/* The report as JSON, in our own format: doc/report.schema.json. */
#include "view/export/export.h"
#include "view/out/json.h"

#include <stdlib.h>

/* Events in a summary, and rows of each of its lists. With more than two events the lists are
 * shorter, down to SUMMARY_LEAST rows: the whole stays about as long. */
#define SUMMARY_EVENTS	  8
#define SUMMARY_LEAST	  3
#define SUMMARY_FUNCTIONS 25
#define SUMMARY_STACKS	  10
#define SUMMARY_OTHERS	  8
/* Innermost frames of a stack in a summary. */
#define SUMMARY_DEPTH 24

/* A row of a list: the id of its function, dso, thread or node, and its weights. */
struct weighed {
	uint32_t id;
	uint64_t weight, total, samples;
};

struct report_json {
	const struct export_input *in;
	const struct stacks *s;
	struct json json;
	struct out *out;
	bool summary;
	VEC(struct event_rows {
		size_t from, n;	  /* rows of samples */
		uint64_t samples; /* their sum */
	})
	events;
	uint64_t weight; /* of the current event */
	uint64_t *below; /* of each node, callees included */
	uint32_t *rank;	 /* function -> its place in the list */
	struct weighed *functions, *dsos, *threads, *nodes;
};

/* Heaviest first; equal weights by id. */
static int by_weight(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static struct weighed *weighed_new(size_t n)
{
	struct weighed *w = mem_zero((n + 1) * sizeof(*w));

	for (size_t i = 0; i < n; i++)
		w[i].id = (uint32_t)i;
	return w;
}

/* Drops rows without weight, and sorts the others. Returns how many are left. */
static size_t weighed_sort(struct weighed *w, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (w[i].weight || w[i].total)
			w[kept++] = w[i];
	if (kept)
		qsort(w, kept, sizeof(*w), by_weight);
	return kept;
}

static uint32_t report_json_function_of(const struct report_json *r, uint32_t node)
{
	return r->s->frames.at[r->s->nodes.at[node].frame].function;
}

static void weighed_add(struct weighed *w, const struct stack_sample *x)
{
	w->weight += x->weight;
	w->samples += x->samples;
}

static bool is_recursive(const struct report_json *r, uint32_t node)
{
	const uint32_t function = report_json_function_of(r, node);

	for (uint32_t at = r->s->nodes.at[node].parent; at; at = r->s->nodes.at[at].parent)
		if (report_json_function_of(r, at) == function)
			return true;
	return false;
}

/* Sums up the samples of one event. A function's total counts it once for each stack. */
static void gather(struct report_json *r, size_t from, size_t n)
{
	const struct stacks *s = r->s;

	r->weight = 0;
	for (size_t i = from; i < from + n; i++) {
		const struct stack_sample *x = &s->samples.at[i];

		r->weight += x->weight;
		r->below[x->node] += x->weight;
		weighed_add(&r->nodes[x->node], x);
		weighed_add(&r->threads[x->thread], x);
		if (!x->node)
			continue;
		weighed_add(&r->functions[report_json_function_of(r, x->node)], x);
		weighed_add(&r->dsos[s->functions.at[report_json_function_of(r, x->node)].dso], x);
	}
	for (uint32_t i = (uint32_t)s->nodes.n; --i;) {
		r->below[s->nodes.at[i].parent] += r->below[i];
		if (r->below[i] && !is_recursive(r, i))
			r->functions[report_json_function_of(r, i)].total += r->below[i];
	}
}

/* -- text -- */

static void put_percent(struct report_json *r, const char *name, uint64_t weight)
{
	const double share = r->weight ? (double)weight / (double)r->weight : 0;

	json_decimal_member(&r->json, name, (uint64_t)(share * 10000 + 0.5), 2);
}

static size_t begin_list(struct report_json *r, const char *name, size_t n, size_t most)
{
	json_name(&r->json, name);
	json_open(&r->json, '[');
	most = MAX(most / ((MIN(r->events.n, SUMMARY_EVENTS) + 1) / 2), SUMMARY_LEAST);
	return r->summary ? MIN(n, most) : n;
}

static void end_list(struct report_json *r, const char *left_out, size_t n)
{
	json_close(&r->json, ']');
	if (n)
		json_number_member(&r->json, left_out, n);
}

static void report_json_put_functions(struct report_json *r)
{
	static const char *const kinds[STACK_KINDS] = {"program", "library", "kernel",
						       "jit",	  "inlined", "unknown"};
	const size_t n = weighed_sort(r->functions, r->s->functions.n);
	const size_t shown = begin_list(r, "functions", n, SUMMARY_FUNCTIONS);
	struct json *j = &r->json;

	for (size_t i = 0; i < n; i++)
		r->rank[r->functions[i].id] = (uint32_t)i;
	for (size_t i = 0; i < shown; i++) {
		const struct weighed *w = &r->functions[i];
		const struct stack_function *f = &r->s->functions.at[w->id];

		json_open(j, '{');
		json_text_member(j, "name", f->name);
		json_text_member(j, "dso", r->s->dsos.at[f->dso].name);
		json_text_member(j, "kind", kinds[f->kind]);
		if (f->file)
			json_text_member(j, "file", f->file);
		json_number_member(j, "self", w->weight);
		json_number_member(j, "total", w->total);
		put_percent(r, "self_percent", w->weight);
		put_percent(r, "total_percent", w->total);
		json_close(j, '}');
		out_ready(r->out);
	}
	end_list(r, "functions_left_out", n - shown);
}

static void put_weight(struct report_json *r, const struct weighed *w)
{
	json_number_member(&r->json, "samples", w->samples);
	json_number_member(&r->json, "weight", w->weight);
	put_percent(r, "percent", w->weight);
	json_close(&r->json, '}');
	out_ready(r->out);
}

static void put_dsos(struct report_json *r)
{
	const size_t n = weighed_sort(r->dsos, r->s->dsos.n);
	const size_t shown = begin_list(r, "dsos", n, SUMMARY_OTHERS);

	for (size_t i = 0; i < shown; i++) {
		json_open(&r->json, '{');
		json_text_member(&r->json, "name", r->s->dsos.at[r->dsos[i].id].name);
		put_weight(r, &r->dsos[i]);
	}
	end_list(r, "dsos_left_out", n - shown);
}

static void put_threads(struct report_json *r)
{
	const size_t n = weighed_sort(r->threads, r->s->threads.n);
	const size_t shown = begin_list(r, "threads", n, SUMMARY_OTHERS);

	for (size_t i = 0; i < shown; i++) {
		const struct stack_thread *t = &r->s->threads.at[r->threads[i].id];

		json_open(&r->json, '{');
		json_text_member(&r->json, "comm", t->comm);
		json_number_member(&r->json, "pid", t->pid);
		json_number_member(&r->json, "tid", t->tid);
		put_weight(r, &r->threads[i]);
	}
	end_list(r, "threads_left_out", n - shown);
}

/* Writes the functions from the outermost to the innermost: names in a summary, else indices in the
 * list of functions. */
static void put_frames(struct report_json *r, uint32_t node)
{
	uint32_t functions[1024], n = 0;
	const uint32_t most = r->summary ? SUMMARY_DEPTH : ARRAY_SIZE(functions);

	for (; node && n < most; node = r->s->nodes.at[node].parent)
		functions[n++] = report_json_function_of(r, node);
	if (node)
		json_bool_member(&r->json, "cut", true);
	json_name(&r->json, r->summary ? "names" : "functions");
	json_open(&r->json, '[');
	while (n--) {
		if (r->summary)
			json_text_element(&r->json, r->s->functions.at[functions[n]].name);
		else
			json_number_element(&r->json, r->rank[functions[n]]);
	}
	json_close(&r->json, ']');
}

static void put_stacks(struct report_json *r)
{
	const size_t n = weighed_sort(r->nodes, r->s->nodes.n);
	const size_t shown = begin_list(r, "stacks", n, SUMMARY_STACKS);

	for (size_t i = 0; i < shown; i++) {
		json_open(&r->json, '{');
		put_frames(r, r->nodes[i].id);
		put_weight(r, &r->nodes[i]);
	}
	end_list(r, "stacks_left_out", n - shown);
}

static void put_event(struct report_json *r, const struct event_rows *rows)
{
	const struct event *ev = r->in->events->events.at[r->s->samples.at[rows->from].event];
	AUTO_BUF unit = {0};

	r->below = mem_zero((r->s->nodes.n + 1) * sizeof(*r->below));
	r->rank = mem_zero((r->s->functions.n + 1) * sizeof(*r->rank));
	r->functions = weighed_new(r->s->functions.n);
	r->dsos = weighed_new(r->s->dsos.n);
	r->threads = weighed_new(r->s->threads.n);
	r->nodes = weighed_new(r->s->nodes.n);
	gather(r, rows->from, rows->n);
	stacks_unit(ev, &unit);
	json_open(&r->json, '{');
	json_text_member(&r->json, "name", ev->name);
	json_text_member(&r->json, "unit", buf_text(&unit));
	json_number_member(&r->json, "samples", rows->samples);
	json_number_member(&r->json, "weight", r->weight);
	report_json_put_functions(r);
	put_dsos(r);
	put_threads(r);
	put_stacks(r);
	json_close(&r->json, '}');
	free(r->below);
	free(r->rank);
	free(r->functions);
	free(r->dsos);
	free(r->threads);
	free(r->nodes);
}

static void report_json_find_events(struct report_json *r)
{
	for (size_t from = 0, n; from < r->s->samples.n; from += n) {
		struct event_rows rows = {.from = from, .n = n = export_event_rows(r->s, from)};

		for (size_t i = from; i < from + n; i++)
			rows.samples += r->s->samples.at[i].samples;
		vec_add(&r->events, rows);
	}
}

/* True for all events of a full report, and for those with the most samples in a summary. */
static bool report_json_shows_event(const struct report_json *r, size_t event)
{
	size_t before = 0;

	for (size_t i = 0; r->summary && i < r->events.n; i++)
		before += r->events.at[i].samples > r->events.at[event].samples ||
			  (r->events.at[i].samples == r->events.at[event].samples && i < event);
	return before < SUMMARY_EVENTS;
}

static int put_report(const struct export_input *in, bool summary, struct out *out)
{
	struct report_json r = {.in = in,
				.s = in->stacks,
				.json = {.out = &out->buf},
				.out = out,
				.summary = summary};
	struct json *j = &r.json;

	json_open(j, '{');
	json_text_member(j, "schema", "perf-report-1");
	json_text_member(j, "kind", summary ? "summary" : "full");
	json_name(j, "recording");
	json_open(j, '{');
	for (size_t i = 0; i < in->n_facts; i++)
		json_text_member(j, in->facts[i].name, in->facts[i].value);
	json_close(j, '}');
	json_text_member(j, "losses", in->losses);
	json_name(j, "events");
	json_open(j, '[');
	report_json_find_events(&r);
	for (size_t i = 0; i < r.events.n; i++)
		if (report_json_shows_event(&r, i))
			put_event(&r, &r.events.at[i]);
	end_list(&r, "events_left_out",
		 summary && r.events.n > SUMMARY_EVENTS ? r.events.n - SUMMARY_EVENTS : 0);
	vec_release(&r.events);
	json_close(j, '}');
	buf_char(&out->buf, '\n');
	return 0;
}

int export_json(const struct export_input *in, struct out *out, struct err *err)
{
	(void)err;
	return put_report(in, false, out);
}

int export_summary(const struct export_input *in, struct out *out, struct err *err)
{
	(void)err;
	return put_report(in, true, out);
}
