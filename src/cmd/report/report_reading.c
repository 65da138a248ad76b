// SPDX-License-Identifier: MIT
#include "cmd/report/report_reading.h"

#include "analysis/waits/waits.h"

static int read_wall(struct report_reading *r, struct err *err)
{
	struct wall *wall = &r->plan->wall;
	struct wall_delayed delayed = {0};
	int got = 0;

	if (samples_have(r->samples, COL_TASK) && !r->plan->tasks.pairs.n)
		return err_set(err, ERR_USAGE, "the key 'task' needs '--pair BEGIN,END'");
	wall->tasks = r->plan->tasks.pairs.n ? &r->plan->tasks : NULL;
	if (samples_have(r->samples, COL_DELAY)) {
		AUTO(world) *world = NULL;

		if (r->rec->is_pipe)
			return err_set(
				err, ERR_USAGE,
				"the key 'delayed' reads a recording twice: not from a pipe");
		world = world_of_recording(r->rec, &r->plan->symbols);
		got = waits_read_delayed(&delayed, r->rec, world, err);
		wall->delayed = &delayed;
	}
	if (!got)
		got = wall_read(wall, r->samples, r->rec, r->how.other, r->how.ctx, err);
	wall->delayed = NULL;
	wall_delayed_release(&delayed);
	return got;
}

static int read_samples(struct report_reading *r, struct err *err)
{
	if (r->o->wall)
		return read_wall(r, err);
	return samples_read(r->samples, r->rec, &r->how, err);
}

static void all_are_read(struct report_reading *r)
{
	struct report_plan *plan = r->plan;

	if (plan->wall.interval)
		wait_lanes_end(&plan->lanes);
	report_plan_groups(plan, r->o, &r->rec->m.events);
	samples_settle(r->samples);
	plan->view.lost_samples = r->o->wall ? plan->wall.lost_samples : r->how.lost_samples;
	plan->view.wall = r->o->wall ? &plan->wall : NULL;
}

int report_read(struct report_reading *r, struct err *err)
{
	if (read_samples(r, err))
		return -1;
	all_are_read(r);
	return 0;
}

static void note_progress(void *ctx, double share, uint64_t bytes)
{
	struct report_reading *r = ctx;

	(void)bytes;
	r->share = share;
	baton_offer(r->baton);
}

static void reading_pause(void *ctx)
{
	const struct report_reading *r = ctx;

	baton_offer(r->baton);
}

static void reading_work(struct baton *b, void *ctx)
{
	struct report_reading *r = ctx;

	(void)b;
	r->got = read_samples(r, &r->err);
}

int report_reading_begin(struct report_reading *r, struct err *err)
{
	r->baton = baton_new(reading_work, r, err);
	if (!r->baton)
		return -1;
	r->rec->how.progress = note_progress;
	r->rec->how.progress_ctx = r;
	r->how.pause = reading_pause;
	r->how.pause_ctx = r;
	return 0;
}

void report_reading_stop(struct report_reading *r)
{
	if (!r->baton)
		return;
	r->rec->stop = true;
	baton_free(r->baton);
	r->baton = NULL;
}

int report_reading_end(struct report_reading *r, struct err *err)
{
	baton_free(r->baton);
	r->baton = NULL;
	r->rec->how.progress = NULL;
	if (r->got) {
		*err = r->err;
		return -1;
	}
	all_are_read(r);
	return 0;
}

void report_account(struct recording *rec, const struct table_losses *l)
{
	losses_add_frames(&rec->m.losses, l->frames);
	losses_add_bare(&rec->m.losses, l->chains_bare, l->chains_seen);
	if (l->chains_cut)
		losses_add(&rec->m.losses, LOSS_CHAIN_CUT, l->chains_cut, 0);
}
