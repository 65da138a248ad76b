// SPDX-License-Identifier: MIT
/*
 * A Perfetto trace: samples with interned stacks, context switches as ftrace events, and
 * tracepoints as instants on the track of their thread. In a wall-clock profile each thread has a
 * track of its waits, with arrows (flows) from wakers. Source: the .proto files below
 * protos/perfetto/trace of https://github.com/google/perfetto (field numbers).
 */
#include "symbol/store/store.h"
#include "view/export/export.h"
#include "view/export/protobuf.h"

/* Fields of messages, by their numbers. */
enum { TRACE_PACKET = 1 };
enum {
	PACKET_FTRACE_EVENTS = 1,
	PACKET_PROCESS_TREE = 2,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK_DESCRIPTOR = 60,
	PACKET_PERF_SAMPLE = 66
};
enum { FLAG_STATE_CLEARED = 1, FLAG_NEEDS_STATE = 2 };
enum { CLOCKS = 1, CLOCK_ID = 1, CLOCK_TIMESTAMP = 2 };
enum { BUILTIN_REALTIME = 1, BUILTIN_MONOTONIC = 3, BUILTIN_BOOTTIME = 6 };
enum { TREE_PROCESSES = 1, TREE_THREADS = 2 };
enum { PROCESS_PID = 1, PROCESS_CMDLINE = 3 };
enum { THREAD_TID = 1, THREAD_NAME = 2, THREAD_TGID = 3 };
enum {
	INTERNED_FUNCTION_NAMES = 5,
	INTERNED_FRAMES = 6,
	INTERNED_CALLSTACKS = 7,
	INTERNED_BUILD_IDS = 16,
	INTERNED_MAPPING_PATHS = 17,
	INTERNED_SOURCE_PATHS = 18,
	INTERNED_MAPPINGS = 19
};
enum { STRING_IID = 1, STRING_STR = 2 };
enum { MAPPING_IID = 1, MAPPING_BUILD_ID = 2, MAPPING_PATHS = 7 };
enum { FRAME_IID = 1, FRAME_FUNCTION, FRAME_MAPPING, FRAME_REL_PC, FRAME_SOURCE_PATH, FRAME_LINE };
enum { CALLSTACK_IID = 1, CALLSTACK_FRAMES = 2 };
enum { DEFAULTS_PERF_SAMPLE = 12, PERF_DEFAULTS_TIMEBASE = 1 };
enum { TIMEBASE_PERIOD = 1, TIMEBASE_FREQUENCY = 2, TIMEBASE_NAME = 10 };
enum {
	SAMPLE_FIELD_CPU = 1,
	SAMPLE_FIELD_PID = 2,
	SAMPLE_FIELD_TID = 3,
	SAMPLE_FIELD_CALLSTACK = 4,
	SAMPLE_FIELD_MODE = 5,
	SAMPLE_FIELD_TIMEBASE_COUNT = 6,
	SAMPLE_FIELD_LOST = 17
};
enum { CPU_MODE_KERNEL = 1, CPU_MODE_USER = 2 };
enum { BUNDLE_CPU = 1, BUNDLE_EVENT = 2 };
enum { FTRACE_TIMESTAMP = 1, FTRACE_PID = 2, FTRACE_SCHED_SWITCH = 4 };
enum {
	SWITCH_PREV_COMM = 1,
	SWITCH_PREV_PID,
	SWITCH_PREV_PRIO,
	SWITCH_PREV_STATE,
	SWITCH_NEXT_COMM,
	SWITCH_NEXT_PID,
	SWITCH_NEXT_PRIO
};
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_THREAD = 4, TRACK_PARENT = 5 };
enum { DESCRIPTOR_PID = 1, DESCRIPTOR_TID = 2 };
enum {
	TRACK_EVENT_ANNOTATIONS = 4,
	TRACK_EVENT_TYPE = 9,
	TRACK_EVENT_TRACK = 11,
	TRACK_EVENT_CATEGORIES = 22,
	TRACK_EVENT_NAME = 23,
	TRACK_EVENT_FLOWS = 47,
	TRACK_EVENT_FLOWS_ENDED = 48
};
enum { TYPE_SLICE_BEGIN = 1, TYPE_SLICE_END = 2, TYPE_INSTANT = 3 };
enum { ANNOTATION_STRING = 6, ANNOTATION_NAME = 10 };

