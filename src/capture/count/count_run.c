// SPDX-License-Identifier: MIT
/* Runs of a count, and what ends and interrupts them: the command, signals, the clock,
 * --control. */
#include "capture/count/count_run.h"

#include "base/monotonic.h"
#include "capture/session/control.h"
#include "os/machine/hotplug.h"
#include "os/process/process.h"
#include "os/process/signals.h"
#include "os/process/spawn.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NEVER UINT64_MAX

#define PROCESSES 3 /* of polls: the first of them */

struct run {
	const struct count_run_options *opts;
	struct event_set *events;
	int (*take)(void *ctx, const struct count_tick *tick, struct err *err);
	void *ctx;
	struct count_run_result *result;

	struct signals signals;
	struct control control;
	struct spawn command;
	struct target target;
	struct counting both[2], *counting; /* this run's counting, and that of the run before */
	struct counts counts;
	struct count_times times;
	struct hotplug hotplug; /* open where events are bound to CPUs */
	VEC(struct pollfd) polls; /* signals, control, hotplug, then processes that are measured */
	size_t alive;		  /* measured processes that still run; 0: none is waited for */
	bool poll_processes;	  /* some processes have no pidfd and must be polled */

	uint64_t run;
	uint64_t enable_at, interval_at, timeout_at; /* moments, or NEVER */
	uint64_t intervals;			     /* intervals handed over in this run */
	uint64_t told_at;			     /* time of the last one */
	bool stop, timed_out, typed;
};

