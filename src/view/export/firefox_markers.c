// SPDX-License-Identifier: MIT
/*
 * Markers of the Firefox Profiler: tracepoints, runs on CPUs, waits, losses. Source: as firefox.c.
 */
#include "view/export/firefox_private.h"

#include <stdlib.h>

enum { PHASE_INSTANT = 0, PHASE_INTERVAL = 1 };

static int by_tid(const void *a, const void *b)
{
	const struct marker *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

void firefox_gather_markers(struct firefox *f)
{
	const struct moments *m = f->in->moments;
	const struct wait_lanes *l = f->in->lanes;

	for (uint32_t i = 0; l && i < l->spans.n; i++)
		if (l->spans.at[i].state != WALL_ON_CPU)
			vec_add(&f->markers, (struct marker){l->spans.at[i].from,
							     l->lanes.at[l->spans.at[i].lane].tid,
							     i, MARKER_WAIT});
	for (uint32_t i = 0; m && i < m->events.n; i++)
		vec_add(&f->markers, (struct marker){m->events.at[i].time, m->events.at[i].tid, i,
						     MARKER_EVENT});
	for (uint32_t i = 0; m && i < m->runs.n; i++)
		vec_add(&f->markers,
			(struct marker){m->runs.at[i].from, m->runs.at[i].tid, i, MARKER_RUN});
	if (f->markers.n)
		qsort(f->markers.at, f->markers.n, sizeof(*f->markers.at), by_tid);
}

static void put_wait_data(struct firefox *f, const struct wait_span *span)
{
	const struct wait_lanes *l = f->in->lanes;
	AUTO_BUF waker = {0};

	json_open(&f->json, '{');
	json_text_member(&f->json, "type", "wait");
	json_text_member(&f->json, "reason", span->reason);
	if (span->function)
		json_text_member(&f->json, "function", span->function);
	if (wall_waker_name(span->waker))
		buf_str(&waker, wall_waker_name(span->waker));
	else if (span->waker != WALL_NO_WAKER)
		buf_printf(&waker, "%s %u", l->lanes.at[span->waker - 1].comm,
			   l->lanes.at[span->waker - 1].tid);
	if (waker.n)
		json_text_member(&f->json, "waker", buf_text(&waker));
	json_close(&f->json, '}');
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

static const char *marker_name(const struct firefox *f, const struct marker *k)
{
	if (k->kind == MARKER_RUN)
		return "running";
	if (k->kind == MARKER_WAIT)
		return wall_state_name(f->in->lanes->spans.at[k->index].state);
	return f->in->events->events.at[f->in->moments->events.at[k->index].event]->name;
}

static void put_marker(struct firefox *f, const struct marker *k, enum marker_column column)
{
	const bool lasts = k->kind != MARKER_EVENT;

	if (column == COLUMN_DATA && k->kind == MARKER_WAIT)
		put_wait_data(f, &f->in->lanes->spans.at[k->index]);
	else if (column == COLUMN_DATA)
		put_marker_data(f, k);
	else if (column == COLUMN_NAME)
		json_number_element(&f->json, firefox_text(f, marker_name(f, k)));
	else if (column == COLUMN_START)
		firefox_put_time(f, k->time);
	else if (column == COLUMN_PHASE)
		json_number_element(&f->json, lasts ? PHASE_INTERVAL : PHASE_INSTANT);
	else if (column == COLUMN_CATEGORY)
		json_number_element(&f->json, lasts ? CATEGORY_OTHER : STACK_KERNEL);
	else if (k->kind == MARKER_RUN)
		firefox_put_time(f, f->in->moments->runs.at[k->index].to);
	else if (k->kind == MARKER_WAIT)
		firefox_put_time(f, f->in->lanes->spans.at[k->index].to);
	else
		json_null_element(&f->json);
}

static void put_loss(struct firefox *f, const struct moment_loss *l, enum marker_column column)
{
	if (column == COLUMN_DATA)
		put_loss_data(f, l);
	else if (column == COLUMN_NAME)
		json_number_element(&f->json, firefox_text(f, "lost events"));
	else if (column == COLUMN_START)
		firefox_put_time(f, l->time);
	else if (column == COLUMN_END)
		json_null_element(&f->json);
	else
		json_number_element(&f->json,
				    column == COLUMN_PHASE ? PHASE_INSTANT : CATEGORY_OTHER);
}

/* Losses belong to no thread: the first thread written shows them. */
void firefox_put_markers(struct firefox *f, uint32_t tid)
{
	static const char *const names[] = {"data",    "name",	"startTime",
					    "endTime", "phase", "category"};
	const struct moments *m = f->in->moments;
	const bool mine = idmap_find(&f->shown, tid) == HASH_NONE;
	const size_t losses = m && !f->losses_shown ? m->losses.n : 0;
	size_t from = 0, to = f->markers.n;

	while (from < to) { /* find the thread's first marker */
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
	firefox_table_begin(f, "markers");
	for (enum marker_column c = COLUMN_DATA; c <= COLUMN_CATEGORY; c++) {
		firefox_column_begin(f, names[c]);
		for (size_t i = 0; i < losses; i++)
			put_loss(f, &m->losses.at[i], c);
		for (size_t i = from; i < to; i++) {
			put_marker(f, &f->markers.at[i], c);
			out_ready(f->out);
		}
		firefox_column_end(f);
	}
	firefox_table_end(f, losses + to - from);
}

struct stack_thread firefox_marker_thread(const struct firefox *f, const struct marker *k)
{
	struct stack_thread t = {UINT32_MAX, k->tid, ""};

	if (k->kind == MARKER_EVENT) {
		t.pid = f->in->moments->events.at[k->index].pid;
	} else if (k->kind == MARKER_RUN) {
		t.pid = f->in->moments->runs.at[k->index].pid;
		t.comm = f->in->moments->runs.at[k->index].comm;
	} else {
		const struct wait_lane *lane =
			&f->in->lanes->lanes.at[f->in->lanes->spans.at[k->index].lane];

		t.pid = lane->pid;
		t.comm = lane->comm;
	}
	t.pid = t.pid == UINT32_MAX ? k->tid : t.pid;
	t.comm = *t.comm ? t.comm : "task";
	return t;
}

struct marker_field {
	const char *key, *label, *format;
};

static void put_schema(struct json *j, const char *name, const char *label,
		       const struct marker_field *fields)
{
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
	for (; fields->key; fields++) {
		json_open(j, '{');
		json_text_member(j, "key", fields->key);
		json_text_member(j, "label", fields->label);
		json_text_member(j, "format", fields->format);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

void firefox_put_schemas(struct json *j)
{
	static const struct marker_field
		text[] = {{"text", "Fields", "string"}, {"cpu", "CPU", "integer"}, {0}},
		run[] = {{"end", "At its end", "string"}, {"cpu", "CPU", "integer"}, {0}},
		lost[] = {{"events", "Events", "integer"}, {"cpu", "CPU", "integer"}, {0}},
		wait[] = {{"reason", "Reason", "string"},
			  {"function", "Function", "string"},
			  {"waker", "Woken up by", "string"},
			  {0}};

	json_name(j, "markerSchema");
	json_open(j, '[');
	put_schema(j, "tracepoint", "{marker.name} {marker.data.text}", text);
	put_schema(j, "run", "{marker.name}", run);
	put_schema(j, "lost", "{marker.data.events} lost events", lost);
	put_schema(j, "wait", "{marker.name}: {marker.data.reason}", wait);
	json_close(j, ']');
}
