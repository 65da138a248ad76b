// SPDX-License-Identifier: MIT
/* While it records: waiting, signals, commands, and what the clock asks for. */
#include "base/monotonic.h"
#include "capture/record/recorder_state.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#define GROW_MS	     3000 /* after the start */
#define GROW_LOOK_MS 20

static int switch_events(struct recorder *r, bool on, struct err *err)
{
	if (on && capture_enable(&r->capture, false, err))
		return -1;
	if (!on)
		capture_disable(&r->capture);
	r->on = on;
	return 0;
}

/* How long the next change of -D is away; -1: there is none. */
static int until_change(const struct recorder *r)
{
	const struct delay *d = &r->opts->delay;
	uint64_t now = recorder_now_ms() - r->start_ms, at;

	if (r->span >= d->spans.n)
		return -1;
	at = r->on ? d->spans.at[r->span].to : d->spans.at[r->span].from;
	return at <= now ? 0 : (int)MIN(at - now, (uint64_t)INT32_MAX);
}

static int on_time(struct recorder *r, struct err *err)
{
	const struct delay *d = &r->opts->delay;

	while (!until_change(r)) {
		if (switch_events(r, !r->on, err))
			return -1;
		if (!r->on || !d->spans.at[r->span].to)
			r->span++;
		recorder_tell(r, r->on ? "Events enabled\n" : "Events disabled\n");
	}
	return 0;
}

static void on_signals(struct recorder *r)
{
	int sig;

	while ((sig = signals_next(&r->signals)) > 0) {
		switch (sig) {
		case SIGCHLD:
			if (r->command.pid && spawn_ended(&r->command))
				r->stop = true;
			break;
		case SIGUSR2:
			r->rotate = r->opts->rotation.on;
			break;
		default:
			r->result->signal = sig;
			r->stop = true;
		}
	}
}

static int by_name(struct recorder *r, const char *name, bool on, struct err *err)
{
	const struct event *ev = event_set_find_name(r->events, name);

	if (!ev) {
		recorder_tell(r, "failed: can't find '%s' event\n", name);
		return 0;
	}
	if (capture_switch(&r->capture, ev, on, err))
		return -1;
	recorder_tell(r, "Event %s %s\n", ev->name, on ? "enabled" : "disabled");
	return 0;
}

static void list_events(struct recorder *r, const char *how)
{
	struct buf b = {0};

	control_events(r->events, how, &b);
	if (r->opts->tell)
		r->opts->tell(buf_text(&b));
	buf_release(&b);
}

static int on_command(struct recorder *r, const struct control_command *c, struct err *err)
{
	bool on = c->verb == CONTROL_ENABLE;

	switch (c->verb) {
	case CONTROL_ENABLE:
	case CONTROL_DISABLE:
		if (*c->argument)
			return by_name(r, c->argument, on, err);
		if (switch_events(r, on, err))
			return -1;
		recorder_tell(r, on ? "Events enabled\n" : "Events disabled\n");
		return 0;
	case CONTROL_SNAPSHOT:
		r->rotate = r->opts->rotation.on;
		return 0;
	case CONTROL_STOP:
		r->stop = true;
		return 0;
	case CONTROL_EVLIST:
		list_events(r, c->argument);
		return 0;
	default:
		return 0;
	}
}

static int on_control(struct recorder *r, struct err *err)
{
	struct control_command c;

	while (control_next(&r->control, &c)) {
		if (c.verb == CONTROL_UNKNOWN) {
			recorder_tell(r, "control: this is not a command\n");
			continue;
		}
		if (on_command(r, &c, err))
			return -1;
		control_ack(&r->control);
	}
	if (r->control.ended)
		capture_unwatch(&r->capture, r->control.fd);
	return 0;
}

/* Opens anew what ended with a CPU, if the file can be told of the new ids: a stream cannot. */
static bool measure_again(struct recorder *r, int cpu)
{
	const struct target *t = &r->target;
	bool known = false;

	for (size_t i = 0; i < t->cpus.n; i++)
		known |= t->cpus.at[i] == cpu;
	if (!known || sink_id_room(r->sink, r->events) < recorder_ids_a_cpu(r) ||
	    capture_reopen(&r->capture, cpu, NULL) || sink_ids(r->sink, r->events, NULL))
		return false;
	/* what was forked there before its events were open */
	if (r->restricted)
		tree_rescan(&r->tree, r->opts->synth.proc_root);
	return true;
}

static void on_hotplug(struct recorder *r)
{
	struct hotplug_cpu *c;

	while ((c = hotplug_next(&r->hotplug, monotonic_ns())))
		if (c->state == HOTPLUG_MISSED && measure_again(r, c->cpu))
			c->state = HOTPLUG_MEASURED;
}

static int nothing(void *ctx, const struct ring_bytes *b, struct err *err)
{
	(void)ctx;
	(void)b;
	(void)err;
	return 0;
}

