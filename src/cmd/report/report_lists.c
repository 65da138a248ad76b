// SPDX-License-Identifier: MIT
#include "cmd/report/report_lists.h"
#include "view/dump/dump.h"
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

/* Tasks are known by what is said of them alone: a map does not make one. */
static bool tells_of_tasks(const struct record *r, bool maps)
{
	switch (r->header.type) {
	case RECORD_COMM:
	case RECORD_FORK:
	case RECORD_EXIT:
		return true;
	case RECORD_MMAP:
	case RECORD_MMAP2:
		return maps;
	default:
		return false;
	}
}

int report_tasks(struct recording *rec, const struct report_opts *o, struct out *out,
		 struct err *err)
{
	AUTO(world) *w = world_of_recording(rec, &o->files);
	AUTO(source) *src = source_open(rec, SOURCE_SIDE_BAND, err);
	struct record r;
	int got = src ? 0 : -1;

	while (src && (got = source_next(src, &r, err)) > 0)
		if (tells_of_tasks(&r, o->mmaps))
			world_add(w, &r, record_time(&rec->m, &r));
	return got ? -1 : tasks_show(w, o->mmaps, out, err);
}

int report_dump(struct recording *rec, const struct report_opts *o, struct out *out,
		struct err *err)
{
	AUTO(world) *w = world_of_recording(rec, &o->files);

	world_present_only(w);
	return dump_all(rec, w, !o->skip_empty, out, err);
}
