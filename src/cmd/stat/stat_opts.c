// SPDX-License-Identifier: MIT
#include "cmd/options/opts_rows.h"
#include "cmd/stat/stat_opts.h"

#include <string.h>

#define AT(member) offsetof(struct stat_opts, member)

static int aggr_call(void *place, const struct opt *opt, const char *value, bool unset,
		     struct err *err)
{
	struct stat_opts *o = (struct stat_opts *)((char *)place - AT(aggr));
	uint64_t level = 0;

	if (unset) {
		o->aggr = STAT_GLOBAL;
		o->aggr_option = NULL;
		o->target.per_thread = false;
		return 0;
	}
	if (o->aggr_option && o->aggr != (enum stat_aggr)opt->value)
		return err_set(err, ERR_USAGE, "--%s and --%s cannot be used together",
			       o->aggr_option, opt->name);
	if (value && parse_u64(value + (*value == 'l' || *value == 'L'), &level))
		return err_set(err, ERR_USAGE, "'%s' is not a level of caches, like 'L2'", value);
	o->aggr = (enum stat_aggr)opt->value;
	o->aggr_option = opt->name;
	o->cache_level = (int)MIN(level, 99u);
	o->target.per_thread = o->aggr == STAT_THREAD;
	return 0;
}

static int control_call(void *place, const struct opt *opt, const char *value, bool unset,
			struct err *err)
{
	(void)opt;
	return unset ? 0 : value_control(value, place, err);
}

#define AGGREGATE(letter, name, how, help)                                                         \
	{                                                                                          \
		OPT_CALL, letter, name, AT(aggr), NULL, help, OPT_NO_VALUE, .value = how,          \
			.call = aggr_call                                                          \
	}

const struct opt stat_aggr_opts[] = {
	AGGREGATE('A', "no-aggr", STAT_CPU, "each CPU by itself"),
	AGGREGATE(0, "per-core", STAT_CORE, "by core"),
	{OPT_CALL, 0, "per-cache", AT(aggr), "cache level", "by cache: the last one, or L2, ...",
	 OPT_OPTIONAL, .value = STAT_CACHE, .call = aggr_call},
	AGGREGATE(0, "per-die", STAT_DIE, "by die"),
	AGGREGATE(0, "per-socket", STAT_SOCKET, "by socket"),
	AGGREGATE(0, "per-node", STAT_NODE, "by NUMA node"),
	{0},
};

