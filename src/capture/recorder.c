// SPDX-License-Identifier: MIT
#include "capture/recorder.h"

#include "capture/build_ids.h"
#include "os/rights.h"
#include "os/signals.h"
#include "os/spawn.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#define FLUSH_MS 1000

struct recorder {
	const struct recorder_options *opts;
	struct recorder_result *result;
	struct event_set *events;
	struct target target;
	struct capture capture;
	struct spawn command;
	struct signals signals;
	struct sink *sink;
	struct synth synth;
	struct build_ids build_ids;
	struct buf wire;
	bool synth_done; /* rounds may be marked */
	bool stop;
	uint64_t synced_ms;
};

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int put(void *ctx, const struct ring_bytes *b, struct err *err)
{
	struct recorder *r = ctx;
	int got = sink_put(r->sink, b->a, b->a_len, b->b, b->b_len, err);

	if (got == SINK_FULL)
		r->stop = true;
	return got == SINK_FULL ? 0 : got;
}

static int put_wire(struct recorder *r, struct err *err)
{
	int got = r->wire.n ? sink_put(r->sink, r->wire.at, r->wire.n, NULL, 0, err) : 0;

	buf_clear(&r->wire);
	if (got == SINK_FULL)
		r->stop = true;
	return got < 0 ? -1 : 0;
}

static bool see(void *ctx, const uint8_t *record, bool side)
{
	struct recorder *r = ctx;

	if (side && !r->opts->no_build_ids)
		build_ids_see(&r->build_ids, record);
	return true;
}

static int pass(struct recorder *r, struct err *err)
{
	struct capture_take take = {.put = put, .keep = see, .ctx = r};
	int got = capture_pass(&r->capture, &take, err);

	if (got <= 0)
		return got;
	if (!r->synth_done)
		return 0;
	wire_empty(&r->wire, RECORD_FINISHED_ROUND);
	got = sink_put_plain(r->sink, r->wire.at, r->wire.n, err);
	buf_clear(&r->wire);
	return got;
}

static int prepare(struct recorder *r, struct err *err)
{
	const struct recorder_options *o = r->opts;

	if (o->command && spawn_prepare(&r->command, o->command,
					&(struct spawn_options){.to_stderr = r->opts->as_pipe ||
									      !strcmp(o->path, "-")},
					err))
		return -1;
	if (target_find(&r->target, &o->target, r->command.pid, o->synth.proc_root,
			o->synth.sys_root, err) ||
	    sampling_apply(&o->sampling, r->events, &r->result->notices, err) ||
	    signals_open(&r->signals, (const int[]){SIGINT, SIGTERM, SIGCHLD, SIGUSR2, 0}, err))
		return -1;
	return capture_open(&r->capture, r->events, &r->target, &o->rings, err);
}

