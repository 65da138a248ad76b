// SPDX-License-Identifier: MIT
/*
 * The Firefox Profiler's processed profile format, version 56.
 * Source: https://github.com/firefox-devtools/profiler, docs-developer/processed-profile-format.md
 * and CHANGELOG-formats.md there.
 */
#include "symbol/store/store.h"
#include "view/export/export.h"
#include "view/json.h"

#include <stdlib.h>

#define VERSION 56
/* Of markers. */
enum { PHASE_INSTANT = 0, PHASE_INTERVAL = 1 };
enum { RESOURCE_LIBRARY = 1 };

/* In the order of enum stack_kind. The first grey one is that of frames without any. */
static const struct {
	const char *name, *colour;
} categories[STACK_KINDS + 1] = {
	{"Program", "blue"},  {"Library", "purple"},   {"Kernel", "orange"}, {"JIT", "yellow"},
	{"Inlined", "green"}, {"Unknown", "darkgrey"}, {"Other", "grey"},
};
#define CATEGORY_OTHER STACK_KINDS

/* Numbers of a thread's own for those of all threads, in the order of first use. */
struct own_ids {
	uint32_t *own; /* HASH_NONE: not used yet */
	VEC(uint32_t) used;
};

/* A marker: which, and of what. */
struct marker {
	uint64_t time;
	uint32_t tid, index;
	enum { MARKER_EVENT, MARKER_RUN } kind;
};

struct firefox {
	const struct export_input *in;
	const struct stacks *s;
	struct json json;
	struct out *out;
	uint64_t first; /* ns; the profile's time 0 */
	struct intern strings;
	struct own_ids nodes, frames, functions;
	VEC(struct marker) markers; /* by tid, then by time */
	struct idmap shown;	    /* tids whose markers are written */
	size_t events_shown;	    /* events that have samples */
	bool losses_shown;
};

static uint64_t firefox_text_of(struct firefox *f, const char *text)
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

/* Callers get their numbers before what they call. */
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

static void begin_column(struct firefox *f, const char *name)
{
	json_name(&f->json, name);
	json_open(&f->json, '[');
}

static void end_column(struct firefox *f)
{
	json_close(&f->json, ']');
	out_ready(f->out);
}

