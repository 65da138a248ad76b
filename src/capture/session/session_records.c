// SPDX-License-Identifier: MIT
/* A session's records: those of the rings, and synthesized ones. */
#include "capture/session/session_parts.h"

#include "os/proc/proc.h"
#include "os/process/process.h"
#include "os/rights/rights.h"
#include "world/world.h"

#include <string.h>

#define PROCESSES_A_STEP 16

static int put_records(void *ctx, const struct ring_bytes *b, struct err *err)
{
	struct session *s = ctx;

	return s->user.put(s->user.ctx, b, err);
}

/* Puts the whole records of b, and empties it. */
static int put_buf(struct session *s, struct buf *b, struct err *err)
{
	struct ring_bytes bytes = {.a = (const uint8_t *)b->at, .a_len = b->n};
	int got = b->n ? put_records(s, &bytes, err) : 0;

	buf_clear(b);
	return got;
}

int session_put_synthesized(struct session *s, struct err *err)
{
	if (s->unwinds)
		chains_see_all(&s->chains, s->synthesized.at, s->synthesized.n);
	return put_buf(s, &s->synthesized, err);
}

/* The offset of a sample's raw data; 0: it has none, or follows a field that is not handled
 * here. */
static size_t raw_data_at(const struct attr *a, const uint8_t *record, size_t size)
{
	const uint64_t plain = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
			       SAMPLE_ADDR | SAMPLE_ID | SAMPLE_STREAM_ID | SAMPLE_CPU |
			       SAMPLE_PERIOD;
	size_t at = sizeof(struct record_header) +
		    8 * (size_t)__builtin_popcountll(a->sample_type & plain);
	uint64_t n;

	if (!(a->sample_type & SAMPLE_RAW) || a->sample_type & SAMPLE_READ)
		return 0;
	if (a->sample_type & SAMPLE_CALLCHAIN) {
		if (at + 8 > size)
			return 0;
		memcpy(&n, record + at, sizeof(n));
		if (n > size / 8)
			return 0;
		at += 8 + 8 * (size_t)n;
	}
	return at + 4 <= size ? at + 4 : 0;
}

/* True for a sample that names a task of the tree in its raw data. */
static bool is_about_tree(const struct session *s, const uint8_t *record)
{
	const struct event *ev;
	struct record_header h;
	uint64_t id, time;
	size_t raw;

	memcpy(&h, record, sizeof(h));
	if (h.type != RECORD_SAMPLE || h.size < s->tree.pid_at + 16 || s->tree.pid_at != 24)
		return false;
	memcpy(&id, record + sizeof(h), sizeof(id));
	ev = event_set_find_id(s->events, id);
	if (!ev || !ev->task_fields[0])
		return false;
	memcpy(&time, record + s->tree.pid_at + 8, sizeof(time));
	raw = raw_data_at(&ev->attr, record, h.size);
	for (size_t i = 0; raw && i < ARRAY_SIZE(ev->task_fields); i++) {
		const size_t at = raw + ev->task_fields[i];
		uint32_t tid;

		if (!ev->task_fields[i] || at + sizeof(tid) > h.size)
			continue;
		memcpy(&tid, record + at, sizeof(tid));
		if (process_tree_has_task(&s->tree, tid, time))
			return true;
	}
	return false;
}

static enum capture_verdict keep_record(void *ctx, const uint8_t *record, bool side, bool may_wait)
{
	struct session *s = ctx;
	struct record_header h;

	if (s->restricted && !process_tree_keeps(&s->tree, record) && !is_about_tree(s, record))
		return CAPTURE_DROP;
	if (side && s->user.side)
		s->user.side(s->user.ctx, record);
	if (!s->unwinds)
		return CAPTURE_KEEP;
	memcpy(&h, record, sizeof(h));
	if (h.type != RECORD_SAMPLE) {
		chains_see(&s->chains, record);
		return CAPTURE_KEEP;
	}
	return chains_unwind(&s->chains, record, may_wait, &s->made);
}

static void peek_record(void *ctx, const uint8_t *record)
{
	struct session *s = ctx;

	process_tree_see(&s->tree, record);
}

static void settle_tree(void *ctx)
{
	struct session *s = ctx;

	process_tree_settle(&s->tree);
}

