// SPDX-License-Identifier: MIT
/*
 * The Firefox Profiler's processed profile format, version 56.
 * Source: https://github.com/firefox-devtools/profiler, docs-developer/processed-profile-format.md
 * and CHANGELOG-formats.md there.
 */
#include "symbol/store/store.h"
#include "view/export/firefox_private.h"

#include <stdlib.h>

#define VERSION 56
enum { RESOURCE_LIBRARY = 1 };

/* Categories in the order of enum stack_kind, then "Other". The profiler gives the first grey one
 * to frames without a category. */
static const struct {
	const char *name, *colour;
} categories[STACK_KINDS + 1] = {
	{"Program", "blue"},  {"Library", "purple"},   {"Kernel", "orange"}, {"JIT", "yellow"},
	{"Inlined", "green"}, {"Unknown", "darkgrey"}, {"Other", "grey"},
};

uint64_t firefox_text(struct firefox *f, const char *text)
{
	return intern_str(&f->strings, text);
}

/* -- numbers of a thread's own -- */

static void own_init(struct own_ids *ids, size_t n)
{
	ids->own = mem_alloc((n + 1) * sizeof(*ids->own));
	memset(ids->own, 0xff, (n + 1) * sizeof(*ids->own));
}

static void own_clear(struct own_ids *ids)
{
	for (size_t i = 0; i < ids->used.n; i++)
		ids->own[ids->used.at[i]] = HASH_NONE;
	ids->used.n = 0;
}

static void own_release(struct own_ids *ids)
{
	free(ids->own);
	vec_release(&ids->used);
}

static uint32_t own_id(struct own_ids *ids, uint32_t id)
{
	if (ids->own[id] == HASH_NONE) {
		ids->own[id] = (uint32_t)ids->used.n;
		vec_add(&ids->used, id);
	}
	return ids->own[id];
}

/* Returns the thread's own number of a node. Callers are numbered before their callees. */
static uint32_t own_node(struct firefox *f, uint32_t node)
{
	uint32_t path[1024], n = 0;

	for (; node && f->nodes.own[node] == HASH_NONE && n < ARRAY_SIZE(path);
	     node = f->s->nodes.at[node].parent)
		path[n++] = node;
	while (n) {
		node = path[--n];
		own_id(&f->nodes, node);
	}
	return f->nodes.own[node];
}

/* -- columns -- */

typedef void (*put_cell)(struct firefox *f, uint32_t id);

void firefox_column_begin(struct firefox *f, const char *name)
{
	json_name(&f->json, name);
	json_open(&f->json, '[');
}

void firefox_column_end(struct firefox *f)
{
	json_close(&f->json, ']');
	out_ready(f->out);
}

static void put_column(struct firefox *f, const char *name, const struct own_ids *ids, put_cell put)
{
	firefox_column_begin(f, name);
	for (size_t i = 0; i < ids->used.n; i++) {
		put(f, ids->used.at[i]);
		out_ready(f->out);
	}
	firefox_column_end(f);
}

static void put_null(struct firefox *f, uint32_t id)
{
	(void)id;
	json_null_element(&f->json);
}

static void put_zero(struct firefox *f, uint32_t id)
{
	(void)id;
	json_number_element(&f->json, 0);
}

static void put_false(struct firefox *f, uint32_t id)
{
	(void)id;
	if (f->json.follows)
		buf_char(f->json.out, ',');
	buf_str(f->json.out, "false");
	f->json.follows = true;
}

static void put_number_or_null(struct firefox *f, uint64_t value)
{
	if (value)
		json_number_element(&f->json, value);
	else
		json_null_element(&f->json);
}

/* -- stacks, frames, functions -- */

static void put_node_frame(struct firefox *f, uint32_t node)
{
	json_number_element(&f->json, own_id(&f->frames, f->s->nodes.at[node].frame));
}

static void put_node_prefix(struct firefox *f, uint32_t node)
{
	const uint32_t parent = f->s->nodes.at[node].parent;

	if (parent && f->nodes.own[parent] != HASH_NONE)
		json_number_element(&f->json, f->nodes.own[parent]);
	else
		json_null_element(&f->json);
}

static void put_frame_address(struct firefox *f, uint32_t frame)
{
	const uint64_t address = f->s->frames.at[frame].address;

	if (address)
		json_number_element(&f->json, address);
	else
		json_signed_element(&f->json, -1);
}

/* Finds how deep each frame is inlined: 0 is the function that has the code, 1 what it inlines. */
static void firefox_find_depths(struct firefox *f)
{
	f->depths = mem_zero((f->s->frames.n + 1) * sizeof(*f->depths));
	for (size_t i = 1; i < f->s->nodes.n; i++) {
		const struct stack_node *n = &f->s->nodes.at[i],
					*caller = &f->s->nodes.at[n->parent];

		if (f->s->frames.at[n->frame].inlined)
			f->depths[n->frame] = 1 + (n->parent ? f->depths[caller->frame] : 0);
	}
}