/* Samples of the event that asks for a new file are no data, only a bell. */
static void on_trigger(struct recorder *r)
{
	struct capture_take take = {.put = nothing};
	uint64_t before = r->trigger.samples;

	if (r->trigger.epoll <= 0 || capture_pass(&r->trigger, &take, NULL) <= 0)
		return;
	if (r->trigger.samples != before)
		r->rotate = true;
}

/* When the file must be flushed. */
static uint64_t flush_at(const struct recorder *r)
{
	return MAX(r->safe_ms + FLUSH_MS, r->synced_ms + FLUSH_AGAIN_MS);
}

static int flush(struct recorder *r, struct err *err)
{
	uint64_t now = recorder_now_ms();

	if (now < flush_at(r))
		return 0;
	r->synced_ms = now;
	r->safe_ms = MAX(r->safe_ms, r->capture.handed_ns / 1000000);
	sink_samples(r->sink, r->capture.samples - r->file_samples);
	return sink_sync(r->sink, err);
}

/* When the file has been written to for long enough; UINT64_MAX: never. */
static uint64_t rotation_at(const struct recorder *r)
{
	const struct rotation *rot = &r->opts->rotation;

	return rot->seconds ? r->file_ms + rot->seconds * 1000 : UINT64_MAX;
}

static void look_for_rotation(struct recorder *r)
{
	const struct rotation *rot = &r->opts->rotation;

	if ((rot->bytes && sink_bytes(r->sink) >= rot->bytes) || recorder_now_ms() >= rotation_at(r))
		r->rotate = true;
}

/* How long until the next flush, file, or change of -D. Rings may wake it earlier, and don't put that off. */
static int until_due(const struct recorder *r)
{
	uint64_t now = recorder_now_ms(), at = MIN(flush_at(r), rotation_at(r));
	int change = until_change(r), flush = at > now ? (int)(at - now) : 0;

	/* Whether copies of stacks are too short should show before rings are a quarter full. */
	if (capture_grows(&r->capture) && now - r->start_ms < GROW_MS)
		flush = MIN(flush, GROW_LOOK_MS);
	return change < 0 ? flush : MIN(change, flush);
}

static int tell_all(struct recorder *r, struct err *err);

static bool is_ready(const struct capture_ready *ready, int fd)
{
	for (int i = 0; i < ready->n_fds; i++)
		if (ready->fds[i] == fd)
			return true;
	return false;
}

static void take_living(void *ctx, int fd)
{
	struct recorder *r = ctx;

	if (capture_watch(&r->capture, fd))
		close(fd);
	else
		vec_add(&r->living, fd);
}

bool recorder_watch_tree(struct recorder *r)
{
	tree_living(&r->tree, take_living, r);
	return r->living.n;
}

/* Have all processes ended that are measured? After a pass: children that were born meanwhile are known then. */
static bool all_ended(struct recorder *r, const struct capture_ready *ready)
{
	size_t n = 0;

	if (!r->restricted)
		return capture_over(&r->capture);
	for (size_t i = 0; i < r->living.n; i++) {
		if (is_ready(ready, r->living.at[i]))
			close(r->living.at[i]); /* which ends the waiting for it, too */
		else
			r->living.at[n++] = r->living.at[i];
	}
	r->living.n = n;
	return !n && !r->capture.spilled && !recorder_watch_tree(r);
}

static int step(struct recorder *r, struct err *err)
{
	struct capture_ready ready;
	int got = capture_wait(&r->capture, until_due(r), &ready, err);

	if (got < 0)
		return -1;
	r->result->wakeups += got > 0;
	if (is_ready(&ready, r->signals.fd))
		on_signals(r);
	if (is_ready(&ready, r->hotplug.fd))
		on_hotplug(r);
	if (on_time(r, err) || on_control(r, err) || recorder_pass(r, err) < 0)
		return -1;
	on_trigger(r);
	if (!r->command.pid && all_ended(r, &ready))
		r->stop = true;
	if (flush(r, err))
		return -1;
	look_for_rotation(r);
	if (r->rotate && !r->stop)
		return recorder_rotate(r, err) || tell_all(r, err) ? -1 : 0;
	return 0;
}

/* Tells of the processes that run already, between passes. */
static int tell_all(struct recorder *r, struct err *err)
{
	bool more = r->target.system_wide && !synth_all(&r->synth);

	while (more) {
		more = synth_step(&r->synth, 16);
		if (recorder_put_synthesized(r, err) || recorder_pass(r, err) < 0 || flush(r, err))
			return -1;
	}
	r->synth_done = true;
	record_write_empty(&r->synthesized, RECORD_FINISHED_INIT);
	return recorder_put_synthesized(r, err);
}

int recorder_loop(struct recorder *r, struct err *err)
{
	if (tell_all(r, err))
		return -1;
	while (!r->stop)
		if (step(r, err))
			return -1;
	return 0;
}