/* Switches to larger stack dumps when the current ones are too short. */
static int grow_stacks(struct session *s, struct err *err)
{
	struct stack_watch *w = &s->chains.watch;

	if (!s->unwinds || !capture_grows(&s->capture) || !stack_watch_short(w))
		return 0;
	if (capture_grow(&s->capture, err))
		return -1;
	*w = (struct stack_watch){.size = capture_stack_size(NULL, s->capture.level)};
	s->stack_size = w->size;
	s->stack_after = s->capture.samples;
	return 0;
}

static int drain_rings(struct session *s, bool finish, struct err *err)
{
	struct capture_take take = {.put = put_records, .keep = keep_record, .ctx = s};
	int got;

	if (s->restricted) {
		take.filter = true;
		take.peek = peek_record;
		take.settle = settle_tree;
	}
	take.filter |= s->unwinds;
	got = finish ? capture_finish(&s->capture, &take, err)
		     : capture_pass(&s->capture, &take, err);
	if (got >= 0 && put_buf(s, &s->made, err))
		return -1;
	if (got > 0 && s->unwinds)
		chains_settle(&s->chains);
	if (s->restricted && s->capture.side_lost != s->side_lost) {
		s->side_lost = s->capture.side_lost;
		process_tree_rescan(&s->tree, s->opts->synth.proc_root);
	}
	if (got > 0 && s->user.passed && s->user.passed(s->user.ctx, err))
		return -1;
	return got;
}

int session_pass(struct session *s, struct err *err)
{
	int got = drain_rings(s, false, err);

	return got < 0 || grow_stacks(s, err) ? -1 : got;
}

int session_snapshot(struct session *s, struct err *err)
{
	const struct capture_take take = {.put = put_records, .ctx = s};

	return capture_snapshot(&s->capture, true, &take, err);
}

int session_finish(struct session *s, struct err *err)
{
	struct capture_take take = {.put = put_records, .ctx = s};

	if (capture_snapshot(&s->capture, false, &take, err))
		return -1;
	if (drain_rings(s, true, err) < 0 || capture_write_sums(&s->capture, &s->synthesized, err))
		return -1;
	session_tell_buf(s, &s->capture.notices);
	return session_put_synthesized(s, err);
}

static bool samples_kernel(const struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++) {
		const struct event *ev = events->events.at[i];

		if (!ev->side_band && !(ev->attr.flags & ATTR_EXCLUDE_KERNEL))
			return true;
	}
	return false;
}

static void synth_kernel_and_tell(struct session *s, bool first)
{
	char why[128];
	const bool known = synth_kernel(&s->synth);

	synth_guests(&s->synth);
	if (known || !first || !samples_kernel(s->events))
		return;
	rights_kernel_unseen(s->opts->synth.proc_root, why, sizeof(why));
	session_tell(s, "Kernel addresses are %s: kernel samples will have no names.\n", why);
}

/* True when samples about the targets' tasks are taken in tasks of others: a wake-up. */
static bool strangers_matter(const struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.at[i]->task_fields[0] || events->events.at[i]->sums_wall)
			return true;
	return false;
}

static void synth_targets(struct session *s, bool first)
{
	if (first && target_is_command(&s->opts->target))
		synth_command(&s->synth, s->command.pid);
	else if (!s->target.system_wide)
		for (size_t i = 0; i < s->target.pids.n; i++)
			synth_family(&s->synth, s->target.pids.at[i], !first);
}

void session_synth_first(struct session *s, bool first)
{
	const struct session_options *o = s->opts;

	synth_index(&s->synth.writer, &s->capture, &s->target);
	synth_kernel_and_tell(s, first);
	if (s->target.system_wide && !process_sees_all(o->synth.proc_root)) {
		synth_outside(&s->synth);
		if (first)
			session_tell(s, "Processes outside of this pid namespace cannot be told "
					"apart: all of them are pid 0, '" WORLD_OUTSIDE "'.\n");
	}
	if (first && s->target.system_wide && !proc_mounted(o->synth.proc_root))
		session_tell(s, "Without %s the names of what already runs are not known.\n",
			     o->synth.proc_root);
	if (o->sampling.bpf_events)
		synth_bpf(&s->synth);
	if (o->synth.cgroup_paths)
		synth_cgroups(&s->synth);
	if (!s->target.system_wide && strangers_matter(s->events))
		synth_wakers(&s->synth);
	synth_targets(s, first);
}

bool session_synth_begin(struct session *s)
{
	return s->target.system_wide && !synth_all(&s->synth);
}

bool session_synth_step(struct session *s)
{
	return synth_step(&s->synth, PROCESSES_A_STEP);
}
