// SPDX-License-Identifier: MIT
#include "cmd/report_lists.h"
#include "view/dump.h"
#include "view/stats.h"
#include "view/tasks.h"

int report_stats(struct recording *rec, const struct report_opts *o, struct out *out,
		 struct err *err)
{
	struct stats stats = {0};
	int got = stats_read(&stats, rec, err);

	if (!got)
		stats_show(&stats, rec, !o->skip_empty, out);
	stats_release(&stats);
	return got;
}

static void dump_place(struct world *w, const struct recording *rec, const struct record *r,
		       struct out *out)
{
	uint64_t time = record_time(rec, r);
	struct thread *thread = world_thread(w, r->sample.pid, r->sample.tid, time);
	struct place place;
	const char *dso;

	if (!r->event || !thread)
		return;
	place = world_place(w, world_epoch(w, thread, time), r->header.misc & MISC_CPUMODE_MASK,
			    r->sample.ip);
	dso = place.dso ? place.dso->long_name
			: place.level == 'H' ? "[hypervisor]" : "<not found>";
	dump_sample_place(world_comm(w, thread, time), thread->tid, dso, out);
}

/* Reads all of it into a world; shows the records when dump is set. */
static int read_all(struct recording *rec, struct world *w, bool dump, struct out *out,
		    struct err *err)
{
	AUTO(source) *src = source_open(rec, SOURCE_ORDERED, err);
	struct record r;
	int got = src ? 0 : -1;

	while (src && (got = source_next(src, &r, err)) > 0) {
		if (dump)
			dump_record(rec, &r, DUMP_REPORT, out);
		world_add(w, &r, record_time(rec, &r));
		if (dump && r.header.type == RECORD_SAMPLE)
			dump_place(w, rec, &r, out);
		if (!out_ready(out))
			return 0;
	}
	return got;
}

int report_tasks(struct recording *rec, const struct report_opts *o, struct out *out,
		 struct err *err)
{
	AUTO(world) *w = world_new(rec, &o->files);

	if (read_all(rec, w, o->dump, out, err))
		return -1;
	return tasks_show(w, o->mmaps, out, err);
}

int report_dump(struct recording *rec, const struct report_opts *o, struct out *out,
		struct err *err)
{
	AUTO(world) *w = NULL;

	if (o->tasks || o->mmaps)
		return report_tasks(rec, o, out, err);
	w = world_new(rec, &o->files);
	if (read_all(rec, w, true, out, err))
		return -1;
	return rec->is_pipe ? 0 : report_stats(rec, o, out, err);
}