/* The packet sequence of everything but samples; samples of event n have sequence n + 2. */
#define SEQUENCE_ALL 1u
/* Switches in one bundle: enough to make its header negligible. */
#define BUNDLE_MAX 512

struct perfetto {
	const struct export_input *in;
	const struct stacks *s;
	struct out *out;
	struct buf packet, message, inner, inner2, text;
	struct idmap tracks;   /* of threads whose track is described */
	struct intern sources; /* iid - 1 */
	/* Counts of the current event on each CPU. A map, as a damaged recording may have any CPU
	 * number. */
	struct idmap cpus; /* index in counts */
	VEC(uint64_t) counts;
};

static void perfetto_end_packet(struct perfetto *p, uint32_t sequence)
{
	proto_number(&p->packet, PACKET_SEQUENCE_ID, sequence);
	proto_message(&p->out->buf, TRACE_PACKET, &p->packet);
	out_ready(p->out);
}

/* -- clocks, processes, threads -- */

static void perfetto_put_clock(struct perfetto *p, unsigned int id, uint64_t ns)
{
	proto_number(&p->inner, CLOCK_ID, id);
	proto_value(&p->inner, CLOCK_TIMESTAMP, ns);
	proto_message(&p->message, CLOCKS, &p->inner);
}

/* Perfetto's times are of its boot clock; the recording's times are used as such. */
static void perfetto_put_clocks(struct perfetto *p)
{
	const uint64_t first = export_first(p->in);

	perfetto_put_clock(p, BUILTIN_BOOTTIME, first);
	if (p->in->clock->id == 1) /* CLOCK_MONOTONIC */
		perfetto_put_clock(p, BUILTIN_MONOTONIC, first);
	if (p->in->start_ns)
		perfetto_put_clock(p, BUILTIN_REALTIME, p->in->start_ns);
	proto_message(&p->packet, PACKET_CLOCK_SNAPSHOT, &p->message);
	perfetto_end_packet(p, SEQUENCE_ALL);
}

static void perfetto_put_tree(struct perfetto *p)
{
	struct idmap seen = {0};

	for (size_t i = 0; i < p->s->threads.n; i++) {
		const struct stack_thread *t = &p->s->threads.at[i];

		if (t->pid == t->tid || idmap_find(&seen, t->pid) == HASH_NONE) {
			proto_value(&p->inner, PROCESS_PID, t->pid);
			proto_text(&p->inner, PROCESS_CMDLINE, t->comm);
			proto_message(&p->message, TREE_PROCESSES, &p->inner);
			*idmap_put(&seen, t->pid) = 1;
		}
	}
	for (size_t i = 0; i < p->s->threads.n; i++) {
		const struct stack_thread *t = &p->s->threads.at[i];

		proto_value(&p->inner, THREAD_TID, t->tid);
		proto_text(&p->inner, THREAD_NAME, t->comm);
		proto_value(&p->inner, THREAD_TGID, t->pid);
		proto_message(&p->message, TREE_THREADS, &p->inner);
	}
	idmap_release(&seen);
	proto_number(&p->packet, PACKET_TIMESTAMP, export_first(p->in));
	proto_message(&p->packet, PACKET_PROCESS_TREE, &p->message);
	perfetto_end_packet(p, SEQUENCE_ALL);
}

/* -- interned data: ids are those of stacks, plus 1 -- */

static void perfetto_put_string(struct perfetto *p, unsigned int table, uint64_t iid,
				const char *text)
{
	proto_number(&p->inner, STRING_IID, iid);
	proto_text(&p->inner, STRING_STR, text);
	proto_message(&p->message, table, &p->inner);
}

