// SPDX-License-Identifier: MIT
/* Translates stat's options for counting, rows and view. */
#include "cmd/stat/stat_opts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void stat_plan_tell(const char *text)
{
	fputs(text, stderr);
}

/* Flushes each text: later output may never come. */
static void debug(void *stream, const char *text)
{
	fputs(text, stream);
	fflush(stream);
}

static int wrong(struct err *err, const char *text)
{
	return err_set(err, ERR_USAGE, "%s", text);
}

static int check_output(const struct stat_opts *o, struct err *err)
{
	if (stat_opts_check_form(o, err))
		return -1;
	if (o->output && o->log_fd_given)
		return wrong(err, "cannot use both --output and --log-fd");
	if (o->interval_clear && (o->output || o->log_fd_given || !isatty(STDERR_FILENO)))
		return wrong(err, "--interval-clear does not work with output");
	if (o->separator && o->big_numbers_given && o->big_numbers)
		return wrong(err, "-B option not supported with -x");
	if (o->metric_only && o->aggr == STAT_THREAD)
		return wrong(err, "--metric-only is not supported with --per-thread");
	if (o->metric_only && o->runs > 1)
		return wrong(err, "--metric-only is not supported with -r");
	return 0;
}

static int check_time(const struct stat_opts *o, struct err *err)
{
	if (o->runs < 0)
		return wrong(err, "Run count must be a positive number");
	if (o->table && o->runs <= 1)
		return wrong(err, "--table is only supported with -r");
	if (o->runs_given && o->runs != 1 && o->interval)
		return wrong(err, "-r and -I cannot be used together");
	if (o->intervals && !o->interval)
		return wrong(err,
			     "interval-count option should be used together with interval-print.");
	if (o->interval_clear && !o->interval)
		return wrong(err, "--interval-clear should be used together with -I");
	if (o->timeout && o->interval)
		return wrong(err, "timeout option is not supported with interval-print.");
	if (o->timeout && o->timeout < 10)
		return wrong(err, "timeout must be >= 10ms.");
	if (o->delay < -1)
		return wrong(err, "-D takes ms, or -1");
	return 0;
}

static bool has_cgroups(const struct stat_opts *o)
{
	for (size_t i = 0; i < o->selects.n; i++)
		if (o->selects.at[i].kind == SELECT_CGROUPS)
			return true;
	return false;
}

static int check_target(const struct stat_opts *o, struct err *err)
{
	const struct target_options *t = &o->target;
	bool machine = t->system_wide || t->cpus;

	if (o->aggr == STAT_THREAD && !t->pids && !t->tids && (!t->system_wide || t->cpus))
		return wrong(err, "The --per-thread option is only available when monitoring via "
				  "-p -t -a options or only --per-thread.");
	if (has_cgroups(o) && o->each_cgroup)
		return wrong(err, "--cgroup and --for-each-cgroup cannot be used together");
	if (!machine && ((o->aggr != STAT_GLOBAL && o->aggr != STAT_THREAD) || has_cgroups(o) ||
			 o->each_cgroup))
		return wrong(err, "both cgroup and no-aggregation modes only available in "
				  "system-wide mode");
	if (o->all_user && o->all_kernel)
		return wrong(err, "option `all-kernel' cannot be used with all-user");
	return 0;
}

static int check_possible(const struct stat_opts *o, struct err *err)
{
	if (o->iostat && stat_ports_check(o, err))
		return -1;
	if (o->tpebs || o->tpebs_mode) {
		err_set(err, ERR_UNSUPPORTED, "retirement latencies (TPEBS) are not possible here");
		return err_hint(err, "leave out --record-tpebs and --tpebs-mode");
	}
	return 0;
}

/* Of two given targets, keeps the narrower one and warns. */
static void narrow(struct target_options *t, bool quiet)
{
	if (!t->pids && !t->tids)
		return;
	if (!quiet && t->cpus)
		stat_plan_tell("PID/TID switch overriding CPU\n");
	else if (!quiet && t->system_wide)
		stat_plan_tell("PID/TID switch overriding SYSTEM\n");
	t->system_wide = false;
	t->cpus = NULL;
}

