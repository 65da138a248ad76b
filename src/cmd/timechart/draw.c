// SPDX-License-Identifier: MIT
#include "cmd/timechart/timechart_opts.h"

#include "cmd/options/opts_filter.h"
#include "data/feature/recording_topology.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int draw_check(const struct recording *rec, struct err *err)
{
	bool any = false;

	if (input_lost_tracepoints(rec, err))
		return -1;
	for (size_t i = 0; i < rec->m.events.events.n; i++)
		any |= rec->m.events.events.at[i]->attr.type == TYPE_TRACEPOINT;
	if (!any)
		return err_set(err, ERR_INPUT,
			       "No trace sample to read. Did you call 'perf timechart record'?");
	return 0;
}

static int draw_write(const struct timechart_opts *o, struct timechart *t, struct out *shown,
		      struct err *err)
{
	struct out file;
	int fd, status;

	if (!strcmp(o->output, "-")) {
		timechart_show(&o->view, t, shown);
		return 0;
	}
	fd = open(o->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return err_sys(err, errno, "cannot write '%s'", o->output);
	out_init(&file, fd);
	timechart_show(&o->view, t, &file);
	status = out_end(&file, err);
	out_release(&file);
	close(fd);
	return status;
}

/* part: what is drawn; NULL: all of the time. */
static int draw_recording(struct env *env, struct timechart_opts *o, struct recording *rec,
			  struct world *world, const struct time_range *part, struct err *err)
{
	struct script_frames frames;
	const struct timechart_options how = {.chain = timechart_chain_text,
					      .chain_ctx = &frames,
					      .io_min_time = o->io_min_time,
					      .io_merge_dist = o->io_merge_dist};
	struct topology topology = {0};
	struct timechart t;
	int status = -1;

	script_frames_init(&frames, world, rec);
	frames.no_inlines = true;
	timechart_init(&t, &how);
	if (!timechart_read(&t, rec, world, err) && !draw_check(rec, err)) {
		if (part)
			timechart_clip(&t, part);
		o->view.cpu_name = rec->cpudesc;
		if (o->topology) {
			recording_topology(&topology, rec);
			o->view.topology = &topology;
		}
		status = draw_write(o, &t, env->out, err);
	}
	if (!status) {
		fprintf(stderr, "Written %2.1f seconds of trace to %s.\n",
			(double)(t.last - t.first) / 1000000000.0, o->output);
		if (t.losses)
			fprintf(stderr, "perf: records were lost %llu times: %s there\n",
				(unsigned long long)t.losses,
				t.io_events ? "calls may be missing"
					    : "tasks seem to run or wait on");
		status = input_account(rec, "perf: ", o->strict);
	}
	topology_release(&topology);
	timechart_release(&t);
	script_frames_release(&frames);
	return status;
}

int timechart_draw(struct env *env, struct timechart_opts *o, struct err *err)
{
	AUTO(recording) *rec = input_open_recording(&o->input, env->out, err);
	AUTO(world) *world = NULL;
	struct time_range part;

	if (symbol_opts_check(&o->symbols, err) || !rec ||
	    (!rec->is_pipe && draw_check(rec, err)) ||
	    (o->time && filter_opts_part(o->time, rec, &part, err)))
		return -1;
	world = world_of_recording(rec, &o->symbols);
	return draw_recording(env, o, rec, world, o->time ? &part : NULL, err);
}