static void put_frame_depth(struct firefox *f, uint32_t frame)
{
	json_number_element(&f->json, f->depths[frame]);
}

static void put_frame_category(struct firefox *f, uint32_t frame)
{
	json_number_element(&f->json, f->s->functions.at[f->s->frames.at[frame].function].kind);
}

static void put_frame_function(struct firefox *f, uint32_t frame)
{
	json_number_element(&f->json, own_id(&f->functions, f->s->frames.at[frame].function));
}

static void put_frame_line(struct firefox *f, uint32_t frame)
{
	put_number_or_null(f, export_line(f->s->frames.at[frame].line));
}

static void put_function_name(struct firefox *f, uint32_t function)
{
	json_number_element(&f->json, firefox_text(f, f->s->functions.at[function].name));
}

static void put_function_resource(struct firefox *f, uint32_t function)
{
	json_number_element(&f->json, f->s->functions.at[function].dso);
}

static void put_function_file(struct firefox *f, uint32_t function)
{
	const char *file = f->s->functions.at[function].file;

	if (file)
		json_number_element(&f->json, firefox_text(f, file));
	else
		json_null_element(&f->json);
}

void firefox_table_end(struct firefox *f, size_t length)
{
	json_number_member(&f->json, "length", length);
	json_close(&f->json, '}');
}

void firefox_table_begin(struct firefox *f, const char *name)
{
	json_name(&f->json, name);
	json_open(&f->json, '{');
}

/* Every dso is a resource and a library, with the same number in both tables. */
static void put_resources(struct firefox *f)
{
	static const char *const columns[] = {"lib", "name", "host", "type"};

	firefox_table_begin(f, "resourceTable");
	for (size_t k = 0; k < ARRAY_SIZE(columns); k++) {
		firefox_column_begin(f, columns[k]);
		for (uint32_t i = 0; i < f->s->dsos.n; i++) {
			if (k == 0)
				json_number_element(&f->json, i);
			else if (k == 1)
				json_number_element(&f->json,
						    firefox_text(f, f->s->dsos.at[i].name));
			else if (k == 2)
				json_null_element(&f->json);
			else
				json_number_element(&f->json, RESOURCE_LIBRARY);
		}
		firefox_column_end(f);
	}
	firefox_table_end(f, f->s->dsos.n);
}

/* Each table refers to rows of the next one. These rows get their numbers while the table is
 * written. */
static void put_tables(struct firefox *f)
{
	firefox_table_begin(f, "stackTable");
	put_column(f, "frame", &f->nodes, put_node_frame);
	put_column(f, "prefix", &f->nodes, put_node_prefix);
	firefox_table_end(f, f->nodes.used.n);
	firefox_table_begin(f, "frameTable");
	put_column(f, "address", &f->frames, put_frame_address);
	put_column(f, "inlineDepth", &f->frames, put_frame_depth);
	put_column(f, "category", &f->frames, put_frame_category);
	put_column(f, "subcategory", &f->frames, put_zero);
	put_column(f, "func", &f->frames, put_frame_function);
	put_column(f, "nativeSymbol", &f->frames, put_null);
	put_column(f, "innerWindowID", &f->frames, put_null);
	put_column(f, "line", &f->frames, put_frame_line);
	put_column(f, "column", &f->frames, put_null);
	firefox_table_end(f, f->frames.used.n);
	firefox_table_begin(f, "funcTable");
	put_column(f, "name", &f->functions, put_function_name);
	put_column(f, "isJS", &f->functions, put_false);
	put_column(f, "relevantForJS", &f->functions, put_false);
	put_column(f, "resource", &f->functions, put_function_resource);
	put_column(f, "fileName", &f->functions, put_function_file);
	put_column(f, "lineNumber", &f->functions, put_null);
	put_column(f, "columnNumber", &f->functions, put_null);
	firefox_table_end(f, f->functions.used.n);
	put_resources(f);
	firefox_table_begin(f, "nativeSymbols");
	for (size_t i = 0; i < 4; i++) {
		firefox_column_begin(
			f, (const char *[]){"libIndex", "address", "name", "functionSize"}[i]);
		firefox_column_end(f);
	}
	firefox_table_end(f, 0);
}

/* -- samples -- */

static bool counts_time(const struct event *ev)
{
	AUTO_BUF unit = {0};

	stacks_unit(ev, &unit);
	return !strcmp(buf_text(&unit), "ns");
}

void firefox_put_time(struct firefox *f, uint64_t time)
{
	json_decimal_element(&f->json, time - f->first, 6);
}

