// SPDX-License-Identifier: MIT
#include "capture/record/recorder.h"

#include "capture/record/recorder_state.h"
#include "capture/rings/spill.h"
#include "data/sink/sink_queue.h"
#include "os/machine/host.h"
#include "symbol/store/store.h"

static void see_side_band(void *ctx, const uint8_t *record)
{
	struct recorder *r = ctx;

	if (!r->opts->no_build_ids)
		build_ids_see(&r->build_ids, record);
	if (r->opts->session.sampling.bpf_events)
		bpf_seen_see(&r->programs, record);
}

/* True when the file has room for n new ids; a pipe never has. */
static bool take_new_ids(void *ctx, unsigned int n)
{
	struct recorder *r = ctx;

	return n ? sink_id_room(r->sink, r->events) >= n : !sink_ids(r->sink, r->events, NULL);
}

static void recorder_tell_user(void *ctx, const char *text)
{
	struct recorder *r = ctx;

	if (r->opts->tell)
		r->opts->tell(r->opts->tell_ctx, text);
}

/* Starts the thread that writes. Without it, writes block the recorder. */
static void open_queue(struct recorder *r)
{
	uint64_t share = host_memory(r->opts->session.synth.proc_root) / QUEUE_SHARE;
	struct event_set *events = r->events;

	r->queue = sink_queue_new(MAX(MIN(share, QUEUE_MOST), QUEUE_LEAST), NULL);
	for (size_t i = 0; r->queue && i < events->events.n; i++) {
		struct event *ev = events->events.at[i];

		if (ev->excludes_self)
			ev->filter = arena_printf(&events->arena, "(%s) && common_pid != %d",
						  ev->filter, sink_queue_tid(r->queue));
	}
}

static int prepare(struct recorder *r, struct err *err)
{
	const struct recorder_options *o = r->opts;
	const struct session_user user = {.put = recorder_put,
					  .side = see_side_band,
					  .passed = recorder_mark_round,
					  .new_ids = take_new_ids,
					  .tell = recorder_tell_user,
					  .ctx = r};

	if ((o->kcore && store_check_kcore(o->session.synth.proc_root, err)) ||
	    session_prepare(&r->session, &o->session, &user, r->events, err))
		return -1;
	r->session.synth.seen = o->no_build_ids ? NULL : &r->build_ids;
	r->session.synth.programs = &r->programs;
	open_queue(r);
	return session_open(&r->session, err);
}

static void recorder_close_all(struct recorder *r)
{
	struct recorder_result *res = r->result;
	struct session *s = &r->session;

	res->samples = s->capture.samples - MIN(s->capture.samples, res->cut_samples);
	res->throttles = s->capture.throttles;
	res->late_maps = s->synth.late;
	res->stack_cuts = s->capture.spill ? spill_cuts(s->capture.spill) : 0;
	res->stack_size = s->stack_size;
	res->stack_after = s->stack_after;
	res->wakeups = s->wakeups;
	res->signal = s->signal;
	sink_queue_free(r->queue);
	session_close(s);
	res->exit_status = session_exit_status(s);
	res->killed = spawn_was_killed(&s->command);
	for (int end = 0; s->unwinds && end < UNWIND_ENDS; end++)
		res->chain_ends[end] = s->chains.ends[end];
	build_ids_release(&r->build_ids);
	recorder_release_programs(r);
	res->files = r->old_files;
}

void recorder_files_release(struct recorder_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		free(files->at[i]);
	vec_release(files);
}

int recorder_run(const struct recorder_options *opts, struct event_set *events,
		 struct recorder_result *result, struct err *err)
{
	struct recorder r = {.opts = opts, .result = result, .events = events};
	int got;

	*result = (struct recorder_result){0};
	got = prepare(&r, err);
	if (!got)
		got = recorder_begin_file(&r, true, err);
	if (!got)
		got = opts->probe_budget
			      ? probe_budget_begin(&r.budget, opts->probe_budget, events, err)
			      : 0;
	if (!got)
		got = session_start(&r.session, err);
	if (!got && opts->wait_states)
		wait_states_begin(&r.waits, events, &r.session.target,
				  opts->session.synth.proc_root);
	if (!got)
		got = recorder_loop(&r, err);
	session_stop(&r.session);
	if (r.sink && recorder_end_file(&r, got ? NULL : err))
		got = -1;
	unsampled_find(&r.session.capture, &result->unsampled);
	probe_budget_release(&r.budget);
	wait_states_release(&r.waits);
	recorder_close_all(&r);
	return got;
}
