// SPDX-License-Identifier: MIT
#include "capture/session/source_live.h"

#include "capture/rings/spill.h"
#include "data/source/order.h"
#include "event/format/tracing_data.h"
#include "os/tracing/tracefs.h"

#include <string.h>
#include <sys/utsname.h>

#define CHUNK_LEAST (64u << 10)
/* After so many deliveries since the rings were last emptied, they are lent to the spill thread. */
#define LEND_RECORDS 1024
/* Bytes of records that may wait for the end of a pass over the rings. */
#define BACKLOG_MOST (8u << 20)
/* Chunks that are used again: fresh memory costs twice as much as copying records into it. */
#define KEPT_CHUNKS 4
#define KEPT_MOST   (4u << 20) /* bytes of one of them; a larger one is freed */

void live_source_free(struct live_source *src)
{
	if (!src)
		return;
	if (src->opened && !src->finished)
		session_stop(&src->session);
	if (src->opened)
		session_close(&src->session);
	buf_release(&src->untimed);
	buf_release(&src->scratch);
	order_release(src->order);
	free(src->order);
	shared_bytes_drop(src->arriving);
	for (size_t i = 0; i < src->kept.n; i++)
		shared_bytes_drop(src->kept.at[i]);
	vec_release(&src->kept);
	source_release(&src->source);
	measurement_release(&src->m);
	free(src);
}

/* The layout of all samples; NULL: they differ, or must be decoded. */
static const struct sample_layout *live_layout(struct live_source *src)
{
	if (!src->laid_out)
		src->alike = sample_layout_init(&src->layout, &src->m);
	src->laid_out = true;
	return src->alike ? &src->layout : NULL;
}

/* An empty chunk: a kept one that nobody uses any more, or a new one. */
static struct shared_bytes *live_chunk(struct live_source *src)
{
	for (size_t i = 0; i < src->kept.n; i++) {
		struct shared_bytes *c = src->kept.at[i];

		if (__atomic_load_n(&c->refs, __ATOMIC_ACQUIRE) > 1)
			continue;
		src->kept.at[i] = *vec_last(&src->kept);
		src->kept.n--;
		c->n = 0;
		return c;
	}
	return shared_bytes_new(CHUNK_LEAST);
}

/* Keeps a chunk, whose records are still used, for later ones. */
static void live_keep_chunk(struct live_source *src, struct shared_bytes *c)
{
	if (c->cap > KEPT_MOST || src->kept.n == KEPT_CHUNKS)
		shared_bytes_drop(c);
	else
		vec_add(&src->kept, c);
}

/* Room for n more bytes at the end of the arriving chunk, which may move: none of its bytes is
 * borrowed yet. */
static uint8_t *extend_arriving(struct live_source *src, size_t n)
{
	struct shared_bytes *c = src->arriving;
	size_t cap;

	if (!c)
		c = live_chunk(src);
	cap = c->cap;
	while (cap - c->n < n)
		cap *= 2;
	if (cap > c->cap) {
		c = mem_resize(c, sizeof(*c) + cap);
		c->cap = cap;
	}
	src->arriving = c;
	c->n += n;
	return c->at + c->n - n;
}

static int take_records(void *ctx, const struct ring_bytes *b, struct err *err)
{
	struct live_source *src = ctx;
	uint8_t *to = extend_arriving(src, b->a_len + b->b_len);

	(void)err;
	memcpy(to, b->a, b->a_len);
	if (b->b_len)
		memcpy(to + b->a_len, b->b, b->b_len);
	return 0;
}

/* Finds the time of a record. False: it has none. */
static bool live_read_time(const struct record_decode *how, const struct sample_layout *layout,
			   const struct raw_record *raw, uint64_t *time)
{
	if (!layout || raw->header.type != RECORD_SAMPLE || raw->header.size < layout->fixed)
		return record_raw_time(how, raw->p, raw->header.size, time);
	*time = sample_layout_time(layout, raw->p);
	return true;
}

/* Adds the records of the arriving chunk to the time order. */
static void sort_arrived(struct live_source *src)
{
	const struct record_decode how = measurement_decode(&src->m, &src->scratch);
	const struct sample_layout *layout = live_layout(src);
	struct shared_bytes *c = src->arriving;

	if (!c)
		return;
	for (size_t at = 0; at + sizeof(struct record_header) <= c->n;) {
		struct raw_record raw = {
			.p = c->at + at, .owner = c, .offset = at, .seq = src->seq++};
		uint64_t time;

		memcpy(&raw.header, raw.p, sizeof(raw.header));
		if (raw.header.size < sizeof(raw.header) || raw.header.size > c->n - at)
			break;
		if (live_read_time(&how, layout, &raw, &time))
			order_put(src->order, &raw, time);
		else
			buf_add(&src->untimed, raw.p, raw.header.size);
		at += raw.header.size;
	}
	live_keep_chunk(src, c);
	src->arriving = NULL;
}

