// SPDX-License-Identifier: MIT
/* A session's beginning and end. */
#include "capture/session/session.h"

#include "base/monotonic.h"
#include "capture/session/session_parts.h"
#include "os/process/priority.h"
#include "os/proc/proc.h"
#include "os/rights/rights.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

uint64_t session_now_ms(void)
{
	return monotonic_ns() / 1000000;
}

void session_tell(struct session *s, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (!s->user.tell)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	s->user.tell(s->user.ctx, text);
}

void session_tell_buf(struct session *s, struct buf *b)
{
	if (b->n && s->user.tell)
		s->user.tell(s->user.ctx, buf_text(b));
	buf_clear(b);
}

/* True when the target is only processes that run already (-p). */
static bool follows_pids(const struct target_options *t)
{
	return t->pids && !t->tids && !t->user && !t->cpus && !t->system_wide && !t->all_threads;
}

/* True when system-wide events may stand in for those that the children of a command or a process
 * would inherit: only where both give the same types of records. */
static bool can_restrict(const struct session_options *o)
{
	const struct sampling *s = &o->sampling;
	bool command = o->command && target_is_command(&o->target);

	return (command || follows_pids(&o->target)) && !o->per_task && s->inherit &&
	       !s->per_thread && !s->inherit_stat && !s->switch_events && !s->overwrite &&
	       !s->no_samples && s->time != NO && rights_whole_machine(o->synth.proc_root);
}

static void plant_threads(struct session *s, int pid)
{
	struct proc_ids tids = {0};

	if (!proc_tasks(s->opts->synth.proc_root, pid, &tids))
		for (size_t i = 0; i < tids.n; i++)
			if (tids.at[i] != pid)
				process_tree_add_thread(&s->tree, (uint32_t)tids.at[i]);
	vec_release(&tids);
}

/* Adds the processes of the target to the tree. */
static int session_plant_tree(struct session *s, struct err *err)
{
	const struct session_options *o = s->opts;

	process_tree_init(&s->tree, sampling_tracker(s->events)->attr.sample_type);
	if (target_is_command(&o->target)) {
		process_tree_add_command(&s->tree, (uint32_t)s->command.pid);
		return capture_follow(&s->capture, o->synth.proc_root, s->command.pid, true, err);
	}
	for (size_t i = 0; i < s->target.pids.n; i++) {
		int pid = s->target.pids.at[i];
		struct proc_status st;

		/* -p accepts the tid of any thread for its process */
		if (!proc_status(o->synth.proc_root, 0, pid, &st))
			pid = st.tgid;
		process_tree_add(&s->tree, (uint32_t)pid);
		plant_threads(s, pid);
		if (capture_follow(&s->capture, o->synth.proc_root, pid, false, err))
			return -1;
	}
	if (!s->command.pid)
		session_watch_tree(s);
	return 0;
}

static int open_trigger(struct session *s, struct err *err)
{
	const struct session_options *o = s->opts;
	struct sampling sampling = {.period = 1, .system_wide = true, .inherit = true};
	struct target_options everywhere = {.system_wide = true};
	struct capture_options rings = {.ring_size = 16384, .wakeup = 1, .opens = o->rings.opens};

	if (!o->trigger)
		return 0;
	if (target_find(&s->trigger_target, &everywhere, 0, o->synth.proc_root, o->synth.sys_root,
			err) ||
	    sampling_apply(&sampling, o->trigger, NULL, err) ||
	    capture_open(&s->trigger, o->trigger, &s->trigger_target, &rings, err))
		return err_prefix(err, "--switch-output-event");
	if (capture_watch(&s->capture, s->trigger.epoll))
		return err_set(err, ERR_SYSTEM, "cannot wait for events");
	return capture_enable(&s->trigger, false, err);
}

static void close_events(void *ctx)
{
	struct session *s = ctx;

	capture_release(&s->capture);
	for (size_t i = 0; i < s->events->events.n; i++)
		vec_clear(&s->events->events.at[i]->ids);
}

/* Requests context switch records: samples of per-task events show when a task leaves a CPU, but
 * not when it comes back. */
static void want_switches(struct event_set *events)
{
	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.at[i]->task_fields[0])
			sampling_tracker(events)->attr.flags |= ATTR_CONTEXT_SWITCH;
}

static int session_open_once(struct session *s, struct err *err)
{
	const struct session_options *o = s->opts;

	s->rings = o->rings;
	s->rings.restricted = s->restricted =
		can_restrict(o) && capture_gains_by_sharing(s->events);
	if (!capture_open(&s->capture, s->events, &s->target, &s->rings, err))
		return 0;
	if (!s->restricted || s->capture.wall_refused)
		return -1;
	/* The rights allow system-wide events, but a security module or a container refuses
	 * them. */
	close_events(s);
	s->rings.restricted = s->restricted = false;
	want_switches(s->events);
	if (err)
		*err = (struct err){0};
	return capture_open(&s->capture, s->events, &s->target, &s->rings, err);
}

static int open_and_tell(void *ctx, bool again, struct err *err)
{
	struct session *s = ctx;

	if (session_open_once(s, err))
		return -1;
	/* the first time has already told the user of these */
	if (again)
		buf_clear(&s->capture.notices);
	session_tell_buf(s, &s->capture.notices);
	return 0;
}

static void tell_line(void *ctx, const char *line)
{
	struct session *s = ctx;

	if (s->user.tell)
		s->user.tell(s->user.ctx, line);
}