static uint64_t clock_ns(int clock)
{
	struct timespec t;

	return clock_gettime(clock, &t) ? 0 : (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int begin_file(struct recorder *r, struct err *err)
{
	const struct recorder_options *o = r->opts;
	struct sink_options so = {.path = o->path, .compress = o->compress,
				  .max_size = o->max_size, .as_pipe = o->as_pipe,
				  .keep_old = true};
	struct feature_facts f = {.events = r->events, .argc = o->argc, .argv = o->argv,
				  .version = o->version,
				  .branch_stack = o->sampling.branch != 0,
				  .use_clockid = o->sampling.use_clockid,
				  .clockid = o->sampling.clockid,
				  .proc_root = o->synth.proc_root, .sys_root = o->synth.sys_root};

	f.wall_ns = clock_ns(CLOCK_REALTIME);
	f.clock_ns = clock_ns(o->sampling.clockid);
	r->sink = sink_open(&so, err);
	if (!r->sink || sink_begin(r->sink, r->events, err) || features_put(r->sink, &f, err))
		return -1;
	synth_index(&r->synth.wire, &r->capture, &r->target);
	synth_kernel(&r->synth);
	if (target_is_command(&o->target))
		synth_command(&r->synth, r->command.pid);
	else if (!r->target.system_wide)
		for (size_t i = 0; i < r->target.pids.n; i++)
			synth_process(&r->synth, r->target.pids.at[i]);
	return put_wire(r, err);
}

static int start(struct recorder *r, struct err *err)
{
	bool on_exec = target_is_command(&r->opts->target) && !r->opts->rings.restricted;

	if (!on_exec && capture_enable(&r->capture, err))
		return -1;
	if (r->command.pid && spawn_go(&r->command, err))
		return err_prefix(err, r->opts->command[0]);
	return 0;
}

/* Tells of the processes that run already, between passes. */
static int tell_all(struct recorder *r, struct err *err)
{
	bool more = r->target.system_wide && !synth_all(&r->synth);

	while (more) {
		more = synth_step(&r->synth, 16);
		if (put_wire(r, err) || pass(r, err) < 0)
			return -1;
	}
	r->synth_done = true;
	wire_empty(&r->wire, RECORD_FINISHED_INIT);
	return put_wire(r, err);
}

static void on_signals(struct recorder *r)
{
	int sig;

	while ((sig = signals_next(&r->signals)) > 0) {
		if (sig == SIGCHLD) {
			if (r->command.pid && spawn_ended(&r->command))
				r->stop = true;
		} else if (sig == SIGINT || sig == SIGTERM) {
			r->result->signal = sig;
			r->stop = true;
		}
	}
}

static int loop(struct recorder *r, struct err *err)
{
	while (!r->stop) {
		struct capture_ready ready;
		int got = capture_wait(&r->capture, FLUSH_MS, &ready, err);

		if (got < 0)
			return -1;
		if (ready.records)
			r->result->wakeups++;
		on_signals(r);
		if (pass(r, err) < 0)
			return -1;
		if (!r->command.pid && capture_over(&r->capture))
			r->stop = true;
		if (now_ms() - r->synced_ms >= FLUSH_MS) {
			if (sink_sync(r->sink, err))
				return -1;
			r->synced_ms = now_ms();
		}
	}
	return 0;
}

static int finish(struct recorder *r, struct err *err)
{
	struct recorder_result *res = r->result;

	capture_disable(&r->capture);
	if (pass(r, err) < 0)
		return -1;
	res->lost_samples = capture_lost(&r->capture, NULL, NULL);
	if (r->build_ids.payload.n && !r->opts->no_build_ids &&
	    sink_feature(r->sink, FEATURE_BUILD_ID, r->build_ids.payload.at, r->build_ids.payload.n,
			 err))
		return -1;
	if (r->capture.time_at)
		return features_put_times(r->sink, r->capture.first_time, r->capture.last_time, err);
	return 0;
}

static void results(struct recorder *r)
{
	struct recorder_result *res = r->result;

	res->samples = r->capture.samples;
	res->lost_events = r->capture.lost_events;
	res->late_maps = r->synth.late;
	if (r->sink) {
		res->bytes = sink_bytes(r->sink);
		res->bytes_in = sink_bytes_in(r->sink);
	}
	spawn_release(&r->command, true);
	res->exit_status = spawn_exit_status(&r->command);
}

int recorder_run(const struct recorder_options *opts, struct event_set *events,
		 struct recorder_result *result, struct err *err)
{
	struct recorder r = {.opts = opts, .result = result, .events = events,
			     .capture.epoll = -1};
	int got;

	r.synth.opts = &opts->synth;
	r.synth.wire.b = &r.wire;
	r.synth.seen = opts->no_build_ids ? NULL : &r.build_ids;
	got = prepare(&r, err);
	if (!got) {
		r.synth.wire.id_size = wire_id_size(sampling_tracker(events)->attr.sample_type);
		capture_watch(&r.capture, r.signals.fd);
		got = begin_file(&r, err);
	}
	if (!got)
		got = start(&r, err);
	if (!got) {
		r.synced_ms = now_ms();
		got = tell_all(&r, err);
		if (!got)
			got = loop(&r, err);
		if (!got)
			got = finish(&r, err);
	}
	if (r.sink && sink_end(r.sink, got ? NULL : err))
		got = -1;
	buf_add(&result->notices, r.capture.notices.at, r.capture.notices.n);
	results(&r);
	signals_close(&r.signals);
	capture_release(&r.capture);
	target_release(&r.target);
	synth_release(&r.synth);
	build_ids_release(&r.build_ids);
	buf_release(&r.wire);
	sink_free(r.sink);
	return got;
}