/* At the end of a pass the rings hold nothing older than its begin: releases the records that were
 * known after the pass before. */
static void end_round(struct live_source *src)
{
	sort_arrived(src);
	if (src->synthesizing)
		return; /* records of running processes must go before their samples */
	src->draining = src->round = order_round(src->order, &src->limit);
	if (!src->draining)
		order_round_done(src->order);
}

static int note_pass(void *ctx, struct err *err)
{
	(void)err;
	end_round(ctx);
	return 0;
}

static void source_live_tell_user(void *ctx, const char *text)
{
	struct live_source *src = ctx;

	if (src->tell)
		src->tell(src->tell_ctx, text);
}

static int live_source_start(struct live_source *src, struct err *err)
{
	struct session *s = &src->session;
	struct utsname host;

	if (!uname(&host)) {
		src->m.arch = arena_strdup(&src->m.events.arena, host.machine);
		src->m.osrelease = arena_strdup(&src->m.events.arena, host.release);
	}
	src->m.sample_id_all = true;
	src->m.chains_made = s->unwinds;
	src->m.losses.samples_counted =
		sampling_tracker(&src->m.events)->attr.read_format & READ_LOST;
	if (session_start(s, err))
		return -1;
	session_synth_first(s, true);
	src->synthesizing = session_synth_begin(s);
	return session_put_synthesized(s, err);
}

/* Gives tracepoints the formats of their samples. */
static int attach_formats(struct live_source *src, struct err *err)
{
	struct event_set *set = &src->m.events;
	bool any = false;
	const char *root;

	for (size_t i = 0; i < set->events.n; i++)
		any |= set->events.at[i]->tracepoint != NULL;
	if (!any)
		return 0;
	root = tracefs_find(NULL, &set->arena);
	if (!root)
		return err_set(err, ERR_RIGHTS,
			       "the formats of tracepoints cannot be read: tracefs is not there");
	return tracing_data_attach(set, root, &src->m.formats, err);
}

int live_source_open(struct live_source *src, const struct session_options *opts,
		     void (*tell)(void *ctx, const char *text), void *ctx, struct err *err)
{
	const struct session_user user = {.put = take_records,
					  .passed = note_pass,
					  .tell = source_live_tell_user,
					  .ctx = src};

	src->opts = *opts;
	src->opts.rings.lends = true;
	src->tell = tell;
	src->tell_ctx = ctx;
	if (attach_formats(src, err))
		return -1;
	src->opened = true;
	if (session_prepare(&src->session, &src->opts, &user, &src->m.events, err) ||
	    session_open(&src->session, err))
		return -1;
	return live_source_start(src, err);
}

static void count_lost(void *ctx, const struct counter *k, uint64_t n)
{
	struct live_source *src = ctx;

	if (k->side)
		src->lost_side += n;
	else
		src->lost_samples += n;
	losses_add(&src->m.losses, k->side ? LOSS_EVENTS : LOSS_SAMPLES, n, 0);
}

static void update_losses(struct live_source *src)
{
	const struct capture *c = &src->session.capture;

	capture_lost(&src->session.capture, count_lost, src);
	if (src->m.losses.samples_counted)
		return;
	/* A kernel that doesn't count (before 6.0) tells in LOST records. */
	src->lost_side = c->side_lost;
	src->lost_samples = c->lost_events - c->side_lost;
}

/* True: *raw is the next record that may be delivered. */
static bool take_ready(struct live_source *src, struct raw_record *raw)
{
	const struct order_how how = {.decode = measurement_decode(&src->m, &src->scratch),
				      .layout = live_layout(src),
				      .limit = src->limit};

	if (src->untimed_at < src->untimed.n) {
		*raw = (struct raw_record){.p = (const uint8_t *)src->untimed.at + src->untimed_at};
		memcpy(&raw->header, raw->p, sizeof(raw->header));
		src->untimed_at += raw->header.size;
		return true;
	}
	buf_clear(&src->untimed);
	src->untimed_at = 0;
	if (!src->draining)
		return false;
	if (order_take(src->order, &how, raw))
		return true;
	src->draining = false;
	if (src->round)
		order_round_done(src->order);
	src->round = false;
	return false;
}

/* Stops the session and drains the rings to their end. */
static int live_source_finish(struct live_source *src, struct err *err)
{
	session_stop(&src->session);
	if (session_finish(&src->session, err))
		return -1;
	sort_arrived(src);
	src->finished = src->draining = true;
	src->round = false;
	src->limit = UINT64_MAX;
	return 0;
}

/* Empties the rings once more. When they were empty, no older record can come, and all that wait
 * may go. The spill thread's records come a chunk at a time. The number of chunks is limited to
 * what it could hold at the beginning: more may come faster than the caller takes them. */
