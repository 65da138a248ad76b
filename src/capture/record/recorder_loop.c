// SPDX-License-Identifier: MIT
/* The recorder's loop: flushes and new files, when the clock, a signal or --control asks for
 * them. */
#include "capture/record/recorder_state.h"

/* The moment of the next flush, in ms. */
static uint64_t flush_at(const struct recorder *r)
{
	return MAX(r->safe_ms + FLUSH_MS, r->synced_ms + FLUSH_AGAIN_MS);
}

static int flush_file(struct recorder *r, struct err *err)
{
	const struct capture *c = &r->session.capture;
	uint64_t now = session_now_ms();

	if (now < flush_at(r))
		return 0;
	r->synced_ms = now;
	r->safe_ms = MAX(r->safe_ms, c->handed_ns / 1000000);
	sink_samples(r->sink, c->samples - r->file_samples);
	return sink_sync(r->sink, err);
}

/* The moment of the next timed rotation, in ms; UINT64_MAX: never. */
static uint64_t rotation_at(const struct recorder *r)
{
	const struct rotation *rot = &r->opts->rotation;

	return rot->seconds ? r->file_ms + rot->seconds * 1000 : UINT64_MAX;
}

static bool rotation_due(struct recorder *r)
{
	const struct rotation *rot = &r->opts->rotation;
	bool asked = r->session.snapshot_asked && rot->on;

	r->session.snapshot_asked = false;
	return asked || (rot->bytes && sink_bytes(r->sink) >= rot->bytes) ||
	       session_now_ms() >= rotation_at(r);
}

/* How long until the next flush or file, in ms. Rings may wake the loop earlier; that does not
 * delay it. */
static int until_due(const struct recorder *r)
{
	uint64_t now = session_now_ms(), at = MIN(flush_at(r), rotation_at(r));

	return MIN(MIN(at > now ? (int)(at - now) : 0, probe_budget_due(&r->budget)),
		   wait_states_due(&r->waits));
}

/* Closes an event whose probes cost too much. A THROTTLE record without an UNTHROTTLE says so in
 * the file. */
static bool recorder_close_event(void *ctx, const struct budget_event *e)
{
	struct recorder *r = ctx;
	struct session *s = &r->session;
	const struct event *ev = e->event;

	recorder_tell_lost(r);
	if (!capture_close_event(&s->capture, ev))
		return false;
	record_write_throttle(&s->synthesized, s->capture.last_time, ev->attr.sample_type,
			      ev->ids.n ? ev->ids.at[0] : 0);
	session_tell(s,
		     "[ perf record: '%s' was hit %llu times in %.1f s, which cost more than "
		     "--probe-budget: it is closed ]\n",
		     ev->name, (unsigned long long)e->hits,
		     (double)(r->budget.looked_ns - r->budget.begun_ns) / 1e9);
	return true;
}

static int keep_probe_budget(struct recorder *r, struct err *err)
{
	probe_budget_look(&r->budget, &r->session.capture, recorder_close_event, r);
	return session_put_synthesized(&r->session, err);
}

/* The samples are later than all that the pass before has put: rounds stay in order. */
static int look_at_waits(struct recorder *r, struct err *err)
{
	struct session *s = &r->session;

	s->capture.samples += wait_states_look(&r->waits, &s->synthesized);
	return session_put_synthesized(s, err);
}

/* Writes the records of the processes that run already, between passes. */
static int tell_all(struct recorder *r, struct err *err)
{
	struct session *s = &r->session;
	bool more = session_synth_begin(s);

	while (more) {
		more = session_synth_step(s);
		if (session_put_synthesized(s, err) || session_pass(s, err) < 0 ||
		    flush_file(r, err))
			return -1;
	}
	r->synth_done = true;
	record_write_empty(&s->synthesized, RECORD_FINISHED_INIT);
	return session_put_synthesized(s, err);
}

int recorder_loop(struct recorder *r, struct err *err)
{
	struct session *s = &r->session;

	if (tell_all(r, err))
		return -1;
	while (!s->stop) {
		if (session_step(s, until_due(r), err) || flush_file(r, err) ||
		    keep_probe_budget(r, err) || look_at_waits(r, err))
			return -1;
		if (rotation_due(r) && !s->stop && (recorder_rotate(r, err) || tell_all(r, err)))
			return -1;
	}
	s->capture.samples += wait_states_end(&r->waits, &s->synthesized);
	return session_put_synthesized(s, err);
}