static void perfetto_put_mappings(struct perfetto *p)
{
	char text[41];

	for (size_t i = 0; i < p->s->dsos.n; i++) {
		const struct stack_dso *d = &p->s->dsos.at[i];
		const char *path = d->dso ? d->dso->long_name : d->name;

		/* Readers add a slash in front of each part of a path. */
		perfetto_put_string(p, INTERNED_MAPPING_PATHS, i + 1, path + (*path == '/'));
		proto_number(&p->inner, MAPPING_IID, i + 1);
		if (d->dso && d->dso->build_id.size)
			proto_number(&p->inner, MAPPING_BUILD_ID, i + 1);
		proto_number(&p->inner, MAPPING_PATHS, i + 1);
		proto_message(&p->message, INTERNED_MAPPINGS, &p->inner);
		if (d->dso && d->dso->build_id.size) {
			build_id_text(&d->dso->build_id, text);
			perfetto_put_string(p, INTERNED_BUILD_IDS, i + 1, text);
		}
	}
}

static void perfetto_put_frames(struct perfetto *p)
{
	for (size_t i = 0; i < p->s->functions.n; i++)
		perfetto_put_string(p, INTERNED_FUNCTION_NAMES, i + 1, p->s->functions.at[i].name);
	for (size_t i = 0; i < p->s->frames.n; i++) {
		const struct stack_frame *f = &p->s->frames.at[i];
		const struct stack_function *fn = &p->s->functions.at[f->function];

		proto_number(&p->inner, FRAME_IID, i + 1);
		proto_number(&p->inner, FRAME_FUNCTION, f->function + 1);
		proto_number(&p->inner, FRAME_MAPPING, fn->dso + 1);
		proto_value(&p->inner, FRAME_REL_PC, f->address);
		if (fn->file)
			proto_number(&p->inner, FRAME_SOURCE_PATH,
				     intern_str(&p->sources, fn->file) + 1);
		proto_number(&p->inner, FRAME_LINE, export_line(f->line));
		proto_message(&p->message, INTERNED_FRAMES, &p->inner);
	}
	for (uint32_t i = 0; i < p->sources.entries.n; i++)
		perfetto_put_string(p, INTERNED_SOURCE_PATHS, i + 1, intern_text(&p->sources, i));
}

/* Frames from the outermost to the innermost. */
static void perfetto_put_callstack(struct perfetto *p, uint32_t leaf)
{
	uint32_t frames[1024], n = 0;

	for (uint32_t at = leaf; at && n < ARRAY_SIZE(frames); at = p->s->nodes.at[at].parent)
		frames[n++] = p->s->nodes.at[at].frame;
	proto_number(&p->inner, CALLSTACK_IID, leaf);
	while (n)
		proto_number(&p->inner, CALLSTACK_FRAMES, frames[--n] + 1);
	proto_message(&p->message, INTERNED_CALLSTACKS, &p->inner);
}

static void perfetto_put_callstacks(struct perfetto *p, size_t from, size_t n)
{
	bool *put = mem_zero(p->s->nodes.n + 1);

	for (size_t i = from; i < from + n; i++) {
		const uint32_t leaf = p->s->samples.at[i].node;

		if (leaf && !put[leaf])
			perfetto_put_callstack(p, leaf);
		put[leaf] = true;
	}
	free(put);
}

/* Writes the interned data that samples of the event refer to, and their defaults. */
static void perfetto_begin_event(struct perfetto *p, uint32_t event, size_t from, size_t n)
{
	const struct event *ev = p->in->events->events.at[event];

	perfetto_put_mappings(p);
	perfetto_put_frames(p);
	perfetto_put_callstacks(p, from, n);
	proto_message(&p->packet, PACKET_INTERNED_DATA, &p->message);
	proto_number(&p->inner2, ev->attr.flags & ATTR_FREQ ? TIMEBASE_FREQUENCY : TIMEBASE_PERIOD,
		     ev->attr.sample_period);
	proto_text(&p->inner2, TIMEBASE_NAME, ev->name);
	proto_message(&p->inner, PERF_DEFAULTS_TIMEBASE, &p->inner2);
	proto_message(&p->message, DEFAULTS_PERF_SAMPLE, &p->inner);
	proto_message(&p->packet, PACKET_DEFAULTS, &p->message);
	proto_number(&p->packet, PACKET_SEQUENCE_FLAGS, FLAG_STATE_CLEARED);
	perfetto_end_packet(p, event + 2);
}