/* Weights of clock events are in ms, others are numbers of events. For a clock that counts while
 * the thread runs, the weight is also the CPU time that the thread used since its previous
 * sample. */
static void put_samples(struct firefox *f, const struct export_rows *rows)
{
	const bool clock = rows && counts_time(f->in->events->events.at[rows->event]);
	const size_t n = rows ? rows->n : 0;

	firefox_table_begin(f, "samples");
	firefox_column_begin(f, "stack");
	for (size_t i = 0; i < n; i++) {
		const uint32_t node = f->s->samples.at[rows->at[i]].node;

		if (node)
			json_number_element(&f->json, own_node(f, node));
		else
			json_null_element(&f->json);
		out_ready(f->out);
	}
	firefox_column_end(f);
	firefox_column_begin(f, "time");
	for (size_t i = 0; i < n; i++) {
		const struct stack_sample *x = &f->s->samples.at[rows->at[i]];

		firefox_put_time(f, f->s->first[x->side] + x->time);
		out_ready(f->out);
	}
	firefox_column_end(f);
	firefox_column_begin(f, "weight");
	for (size_t i = 0; i < n; i++) {
		const uint64_t weight = f->s->samples.at[rows->at[i]].weight;

		if (clock)
			json_decimal_element(&f->json, weight, 6);
		else
			json_number_element(&f->json, weight);
		out_ready(f->out);
	}
	firefox_column_end(f);
	json_text_member(&f->json, "weightType", clock ? "tracing-ms" : "samples");
	if (clock) {
		firefox_column_begin(f, "threadCPUDelta");
		for (size_t i = 0; i < n; i++)
			json_number_element(&f->json, f->s->samples.at[rows->at[i]].weight);
		firefox_column_end(f);
	}
	firefox_table_end(f, n);
}

/* -- threads -- */

static void put_id(struct firefox *f, const char *name, uint32_t id)
{
	AUTO_BUF text = {0};

	buf_dec(&text, id);
	json_text_member(&f->json, name, buf_text(&text));
}

static void put_null_member(struct firefox *f, const char *name)
{
	json_name(&f->json, name);
	json_null_element(&f->json);
}

/* rows: NULL for a thread that has markers only. */
static void put_thread(struct firefox *f, const struct stack_thread *t,
		       const struct export_rows *rows)
{
	struct json *j = &f->json;
	AUTO_BUF name = {0};

	own_clear(&f->nodes);
	own_clear(&f->frames);
	own_clear(&f->functions);
	buf_str(&name, t->comm);
	if (rows && f->events_shown > 1)
		buf_printf(&name, " (%s)", f->in->events->events.at[rows->event]->name);
	json_open(j, '{');
	json_text_member(j, "processType", "default");
	json_text_member(j, "processName", t->comm);
	json_number_member(j, "processStartupTime", 0);
	put_null_member(f, "processShutdownTime");
	json_number_member(j, "registerTime", 0);
	put_null_member(f, "unregisterTime");
	json_name(j, "pausedRanges");
	json_open(j, '[');
	json_close(j, ']');
	json_text_member(j, "name", buf_text(&name));
	json_bool_member(j, "isMainThread", t->pid == t->tid);
	put_id(f, "pid", t->pid);
	put_id(f, "tid", t->tid);
	put_samples(f, rows);
	firefox_put_markers(f, t->tid);
	put_tables(f);
	json_close(j, '}');
	out_ready(f->out);
}

static void put_rows(void *ctx, const struct export_rows *rows)
{
	struct firefox *f = ctx;

	put_thread(f, &f->s->threads.at[rows->thread], rows);
}

/* Threads that have markers and no samples. */
static void put_others(struct firefox *f)
{
	for (size_t i = 0; i < f->markers.n; i++) {
		const struct marker *k = &f->markers.at[i];
		const struct stack_thread t = firefox_marker_thread(f, k);

		if (idmap_find(&f->shown, k->tid) == HASH_NONE)
			put_thread(f, &t, NULL);
	}
}

/* -- the head -- */

