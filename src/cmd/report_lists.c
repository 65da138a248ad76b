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

int report_tasks(struct recording *rec, const struct report_opts *o, struct out *out,
		 struct err *err)
{
	AUTO(world) *w = world_new(rec, &o->files);
	AUTO(source) *src = source_open(rec, SOURCE_SIDE_BAND, err);
	struct record r;
	int got = src ? 0 : -1;

	while (src && (got = source_next(src, &r, err)) > 0)
		world_add(w, &r, record_time(rec, &r));
	return got ? -1 : tasks_show(w, o->mmaps, out, err);
}

int report_dump(struct recording *rec, const struct report_opts *o, struct out *out,
		struct err *err)
{
	AUTO(world) *w = world_new(rec, &o->files);

	world_present_only(w);
	return dump_all(rec, w, !o->skip_empty, out, err);
}
