// SPDX-License-Identifier: MIT
#include "view/convert/convert.h"

struct converting {
	struct convert *c;
	const struct convert_format *format;
};

static int convert_take(struct replay *rp, const struct record *r)
{
	struct converting *w = rp->ctx;
	const struct thread *t;

	if (r->header.type != RECORD_SAMPLE)
		return w->format->other ? w->format->other(w->c, r) : REPLAY_GO;
	if (!r->event)
		return REPLAY_GO;
	t = replay_thread(rp, r->sample.pid, r->sample.tid);
	w->c->samples++;
	w->c->bytes += r->header.size;
	script_frames_bound(&w->c->frames);
	return w->format->sample(w->c, r, t, world_epoch(rp->world, t, rp->time));
}

int convert_run(struct convert *c, const struct convert_format *format, struct err *err)
{
	static const struct replay_analysis analysis = {.any = convert_take};
	struct converting w = {c, format};
	struct replay rp;
	int failed;

	c->err = err;
	world_present_only(c->world);
	script_frames_init(&c->frames, c->world, c->rec);
	replay_init(&rp, c->rec, c->world, &analysis, &w);
	rp.filter = c->filter;
	rp.reading.split_reads = true;
	rp.reading.join_chains = true;
	failed = replay_run(&rp, err);
	replay_release(&rp);
	script_frames_release(&c->frames);
	return failed;
}

bool convert_wall_offset(const struct recording *rec, int64_t *ns)
{
	*ns = (int64_t)(rec->m.clock.wall_ns - rec->m.clock.clock_ns);
	return rec->m.clock.wall_ns != 0;
}
