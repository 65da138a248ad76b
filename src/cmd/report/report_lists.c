// SPDX-License-Identifier: MIT
#include "cmd/report/report_lists.h"
#include "view/header/header.h"
#include "world/replay/replay.h"
#include "view/dump/dump.h"
#include "view/stats.h"
#include "view/tasks.h"
#include "world/replay/replay.h"

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

static int tasks_take(struct replay *rp, const struct record *r)
{
	world_add(rp->ctx, r, rp->time);
	return REPLAY_GO;
}

/* --tasks lists only tasks that have records about tasks: a map alone does not make a task. */
static const struct replay_handler task_handlers[] = {
	{RECORD_COMM, tasks_take}, {RECORD_FORK, tasks_take}, {RECORD_EXIT, tasks_take}, {0}};
static const struct replay_handler map_handlers[] = {
	{RECORD_COMM, tasks_take}, {RECORD_FORK, tasks_take},  {RECORD_EXIT, tasks_take},
	{RECORD_MMAP, tasks_take}, {RECORD_MMAP2, tasks_take}, {0}};

int report_tasks(struct recording *rec, const struct report_opts *o, struct out *out,
		 struct err *err)
{
	const struct replay_analysis tasks = {.handlers = o->mmaps ? map_handlers : task_handlers};
	AUTO(world) *w = world_of_recording(rec, &o->files);
	struct replay rp;
	int failed;

	replay_init(&rp, rec, NULL, &tasks, w);
	rp.reading.mode = SOURCE_SIDE_BAND;
	failed = replay_run(&rp, err);
	replay_release(&rp);
	return failed ? -1 : tasks_show(w, o->mmaps, out, err);
}

int report_dump(struct recording *rec, const struct report_opts *o, struct out *out,
		struct err *err)
{
	AUTO(world) *w = world_of_recording(rec, &o->files);

	const struct dump_how how = {.empty = !o->skip_empty, .file_order = o->pipe_order_off};

	world_present_only(w);
	return dump_all(rec, w, &how, out, err);
}

/* The context of pipe_header_take(). */
struct pipe_header {
	const struct recording *rec;
	const struct report_opts *o;
	struct out *out;
};

static int pipe_header_take(struct replay *rp, const struct record *r)
{
	const struct pipe_header *h = rp->ctx;

	if (!r->feature.size)
		return REPLAY_STOP;
	if (h->rec->is_pipe)
		header_feature_show(h->rec, (unsigned int)r->feature.feature, h->o->show_info,
				    h->out);
	return REPLAY_GO;
}

int report_pipe_header(struct recording *rec, const struct report_opts *o, struct out *out,
		       struct err *err)
{
	static const struct replay_handler handlers[] = {{RECORD_HEADER_FEATURE, pipe_header_take},
							 {0}};
	static const struct replay_analysis analysis = {.handlers = handlers};
	struct pipe_header header = {rec, o, out};
	struct replay rp;
	int failed;

	replay_init(&rp, rec, NULL, &analysis, &header);
	rp.reading.mode = SOURCE_FILE_ORDER;
	failed = replay_run(&rp, err);
	replay_release(&rp);
	return failed;
}