static void put_column(struct firefox *f, const char *name, const struct own_ids *ids, put_cell put)
{
	begin_column(f, name);
	for (size_t i = 0; i < ids->used.n; i++) {
		put(f, ids->used.at[i]);
		out_ready(f->out);
	}
	end_column(f);
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

static void put_frame_inlined(struct firefox *f, uint32_t frame)
{
	json_number_element(&f->json, f->s->frames.at[frame].inlined);
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
	json_number_element(&f->json, firefox_text_of(f, f->s->functions.at[function].name));
}

static void put_function_resource(struct firefox *f, uint32_t function)
{
	json_number_element(&f->json, f->s->functions.at[function].dso);
}

static void put_function_file(struct firefox *f, uint32_t function)
{
	const char *file = f->s->functions.at[function].file;

	if (file)
		json_number_element(&f->json, firefox_text_of(f, file));
	else
		json_null_element(&f->json);
}

static void end_table(struct firefox *f, size_t length)
{
	json_number_member(&f->json, "length", length);
	json_close(&f->json, '}');
}

static void begin_table(struct firefox *f, const char *name)
{
	json_name(&f->json, name);
	json_open(&f->json, '{');
}

/* Every dso is a resource and a library, by the same number. */
static void put_resources(struct firefox *f)
{
	static const char *const columns[] = {"lib", "name", "host", "type"};

	begin_table(f, "resourceTable");
	for (size_t k = 0; k < ARRAY_SIZE(columns); k++) {
		begin_column(f, columns[k]);
		for (uint32_t i = 0; i < f->s->dsos.n; i++) {
			if (k == 0)
				json_number_element(&f->json, i);
			else if (k == 1)
				json_number_element(&f->json,
						    firefox_text_of(f, f->s->dsos.at[i].name));
			else if (k == 2)
				json_null_element(&f->json);
			else
				json_number_element(&f->json, RESOURCE_LIBRARY);
		}
		end_column(f);
	}
	end_table(f, f->s->dsos.n);
}

/* Each table names rows of the next one, which are numbered on the way. */
static void put_tables(struct firefox *f)
{
	begin_table(f, "stackTable");
	put_column(f, "frame", &f->nodes, put_node_frame);
	put_column(f, "prefix", &f->nodes, put_node_prefix);
	end_table(f, f->nodes.used.n);
	begin_table(f, "frameTable");
	put_column(f, "address", &f->frames, put_frame_address);
	put_column(f, "inlineDepth", &f->frames, put_frame_inlined);
	put_column(f, "category", &f->frames, put_frame_category);
	put_column(f, "subcategory", &f->frames, put_zero);
	put_column(f, "func", &f->frames, put_frame_function);
	put_column(f, "nativeSymbol", &f->frames, put_null);
	put_column(f, "innerWindowID", &f->frames, put_null);
	put_column(f, "line", &f->frames, put_frame_line);
	put_column(f, "column", &f->frames, put_null);
	end_table(f, f->frames.used.n);
	begin_table(f, "funcTable");
	put_column(f, "name", &f->functions, put_function_name);
	put_column(f, "isJS", &f->functions, put_false);
	put_column(f, "relevantForJS", &f->functions, put_false);
	put_column(f, "resource", &f->functions, put_function_resource);
	put_column(f, "fileName", &f->functions, put_function_file);
	put_column(f, "lineNumber", &f->functions, put_null);
	put_column(f, "columnNumber", &f->functions, put_null);
	end_table(f, f->functions.used.n);
	put_resources(f);
	begin_table(f, "nativeSymbols");
	for (size_t i = 0; i < 4; i++) {
		begin_column(f, (const char *[]){"libIndex", "address", "name", "functionSize"}[i]);
		end_column(f);
	}
	end_table(f, 0);
}

/* -- samples -- */

static bool counts_time(const struct event *ev)
{
	AUTO_BUF unit = {0};

	stacks_unit(ev, &unit);
	return !strcmp(buf_text(&unit), "ns");
}

static void put_time(struct firefox *f, uint64_t time)
{
	json_decimal_element(&f->json, time - f->first, 6);
}

/* Weights are ms of clocks, else numbers of events. Of a clock that counts while the thread runs,
 * a weight is also the CPU time that the thread used since its sample before. */
static void put_samples(struct firefox *f, const struct export_rows *rows)
{
	const bool clock = rows && counts_time(f->in->events->events.at[rows->event]);
	const size_t n = rows ? rows->n : 0;

	begin_table(f, "samples");
	begin_column(f, "stack");
	for (size_t i = 0; i < n; i++) {
		const uint32_t node = f->s->samples.at[rows->at[i]].node;

		if (node)
			json_number_element(&f->json, own_node(f, node));
		else
			json_null_element(&f->json);
		out_ready(f->out);
	}
	end_column(f);
	begin_column(f, "time");
	for (size_t i = 0; i < n; i++) {
		const struct stack_sample *x = &f->s->samples.at[rows->at[i]];

		put_time(f, f->s->first[x->side] + x->time);
		out_ready(f->out);
	}
	end_column(f);
	begin_column(f, "weight");
	for (size_t i = 0; i < n; i++) {
		const uint64_t weight = f->s->samples.at[rows->at[i]].weight;

		if (clock)
			json_decimal_element(&f->json, weight, 6);
		else
			json_number_element(&f->json, weight);
		out_ready(f->out);
	}
	end_column(f);
	json_text_member(&f->json, "weightType", clock ? "tracing-ms" : "samples");
	if (clock) {
		begin_column(f, "threadCPUDelta");
		for (size_t i = 0; i < n; i++)
			json_number_element(&f->json, f->s->samples.at[rows->at[i]].weight);
		end_column(f);
	}
	end_table(f, n);
}

/* -- markers -- */

static int by_tid(const void *a, const void *b)
{
	const struct marker *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void gather_markers(struct firefox *f)
{
	const struct moments *m = f->in->moments;

	for (uint32_t i = 0; m && i < m->events.n; i++)
		vec_add(&f->markers, (struct marker){m->events.at[i].time, m->events.at[i].tid, i,
						     MARKER_EVENT});
	for (uint32_t i = 0; m && i < m->runs.n; i++)
		vec_add(&f->markers,
			(struct marker){m->runs.at[i].from, m->runs.at[i].tid, i, MARKER_RUN});
	if (f->markers.n)
		qsort(f->markers.at, f->markers.n, sizeof(*f->markers.at), by_tid);
}

static void put_marker_data(struct firefox *f, const struct marker *k)
{
	const struct moments *m = f->in->moments;
	const int32_t cpu =
		k->kind == MARKER_RUN ? m->runs.at[k->index].cpu : m->events.at[k->index].cpu;

	json_open(&f->json, '{');
	json_text_member(&f->json, "type", k->kind == MARKER_RUN ? "run" : "tracepoint");
	if (k->kind == MARKER_RUN)
		json_text_member(&f->json, "end",
				 m->runs.at[k->index].preempted ? "preempted" : "waits");
	else
		json_text_member(&f->json, "text", m->events.at[k->index].text);
	if (cpu >= 0)
		json_number_member(&f->json, "cpu", (uint64_t)cpu);
	json_close(&f->json, '}');
}

static void put_loss_data(struct firefox *f, const struct moment_loss *l)
{
	json_open(&f->json, '{');
	json_text_member(&f->json, "type", "lost");
	json_number_member(&f->json, "events", l->events);
	if (l->cpu >= 0)
		json_number_member(&f->json, "cpu", (uint64_t)l->cpu);
	json_close(&f->json, '}');
}

enum marker_column {
	COLUMN_DATA,
	COLUMN_NAME,
	COLUMN_START,
	COLUMN_END,
	COLUMN_PHASE,
	COLUMN_CATEGORY
};

static void put_marker(struct firefox *f, const struct marker *k, enum marker_column column)
{
	const struct moments *m = f->in->moments;
	const bool run = k->kind == MARKER_RUN;

	if (column == COLUMN_DATA)
		put_marker_data(f, k);
	else if (column == COLUMN_NAME)
		json_number_element(
			&f->json,
			firefox_text_of(
				f, run ? "running"
				       : f->in->events->events.at[m->events.at[k->index].event]
						   ->name));
	else if (column == COLUMN_START)
		put_time(f, k->time);
	else if (column == COLUMN_PHASE)
		json_number_element(&f->json, run ? PHASE_INTERVAL : PHASE_INSTANT);
	else if (column == COLUMN_CATEGORY)
		json_number_element(&f->json, run ? CATEGORY_OTHER : STACK_KERNEL);
	else if (run)
		put_time(f, m->runs.at[k->index].to);
	else
		json_null_element(&f->json);
}

static void put_loss(struct firefox *f, const struct moment_loss *l, enum marker_column column)
{
	if (column == COLUMN_DATA)
		put_loss_data(f, l);
	else if (column == COLUMN_NAME)
		json_number_element(&f->json, firefox_text_of(f, "lost events"));
	else if (column == COLUMN_START)
		put_time(f, l->time);
	else if (column == COLUMN_END)
		json_null_element(&f->json);
	else
		json_number_element(&f->json,
				    column == COLUMN_PHASE ? PHASE_INSTANT : CATEGORY_OTHER);
}

/* Losses are those of no thread: the first one shows them. */
static void put_markers(struct firefox *f, uint32_t tid)
{
	static const char *const names[] = {"data",    "name",	"startTime",
					    "endTime", "phase", "category"};
	const struct moments *m = f->in->moments;
	const bool mine = idmap_find(&f->shown, tid) == HASH_NONE;
	const size_t losses = m && !f->losses_shown ? m->losses.n : 0;
	size_t from = 0, to = f->markers.n;

	while (from < to) { /* the first marker of the thread */
		const size_t middle = from + (to - from) / 2;

		if (f->markers.at[middle].tid < tid)
			from = middle + 1;
		else
			to = middle;
	}
	while (mine && to < f->markers.n && f->markers.at[to].tid == tid)
		to++;
	*idmap_put(&f->shown, tid) = 1;
	f->losses_shown = true;
	begin_table(f, "markers");
	for (enum marker_column c = COLUMN_DATA; c <= COLUMN_CATEGORY; c++) {
		begin_column(f, names[c]);
		for (size_t i = 0; i < losses; i++)
			put_loss(f, &m->losses.at[i], c);
		for (size_t i = from; i < to; i++) {
			put_marker(f, &f->markers.at[i], c);
			out_ready(f->out);
		}
		end_column(f);
	}
	end_table(f, losses + to - from);
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
	put_markers(f, t->tid);
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
		struct stack_thread t = {k->tid, k->tid, "task"};

		if (idmap_find(&f->shown, k->tid) != HASH_NONE)
			continue;
		if (k->kind == MARKER_EVENT)
			t.pid = f->in->moments->events.at[k->index].pid;
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

static void put_schema(struct json *j, const char *name, const char *label, const char *key,
		       const char *key_label, const char *format)
{
	const char *const fields[][3] = {{key, key_label, format}, {"cpu", "CPU", "integer"}};

	json_open(j, '{');
	json_text_member(j, "name", name);
	json_text_member(j, "tooltipLabel", label);
	json_text_member(j, "tableLabel", label);
	json_text_member(j, "chartLabel", label);
	json_name(j, "display");
	json_open(j, '[');
	json_text_element(j, "marker-chart");
	json_text_element(j, "marker-table");
	json_close(j, ']');
	json_name(j, "fields");
	json_open(j, '[');
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		json_open(j, '{');
		json_text_member(j, "key", fields[i][0]);
		json_text_member(j, "label", fields[i][1]);
		json_text_member(j, "format", fields[i][2]);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

static void put_schemas(struct json *j)
{
	json_name(j, "markerSchema");
	json_open(j, '[');
	put_schema(j, "tracepoint", "{marker.name} {marker.data.text}", "text", "Fields", "string");
	put_schema(j, "run", "{marker.name}", "end", "At its end", "string");
	put_schema(j, "lost", "{marker.data.events} lost events", "events", "Events", "integer");
	json_close(j, ']');
}

/* ms between samples, as far as the first event says; in ns. */
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
	json_number_member(j, "version", 31); /* of the unprocessed format */
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
	put_schemas(j);
	put_extra(j, f->in);
	json_close(j, '}');
}

static void put_strings(struct firefox *f)
{
	begin_table(f, "shared");
	begin_column(f, "stringArray");
	for (uint32_t i = 0; i < f->strings.entries.n; i++) {
		json_text_element(&f->json, intern_text(&f->strings, i));
		out_ready(f->out);
	}
	end_column(f);
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
	gather_markers(&f);
	json_open(&f.json, '{');
	put_meta(&f);
	put_libraries(&f);
	begin_column(&f, "pages");
	end_column(&f);
	begin_column(&f, "counters");
	end_column(&f);
	begin_column(&f, "profilerOverhead");
	end_column(&f);
	begin_column(&f, "threads");
	export_each_thread(in, put_rows, &f);
	put_others(&f);
	end_column(&f);
	put_strings(&f);
	json_close(&f.json, '}');
	buf_char(&out->buf, '\n');
	own_release(&f.nodes);
	own_release(&f.frames);
	own_release(&f.functions);
	vec_release(&f.markers);
	intern_release(&f.strings);
	idmap_release(&f.shown);
	return 0;
}
