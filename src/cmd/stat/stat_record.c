// SPDX-License-Identifier: MIT
/* perf stat record: counts like perf stat, and writes a recording. */
#include "cmd/stat/stat_opts.h"

#include "capture/record/stat_recorder.h"

#include <sys/stat.h>
#include <unistd.h>

static const uint64_t recorded_as[] = {
	[STAT_GLOBAL] = STAT_AGGR_GLOBAL, [STAT_CPU] = STAT_AGGR_NONE,
	[STAT_CORE] = STAT_AGGR_CORE,	  [STAT_DIE] = STAT_AGGR_DIE,
	[STAT_SOCKET] = STAT_AGGR_SOCKET, [STAT_NODE] = STAT_AGGR_NODE,
	[STAT_THREAD] = STAT_AGGR_THREAD,
	/* perf 6.1 has no number for these; stat report can choose them again */
	[STAT_CLUSTER] = STAT_AGGR_GLOBAL, [STAT_CACHE] = STAT_AGGR_GLOBAL,
};

struct listening {
	struct stat_recorder *recorder;
	bool intervals;
};

static int listen_begin(void *ctx, struct event_set *events, const struct counts *shape,
			struct err *err)
{
	return stat_recorder_begin(((struct listening *)ctx)->recorder, events, shape, err);
}

/* With intervals, the last interval already holds the final counts. */
static int listen_round(void *ctx, const struct counts *counts, uint64_t time_ns, bool final,
			struct err *err)
{
	struct listening *l = ctx;

	if (final && l->intervals)
		return 0;
	return stat_recorder_round(l->recorder, counts, time_ns, final, err);
}

static bool stdout_is_pipe(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode);
}

static int cmd_stat_record_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct stat_opts *o = v;
	struct stat_recorder_options ro = {
		.path = o->output ? o->output : stdout_is_pipe() ? "-" : "perf.data",
		.aggr = recorded_as[o->aggr], .interval_ms = o->interval, .scale = !o->no_scale,
		.facts = {.argc = env->argc, .argv = env->argv, .version = PERF_VERSION,
			  .proc_root = "/proc", .sys_root = "/sys"}};
	struct listening l = {.intervals = o->interval > 0};
	const struct stat_listener listener = {listen_begin, listen_round, &l};
	AUTO(stat_recorder) *recorder = NULL;
	int status;

	(void)argc;
	if (o->runs_given && o->runs != 1)
		return err_set(err, ERR_UNSUPPORTED, "Cannot use -r option with perf stat record.");
	if (o->iostat)
		return err_set(err, ERR_UNSUPPORTED,
			       "a recording of counts does not know of ports: record the events "
			       "of 'uncore_iio_*' instead of '--iostat'");
	recorder = stat_recorder_new(&ro, err);
	if (!recorder)
		return -1;
	l.recorder = recorder;
	status = stat_run(env, o, argv, &listener, err);
	if (stat_recorder_end(recorder, status < 0 ? NULL : err))
		return -1;
	return status;
}

static const char *const usage[] = {"stat record [<options>] [<command>]", NULL};

const struct cmd cmd_stat_record = {
	.name = "record",
	.usage = usage,
	.groups = stat_opt_groups,
	.stop_at_word = true,
	.run = cmd_stat_record_run,
};