static int open_events(struct session *s, struct err *err)
{
	const struct session_options *o = s->opts;

	return target_attach(&s->target,
			     &(struct target_attach){.opts = &o->target,
						     .command_pid = s->command.pid,
						     .proc_root = o->synth.proc_root,
						     .sys_root = o->synth.sys_root,
						     .open = open_and_tell,
						     .close = close_events,
						     .tell = tell_line,
						     .ctx = s},
			     err);
}

static void session_describe(struct session *s)
{
	const struct debug_lines *debug = &s->opts->debug;
	struct buf b = {0};

	if (!debug->put)
		return;
	for (size_t i = 0; i < s->events->events.n; i++) {
		buf_printf(&b, "%s: ", s->events->events.at[i]->name);
		attr_show(&s->events->events.at[i]->attr, &b);
		buf_char(&b, '\n');
	}
	buf_printf(&b, "%zu counters, %zu rings of %zu KiB, %s%s\n", s->capture.counters.n,
		   s->capture.slots.n, s->capture.opts.ring_size >> 10,
		   s->capture.one_ring ? "side-band in the same" : "side-band rings beside them",
		   s->restricted ? ", system-wide for a tree of processes" : "");
	debug->put(debug->ctx, buf_text(&b));
	buf_release(&b);
}

int session_prepare(struct session *s, const struct session_options *o,
		    const struct session_user *user, struct event_set *events, struct err *err)
{
	static const int list[] = {SIGINT, SIGTERM, SIGCHLD, SIGUSR2, 0};
	struct spawn_options so = {.to_stderr = o->command_to_stderr};
	struct buf notices = {0};
	int got;

	*s = (struct session){.opts = o, .user = *user, .events = events,
			      .control = {.fd = -1, .ack = -1}, .input_fd = -1};
	s->synth.opts = &o->synth;
	s->synth.writer.b = &s->synthesized;
	if (control_open(&s->control, &o->control, err) ||
	    (o->command && spawn_prepare(&s->command, o->command, &so, err)) ||
	    target_find(&s->target, &o->target, s->command.pid, o->synth.proc_root,
			o->synth.sys_root, err))
		return -1;
	/* The command, if any, has been made before. */
	if (o->realtime && priority_realtime(o->realtime))
		return err_set(err, ERR_RIGHTS, "not allowed to use real-time priority %d",
			       o->realtime);
	got = sampling_apply(&o->sampling, events, &notices, err);
	session_tell_buf(s, &notices);
	buf_release(&notices);
	if (got || signals_open(&s->signals, list, err))
		return -1;
	s->unwinds = chains_wanted(events);
	if (!o->realtime && s->unwinds)
		priority_above_all();
	else if (!o->realtime)
		priority_first();
	return 0;
}

int session_open(struct session *s, struct err *err)
{
	if (open_events(s, err))
		return -1; /* one message is enough */
	session_describe(s);
	capture_watch(&s->capture, s->signals.fd);
	if (s->target.system_wide || s->restricted)
		hotplug_open(&s->hotplug);
	if (s->hotplug.fd > 0)
		capture_watch(&s->capture, s->hotplug.fd);
	if (s->control.open && capture_watch(&s->capture, s->control.fd))
		return err_set(err, ERR_USAGE, "cannot wait on the control descriptor");
	if (s->restricted && session_plant_tree(s, err))
		return -1;
	if (s->unwinds)
		chains_init(&s->chains, &s->capture, &s->opts->synth);
	s->synth.writer.sample_type = sampling_tracker(s->events)->attr.sample_type;
	return open_trigger(s, err);
}

int session_start(struct session *s, struct err *err)
{
	bool delayed = s->opts->delay.given;

	if (capture_start(&s->capture, !delayed, err))
		return -1;
	s->on = !delayed;
	s->start_ms = session_now_ms();
	if (delayed)
		session_tell(s, "Events disabled\n");
	return s->command.pid ? spawn_go(&s->command, err) : 0;
}

/* Tells the user which CPUs were offline for a time. */
static void tell_hotplug(struct session *s)
{
	const struct target *t = &s->target;
	struct buf b = {0};

	hotplug_tell(&s->hotplug, t->all_cpus ? NULL : t->cpus.at, t->cpus.n, monotonic_ns(), &b);
	session_tell_buf(s, &b);
	buf_release(&b);
	hotplug_close(&s->hotplug);
}

void session_stop(struct session *s)
{
	capture_disable_all(&s->capture);
	if (capture_missed(&s->capture))
		session_tell(s, "BPF programs could not write %llu samples.\n",
			     (unsigned long long)capture_missed(&s->capture));
	tell_hotplug(s);
}

void session_close(struct session *s)
{
	signals_close(&s->signals); /* another signal need not wait for the command */
	spawn_release(&s->command, true);
	control_close(&s->control);
	capture_release(&s->capture);
	capture_release(&s->trigger);
	target_release(&s->target);
	target_release(&s->trigger_target);
	synth_release(&s->synth);
	process_tree_release(&s->tree);
	for (size_t i = 0; i < s->living.n; i++)
		close(s->living.at[i]);
	vec_release(&s->living);
	if (s->unwinds) {
		chains_release(&s->chains);
		session_tell_buf(s, &s->chains.given_up);
		buf_release(&s->chains.given_up);
	}
	buf_release(&s->made);
	buf_release(&s->synthesized);
}

bool session_watch_input(struct session *s, int fd)
{
	if (capture_watch(&s->capture, fd))
		return false;
	s->input_fd = fd;
	return true;
}

void session_unwatch_input(struct session *s)
{
	if (s->input_fd >= 0)
		capture_unwatch(&s->capture, s->input_fd);
	s->input_fd = -1;
	s->input_ready = false;
}

int session_exit_status(const struct session *s)
{
	return spawn_exit_status(&s->command);
}
