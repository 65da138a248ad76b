// SPDX-License-Identifier: MIT
#include "capture/record/recorder.h"

#include "base/monotonic.h"
#include "capture/record/recorder_state.h"
#include "capture/rings/spill.h"
#include "data/sink/sink_queue.h"
#include "os/machine/host.h"
#include "os/process/priority.h"
#include "os/process/proc.h"
#include "os/process/rights.h"
#include "symbol/store/store.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

uint64_t recorder_now_ms(void)
{
	return monotonic_ns() / 1000000;
}

void recorder_tell(struct recorder *r, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (!r->opts->tell)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	r->opts->tell(text);
}

static void tell_buf(struct recorder *r, struct buf *b)
{
	if (b->n && r->opts->tell)
		r->opts->tell(buf_text(b));
	buf_clear(b);
}

/* The target is nothing but processes that run already. */
static bool follows_pids(const struct target_options *t)
{
	return t->pids && !t->tids && !t->user && !t->cpus && !t->system_wide && !t->all_threads;
}

/* May system-wide events stand in for those that the children of a command or a process would inherit?
 * Only where the file then holds the same kinds of records. */
static bool can_restrict(const struct recorder_options *o)
{
	const struct sampling *s = &o->sampling;
	bool command = o->command && target_is_command(&o->target);

	return (command || follows_pids(&o->target)) && !o->per_task && s->inherit &&
	       !s->per_thread && !s->inherit_stat && !s->switch_events && !s->overwrite &&
	       !s->no_samples && s->time != NO && rights_whole_machine(o->synth.proc_root);
}

/* Which processes are kept of all. */
static void plant_tree(struct recorder *r)
{
	const struct recorder_options *o = r->opts;

	tree_init(&r->tree, sampling_tracker(r->events)->attr.sample_type);
	if (target_is_command(&o->target)) {
		tree_add_command(&r->tree, (uint32_t)r->command.pid);
		return;
	}
	for (size_t i = 0; i < r->target.pids.n; i++) {
		int pid = r->target.pids.at[i];
		struct proc_status st;

		/* -p takes any thread of a process for it */
		if (!proc_status(o->synth.proc_root, 0, pid, &st))
			pid = st.tgid;
		tree_add(&r->tree, (uint32_t)pid);
	}
	if (!r->command.pid)
		recorder_watch_tree(r);
}

static int open_trigger(struct recorder *r, struct err *err)
{
	const struct recorder_options *o = r->opts;
	struct sampling s = {.period = 1, .system_wide = true, .inherit = true};
	struct target_options everywhere = {.system_wide = true};
	struct capture_options rings = {.ring_size = 16384, .wakeup = 1, .opens = o->rings.opens};

	if (!o->trigger)
		return 0;
	if (target_find(&r->trigger_target, &everywhere, 0, o->synth.proc_root, o->synth.sys_root,
			err) ||
	    sampling_apply(&s, o->trigger, NULL, err) ||
	    capture_open(&r->trigger, o->trigger, &r->trigger_target, &rings, err))
		return err_prefix(err, "--switch-output-event");
	if (capture_watch(&r->capture, r->trigger.epoll))
		return err_set(err, ERR_SYSTEM, "cannot wait for events");
	return capture_enable(&r->trigger, false, err);
}

static void close_events(void *ctx)
{
	struct recorder *r = ctx;

	capture_release(&r->capture);
	for (size_t i = 0; i < r->events->events.n; i++)
		vec_clear(&r->events->events.at[i]->ids);
}

static int open_once(struct recorder *r, struct err *err)
{
	const struct recorder_options *o = r->opts;

	r->rings = o->rings;
	r->rings.restricted = r->restricted = can_restrict(o) && capture_gains_by_sharing(r->events);
	if (!capture_open(&r->capture, r->events, &r->target, &r->rings, err))
		return 0;
	if (!r->restricted)
		return -1;
	/* The rights promise it, but something (a security module, a container) does not keep that. */
	close_events(r);
	r->rings.restricted = r->restricted = false;
	if (err)
		*err = (struct err){0};
	return capture_open(&r->capture, r->events, &r->target, &r->rings, err);
}

