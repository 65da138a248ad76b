// SPDX-License-Identifier: MIT
#include "cmd/record_opts.h"

#include "os/rights.h"

#include <string.h>

#define AT(member) offsetof(struct record_opts, member)

static const struct opt options[] = {
	{OPT_STRINGS, 'e', "event", AT(events), "event", "what to measure: see 'perf list'"},
	{OPT_BOOL, 'a', "all-cpus", AT(target.system_wide), NULL, "the whole machine"},
	{OPT_STRING, 'p', "pid", AT(target.pids), "pid", "running processes"},
	{OPT_STRING, 't', "tid", AT(target.tids), "tid", "running threads"},
	{OPT_STRING, 'u', "uid", AT(target.user), "user", "what a user runs"},
	{OPT_STRING, 'C', "cpu", AT(target.cpus), "cpu", "only these CPUs"},
	{OPT_STRING, 'F', "freq", AT(frequency), "freq or 'max'", "samples a second"},
	{OPT_U64, 'c', "count", AT(period), "n", "events a sample"},
	{OPT_BOOL, 'g', NULL, AT(callgraph), NULL, "with call chains"},
	{OPT_STRING, 'o', "output", AT(output), "file", "where to write; - is standard output"},
	{OPT_BOOL, 'i', "no-inherit", AT(no_inherit), NULL, "without children and new threads"},
	{OPT_BOOL, 'q', "quiet", AT(quiet), NULL, "no messages"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "more messages"},
	{0},
};

const struct opt_group record_opt_groups[] = {{options, 0}, {0}};

int record_plan(const struct record_opts *opts, const struct env *env, char **argv,
		struct recorder_options *out, struct event_set *events, struct err *err)
{
	struct event *ev;
	uint64_t frequency = 4000;

	*out = (struct recorder_options){
		.target = opts->target,
		.path = opts->output ? opts->output : "perf.data",
		.argc = env->argc,
		.argv = env->argv,
		.version = PERF_VERSION,
		.command = argv && argv[0] ? argv : NULL,
	};
	if (opts->frequency && strcmp(opts->frequency, "max") &&
	    parse_u64(opts->frequency, &frequency))
		return err_set(err, ERR_USAGE, "'%s' is not a frequency", opts->frequency);
	if (target_is_command(&opts->target) && !out->command)
		out->target.system_wide = true;
	out->sampling = (struct sampling){
		.frequency = opts->period ? 0 : frequency,
		.period = opts->period,
		.rate_given = opts->period || opts->frequency,
		.inherit = !opts->no_inherit && !opts->target.tids,
		.callgraph = opts->callgraph ? CALLGRAPH_FP : CALLGRAPH_NONE,
		.bpf_events = true,
		.system_wide = out->target.system_wide || opts->target.cpus,
		.starts_command = target_is_command(&out->target),
		.max_frequency = (uint64_t)rights_sysctl("/proc", "perf_event_max_sample_rate", 0),
	};
	if (opts->frequency && !strcmp(opts->frequency, "max"))
		out->sampling.frequency = out->sampling.max_frequency;
	out->rings.build_ids = true;
	out->synth = (struct synth_options){.tasks = true, .maps = true, .build_ids = true,
					    .map_timeout_ms = 500, .proc_root = "/proc",
					    .sys_root = "/sys"};
	ev = event_set_add(events, opts->events.n ? "cpu-clock" : "cycles:P");
	ev->attr.type = opts->events.n ? TYPE_SOFTWARE : TYPE_HARDWARE;
	ev->attr.flags = ATTR_EXCLUDE_GUEST;
	ev->precise_max = !opts->events.n;
	return 0;
}
