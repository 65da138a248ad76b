// SPDX-License-Identifier: MIT
/*
 * Chrome trace events: samples with their stacks, tracepoints as instants, and context switches.
 * Source: "Trace Event Format",
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
 */
#include "view/export/export.h"
#include "view/out/json.h"

#include <stdio.h>

struct chrome {
	const struct export_input *in;
	struct json json;
	struct out *out;
	uint64_t first;		/* ns; the trace's time 0 */
	struct idmap processes; /* tid -> pid */
	struct idmap comms;	/* tid -> index of a thread */
};

static uint32_t chrome_pid(const struct chrome *c, uint32_t tid)
{
	const uint32_t pid = idmap_find(&c->processes, tid);

	return pid == HASH_NONE ? tid : pid;
}

/* Times are in us. */
static void chrome_put_time(struct chrome *c, const char *name, uint64_t ns)
{
	json_decimal_member(&c->json, name, ns, 3);
}

static void chrome_begin_event(struct chrome *c, const char *phase, const char *name, uint32_t pid,
			       uint32_t tid)
{
	json_open(&c->json, '{');
	json_text_member(&c->json, "ph", phase);
	json_text_member(&c->json, "name", name);
	json_number_member(&c->json, "pid", pid);
	json_number_member(&c->json, "tid", tid);
}

static void chrome_end_event(struct chrome *c)
{
	json_close(&c->json, '}');
	out_ready(c->out);
}

static void chrome_put_name(struct chrome *c, const char *what, const struct stack_thread *t)
{
	chrome_begin_event(c, "M", what, t->pid, t->tid);
	json_name(&c->json, "args");
	json_open(&c->json, '{');
	json_text_member(&c->json, "name", t->comm);
	json_close(&c->json, '}');
	chrome_end_event(c);
}

static void chrome_put_threads(struct chrome *c)
{
	const struct stacks *s = c->in->stacks;

	for (size_t i = 0; i < s->threads.n; i++) {
		const struct stack_thread *t = &s->threads.at[i];

		*idmap_put(&c->processes, t->tid) = t->pid;
		*idmap_put(&c->comms, t->tid) = (uint32_t)i;
		if (t->pid == t->tid)
			chrome_put_name(c, "process_name", t);
		chrome_put_name(c, "thread_name", t);
	}
}

/* Names the threads that ran and have no samples. */
static void chrome_put_others(struct chrome *c, const struct moments *m)
{
	for (size_t i = 0; i < m->runs.n; i++) {
		const struct moment_run *r = &m->runs.at[i];
		const uint32_t pid = r->pid == UINT32_MAX ? r->tid : r->pid;

		if (!*r->comm || idmap_find(&c->processes, r->tid) != HASH_NONE)
			continue;
		*idmap_put(&c->processes, r->tid) = pid;
		chrome_put_name(c, "thread_name", &(struct stack_thread){pid, r->tid, r->comm});
	}
}

static void chrome_put_instant(struct chrome *c, const struct moment_event *e)
{
	chrome_begin_event(c, "i", c->in->events->events.at[e->event]->name, e->pid, e->tid);
	json_text_member(&c->json, "cat", "tracepoint");
	json_text_member(&c->json, "s", "t"); /* scope: the thread */
	chrome_put_time(c, "ts", e->time - c->first);
	json_name(&c->json, "args");
	json_open(&c->json, '{');
	json_text_member(&c->json, "text", e->text);
	if (e->cpu >= 0)
		json_number_member(&c->json, "cpu", (uint64_t)e->cpu);
	json_close(&c->json, '}');
	chrome_end_event(c);
}

static void chrome_put_run(struct chrome *c, const struct moment_run *r)
{
	const uint32_t thread = idmap_find(&c->comms, r->tid);
	const char *comm = thread == HASH_NONE ? r->comm : c->in->stacks->threads.at[thread].comm;

	chrome_begin_event(c, "X", *comm ? comm : "running", chrome_pid(c, r->tid), r->tid);
	json_text_member(&c->json, "cat", "sched");
	chrome_put_time(c, "ts", r->from - c->first);
	chrome_put_time(c, "dur", r->to - r->from);
	json_name(&c->json, "args");
	json_open(&c->json, '{');
	json_number_member(&c->json, "cpu", (uint64_t)r->cpu);
	json_text_member(&c->json, "end", r->preempted ? "preempted" : "waits");
	json_close(&c->json, '}');
	chrome_end_event(c);
}