static int open_and_tell(void *ctx, bool again, struct err *err)
{
	struct recorder *r = ctx;

	if (open_once(r, err))
		return -1;
	/* what had to be given up is known since the first time */
	if (again)
		buf_clear(&r->capture.notices);
	tell_buf(r, &r->capture.notices);
	return 0;
}

static int open_events(struct recorder *r, struct err *err)
{
	const struct recorder_options *o = r->opts;

	return target_attach(&r->target,
			     &(struct target_attach){.opts = &o->target, .command_pid = r->command.pid,
						     .proc_root = o->synth.proc_root, .sys_root = o->synth.sys_root,
						     .open = open_and_tell, .close = close_events, .ctx = r},
			     err);
}

static void describe(struct recorder *r)
{
	const struct debug_lines *debug = &r->opts->debug;
	struct buf b = {0};

	if (!debug->put)
		return;
	for (size_t i = 0; i < r->events->events.n; i++) {
		buf_printf(&b, "%s: ", r->events->events.at[i]->name);
		attr_show(&r->events->events.at[i]->attr, &b);
		buf_char(&b, '\n');
	}
	buf_printf(&b, "%zu counters, %zu rings of %zu KiB, %s%s\n", r->capture.counters.n,
		      r->capture.slots.n, r->capture.opts.ring_size >> 10,
		      r->capture.one_ring ? "side-band in the same" : "side-band rings beside them",
		      r->restricted ? ", system-wide for a tree of processes" : "");
	debug->put(debug->ctx, buf_text(&b));
	buf_release(&b);
}

/* Writes are the business of a thread of its own. Where there can be none, they are waited for. */
static void open_queue(struct recorder *r)
{
	uint64_t share = host_memory(r->opts->synth.proc_root) / QUEUE_SHARE;
	struct event_set *events = r->events;

	r->queue = sink_queue_new(MAX(MIN(share, QUEUE_MOST), QUEUE_LEAST), NULL);
	for (size_t i = 0; r->queue && i < events->events.n; i++) {
		struct event *ev = events->events.at[i];

		if (ev->excludes_self)
			ev->filter = arena_printf(&events->arena, "(%s) && common_pid != %d", ev->filter,
						  sink_queue_tid(r->queue));
	}
}

static int prepare(struct recorder *r, struct err *err)
{
	static const int list[] = {SIGINT, SIGTERM, SIGCHLD, SIGUSR2, 0};
	const struct recorder_options *o = r->opts;
	struct spawn_options so = {.to_stderr = o->as_pipe};
	struct buf notices = {0};
	int got;

	if (o->kcore && store_check_kcore(o->synth.proc_root, err))
		return -1;
	if (control_open(&r->control, &o->control, err) ||
	    (o->command && spawn_prepare(&r->command, o->command, &so, err)) ||
	    target_find(&r->target, &o->target, r->command.pid, o->synth.proc_root,
			o->synth.sys_root, err))
		return -1;
	/* The command, if any, has been made before. */
	if (o->realtime && priority_realtime(o->realtime))
		return err_set(err, ERR_RIGHTS, "not allowed to use real-time priority %d",
			       o->realtime);
	got = sampling_apply(&o->sampling, r->events, &notices, err);
	tell_buf(r, &notices);
	buf_release(&notices);
	if (got || signals_open(&r->signals, list, err))
		return -1;
	r->unwinds = chains_wanted(r->events);
	if (!o->realtime && r->unwinds)
		priority_above_all();
	else if (!o->realtime)
		priority_first();
	open_queue(r);
	if (open_events(r, err))
		return -1; /* one message is enough */
	describe(r);
	capture_watch(&r->capture, r->signals.fd);
	if (r->target.system_wide || r->restricted)
		hotplug_open(&r->hotplug);
	if (r->hotplug.fd > 0)
		capture_watch(&r->capture, r->hotplug.fd);
	if (r->control.open && capture_watch(&r->capture, r->control.fd))
		return err_set(err, ERR_USAGE, "cannot wait on the control descriptor");
	if (r->restricted)
		plant_tree(r);
	if (r->unwinds)
		chains_init(&r->chains, &r->capture, &o->synth);
	r->synth.writer.sample_type = sampling_tracker(r->events)->attr.sample_type;
	return open_trigger(r, err);
}

