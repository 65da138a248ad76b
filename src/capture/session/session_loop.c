// SPDX-License-Identifier: MIT
/* While a session runs: waiting, signals, commands, and what the clock asks for. */
#include "base/monotonic.h"
#include "capture/session/session_parts.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#define GROW_MS	     3000 /* after the start */
#define GROW_LOOK_MS 20

int session_switch(struct session *s, bool on, struct err *err)
{
	if (on && capture_enable(&s->capture, false, err))
		return -1;
	if (!on)
		capture_disable(&s->capture);
	s->on = on;
	return 0;
}

/* Time until the next change of -D, in ms; -1: there is none. */
static int until_change(const struct session *s)
{
	const struct delay *d = &s->opts->delay;
	uint64_t now = session_now_ms() - s->start_ms, at;

	if (s->span >= d->spans.n)
		return -1;
	at = s->on ? d->spans.at[s->span].to : d->spans.at[s->span].from;
	return at <= now ? 0 : (int)MIN(at - now, (uint64_t)INT32_MAX);
}

static int obey_delay(struct session *s, struct err *err)
{
	const struct delay *d = &s->opts->delay;

	while (!until_change(s)) {
		if (session_switch(s, !s->on, err))
			return -1;
		if (!s->on || !d->spans.at[s->span].to)
			s->span++;
		session_tell(s, s->on ? "Events enabled\n" : "Events disabled\n");
	}
	return 0;
}

static void obey_signals(struct session *s)
{
	int sig;

	while ((sig = signals_next(&s->signals)) > 0) {
		switch (sig) {
		case SIGCHLD:
			if (s->command.pid && spawn_ended(&s->command))
				s->stop = true;
			break;
		case SIGUSR2:
			s->snapshot_asked = true;
			break;
		default:
			s->signal = sig;
			s->stop = true;
		}
	}
}

static int switch_by_name(struct session *s, const char *name, bool on, struct err *err)
{
	const struct event *ev = event_set_find_name(s->events, name);

	if (!ev) {
		session_tell(s, "failed: can't find '%s' event\n", name);
		return 0;
	}
	if (capture_switch(&s->capture, ev, on, err))
		return -1;
	session_tell(s, "Event %s %s\n", ev->name, on ? "enabled" : "disabled");
	return 0;
}

static void list_events(struct session *s, const char *how)
{
	struct buf b = {0};

	control_events(s->events, how, &b);
	session_tell_buf(s, &b);
	buf_release(&b);
}

static int obey_command(struct session *s, const struct control_command *c, struct err *err)
{
	bool on = c->verb == CONTROL_ENABLE;

	switch (c->verb) {
	case CONTROL_ENABLE:
	case CONTROL_DISABLE:
		if (*c->argument)
			return switch_by_name(s, c->argument, on, err);
		if (session_switch(s, on, err))
			return -1;
		session_tell(s, on ? "Events enabled\n" : "Events disabled\n");
		return 0;
	case CONTROL_SNAPSHOT:
		s->snapshot_asked = true;
		return 0;
	case CONTROL_STOP:
		s->stop = true;
		return 0;
	case CONTROL_EVLIST:
		list_events(s, c->argument);
		return 0;
	default:
		return 0;
	}
}

static int obey_control(struct session *s, struct err *err)
{
	struct control_command c;

	while (control_next(&s->control, &c)) {
		if (c.verb == CONTROL_UNKNOWN) {
			session_tell(s, "control: this is not a command\n");
			continue;
		}
		if (obey_command(s, &c, err))
			return -1;
		control_ack(&s->control);
	}
	if (s->control.ended)
		capture_unwatch(&s->capture, s->control.fd);
	return 0;
}

/* Reopens the events of a CPU that is back, if the session's user can take the new ids. */
static bool measure_again(struct session *s, int cpu)
{
	const struct target *t = &s->target;
	const struct session_user *u = &s->user;
	bool known = false;

	for (size_t i = 0; i < t->cpus.n; i++)
		known |= t->cpus.at[i] == cpu;
	if (!known || (u->new_ids && !u->new_ids(u->ctx, session_ids_a_cpu(s))) ||
	    capture_reopen(&s->capture, cpu, NULL) || (u->new_ids && !u->new_ids(u->ctx, 0)))
		return false;
	/* finds processes that were forked there before its events were open */
	if (s->restricted)
		process_tree_rescan(&s->tree, s->opts->synth.proc_root);
	return true;
}

static void obey_hotplug(struct session *s)
{
	struct hotplug_cpu *c;

	while ((c = hotplug_next(&s->hotplug, monotonic_ns())))
		if (c->state == HOTPLUG_MISSED && measure_again(s, c->cpu))
			c->state = HOTPLUG_MEASURED;
}

static int drop_records(void *ctx, const struct ring_bytes *b, struct err *err)
{
	(void)ctx;
	(void)b;
	(void)err;
	return 0;
}

/* Drops the samples of the trigger; any of them asks for a snapshot. */
static void look_at_trigger(struct session *s)
{
	struct capture_take take = {.put = drop_records};
	uint64_t before = s->trigger.samples;

	if (s->trigger.epoll <= 0 || capture_pass(&s->trigger, &take, NULL) <= 0)
		return;
	if (s->trigger.samples != before)
		s->snapshot_asked = true;
}

static bool is_ready(const struct capture_ready *ready, int fd)
{
	for (int i = 0; i < ready->n_fds; i++)
		if (ready->fds[i] == fd)
			return true;
	return false;
}

static void take_living(void *ctx, int fd)
{
	struct session *s = ctx;

	if (capture_watch(&s->capture, fd))
		close(fd);
	else
		vec_add(&s->living, fd);
}

bool session_watch_tree(struct session *s)
{
	process_tree_living(&s->tree, take_living, s);
	return s->living.n;
}

/* True when all measured processes have ended. Called after a pass, which has told of their new
 * children. */
static bool target_ended(struct session *s, const struct capture_ready *ready)
{
	size_t n = 0;

	if (!s->restricted)
		return capture_over(&s->capture);
	for (size_t i = 0; i < s->living.n; i++) {
		if (is_ready(ready, s->living.at[i]))
			close(s->living.at[i]); /* which also removes it from epoll */
		else
			s->living.at[n++] = s->living.at[i];
	}
	s->living.n = n;
	return !n && !s->capture.spilled && !session_watch_tree(s);
}

/* Time until the session itself has work, in ms. */
static int until_due(const struct session *s, int timeout_ms)
{
	int change = until_change(s);

	/* Wakes up early at first: dumps that are too short should show before rings are a quarter
	 * full. */
	if (capture_grows(&s->capture) && session_now_ms() - s->start_ms < GROW_MS)
		timeout_ms = MIN(timeout_ms, GROW_LOOK_MS);
	return change < 0 ? timeout_ms : MIN(change, timeout_ms);
}

int session_step(struct session *s, int timeout_ms, struct err *err)
{
	struct capture_ready ready;
	int got = capture_wait(&s->capture, until_due(s, timeout_ms), &ready, err);

	if (got < 0)
		return -1;
	s->wakeups += got > 0;
	s->input_ready = s->input_fd >= 0 && is_ready(&ready, s->input_fd);
	if (is_ready(&ready, s->signals.fd))
		obey_signals(s);
	if (is_ready(&ready, s->hotplug.fd))
		obey_hotplug(s);
	if (obey_delay(s, err) || obey_control(s, err) || session_pass(s, err) < 0)
		return -1;
	look_at_trigger(s);
	if (!s->command.pid && target_ended(s, &ready))
		s->stop = true;
	return 0;
}
