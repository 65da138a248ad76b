// SPDX-License-Identifier: MIT
/* What --wall can't be combined with. */
#include "cmd/record/record_wall.h"

static int wall_check_source(const struct record_opts *o, struct err *err)
{
	static const char *const sources[] = {WALL_ANY, BPF_SOURCE, SUMS_SOURCE, TRACEPOINTS_SOURCE,
					      SWITCHES_SOURCE};
	bool known = false;

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		known |= wall_names(o, sources[i]);
	if (known)
		return 0;
	err_set(err, ERR_USAGE, "'%s' is not a source of waiting", o->wall);
	return err_hint(err, "--wall=bpf, --wall=sums, --wall=tracepoints or --wall=switches; "
			     "without a value the best that is allowed");
}

/* An option, and whether it was given. */
struct wall_option {
	bool given;
	const char *name;
};

/* Refuses the first of n options that was given beside wall. */
static int wall_refuse(const struct wall_option *options, size_t n, const char *wall,
		       const char *hint, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		if (!options[i].given)
			continue;
		err_set(err, ERR_USAGE, "'%s' and '%s' exclude each other", options[i].name, wall);
		return err_hint(err, "%s", hint);
	}
	return 0;
}

/* Sums have neither times nor more than the kernel finds by itself. */
static int wall_check_sums(const struct record_opts *o, struct err *err)
{
	const struct wall_option options[] = {
		{o->target.cpus, "-C"},
		{o->target.tids, "-t"},
		{o->target.user, "-u"},
		{o->target.per_thread, "--per-thread"},
		{o->no_inherit, "--no-inherit"},
		{o->delay.given, "-D"},
		{o->control.text, "--control"},
		{o->rotation.on, "--switch-output"},
		{o->sampling.overwrite, "--overwrite"},
		{o->sampling.use_clockid, "-k"},
		{o->sampling.inherit_stat, "-s"},
		{o->sampling.defer, "--call-graph fp,defer"},
		{o->sampling.callgraph && o->sampling.callgraph != CALLGRAPH_FP,
		 "--call-graph dwarf"},
		{o->pairs.n, "--pair"},
	};

	return wall_refuse(options, ARRAY_SIZE(options), "--wall=sums",
			   "--wall=bpf records each time that a thread waits", err);
}

int record_wall_check(const struct record_opts *o, struct err *err)
{
	const struct wall_option options[] = {
		{o->selects.n, "-e"},
		{o->period, "-c"},
		{o->sampling.no_samples, "-n"},
		{o->probe_budget, "--probe-budget"},
		{o->sampling.group, "--group"},
		{o->sampling.all_user, "--all-user"},
		{o->sampling.all_kernel, "--all-kernel"},
		{o->timestamp_given && !o->timestamp, "--no-timestamp"},
		{o->sample_period_given && !o->sample_period, "--no-period"},
	};

	if (wall_check_source(o, err) || (wall_names(o, SUMS_SOURCE) && wall_check_sums(o, err)))
		return -1;
	return wall_refuse(options, ARRAY_SIZE(options), "--wall",
			   "--wall records a clock and what the scheduler does", err);
}