static int start(struct recorder *r, struct err *err)
{
	bool delayed = r->opts->delay.given;

	if (capture_start(&r->capture, !delayed, err))
		return -1;
	r->on = !delayed;
	r->start_ms = recorder_now_ms();
	if (delayed)
		recorder_tell(r, "Events disabled\n");
	if (!r->command.pid || !spawn_go(&r->command, err))
		return 0;
	return err_set(err, ERR_SYSTEM, "cannot run '%s': %s", r->opts->command[0],
		       strerror(err ? err->sys : 0));
}

/* Which CPUs were not there all the time. */
static void tell_hotplug(struct recorder *r)
{
	const struct target *t = &r->target;
	struct buf b = {0};

	hotplug_tell(&r->hotplug, t->all_cpus ? NULL : t->cpus.at, t->cpus.n, monotonic_ns(), &b);
	tell_buf(r, &b);
	buf_release(&b);
	hotplug_close(&r->hotplug);
}

static void close_all(struct recorder *r)
{
	struct recorder_result *res = r->result;

	res->samples = r->capture.samples - MIN(r->capture.samples, res->cut_samples);
	res->throttles = r->capture.throttles;
	res->late_maps = r->synth.late;
	res->stack_cuts = r->capture.spill ? spill_cuts(r->capture.spill) : 0;
	sink_queue_free(r->queue);
	signals_close(&r->signals); /* whoever asks again need not wait for the command */
	spawn_release(&r->command, true);
	res->exit_status = spawn_exit_status(&r->command);
	res->killed = spawn_was_killed(&r->command);
	control_close(&r->control);
	capture_release(&r->capture);
	capture_release(&r->trigger);
	target_release(&r->target);
	target_release(&r->trigger_target);
	synth_release(&r->synth);
	build_ids_release(&r->build_ids);
	tree_release(&r->tree);
	for (size_t i = 0; i < r->living.n; i++)
		close(r->living.at[i]);
	vec_release(&r->living);
	if (r->unwinds) {
		chains_release(&r->chains);
		tell_buf(r, &r->chains.given_up);
		buf_release(&r->chains.given_up);
		for (int end = 0; end < UNWIND_ENDS; end++)
			res->chain_ends[end] = r->chains.ends[end];
	}
	buf_release(&r->made);
	if (r->old_files.n)
		res->last_file = mem_strdup(*vec_last(&r->old_files));
	for (size_t i = 0; i < r->old_files.n; i++)
		free(r->old_files.at[i]);
	vec_release(&r->old_files);
	buf_release(&r->synthesized);
}

int recorder_run(const struct recorder_options *opts, struct event_set *events,
		 struct recorder_result *result, struct err *err)
{
	struct recorder r = {.opts = opts, .result = result, .events = events,
			     .control = {.fd = -1, .ack = -1}};
	int got;

	*result = (struct recorder_result){0};
	r.synth.opts = &opts->synth;
	r.synth.writer.b = &r.synthesized;
	r.synth.seen = opts->no_build_ids ? NULL : &r.build_ids;
	got = prepare(&r, err);
	if (!got)
		got = recorder_begin_file(&r, true, err);
	if (!got)
		got = start(&r, err);
	if (!got)
		got = recorder_loop(&r, err);
	capture_disable_all(&r.capture);
	tell_hotplug(&r);
	if (r.sink && recorder_end_file(&r, got ? NULL : err))
		got = -1;
	sampled_find(&r.capture, &result->unsampled);
	close_all(&r);
	return got;
}