static void put_libraries(struct firefox *f)
{
	struct json *j = &f->json;

	json_name(j, "libs");
	json_open(j, '[');
	for (size_t i = 0; i < f->s->dsos.n; i++) {
		const struct stack_dso *d = &f->s->dsos.at[i];
		const char *path = d->dso ? d->dso->long_name : d->name;
		char id[41] = "";

		if (d->dso && d->dso->build_id.size)
			build_id_text(&d->dso->build_id, id);
		json_open(j, '{');
		json_text_member(j, "arch", "");
		json_text_member(j, "name", d->name);
		json_text_member(j, "path", path);
		json_text_member(j, "debugName", d->name);
		json_text_member(j, "debugPath", path);
		json_text_member(j, "breakpadId", "");
		json_text_member(j, "codeId", id);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void put_categories(struct json *j)
{
	json_name(j, "categories");
	json_open(j, '[');
	for (size_t i = 0; i < ARRAY_SIZE(categories); i++) {
		json_open(j, '{');
		json_text_member(j, "name", categories[i].name);
		json_text_member(j, "color", categories[i].colour);
		json_name(j, "subcategories");
		json_open(j, '[');
		json_text_element(j, "Other");
		json_close(j, ']');
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* The sampling interval of the first event, in ns. */
static uint64_t interval_of(const struct export_input *in)
{
	const struct attr *a = in->events->events.n ? &in->events->events.at[0]->attr : NULL;

	if (!a || !a->sample_period)
		return 1000000;
	if (a->flags & ATTR_FREQ)
		return 1000000000 / a->sample_period;
	return counts_time(in->events->events.at[0]) ? a->sample_period : 1000000;
}

static void put_extra(struct json *j, const struct export_input *in)
{
	json_name(j, "extra");
	json_open(j, '[');
	json_open(j, '{');
	json_text_member(j, "label", "Recording");
	json_name(j, "entries");
	json_open(j, '[');
	for (size_t i = 0; i <= in->n_facts; i++) {
		if (i == in->n_facts && !*in->losses)
			break;
		json_open(j, '{');
		json_text_member(j, "label", i < in->n_facts ? in->facts[i].name : "losses");
		json_text_member(j, "format", "string");
		json_text_member(j, "value", i < in->n_facts ? in->facts[i].value : in->losses);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
	json_close(j, ']');
}

static void put_meta(struct firefox *f)
{
	struct json *j = &f->json;

	json_name(j, "meta");
	json_open(j, '{');
	json_number_member(j, "version", 31); /* version of the unprocessed format */
	json_number_member(j, "preprocessedProfileVersion", VERSION);
	json_decimal_member(j, "interval", interval_of(f->in), 6);
	json_decimal_member(j, "startTime", f->in->start_ns, 6);
	json_number_member(j, "processType", 0);
	json_number_member(j, "stackwalk", 1);
	json_number_member(j, "debug", 0);
	json_bool_member(j, "symbolicated", true);
	json_bool_member(j, "usesOnlyOneStackType", true);
	json_bool_member(j, "sourceCodeIsNotOnSearchfox", true);
	json_text_member(j, "product", f->in->title);
	json_text_member(j, "importedFrom", "perf");
	json_name(j, "sampleUnits");
	json_open(j, '{');
	json_text_member(j, "time", "ms");
	json_text_member(j, "eventDelay", "ms");
	json_text_member(j, "threadCPUDelta", "ns");
	json_close(j, '}');
	put_categories(j);
	firefox_put_schemas(j);
	put_extra(j, f->in);
	json_close(j, '}');
}

static void put_strings(struct firefox *f)
{
	firefox_table_begin(f, "shared");
	firefox_column_begin(f, "stringArray");
	for (uint32_t i = 0; i < f->strings.entries.n; i++) {
		json_text_element(&f->json, intern_text(&f->strings, i));
		out_ready(f->out);
	}
	firefox_column_end(f);
	json_close(&f->json, '}');
}

static size_t count_events(const struct stacks *s)
{
	size_t events = 0;

	for (size_t from = 0; from < s->samples.n; from += export_event_rows(s, from))
		events++;
	return events;
}

int export_firefox(const struct export_input *in, struct out *out, struct err *err)
{
	struct firefox f = {.in = in, .s = in->stacks, .json = {.out = &out->buf}, .out = out};

	(void)err;
	f.first = export_first(in);
	f.events_shown = count_events(f.s);
	own_init(&f.nodes, f.s->nodes.n);
	own_init(&f.frames, f.s->frames.n);
	own_init(&f.functions, f.s->functions.n);
	firefox_find_depths(&f);
	firefox_gather_markers(&f);
	json_open(&f.json, '{');
	put_meta(&f);
	put_libraries(&f);
	firefox_column_begin(&f, "pages");
	firefox_column_end(&f);
	firefox_column_begin(&f, "counters");
	firefox_column_end(&f);
	firefox_column_begin(&f, "profilerOverhead");
	firefox_column_end(&f);
	firefox_column_begin(&f, "threads");
	export_each_thread(in, put_rows, &f);
	put_others(&f);
	firefox_column_end(&f);
	put_strings(&f);
	json_close(&f.json, '}');
	buf_char(&out->buf, '\n');
	own_release(&f.nodes);
	own_release(&f.frames);
	own_release(&f.functions);
	free(f.depths);
	vec_release(&f.markers);
	intern_release(&f.strings);
	idmap_release(&f.shown);
	return 0;
}
