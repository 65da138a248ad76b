// SPDX-License-Identifier: MIT
#include "view/dump/dump.h"
#include "view/stats.h"

static void show_place(struct world *w, const struct record *r, struct out *out)
{
	struct thread *t = world_thread(w, r->id.pid, r->id.tid, WORLD_NOW);
	struct place at = {0};

	if (r->sample.type & SAMPLE_IP)
		at = world_place(w, world_epoch(w, t, WORLD_NOW), r->header.misc & MISC_CPUMODE_MASK,
				 r->sample.ip);
	dump_sample_place(world_comm(w, t, WORLD_NOW), t->tid,
			  at.dso		? at.dso->long_name
			  : at.level == 'H' ? "[hypervisor]"
					    : "<not found>",
			  out);
}

/* Where branches were recorded, and not as call stacks, report counts those as samples. */
static void count_branches(struct stats *stats, const struct record *r)
{
	if (r->sample.type & SAMPLE_BRANCH_STACK &&
	    !(r->event->attr.branch_sample_type & BRANCH_CALL_STACK))
		stats->events.at[r->event->index].samples += r->sample.branch_nr - 1;
}

/* Once for each event that the sample is one of. */
static void show_places(struct world *w, const struct recording *rec, struct read_split *split,
			const struct record *r, struct out *out)
{
	struct event *ev;
	uint64_t period;

	for (uint64_t i = 0; read_split_next(split, &rec->m.events, r, &i, &ev, &period);)
		show_place(w, r, out);
}

int dump_all(struct recording *rec, struct world *w, bool empty, struct out *out, struct err *err)
{
	AUTO(source) *src = source_open(rec, SOURCE_ORDERED, err);
	struct read_split split = {0};
	struct stats stats = {0};
	struct record r;
	int got;

	if (!src)
		return -1;
	while ((got = source_next(src, &r, err)) > 0) {
		stats_add(&stats, rec, &r);
		world_add(w, &r, record_time(&rec->m, &r));
		dump_record(rec, &r, DUMP_REPORT, out);
		if (r.header.type == RECORD_SAMPLE)
			show_places(w, rec, &split, &r, out);
		if (r.header.type == RECORD_SAMPLE && !read_split_needed(r.event))
			count_branches(&stats, &r);
		if (out->failed)
			break;
	}
	/* perf counts those for --stats alone */
	for (size_t i = 0; i < stats.events.n; i++)
		stats.events.at[i].lost = 0;
	if (!got)
		stats_show(&stats, rec, empty, out);
	stats_release(&stats);
	read_split_release(&split);
	return got;
}
