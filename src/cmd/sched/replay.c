// SPDX-License-Identifier: MIT
#include "cmd/sched/sched_opts.h"
#include "view/sched/sched.h"

#define AT(field) offsetof(struct sched_opts, field)

static const struct opt options[] = {
	{OPT_INT, 'r', "repeat", AT(repeat), "n",
	 "repeat the workload replay N times (-1: infinite)"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {sched_opts, 0}, {0}};

static int cmd_replay_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct sched_opts *o = v;
	AUTO(recording) *rec = NULL;
	AUTO(world) *world = NULL;
	struct workload_view view = {.out = env->out};
	struct workload_clock clock;
	struct workload w = {0};
	int status = -1;

	if (sched_instead(o, env, argc, argv, &status, err))
		return status;
	rec = sched_open(o, env, err);
	if (!rec)
		return -1;
	world = world_of_recording(rec, &o->symbols);
	workload_clock_measure(&clock);
	workload_show_clock(&clock, env->out);
	if (!workload_read(&w, rec, world, err) && !sched_check(rec, err)) {
		workload_show(&w, env->out);
		status = workload_reenact(&w, &clock, o->repeat, workload_show_time, &view, err);
	}
	workload_release(&w);
	return status ? -1 : sched_account(o, rec, "runs and wake-ups", 0, 0, err);
}

static const char *const usage[] = {"sched replay [<options>] [<command>]", NULL};

const struct cmd cmd_sched_replay = {
	.name = "replay",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.run = cmd_replay_run,
};
