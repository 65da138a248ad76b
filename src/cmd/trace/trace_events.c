// SPDX-License-Identifier: MIT
/* Shows samples of events as lines, and adds them to sums. */
#include "cmd/trace/trace_events.h"

#include <string.h>

void trace_events_release(struct trace_events *e)
{
	trace_events_close(e);
	vec_release(&e->selects);
	vec_release(&e->named);
	vec_release(&e->queue);
	vec_release(&e->spans);
	vec_release(&e->chains);
	buf_release(&e->bytes);
	arena_release(&e->arena);
}

int trace_events_begin(struct trace_events *e, const struct measurement *m, struct world *world,
		       bool chains_made, struct err *err)
{
	static const struct tp_text_options no_functions;
	const struct trace_opts *o = e->show->opts;

	e->world = world;
	e->lines.lines = &e->show->lines;
	e->lines.world = world;
	e->lines.formats = &m->formats;
	e->lines.calls = e->calls;
	e->lines.chains = o->chains.callgraph != CALLGRAPH_NONE || o->input.path;
	e->lines.min_stack = o->min_stack;
	if (o->print_formats)
		e->lines.texts = tp_text_new(&m->formats, &no_functions);
	script_frames_init_of(&e->lines.frames, world, m, chains_made);
	if (o->max_stack)
		script_frames_max_stack(&e->lines.frames, o->max_stack);
	e->switches.show = o->show_switches;
	return replay_switches_find(&e->switches, &m->events, o->switch_on, o->switch_off, err);
}

static bool is_left_out(const struct trace_events *e, const struct record *r)
{
	const struct trace_show *s = e->show;

	for (size_t i = 0; i < s->without.n; i++)
		if (s->without.at[i] == r->sample.pid || s->without.at[i] == r->sample.tid)
			return true;
	return false;
}

static void add_runtime(struct trace_events *e, const struct record *r)
{
	const struct tp_format *fmt =
		tp_formats_find(e->lines.formats, (uint32_t)r->event->attr.config);
	const struct tp_field *field = fmt ? tp_format_field(fmt, "runtime") : NULL,
			      *pid = fmt ? tp_format_field(fmt, "pid") : NULL;
	uint32_t tid = r->sample.tid;
	struct thread *t;

	if (pid)
		tid = (uint32_t)tp_field_u64(e->lines.formats, pid, r->sample.raw,
					     r->sample.raw_size);
	t = world_thread(e->world, r->sample.pid, tid, WORLD_NOW);
	if (field)
		call_sums_thread(&e->show->sums, t->pid, tid, world_comm(e->world, t, WORLD_NOW))
			->runtime_ns +=
			tp_field_u64(e->lines.formats, field, r->sample.raw, r->sample.raw_size);
}

static void add_fault(struct trace_events *e, const struct record *r)
{
	struct thread *t = world_thread(e->world, r->sample.pid, r->sample.tid, WORLD_NOW);
	struct call_thread *sum = call_sums_thread(&e->show->sums, r->sample.pid, r->sample.tid,
						   world_comm(e->world, t, WORLD_NOW));

	if (!strncmp(r->event->name, "major", 5))
		sum->major_faults++;
	else
		sum->minor_faults++;
	sum->events++;
	e->show->sums.events++;
}

static void add_text(struct trace_events *e, struct trace_item *item, uint64_t time,
		     const struct buf *text)
{
	item->time = time;
	item->seq = e->seq++;
	item->at = e->bytes.n;
	item->n = text->n;
	vec_add(&e->queue, *item);
	buf_add(&e->bytes, text->at, text->n);
	buf_fill(&e->bytes, 0, -text->n & 7);
}

/* Queues a call's chain until the call is shown. */
static void keep_chain(struct trace_events *e, const struct record *r)
{
	const struct tp_format *fmt =
		tp_formats_find(e->lines.formats, (uint32_t)r->event->attr.config);
	const struct tp_field *id = fmt ? tp_format_field(fmt, "id") : NULL;
	struct trace_item item = {.tid = r->sample.tid, .event = e->exits};
	AUTO_BUF text = {0};

	if (!id)
		return;
	item.number = (int)tp_field_u64(e->lines.formats, id, r->sample.raw, r->sample.raw_size);
	item.frames = event_chain_show(&e->lines, r, &text);
	add_text(e, &item, r->sample.time, &text);
}

/* Shows an event's line. Live beside calls, the line is queued until its time; a recording's
 * samples are in order already. */
static void show_event(struct trace_events *e, const struct record *r)
{
	struct trace_show *s = e->show;
	const uint64_t time = r->sample.time;
	AUTO_BUF text = {0};

	if (!event_line_show(&e->lines, r, &text))
		return;
	if (e->source && e->calls) {
		add_text(e, &(struct trace_item){.tid = r->sample.tid, .event = r->event}, time,
			 &text);
		return;
	}
	if (replay_switched_off(&e->switches, r->event) || trace_show_full(s))
		return;
	if (!event_is_fault(r->event)) /* as in perf, a fault does not split its call's line */
		call_pairs_idle(s->pairs);
	event_line_time(&s->lines, time, &s->out.buf);
	buf_add(&s->out.buf, text.at, text.n);
	s->shown++;
}

void trace_events_add(struct trace_events *e, const struct record *r)
{
	struct trace_show *s = e->show;
	struct thread *t;

	if (!r->event || is_left_out(e, r))
		return;
	t = world_thread(e->world, r->sample.pid, r->sample.tid, WORLD_NOW);
	trace_show_comm(s, r->sample.tid, world_comm(e->world, t, WORLD_NOW));
	if (r->event == e->runtime) {
		add_runtime(e, r);
		return;
	}
	if (r->event == e->exits) {
		keep_chain(e, r);
		return;
	}
	if (event_is_fault(r->event) && (s->opts->summary || s->opts->with_summary))
		add_fault(e, r);
	if (!s->opts->summary)
		show_event(e, r);
}
