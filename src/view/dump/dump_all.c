// SPDX-License-Identifier: MIT
#include "view/dump/dump.h"
#include "view/stats.h"
#include "world/replay/replay.h"

struct dumping {
	struct out *out;
	enum dump_for who;
	struct stats stats;
	struct read_split split;
};

static void show_place(struct world *w, const struct record *r, struct out *out)
{
	struct thread *t = world_thread(w, r->id.pid, r->id.tid, WORLD_NOW);
	struct place at = {0};

	if (r->sample.type & SAMPLE_IP)
		at = world_place(w, world_epoch(w, t, WORLD_NOW),
				 r->header.misc & MISC_CPUMODE_MASK, r->sample.ip);
	dump_sample_place(world_comm(w, t, WORLD_NOW), t->tid,
			  at.dso		? at.dso->long_name
			  : at.level == 'H' ? "[hypervisor]"
					    : "<not found>",
			  out);
}

/* Counts branches as samples, as report does, when they were recorded, and not as call stacks. */
static void count_branches(struct stats *stats, const struct record *r)
{
	if (r->sample.type & SAMPLE_BRANCH_STACK &&
	    !(r->event->attr.branch_sample_type & BRANCH_CALL_STACK))
		stats->events.at[r->event->index].samples += r->sample.branch_nr - 1;
}

/* Shows the place of a sample, once for each event that the sample counts for. */
static void show_places(struct world *w, const struct recording *rec, struct read_split *split,
			const struct record *r, struct out *out)
{
	struct event *ev;
	uint64_t period;

	for (uint64_t i = 0; read_split_next(split, &rec->m.events, r, &i, &ev, &period);)
		show_place(w, r, out);
}

static int dump_take(struct replay *rp, const struct record *r)
{
	struct dumping *d = rp->ctx;

	stats_add(&d->stats, rp->rec, r);
	dump_record(rp->rec, r, d->who, d->out);
	if (r->header.type == RECORD_SAMPLE)
		show_places(rp->world, rp->rec, &d->split, r, d->out);
	if (r->header.type == RECORD_SAMPLE && !read_split_needed(r->event))
		count_branches(&d->stats, r);
	return d->out->failed ? REPLAY_STOP : REPLAY_GO;
}

int dump_all(struct recording *rec, struct world *w, const struct dump_how *how, struct out *out,
	     struct err *err)
{
	static const struct replay_analysis analysis = {.any = dump_take};
	struct dumping d = {.out = out,
			    .who = how->for_diff     ? DUMP_DIFF
				   : how->file_order ? DUMP_REPORT_UNSORTED
						     : DUMP_REPORT};
	struct replay rp;
	int failed;

	replay_init(&rp, rec, w, &analysis, &d);
	if (how->file_order)
		rp.reading.mode = SOURCE_FILE_ORDER;
	failed = replay_run(&rp, err);
	replay_release(&rp);
	/* perf counts lost samples for --stats only */
	for (size_t i = 0; i < d.stats.events.n; i++)
		d.stats.events.at[i].lost = 0;
	if (!failed && !out->failed && !how->for_diff)
		stats_show(&d.stats, rec, how->empty, out);
	stats_release(&d.stats);
	read_split_release(&d.split);
	return failed;
}
