// SPDX-License-Identifier: MIT
#include "cmd/sched/sched_opts.h"
#include "view/sched/sched.h"

#include <unistd.h>

#define AT(field) offsetof(struct sched_opts, field)

static const struct opt options[] = {
	{OPT_STRING, 0, "color-cpus", AT(colour_cpus), "cpus", "highlight given CPUs in map"},
	{OPT_STRING, 0, "color-pids", AT(colour_pids), "pids", "highlight given pids in map"},
	{OPT_BOOL, 0, "compact", AT(compact), NULL, "map output in compact mode"},
	{OPT_STRING, 0, "cpus", AT(map_cpus), "cpus", "display given CPUs in map"},
	{OPT_STRING, 0, "task-name", AT(task_names), "task[,task...]",
	 "map output only for the given task name(s)"},
	{OPT_BOOL, 0, "fuzzy-name", AT(parts), NULL, "given task name(s) can be parts of names"},
	{OPT_STRING, 0, "time", AT(time), "str", "Time span for analysis (start,stop)"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {sched_opts, 0}, {0}};

static int map_configure(const struct sched_opts *o, const struct recording *rec,
			 struct sched_map_view *v, struct err *err)
{
	v->n_cpus =
		rec->nr_cpus_avail ? rec->nr_cpus_avail : (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
	v->n_cpus = MIN(v->n_cpus, 4096u);
	if (o->parts && !o->task_names)
		return err_set(
			err, ERR_USAGE,
			"--fuzzy-name is about the names of --task-name, of which there is none");
	if (o->task_names)
		name_list_add(&v->names, o->task_names, ",");
	return (o->map_cpus && number_list_parse(&v->cpus, o->map_cpus, "cpus", err)) ||
			       (o->colour_cpus &&
				number_list_parse(&v->colour_cpus, o->colour_cpus, "cpus", err)) ||
			       (o->colour_pids &&
				number_list_parse(&v->colour_tasks, o->colour_pids, "pids", err))
		       ? -1
		       : 0;
}

static int map_show(struct env *env, const struct sched_opts *o, struct recording *rec,
		    struct sched_map_view *v, struct err *err)
{
	AUTO(world) *world = world_of_recording(rec, &o->symbols);
	struct sched_map m = {.cpus = &v->cpus};
	int failed = o->time ? filter_opts_part(o->time, rec, &m.times, err) : 0;

	v->world = world;
	if (!failed)
		failed = sched_map_read(&m, rec, world, sched_map_show_row, v, err);
	if (!failed)
		sched_lost_show(m.lost_events, m.lost_records, m.records, &env->out->buf);
	sched_map_release(&m);
	return failed ? -1 : sched_account(o, rec, "switches", 0, 0, err);
}

static int cmd_map_run(struct env *env, void *opts, int argc, char **argv, struct err *err)
{
	const struct sched_opts *o = opts;
	struct sched_map_view v = {.out = env->out,
				   .compact = o->compact,
				   .verbose = o->verbose > 0,
				   .parts = o->parts};
	AUTO(recording) *rec = NULL;
	int status = -1;

	if (sched_instead(o, env, argc, argv, &status, err))
		return status;
	rec = sched_open(o, env, err);
	if (rec && !map_configure(o, rec, &v, err))
		status = map_show(env, o, rec, &v, err);
	vec_release(&v.cpus.ranges);
	vec_release(&v.colour_cpus.ranges);
	vec_release(&v.colour_tasks.ranges);
	intern_release(&v.names.names);
	return status;
}

static const char *const usage[] = {"sched map [<options>] [<command>]", NULL};

const struct cmd cmd_sched_map = {
	.name = "map",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.pager = true,
	.run = cmd_map_run,
};