static int catch_up(struct live_source *src, struct err *err)
{
	const bool lent = src->session.capture.spilled;
	int got;

	if (src->snapshot_due && session_snapshot(&src->session, err))
		return -1;
	src->snapshot_due = false;
	got = session_pass(&src->session, err);
	if (lent && src->chunks)
		src->chunks--;
	else
		src->behind--;
	if (got < 0)
		return -1;
	if (got || src->session.capture.spilled)
		return 0;
	sort_arrived(src);
	src->behind = 0;
	src->draining = true;
	src->round = false;
	src->limit = UINT64_MAX;
	return 0;
}

int live_source_tell_again(struct live_source *src, struct err *err)
{
	session_synth_first(&src->session, false);
	src->synthesizing = session_synth_begin(&src->session);
	return session_put_synthesized(&src->session, err);
}

/* Passes over the rings when the time is up: the second releases the records of the first. */
#define PASSES_BEHIND 2

static void expect_rest(struct live_source *src)
{
	src->behind = PASSES_BEHIND;
	src->snapshot_due = src->opts.sampling.overwrite;
	src->chunks = spill_chunks_due(src->session.capture.spill);
}

/* Under lasting load passes over the rings may stay incomplete for long: releases a part of the
 * waiting records even so. */
static void release_backlog(struct live_source *src)
{
	if (!src->arriving || src->arriving->n < BACKLOG_MOST || src->draining)
		return;
	sort_arrived(src);
	src->draining = true;
	src->round = false;
	src->limit = order_middle(src->order);
}

void live_source_stop(struct live_source *src)
{
	if (src->finished)
		return;
	session_stop(&src->session);
	src->finished = true;
	update_losses(src);
}

/* Waits for more records, and takes them. 0: time is up. */
static int live_source_fetch(struct live_source *src, uint64_t until_ms, struct err *err)
{
	struct session *s = &src->session;
	uint64_t now = session_now_ms();

	if (s->stop)
		return src->finished ? 0 : live_source_finish(src, err) ? -1 : 1;
	if (src->synthesizing) {
		src->synthesizing = session_synth_step(s);
		if (session_put_synthesized(s, err) || session_pass(s, err) < 0)
			return -1;
		sort_arrived(src);
		return 1;
	}
	if (now < until_ms && !s->input_ready) {
		expect_rest(src);
		if (session_step(s, (int)MIN(until_ms - now, (uint64_t)INT32_MAX), err))
			return -1;
		release_backlog(src);
		return 1;
	}
	if (!src->behind)
		return 0;
	return catch_up(src, err) ? -1 : 1;
}

static int live_next_raw(struct source *source, struct raw_record *raw, struct err *err)
{
	struct live_source *src = (struct live_source *)source;
	int got;

	if (!src->delivering)
		expect_rest(src); /* also when the time is up already */
	src->delivering = true;
	while (!take_ready(src, raw)) {
		src->delivered = 0;
		got = live_source_fetch(src, src->until_ms, err);
		if (got > 0)
			continue;
		src->delivering = false;
		if (!got)
			update_losses(src);
		if (!got && !src->finished)
			capture_lend(&src->session.capture);
		return got;
	}
	if (++src->delivered == LEND_RECORDS && !src->finished)
		capture_lend(&src->session.capture);
	memcpy(&raw->header, raw->p, sizeof(raw->header));
	if (raw->header.type == RECORD_THROTTLE)
		losses_add(&src->m.losses, LOSS_THROTTLED, 1, 0);
	return 1;
}

/* Decodes a sample by the layout of all. False: source_decode() must do it. */
static bool live_decode_plain(struct live_source *src, const struct raw_record *raw,
			      struct record *r)
{
	const struct sample_layout *layout = live_layout(src);
	struct sample_chain chain;
	struct event *ev;

	if (!layout || raw->header.type != RECORD_SAMPLE || raw->header.size < layout->fixed)
		return false;
	ev = sample_layout_event(layout, raw->p);
	if (!ev || !sample_is_whole(layout, ev, raw->p, raw->header.size, &chain))
		return false;
	*r = (struct record){.offset = raw->offset, .part = raw->part, .seq = raw->seq};
	return sample_layout_decode(layout, ev, raw->p, &chain, r);
}

static int live_next(struct source *source, struct record *r, struct err *err)
{
	struct raw_record raw;
	int got;

	while ((got = live_next_raw(source, &raw, err)) > 0)
		if (live_decode_plain((struct live_source *)source, &raw, r) ||
		    source_decode(source, &raw, r))
			break;
	return got;
}

int live_source_next(struct live_source *src, uint64_t until_ms, struct record *r, struct err *err)
{
	src->until_ms = until_ms;
	return source_next(&src->source, r, err);
}

static void live_free(struct source *source)
{
	live_source_free((struct live_source *)source);
}

struct live_source *live_source_new(void)
{
	static const struct source_ops ops = {
		.next = live_next, .next_raw = live_next_raw, .free = live_free};
	struct live_source *src = NEW(struct live_source);

	source_init(&src->source, &ops, &src->m);
	src->order = NEW(struct order);
	src->until_ms = UINT64_MAX;
	return src;
}