static void count_run_say(const struct run *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void count_run_say(const struct run *r, const char *fmt, ...)
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

static void count_run_tell(const struct run *r, struct buf *b)
{
	if (b->n && r->opts->tell)
		r->opts->tell(buf_text(b));
}

static bool counts_command(const struct run *r)
{
	return r->opts->command && target_is_command(&r->opts->target);
}

static int tick(struct run *r, enum count_moment moment, uint64_t now, struct err *err)
{
	struct count_tick t = {.moment = moment,
			       .run = r->run,
			       .counts = &r->counts,
			       .counting = r->counting,
			       .target = &r->target,
			       .last = r->result->signal || r->run + 1 == r->opts->runs,
			       .times = r->times.ended,
			       .user_ns = r->times.user_ns,
			       .system_ns = r->times.system_ns};

	if (now > r->times.start_ns)
		t.elapsed_ns = now - r->times.start_ns;
	if (moment == COUNT_START) {
		t.counts = &r->counting->shape;
	} else if (!r->opts->nothing) {
		r->times.end_ns = now;
		if (counting_read(r->counting, &r->counts, err))
			return -1;
	}
	return r->take(r->ctx, &t, err);
}

static int interval(struct run *r, uint64_t now, struct err *err)
{
	r->intervals++;
	r->told_at = now;
	return tick(r, COUNT_INTERVAL, now, err);
}

static uint64_t after(uint64_t start, uint64_t ms)
{
	return ms ? start + ms * 1000000 : NEVER;
}

/* Counting begins now; so do the clocks. */
static int count_run_begin(struct run *r, bool enable, struct err *err)
{
	if (enable && !r->opts->nothing && counting_enable(r->counting, true, err))
		return -1;
	r->times.start_ns = monotonic_ns();
	r->enable_at = NEVER;
	r->interval_at = after(r->times.start_ns, r->opts->interval_ms);
	r->timeout_at = after(r->times.start_ns, r->opts->timeout_ms);
	return 0;
}

static int switch_all(struct run *r, bool on, struct err *err)
{
	if (!r->opts->nothing && counting_enable(r->counting, on, err))
		return -1;
	count_run_say(r, on ? "Events enabled\n" : "Events disabled\n");
	return r->opts->interval_ms ? interval(r, monotonic_ns(), err) : 0;
}

static int on_command(struct run *r, const struct control_command *c, struct err *err)
{
	bool on = c->verb == CONTROL_ENABLE;
	struct event *ev;
	AUTO_BUF b = {0};

	switch (c->verb) {
	case CONTROL_ENABLE:
	case CONTROL_DISABLE:
		if (!*c->argument)
			return switch_all(r, on, err);
		ev = event_set_find_name(r->events, c->argument);
		if (!ev) {
			count_run_say(r, "failed: can't find '%s' event\n", c->argument);
			return 0;
		}
		if (counting_switch(r->counting, ev, on, err))
			return -1;
		count_run_say(r, "Event %s %s\n", ev->name, on ? "enabled" : "disabled");
		return r->opts->interval_ms ? interval(r, monotonic_ns(), err) : 0;
	case CONTROL_STOP:
		r->stop = true;
		return 0;
	case CONTROL_EVLIST:
		control_events(r->events, c->argument, &b);
		count_run_tell(r, &b);
		return 0;
	default:
		return 0;
	}
}

static int on_control(struct run *r, struct err *err)
{
	struct control_command c;

	while (control_next(&r->control, &c)) {
		if (c.verb == CONTROL_UNKNOWN) {
			count_run_say(r, "control: this is not a command\n");
			continue;
		}
		if (on_command(r, &c, err))
			return -1;
		control_ack(&r->control);
	}
	if (r->control.ended)
		r->polls.at[1].fd = -1;
	return 0;
}

static void count_run_on_signals(struct run *r)
{
	bool typed;
	int sig;

	while ((sig = signals_next_from(&r->signals, &typed)) > 0) {
		if (sig == SIGCHLD) {
			if (r->command.pid && spawn_ended(&r->command))
				r->stop = true;
			continue;
		}
		/* The command got the first Ctrl-C, too: its end is part of the measurement. A
		 * second one stops. */
		if (!r->result->signal && typed && r->command.pid && !r->opts->interval_ms)
			r->typed = true;
		else
			r->stop = true;
		r->result->signal = sig;
	}
}

/* Notes which measured processes have ended. */
static void count_run_on_processes(struct run *r)
{
	for (size_t i = PROCESSES; i < r->polls.n; i++) {
		struct pollfd *p = &r->polls.at[i];

		if (p->fd >= 0 && p->revents) {
			close(p->fd);
			p->fd = -1;
			r->alive--;
		}
	}
	if (r->poll_processes) {
		r->alive = 0;
		for (size_t i = 0; i < r->target.tids.n; i++)
			r->alive += process_exists(r->target.tids.at[i]);
	}
	if (!r->alive)
		r->stop = true;
}

static int on_clock(struct run *r, struct err *err)
{
	uint64_t now = monotonic_ns();

	if (now >= r->enable_at) {
		if (count_run_begin(r, true, err))
			return -1;
		count_run_say(r, "Events enabled\n");
	}
	if (now >= r->interval_at) {
		uint64_t step = r->opts->interval_ms * 1000000;

		if (interval(r, now, err))
			return -1;
		r->interval_at += (1 + (now - r->interval_at) / step) * step;
		if (r->opts->intervals && r->intervals >= r->opts->intervals) {
			r->interval_at = NEVER;
			r->stop = !r->command.pid;
		}
	}
	if (now >= r->timeout_at) {
		r->timeout_at = NEVER;
		r->timed_out = true;
		if (r->command.pid)
			spawn_end(&r->command);
		else
			r->stop = true;
	}
	return 0;
}

/* Sleeps until a descriptor is ready or the next moment (enable, interval, time-out) comes. */
static int wait_for_work(struct run *r, struct err *err)
{
	uint64_t at = MIN(MIN(r->enable_at, r->interval_at), r->timeout_at), now;
	struct timespec left = {.tv_sec = 1};
	bool ever = at == NEVER && !r->poll_processes;

	if (at != NEVER) {
		now = monotonic_ns();
		at = at > now ? at - now : 0;
		if (!r->poll_processes || at < 1000000000)
			left = (struct timespec){(time_t)(at / 1000000000),
						 (long)(at % 1000000000)};
	}
	if (ppoll(r->polls.at, r->polls.n, ever ? NULL : &left, NULL) < 0 && errno != EINTR)
		return err_sys(err, errno, "cannot wait");
	return 0;
}

static int count_run_loop(struct run *r, struct err *err)
{
	while (!r->stop) {
		if (wait_for_work(r, err))
			return -1;
		if (r->polls.at[0].revents)
			count_run_on_signals(r);
		if (r->polls.at[1].revents && on_control(r, err))
			return -1;
		while (r->polls.at[2].revents && hotplug_next(&r->hotplug, monotonic_ns()))
			;
		if (r->alive)
			count_run_on_processes(r);
		if (!r->stop && on_clock(r, err))
			return -1;
	}
	return 0;
}

/* Without a command, it ends with the processes that are measured. */
static int watch_processes(struct run *r, struct err *err)
{
	const struct target *t = &r->target;
	bool tids = r->opts->target.tids;

	if (r->opts->command || t->system_wide || r->opts->target.all_threads)
		return 0;
	for (size_t i = 0; i < (tids ? t->tids.n : t->pids.n); i++) {
		int fd = process_watch(tids ? t->tids.at[i] : t->pids.at[i]);

		if (fd == -ESRCH)
			continue;
		r->alive++;
		if (fd >= 0)
			vec_add(&r->polls, (struct pollfd){.fd = fd, .events = POLLIN});
		else
			r->poll_processes = true;
	}
	return r->alive ? 0 : err_set(err, ERR_SYSTEM, "the processes to measure have ended");
}

static void watch_none(struct run *r)
{
	for (size_t i = PROCESSES; i < r->polls.n; i++)
		if (r->polls.at[i].fd >= 0)
			close(r->polls.at[i].fd);
	r->polls.n = MIN(r->polls.n, (size_t)PROCESSES);
	r->alive = 0;
}

static int count_run_open_once(void *ctx, bool again, struct err *err)
{
	struct run *r = ctx;
	const struct count_run_options *o = r->opts;
	struct count_options how = o->count;

	if (!r->run && watch_processes(r, err))
		return -1;
	how.times = &r->times;
	how.on_exec = counts_command(r) && !o->delay_ms;
	how.before = r->run ? &r->both[!(r->run % 2)] : NULL;
	if (!o->nothing && counting_open(r->counting, r->events, &r->target, &how, err))
		return -1;
	if (!r->run && !again)
		count_run_tell(r, &r->counting->notices);
	return 0;
}

static void close_once(void *ctx)
{
	struct run *r = ctx;

	if (!r->run)
		watch_none(r);
	counting_release(r->counting);
}

static void tell_line(void *ctx, const char *line)
{
	struct run *r = ctx;

	if (!r->run && r->opts->tell)
		r->opts->tell(line);
}

static int open_counters(struct run *r, struct err *err)
{
	const struct count_run_options *o = r->opts;
	const struct count_options *c = &o->count;
	const struct target_attach how = {.opts = &o->target,
					  .command_pid = r->command.pid,
					  .proc_root = c->proc_root,
					  .sys_root = c->sys_root,
					  .open = count_run_open_once,
					  .close = close_once,
					  .tell = tell_line,
					  .ctx = r};

	target_release(&r->target);
	/* Closing the last counter of a tracepoint takes long: opens the next run's counters
	 * first. */
	r->counting = &r->both[r->run % 2];
	if (target_find(&r->target, &o->target, r->command.pid, c->proc_root, c->sys_root, err) ||
	    target_attach(&r->target, &how, err))
		return -1;
	counting_release(&r->both[!(r->run % 2)]);
	return 0;
}

static int start(struct run *r, struct err *err)
{
	const struct count_run_options *o = r->opts;

	r->times = (struct count_times){0};
	r->intervals = r->told_at = 0;
	r->stop = r->timed_out = false;
	r->enable_at = r->interval_at = r->timeout_at = NEVER;
	if (o->command && spawn_prepare(&r->command, o->command, NULL, err))
		return -1;
	r->times.command_pid = r->command.pid;
	if (!r->run || counts_command(r)) {
		if (open_counters(r, err))
			return -1;
	} else if (!o->nothing && counting_reset(r->counting, err)) {
		return -1;
	}
	if (r->target.system_wide && !o->nothing)
		hotplug_open(&r->hotplug);
	r->polls.at[2].fd = r->hotplug.fd > 0 ? r->hotplug.fd : -1;
	if (r->command.pid)
		spawn_wait_ready(&r->command);
	if (tick(r, COUNT_START, 0, err) || count_run_begin(r, !o->delay_ms, err))
		return -1;
	if (o->delay_ms)
		count_run_say(r, "Events disabled\n");
	if (o->delay_ms > 0) {
		r->enable_at = after(r->times.start_ns, (uint64_t)o->delay_ms);
		r->interval_at = r->timeout_at = NEVER;
	}
	return r->command.pid ? spawn_start(&r->command, err) : 0;
}

/* Notes how the command ended, if it has ended. */
static int end_command(struct run *r, struct err *err)
{
	struct count_run_result *res = r->result;

	if (!r->command.ended)
		return 0;
	if (spawn_check(&r->command, err))
		return -1;
	r->times.ended = true;
	r->times.user_ns = r->command.user_ns;
	r->times.system_ns = r->command.system_ns;
	if (spawn_was_killed(&r->command))
		count_run_say(r, "%s: %s\n", r->opts->command[0],
			      strsignal(spawn_exit_status(&r->command) - 128));
	res->exit_status = r->timed_out && spawn_was_killed(&r->command)
				   ? 0
				   : spawn_exit_status(&r->command);
	return 0;
}

/* Tells the user which CPUs were offline for a time: a counter ends when its CPU goes offline. */
static void tell_hotplug(struct run *r)
{
	const struct target *t = &r->target;
	AUTO_BUF b = {0};

	hotplug_tell(&r->hotplug, t->all_cpus ? NULL : t->cpus.at, t->cpus.n, monotonic_ns(), &b);
	count_run_tell(r, &b);
	hotplug_close(&r->hotplug);
}

static int one_run(struct run *r, struct err *err)
{
	const struct count_run_options *o = r->opts;
	uint64_t now;
	int got;

	if (o->sync)
		sync();
	if (start(r, err) || count_run_loop(r, err))
		return -1;
	now = monotonic_ns();
	tell_hotplug(r);
	if (end_command(r, err))
		return -1;
	if (o->interval_ms && now > r->told_at && r->interval_at != NEVER && interval(r, now, err))
		return -1;
	got = tick(r, COUNT_END, now, err);
	spawn_release(&r->command, true);
	r->result->runs++;
	return got;
}

static int shell(const char *option, const char *line, struct err *err)
{
	int got = line ? spawn_shell(line, err) : 0;

	if (got > 0)
		return err_set(err, ERR_SYSTEM, "%s '%s' ended with status %d", option, line, got);
	return got;
}

int count_run(const struct count_run_options *opts, struct event_set *events,
	      int (*take)(void *ctx, const struct count_tick *tick, struct err *err), void *ctx,
	      struct count_run_result *result, struct err *err)
{
	static const int list[] = {SIGINT, SIGTERM, SIGCHLD, 0};
	struct run r = {.opts = opts, .events = events, .take = take, .ctx = ctx, .result = result,
			.control = {.fd = -1, .ack = -1}, .signals = {.fd = -1}};
	int got = 0;

	*result = (struct count_run_result){0};
	if (control_open(&r.control, &opts->control, err) || signals_open(&r.signals, list, err))
		got = -1;
	vec_add(&r.polls, (struct pollfd){.fd = r.signals.fd, .events = POLLIN});
	vec_add(&r.polls, (struct pollfd){.fd = r.control.fd, .events = POLLIN});
	vec_add(&r.polls, (struct pollfd){.fd = -1, .events = POLLIN});
	for (; !got && (!opts->runs || r.run < opts->runs) && !result->signal; r.run++) {
		got = shell("--pre", opts->pre, err);
		if (!got)
			got = one_run(&r, err);
		if (!got)
			got = shell("--post", opts->post, err);
	}
	signals_close(&r.signals);
	spawn_release(&r.command, true);
	hotplug_close(&r.hotplug);
	control_close(&r.control);
	counting_release(&r.both[0]);
	counting_release(&r.both[1]);
	counts_release(&r.counts);
	target_release(&r.target);
	watch_none(&r);
	vec_release(&r.polls);
	return got;
}