static const struct opt what_options[] = {
	{OPT_HEADING, .help = "What is counted"},
	{OPT_CALL, 'e', "event", AT(selects), "event", "events to count; 'perf list' names them",
	 .value = SELECT_EVENTS, .call = event_select_call, .offer = event_words, .joined = ",{"},
	{OPT_CALL, 0, "pfm-events", AT(selects), "event", "events to count, by libpfm4's names",
	 .value = SELECT_PFM, .call = event_select_call, .offer = pfm_words, .joined = ",{"},
	EVENTS_DIR_OPTION(AT(events_dir)),
	{OPT_CALL, 0, "filter", AT(selects), "filter", "kernel filter of the events before it",
	 .value = SELECT_FILTER, .call = event_select_call},
	{OPT_STRINGS, 'M', "metrics", AT(metrics), "metric/metric group list",
	 "metrics or groups of them, separated by commas", .offer = metric_words, .joined = ","},
	{OPT_COUNT, 'd', "detailed", AT(detailed), NULL,
	 "more events: caches; -d -d, -d -d -d: TLBs"},
	{OPT_BOOL, 'n', "null", AT(nothing), NULL, "no counters: only how long it takes"},
	{OPT_BOOL, 'T', "transaction", AT(transaction), NULL, "hardware transactions"},
	{OPT_BOOL, 0, "topdown", AT(topdown), NULL, "where the CPU's slots went, top down"},
	{OPT_UINT, 0, "td-level", AT(topdown_level), "n",
	 "--topdown down to this level (0: the deepest)"},
	{OPT_BOOL, 0, "smi-cost", AT(smi_cost), NULL, "what system management interrupts cost"},
	{OPT_STRING, 0, "iostat", AT(iostat), "default",
	 "what PCIe ports move: all, these (0000:3d,...), or 'list' them",
	 OPT_OPTIONAL, ""},
	{OPT_BOOL, 0, "all-kernel", AT(all_kernel), NULL, "only the kernel's part of events"},
	{OPT_BOOL, 0, "all-user", AT(all_user), NULL, "only user space's part of events"},
	{OPT_BOOL, 'g', "group", AT(group), NULL, "all events in one group"},
	{OPT_STRING, 0, "cputype", AT(cputype), "hybrid cpu type",
	 "only on this kind of cores: core, atom", .words = "core atom"},
	{OPT_BOOL, 0, "metric-no-group", AT(no_metric_group), NULL, "metrics' events in no groups"},
	{OPT_BOOL, 0, "metric-no-merge", AT(no_metric_merge), NULL,
	 "each metric has events of its own"},
	{OPT_BOOL, 0, "metric-no-threshold", AT(no_metric_threshold), NULL,
	 "no events for thresholds only"},
	{OPT_HEADING, .help = "Of what"},
	{OPT_BOOL, 'a', "all-cpus", AT(target.system_wide), NULL, "the whole machine"},
	{OPT_STRING, 'C', "cpu", AT(target.cpus), "cpu", "these CPUs: 0-3,8"},
	{OPT_STRING, 'p', "pid", AT(target.pids), "pid", "processes that run"},
	{OPT_STRING, 't', "tid", AT(target.tids), "tid", "threads that run"},
	{OPT_CALL, 'G', "cgroup", AT(selects), "name",
	 "control groups of the events before it, with -a", .value = SELECT_CGROUPS,
	 .call = event_select_call},
	{OPT_STRING, 0, "for-each-cgroup", AT(each_cgroup), "name",
	 "all events in each of these control groups; a pattern stands for many"},
	{OPT_STRING, 'b', "bpf-prog", AT(bpf_programs), "bpf-prog-id",
	 "BPF programs, by their ids"},
	{OPT_BOOL, 0, "bpf-counters", AT(bpf_counters), NULL,
	 "count by BPF programs, shared with others who do; --no-bpf-counters: by none",
	 .given_offset = AT(bpf_counters_given)},
	{OPT_STRING, 0, "bpf-attr-map", AT(bpf_attr_map), "path",
	 "where --bpf-counters pins what is shared"},
	{OPT_BOOL, 'i', "no-inherit", AT(no_inherit), NULL, "not in children and new threads"},
	{OPT_HEADING, .help = "How it is summed up"},
	AGGREGATE(0, "per-cluster", STAT_CLUSTER, "by cluster of cores"),
	AGGREGATE(0, "per-thread", STAT_THREAD, "by thread (with -p, -t, -a)"),
	{OPT_BOOL, 0, "percore-show-thread", AT(percore_show_thread), NULL,
	 "'percore' events: each thread with the sum of its core"},
	{OPT_BOOL, 0, "no-merge", AT(no_merge), NULL, "equal events of several PMUs stay apart"},
	{OPT_BOOL, 0, "hybrid-merge", AT(hybrid_merge), NULL,
	 "equal events of both kinds of cores become one"},
	{OPT_BOOL, 0, "no-scale", AT(no_scale), NULL,
	 "counts as they are, not scaled to all of the time"},
	{0},
};