/* -- samples -- */

static uint64_t perfetto_count(struct perfetto *p, const struct stack_sample *x)
{
	uint32_t *at = idmap_put(&p->cpus, x->cpu < 0 ? 0 : (uint64_t)x->cpu);

	if (*at == HASH_NONE) {
		*at = (uint32_t)p->counts.n;
		vec_add(&p->counts, 0);
	}
	return p->counts.at[*at] += x->weight;
}

static bool perfetto_is_kernel(const struct perfetto *p, uint32_t node)
{
	return node &&
	       p->s->functions.at[p->s->frames.at[p->s->nodes.at[node].frame].function].kind ==
		       STACK_KERNEL;
}

static void perfetto_put_sample(struct perfetto *p, const struct stack_sample *x)
{
	const struct stack_thread *t = &p->s->threads.at[x->thread];

	if (x->cpu >= 0)
		proto_value(&p->message, SAMPLE_FIELD_CPU, (uint64_t)x->cpu);
	proto_value(&p->message, SAMPLE_FIELD_PID, t->pid);
	proto_value(&p->message, SAMPLE_FIELD_TID, t->tid);
	proto_number(&p->message, SAMPLE_FIELD_CALLSTACK, x->node);
	proto_number(&p->message, SAMPLE_FIELD_MODE,
		     perfetto_is_kernel(p, x->node) ? CPU_MODE_KERNEL : CPU_MODE_USER);
	proto_number(&p->message, SAMPLE_FIELD_TIMEBASE_COUNT, perfetto_count(p, x));
	proto_number(&p->packet, PACKET_TIMESTAMP, p->s->first[x->side] + x->time);
	proto_message(&p->packet, PACKET_PERF_SAMPLE, &p->message);
	proto_number(&p->packet, PACKET_SEQUENCE_FLAGS, FLAG_NEEDS_STATE);
	perfetto_end_packet(p, x->event + 2);
}

static void perfetto_put_samples(struct perfetto *p)
{
	for (size_t from = 0, n; from < p->s->samples.n; from += n) {
		n = export_event_rows(p->s, from);
		perfetto_begin_event(p, p->s->samples.at[from].event, from, n);
		for (size_t k = 0; k < p->counts.n; k++)
			p->counts.at[k] = 0;
		for (size_t i = from; i < from + n; i++)
			perfetto_put_sample(p, &p->s->samples.at[i]);
	}
}

/* -- moments -- */

static void perfetto_put_switch(struct perfetto *p, const struct moment_switch *s)
{
	struct buf *b = &p->inner2;

	proto_text(b, SWITCH_PREV_COMM, s->prev_comm);
	proto_value(b, SWITCH_PREV_PID, s->prev_tid);
	proto_value(b, SWITCH_PREV_PRIO, (uint64_t)(int64_t)s->prev_prio);
	proto_value(b, SWITCH_PREV_STATE, s->prev_state);
	proto_text(b, SWITCH_NEXT_COMM, s->next_comm);
	proto_value(b, SWITCH_NEXT_PID, s->next_tid);
	proto_value(b, SWITCH_NEXT_PRIO, (uint64_t)(int64_t)s->next_prio);
	proto_number(&p->inner, FTRACE_TIMESTAMP, s->time);
	proto_value(&p->inner, FTRACE_PID, s->prev_tid);
	proto_message(&p->inner, FTRACE_SCHED_SWITCH, b);
	proto_message(&p->message, BUNDLE_EVENT, &p->inner);
}

