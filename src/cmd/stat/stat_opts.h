/* SPDX-License-Identifier: MIT */
/*
 * stat's options as typed, and their translation. `stat record` parses into the same struct and
 * counts the same way, with a listener.
 */
#ifndef CMD_STAT_OPTS_H
#define CMD_STAT_OPTS_H

#include "capture/count/count_run.h"
#include "cmd/cmd.h"
#include "cmd/options/opts_input.h"
#include "cmd/options/opts_events.h"
#include "cmd/options/opts_select.h"
#include "event/metric/select.h"
#include "view/stat/stat.h"

struct stat_opts {
	struct input_opts input; /* for stat report */
	struct event_selects selects;
	struct opt_strings metrics;
	struct target_options target;
	struct control_path control;
	enum stat_aggr aggr;
	const char *aggr_option; /* the option that set .aggr; NULL: none */
	int cache_level, delay, runs, log_fd, detailed, verbose;
	unsigned int interval, intervals, timeout, topdown_level;
	const char *events_dir, *each_cgroup, *cputype, *separator, *output, *pre, *post, *iostat;
	const char *bpf_programs, *bpf_attr_map, *tpebs_mode;
	bool big_numbers, big_numbers_given, log_fd_given, runs_given, delay_given;
	bool no_inherit, nothing, no_scale, no_merge, hybrid_merge, percore_show_thread, group;
	bool all_user, all_kernel, sync, append, json, openmetrics, table, quiet, summary;
	bool no_csv_summary;
	bool interval_clear, metric_only, no_metric_group, no_metric_merge, no_metric_threshold;
	bool transaction, topdown, smi_cost, bpf_counters, bpf_counters_given, tpebs;
};

extern const struct opt_group stat_opt_groups[];
extern const struct opt
	stat_aggr_opts[]; /* those options of aggregation that also apply to a recording */
extern const struct cmd_variable stat_variables[]; /* of the configuration */
void stat_defaults(void *opts, const struct env *env);

/* The output format of the rows. */
enum stat_form stat_opts_form(const struct stat_opts *opts);
/* 0, or -1 with *err for options of two formats. */
int stat_opts_check_form(const struct stat_opts *opts, struct err *err);
const char *stat_separator(const struct stat_opts *opts); /* as it is printed, or NULL */
extern const struct cmd cmd_stat_record, cmd_stat_report;

/* The options' translation for counting, rows and view. */
struct stat_plan {
	struct count_run_options run;
	struct stat_options rows;
	struct stat_view view;
	bool unfreeze; /* reset freeze_on_smi at the end */
};

/* Checks the options and fills the plan. argv is the command to run, or empty; it is borrowed. 0,
 * or -1 with *err. */
int stat_plan(struct stat_opts *opts, const struct env *env, char **argv, struct stat_plan *plan,
	      struct err *err);
/* The events to count, and the metrics to compute from them. */
struct stat_wanted {
	struct io_ports ports; /* with --iostat */
	struct event_set events;
	struct event_source source;
	struct metric_table table;
	struct metric_selection metrics;
};
/* Fills *wanted with the selected events and metrics, or the default ones, and plan->rows with the
 * metrics. 0, or -1 with *err. */
int stat_events(const struct stat_opts *opts, const struct env *env, struct stat_plan *plan,
		struct stat_wanted *wanted, struct err *err);
void stat_wanted_release(struct stat_wanted *wanted);
/* --topdown, -T, --smi-cost: adds their events, and sets how they are shown. 0, or -1 with *err.
 * stat_special_end() undoes system settings. */
int stat_special(const struct stat_opts *opts, struct stat_plan *plan,
		 const struct event_host *host, struct event_set *events, struct err *err);
/* --iostat: refuses options that do not apply to it. 0, or -1 with *err. */
int stat_ports_check(const struct stat_opts *opts, struct err *err);
/* --iostat: selects the ports, adds their events, and sets how they are shown. 0, or -1 with
 * *err. */
int stat_ports(const struct stat_opts *opts, struct stat_plan *plan, struct stat_wanted *wanted,
	       struct err *err);
void stat_special_end(const struct stat_plan *plan);
/* True when the core PMU lists the event in sysfs. */
bool stat_core_has(const char *event);
/* The group of top-down metric events of this CPU, or NULL. *levels: 1 or 2. */
const char *stat_topdown_metrics(unsigned int *levels);
/* --for-each-cgroup: copies all events for each of the cgroups. 0, or -1 with *err. */
int stat_each_cgroup(const char *names, struct event_set *events, struct err *err);

/* Callbacks that receive the counts. Both return 0, or -1 with *err. */
struct stat_listener {
	/* Called when the counters are open. */
	int (*begin)(void *ctx, struct event_set *events, const struct counts *shape,
		     struct err *err);
	/* Called at each interval and at the end, with cumulative counts. */
	int (*round)(void *ctx, const struct counts *counts, uint64_t time_ns, bool final,
		     struct err *err);
	void *ctx;
};

/* Counts and shows. listener may be NULL; if set, -o is the listener's output file. Returns the
 * exit status, or -1 with *err. */
int stat_run(struct env *env, struct stat_opts *opts, char **argv,
	     const struct stat_listener *listener, struct err *err);

#endif