static const struct opt how_options[] = {
	{OPT_HEADING, .help = "How it is shown"},
	{OPT_STRING, 'x', "field-separator", AT(separator), "separator", "lines of fields"},
	{OPT_BOOL, 'j', "json-output", AT(json), NULL, "lines of JSON"},
	{OPT_BOOL, 0, "openmetrics", AT(openmetrics), NULL,
	 "an OpenMetrics exposition, of each interval one"},
	{OPT_STRING, 'o', "output", AT(output), "file", "into this file"},
	{OPT_BOOL, 0, "append", AT(append), NULL, "at the end of the file of -o"},
	{OPT_INT, 0, "log-fd", AT(log_fd), "n", "to this descriptor",
	 .given_offset = AT(log_fd_given)},
	{OPT_BOOL, 'B', "big-num", AT(big_numbers), NULL, "thousands' separators",
	 .given_offset = AT(big_numbers_given)},
	{OPT_BOOL, 0, "metric-only", AT(metric_only), NULL, "only what is computed of the counts"},
	{OPT_BOOL, 0, "no-csv-summary", AT(no_csv_summary), NULL,
	 "no word 'summary' in the lines that are one (-x)"},
	{OPT_BOOL, 0, "quiet", AT(quiet), NULL, "nothing at all"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "more: raw counts, what is not supported"},
	{OPT_HEADING, .help = "How long and how often"},
	{OPT_INT, 'r', "repeat", AT(runs), "n", "so many runs, mean and deviation; 0: for ever",
	 .given_offset = AT(runs_given)},
	{OPT_BOOL, 0, "table", AT(table), NULL, "each run's time (with -r)"},
	{OPT_STRING, 0, "pre", AT(pre), "command", "to be run before each run"},
	{OPT_STRING, 0, "post", AT(post), "command", "to be run after each run"},
	{OPT_BOOL, 'S', "sync", AT(sync), NULL, "write back what is dirty before each run"},
	{OPT_UINT, 'I', "interval-print", AT(interval), "n", "show counts every n ms"},
	{OPT_UINT, 0, "interval-count", AT(intervals), "n", "intervals to show, no more (with -I)"},
	{OPT_BOOL, 0, "interval-clear", AT(interval_clear), NULL,
	 "clear the screen before each interval"},
	{OPT_BOOL, 0, "summary", AT(summary), NULL, "also show what all intervals add up to"},
	{OPT_UINT, 0, "timeout", AT(timeout), "n", "end after n ms (at least 10)"},
	{OPT_INT, 'D', "delay", AT(delay), "n", "begin n ms after the command; -1: by --control",
	 .given_offset = AT(delay_given)},
	{OPT_CALL, 0, "control", AT(control), "fd:N[,N]|fifo:PATH[,PATH]",
	 "take commands: enable, disable, stop, ...", .call = control_call, .words = "fd: fifo:"},
	{OPT_BOOL, 0, "record-tpebs", AT(tpebs), NULL,
	 "measure retirement latencies: not possible here"},
	{OPT_STRING, 0, "tpebs-mode", AT(tpebs_mode), "mode",
	 "which of the latencies: not possible here"},
	{0},
};

const struct opt_group stat_opt_groups[] = {
	{what_options, 0}, {stat_aggr_opts, 0}, {how_options, 0}, {0}};

const struct cmd_variable stat_variables[] = {
	{"stat.big-num", "big-num"},
	{"stat.no-csv-summary", "no-csv-summary"},
	{0},
};

enum stat_form stat_opts_form(const struct stat_opts *o)
{
	return o->openmetrics ? STAT_OPENMETRICS
	       : o->json      ? STAT_JSON
	       : o->separator ? STAT_CSV
			      : STAT_TEXT;
}

int stat_opts_check_form(const struct stat_opts *o, struct err *err)
{
	if (!o->openmetrics || !(o->separator || o->json || o->metric_only || o->interval_clear))
		return 0;
	return err_set(err, ERR_USAGE,
		       "--openmetrics does not go with -x, -j, --metric-only or --interval-clear");
}

const char *stat_separator(const struct stat_opts *o)
{
	return rows_separator(o->separator);
}

void stat_defaults(void *v, const struct env *env)
{
	struct stat_opts *o = v;

	o->runs = 1;
	o->big_numbers = true;
	o->verbose = env->verbose;
}