/* A bundle has the events of one CPU. */
static void perfetto_put_switches(struct perfetto *p, const struct moments *m)
{
	for (size_t i = 0, n; i < m->switches.n; i += n) {
		const int32_t cpu = m->switches.at[i].cpu;

		for (n = 0;
		     i + n < m->switches.n && n < BUNDLE_MAX && m->switches.at[i + n].cpu == cpu;
		     n++)
			if (cpu >= 0)
				perfetto_put_switch(p, &m->switches.at[i + n]);
		if (cpu < 0)
			continue;
		proto_value(&p->message, BUNDLE_CPU, (uint64_t)cpu);
		proto_message(&p->packet, PACKET_FTRACE_EVENTS, &p->message);
		perfetto_end_packet(p, SEQUENCE_ALL);
	}
}

static uint64_t perfetto_thread_track(uint32_t pid, uint32_t tid)
{
	return (uint64_t)pid << 32 | (tid + 1ull);
}

/* Describes a thread's track, the first time only. */
static void perfetto_put_track(struct perfetto *p, uint32_t pid, uint32_t tid)
{
	const uint64_t uuid = perfetto_thread_track(pid, tid);

	if (idmap_find(&p->tracks, uuid) != HASH_NONE)
		return;
	*idmap_put(&p->tracks, uuid) = 1;
	proto_number(&p->message, TRACK_UUID, uuid);
	proto_value(&p->inner, DESCRIPTOR_PID, pid);
	proto_value(&p->inner, DESCRIPTOR_TID, tid);
	proto_message(&p->message, TRACK_THREAD, &p->inner);
	proto_message(&p->packet, PACKET_TRACK_DESCRIPTOR, &p->message);
	perfetto_end_packet(p, SEQUENCE_ALL);
}

static void perfetto_annotate(struct perfetto *p, const char *name, const char *text)
{
	proto_text(&p->inner, ANNOTATION_NAME, name);
	proto_text(&p->inner, ANNOTATION_STRING, text);
	proto_message(&p->message, TRACK_EVENT_ANNOTATIONS, &p->inner);
}

/* Ends an event that was begun in p->message. name: NULL for the end of a slice. */
static void perfetto_put_event(struct perfetto *p, uint64_t time, unsigned int type, uint64_t track,
			       const char *category, const char *name)
{
	proto_number(&p->message, TRACK_EVENT_TYPE, type);
	proto_number(&p->message, TRACK_EVENT_TRACK, track);
	if (name) {
		proto_text(&p->message, TRACK_EVENT_CATEGORIES, category);
		proto_text(&p->message, TRACK_EVENT_NAME, name);
	}
	proto_number(&p->packet, PACKET_TIMESTAMP, time);
	proto_message(&p->packet, PACKET_TRACK_EVENT, &p->message);
	perfetto_end_packet(p, SEQUENCE_ALL);
}

static void perfetto_put_instant(struct perfetto *p, const struct moment_event *e)
{
	perfetto_put_track(p, e->pid, e->tid);
	perfetto_annotate(p, "text", e->text);
	perfetto_put_event(p, e->time, TYPE_INSTANT, perfetto_thread_track(e->pid, e->tid),
			   "tracepoint", p->in->events->events.at[e->event]->name);
}

static void perfetto_put_loss(struct perfetto *p, const struct moment_loss *l)
{
	if (l->cpu >= 0)
		proto_value(&p->message, SAMPLE_FIELD_CPU, (uint64_t)l->cpu);
	proto_value(&p->message, SAMPLE_FIELD_LOST, l->events);
	proto_number(&p->packet, PACKET_TIMESTAMP, l->time);
	proto_message(&p->packet, PACKET_PERF_SAMPLE, &p->message);
	perfetto_end_packet(p, SEQUENCE_ALL);
}

static void perfetto_put_moments(struct perfetto *p, const struct moments *m)
{
	for (size_t i = 0; i < m->events.n; i++)
		perfetto_put_instant(p, &m->events.at[i]);
	perfetto_put_switches(p, m);
	for (size_t i = 0; i < m->losses.n; i++)
		perfetto_put_loss(p, &m->losses.at[i]);
}

/* -- waits -- */