static void chrome_put_loss(struct chrome *c, const struct moment_loss *l)
{
	chrome_begin_event(c, "i", "lost events", 0, 0);
	json_text_member(&c->json, "cat", "lost");
	json_text_member(&c->json, "s", "g"); /* scope: the whole trace */
	chrome_put_time(c, "ts", l->time - c->first);
	json_name(&c->json, "args");
	json_open(&c->json, '{');
	json_number_member(&c->json, "events", l->events);
	if (l->cpu >= 0)
		json_number_member(&c->json, "cpu", (uint64_t)l->cpu);
	json_close(&c->json, '}');
	chrome_end_event(c);
}

static void chrome_put_events(struct chrome *c)
{
	const struct moments *m = c->in->moments;

	json_name(&c->json, "traceEvents");
	json_open(&c->json, '[');
	chrome_put_threads(c);
	if (m)
		chrome_put_others(c, m);
	for (size_t i = 0; m && i < m->events.n; i++)
		chrome_put_instant(c, &m->events.at[i]);
	for (size_t i = 0; m && i < m->runs.n; i++)
		chrome_put_run(c, &m->runs.at[i]);
	for (size_t i = 0; m && i < m->losses.n; i++)
		chrome_put_loss(c, &m->losses.at[i]);
	json_close(&c->json, ']');
}

/* A stack frame of the format is a node of the tree: its function and its caller's node. */
static void chrome_put_frames(struct chrome *c)
{
	const struct stacks *s = c->in->stacks;
	char id[24];

	json_name(&c->json, "stackFrames");
	json_open(&c->json, '{');
	for (size_t i = 1; i < s->nodes.n; i++) {
		const struct stack_node *node = &s->nodes.at[i];
		const struct stack_function *f =
			&s->functions.at[s->frames.at[node->frame].function];

		snprintf(id, sizeof(id), "%zu", i);
		json_name(&c->json, id);
		json_open(&c->json, '{');
		json_text_member(&c->json, "category", s->dsos.at[f->dso].name);
		json_text_member(&c->json, "name", f->name);
		if (node->parent)
			json_number_member(&c->json, "parent", node->parent);
		json_close(&c->json, '}');
		out_ready(c->out);
	}
	json_close(&c->json, '}');
}

static void chrome_put_samples(struct chrome *c)
{
	const struct stacks *s = c->in->stacks;

	json_name(&c->json, "samples");
	json_open(&c->json, '[');
	for (size_t i = 0; i < s->samples.n; i++) {
		const struct stack_sample *x = &s->samples.at[i];

		json_open(&c->json, '{');
		if (x->cpu >= 0)
			json_number_member(&c->json, "cpu", (uint64_t)x->cpu);
		json_number_member(&c->json, "tid", s->threads.at[x->thread].tid);
		chrome_put_time(c, "ts", s->first[x->side] + x->time - c->first);
		json_text_member(&c->json, "name", c->in->events->events.at[x->event]->name);
		json_number_member(&c->json, "sf", x->node);
		json_number_member(&c->json, "weight", x->weight);
		chrome_end_event(c);
	}
	json_close(&c->json, ']');
}

int export_chrome(const struct export_input *in, struct out *out, struct err *err)
{
	struct chrome c = {.in = in, .json = {.out = &out->buf}, .out = out};

	(void)err;
	c.first = export_first(in);
	json_open(&c.json, '{');
	json_text_member(&c.json, "displayTimeUnit", "ns");
	json_name(&c.json, "otherData");
	json_open(&c.json, '{');
	json_text_member(&c.json, "title", in->title);
	for (size_t i = 0; i < in->n_facts; i++)
		json_text_member(&c.json, in->facts[i].name, in->facts[i].value);
	if (*in->losses)
		json_text_member(&c.json, "losses", in->losses);
	json_close(&c.json, '}');
	chrome_put_events(&c);
	chrome_put_frames(&c);
	chrome_put_samples(&c);
	json_close(&c.json, '}');
	buf_char(&out->buf, '\n');
	idmap_release(&c.processes);
	idmap_release(&c.comms);
	return 0;
}
