// SPDX-License-Identifier: MIT
#include "capture/open/wall_sums.h"

#ifdef HAVE_BPF
#include "base/monotonic.h"
#include "data/record/record.h"
#include "data/wall_sum.h"
#include "os/bpf/wall.h"
#include "os/perf.h"

int wall_sums_add(struct capture *c, const struct counter *k, struct err *err)
{
	int got;

	if (k->tid >= 0 || k->cpu < 0)
		return err_set(err, ERR_UNSUPPORTED,
			       "sums of waiting are made for a command, for processes or for the "
			       "whole machine");
	if (!c->wall) {
		c->wall = bpf_wall_new(c->opts.restricted, err);
		if (c->wall)
			buf_str(&c->notices,
				"[ perf record: BPF programs sum up the scheduler ]\n");
	}
	c->wall_refused = !c->wall;
	if (!c->wall)
		return -1;
	got = perf_set_bpf(k->fd, bpf_wall_clock(c->wall));
	return got ? err_sys(err, -got, "cannot let a BPF program count '%s'", k->event->name) : 0;
}

int wall_sums_follow(struct capture *c, int tid, bool on_exec)
{
	return bpf_wall_follow(c->wall, tid, on_exec);
}

void wall_sums_release(struct capture *c)
{
	bpf_wall_free(c->wall);
	c->wall = NULL;
}

struct wall_writer {
	struct capture *c;
	const struct event *clock;
	struct buf *out;
	uint64_t now;
	uint64_t frames[WALL_FRAMES], chain[2 * WALL_FRAMES + 2];
};

static enum wall_sum_kind wall_kind_of(const struct wall_sum_key *key)
{
	switch (key->state) {
	case WALL_SUM_ON_CPU:
		return WALL_SUM_KIND_ON_CPU;
	case WALL_SUM_PREEMPTED:
		return WALL_SUM_KIND_PREEMPTED;
	case WALL_SUM_THROTTLED:
		return WALL_SUM_KIND_THROTTLED;
	case WALL_SUM_NEW:
		return WALL_SUM_KIND_NEW;
	case WALL_SUM_STOPPED:
		return key->woken ? WALL_SUM_KIND_STOPPED : WALL_SUM_KIND_OFF_CPU;
	case WALL_SUM_BLOCKED:
		return key->woken ? WALL_SUM_KIND_BLOCKED : WALL_SUM_KIND_OFF_CPU;
	default:
		return WALL_SUM_KIND_OFF_CPU;
	}
}

/* Makes the call chain of a row; returns its number of words. */
static size_t wall_chain_make(struct wall_writer *w, const struct wall_sum_key *key)
{
	size_t n = 0;

	for (int user = 0; user <= 1; user++) {
		const size_t got = bpf_wall_stack(
			w->c->wall, user, user ? key->user_stack : key->kernel_stack, w->frames);

		if (!got)
			continue;
		w->chain[n++] = user ? CONTEXT_USER : CONTEXT_KERNEL;
		for (size_t i = 0; i < got; i++)
			w->chain[n++] = w->frames[i];
	}
	return n;
}

static void wall_write_sample(struct wall_writer *w, const struct wall_sum_key *key,
			      const struct wall_sum *sum, enum wall_sum_kind kind, uint64_t ns)
{
	const struct wall_sum_raw raw = {.version = WALL_SUM_VERSION,
					 .kind = kind,
					 .waker_pid = key->waker_pid,
					 .waker_tid = key->waker,
					 .times = sum->times,
					 .last = sum->last};
	const size_t n = wall_chain_make(w, key);
	const uint64_t id = w->clock->ids.n ? w->clock->ids.at[0] : 0;
	struct record r = {
		.header = {.type = RECORD_SAMPLE,
			   .misc = n && w->chain[0] == CONTEXT_KERNEL ? MISC_KERNEL : MISC_USER},
		.sample = {.type = w->clock->attr.sample_type,
			   .ip = n ? w->chain[1] : 0,
			   .pid = key->pid,
			   .tid = key->tid,
			   .time = w->now,
			   .id = id,
			   .stream_id = id,
			   .period = ns,
			   .callchain_nr = n,
			   .callchain = w->chain,
			   .raw_size = WALL_SUM_RAW_SIZE,
			   .raw = (const uint8_t *)&raw}};

	if (!ns || record_encode(&r, 0, true, w->out))
		return;
	w->c->samples++;
}

static void wall_tell_lost(struct capture *c)
{
	struct bpf_wall_lost lost;

	bpf_wall_lost(c->wall, &lost);
	if (lost.sums)
		buf_printf(&c->notices,
			   "BPF programs had no room to sum up %llu times of threads, %.3f s.\n",
			   (unsigned long long)lost.sums, (double)lost.ns / 1e9);
	if (lost.stacks)
		buf_printf(&c->notices, "BPF programs had no room for %llu stacks of threads.\n",
			   (unsigned long long)lost.stacks);
}

int capture_write_sums(struct capture *c, struct buf *out, struct err *err)
{
	struct wall_writer w = {.c = c, .out = out};
	struct wall_sum_key key;
	struct wall_sum sum;
	bool begun = false;
	int got;

	if (!c->wall)
		return 0;
	got = bpf_wall_end(c->wall);
	if (got)
		return err_sys(err, -got, "cannot read the sums of waiting");
	for (size_t i = 0; i < c->events->events.n; i++)
		if (c->events->events.at[i]->sums_wall)
			w.clock = c->events->events.at[i];
	w.now = monotonic_ns();
	while (w.clock && bpf_wall_next(c->wall, &begun, &key, &sum)) {
		const enum wall_sum_kind kind = wall_kind_of(&key);

		wall_write_sample(&w, &key, &sum, kind, sum.ns);
		wall_write_sample(&w, &key, &sum, WALL_SUM_KIND_WOKEN, sum.ready_ns);
	}
	if (!c->first_time)
		c->first_time = w.now;
	c->last_time = w.now;
	wall_tell_lost(c);
	return 0;
}
#else
int wall_sums_add(struct capture *c, const struct counter *k, struct err *err)
{
	(void)c;
	(void)k;
	err_set(err, ERR_UNSUPPORTED, "this perf was built without BPF: no sums of waiting");
	return err_hint(err, "clang, bpftool and libbpf-dev have to be there when perf is built.");
}

int wall_sums_follow(struct capture *c, int tid, bool on_exec)
{
	(void)c;
	(void)tid;
	(void)on_exec;
	return 0;
}

int capture_write_sums(struct capture *c, struct buf *out, struct err *err)
{
	(void)c;
	(void)out;
	(void)err;
	return 0;
}

void wall_sums_release(struct capture *c)
{
	(void)c;
}
#endif