/* The track of a lane. pids and tids are below 2^22, so no thread's track has this bit. */
static uint64_t perfetto_lane_track(uint32_t lane)
{
	return 1ull << 63 | lane;
}

static const char *perfetto_waker(struct perfetto *p, uint32_t waker)
{
	const struct wait_lane *lane;

	if (wall_waker_name(waker))
		return wall_waker_name(waker);
	lane = &p->in->lanes->lanes.at[waker - 1];
	buf_clear(&p->text);
	buf_printf(&p->text, "%s %u", lane->comm, lane->tid);
	return buf_text(&p->text);
}

/* Writes an instant on the waker's track, where the arrow of a wakeup begins. */
static void perfetto_put_wakeup(struct perfetto *p, const struct wait_span *span, uint64_t flow)
{
	const struct wait_lanes *l = p->in->lanes;
	const struct wait_lane *woken = &l->lanes.at[span->lane];

	buf_clear(&p->text);
	buf_printf(&p->text, "wakes %s %u", woken->comm, woken->tid);
	proto_fixed(&p->message, TRACK_EVENT_FLOWS, flow);
	perfetto_put_event(p, span->from, TYPE_INSTANT, perfetto_lane_track(span->waker - 1),
			   "wakeup", buf_text(&p->text));
}

static void perfetto_put_wait(struct perfetto *p, const struct wait_span *span, uint64_t flow)
{
	const uint64_t track = perfetto_lane_track(span->lane);
	const bool woken = span->state == WALL_WOKEN && wall_waker_is_thread(span->waker);

	if (span->state == WALL_ON_CPU)
		return;
	if (woken) {
		perfetto_put_wakeup(p, span, flow);
		proto_fixed(&p->message, TRACK_EVENT_FLOWS_ENDED, flow);
	}
	if (span->function)
		perfetto_annotate(p, "function", span->function);
	if (span->waker != WALL_NO_WAKER)
		perfetto_annotate(p, span->state == WALL_NEW ? "made by" : "woken up by",
				  perfetto_waker(p, span->waker));
	buf_clear(&p->text);
	buf_str(&p->text, wall_state_name(span->state));
	if (strcmp(span->reason, "-"))
		buf_printf(&p->text, ": %s", span->reason);
	perfetto_put_event(p, span->from, TYPE_SLICE_BEGIN, track, "wait", buf_text(&p->text));
	perfetto_put_event(p, span->to, TYPE_SLICE_END, track, NULL, NULL);
}

static void perfetto_put_lanes(struct perfetto *p, const struct wait_lanes *l)
{
	for (uint32_t i = 0; i < l->lanes.n; i++) {
		const struct wait_lane *lane = &l->lanes.at[i];

		perfetto_put_track(p, lane->pid, lane->tid);
		proto_number(&p->message, TRACK_UUID, perfetto_lane_track(i));
		proto_text(&p->message, TRACK_NAME, "waits");
		proto_number(&p->message, TRACK_PARENT,
			     perfetto_thread_track(lane->pid, lane->tid));
		proto_message(&p->packet, PACKET_TRACK_DESCRIPTOR, &p->message);
		perfetto_end_packet(p, SEQUENCE_ALL);
	}
	for (size_t i = 0; i < l->spans.n; i++)
		perfetto_put_wait(p, &l->spans.at[i], i + 1);
}

int export_perfetto(const struct export_input *in, struct out *out, struct err *err)
{
	struct perfetto p = {.in = in, .s = in->stacks, .out = out};

	(void)err;
	perfetto_put_clocks(&p);
	perfetto_put_tree(&p);
	perfetto_put_samples(&p);
	if (in->moments)
		perfetto_put_moments(&p, in->moments);
	if (in->lanes)
		perfetto_put_lanes(&p, in->lanes);
	buf_release(&p.packet);
	buf_release(&p.message);
	buf_release(&p.inner);
	buf_release(&p.inner2);
	buf_release(&p.text);
	idmap_release(&p.tracks);
	intern_release(&p.sources);
	idmap_release(&p.cpus);
	vec_release(&p.counts);
	return 0;
}