static void plan_run(const struct stat_opts *o, const struct env *env, char **argv,
		     struct count_run_options *run)
{
	bool machine;

	*run = (struct count_run_options){
		.target = o->target,
		.command = argv && argv[0] ? argv : NULL,
		.interval_ms = o->interval,
		.intervals = o->intervals,
		.timeout_ms = o->timeout,
		.delay_ms = o->delay,
		.control = o->control,
		.runs = (uint64_t)o->runs,
		.sync = o->sync,
		.pre = o->pre,
		.post = o->post,
		.tell = o->quiet ? NULL : stat_plan_tell,
		.count = {.inherit = !o->no_inherit,
			  .per_thread = o->aggr == STAT_THREAD,
			  .all_user = o->all_user,
			  .all_kernel = o->all_kernel,
			  .bpf_counters = o->bpf_counters,
			  .no_bpf = o->bpf_counters_given && !o->bpf_counters,
			  .bpf_attr_map = o->bpf_attr_map,
			  .bpf_programs = o->bpf_programs,
			  .explain = o->verbose > 0,
			  .proc_root = "/proc",
			  .sys_root = "/sys"}};
	narrow(&run->target, o->quiet);
	if (o->bpf_programs || (o->iostat && !run->target.cpus) ||
	    (target_is_command(&run->target) && !run->command))
		run->target.system_wide = true;
	machine = run->target.system_wide || run->target.cpus;
	if (machine && o->aggr == STAT_THREAD) {
		run->target.system_wide = false;
		run->target.all_threads = true;
		machine = false;
	}
	/* a task's counter follows it, so that one counter serves all CPUs */
	run->target.per_thread = !machine;
	if (!o->quiet && (o->verbose > 1 || env->show_opens))
		run->count.opens = (struct debug_lines){debug, env->debug};
}

static void plan_view(const struct stat_opts *o, const struct stat_plan *plan, struct stat_view *v)
{
	const struct target_options *t = &plan->run.target;

	*v = (struct stat_view){
		.form = stat_opts_form(o),
		.separator = stat_separator(o),
		.big_numbers = o->big_numbers && !o->separator, .metric_only = o->metric_only,
		.no_csv_summary = o->no_csv_summary, .interval_clear = o->interval_clear,
		.table = o->table, .interval = o->interval > 0, .summary = o->summary,
		.aggr = o->aggr,
		.runs = (uint64_t)o->runs,
		.command = plan->run.command, .pids = t->pids, .tids = t->tids, .cpus = t->cpus,
		.bpf_programs = o->bpf_programs,
		.system_wide = t->system_wide || t->all_threads,
		.times = o->runs == 1 && plan->run.command &&
			 target_is_command(o->iostat ? &o->target : t)};
}

int stat_plan(struct stat_opts *o, const struct env *env, char **argv, struct stat_plan *plan,
	      struct err *err)
{
	if (check_output(o, err) || check_time(o, err) || check_target(o, err) ||
	    check_possible(o, err))
		return -1;
	if (o->timeout && o->timeout < 100 && !o->quiet)
		stat_plan_tell("timeout < 100ms. The overhead percentage could be high in some "
			       "cases. Please "
			       "proceed with caution.\n");
	plan_run(o, env, argv, &plan->run);
	plan_view(o, plan, &plan->view);
	plan->rows = (struct stat_options){
		.aggr = o->aggr, .cache_level = o->cache_level, .no_scale = o->no_scale,
		.no_merge = o->no_merge, .hybrid_merge = o->hybrid_merge,
		.percore_show_thread = o->percore_show_thread, .metric_only = o->metric_only,
		.skip_zero = plan->run.target.all_threads, .topdown_level = o->topdown_level};
	return 0;
}
