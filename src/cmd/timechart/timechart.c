// SPDX-License-Identifier: MIT
/* perf timechart: a drawing of the times at which tasks ran. */
#include "cmd/timechart/timechart_opts.h"

#include "cmd/subcommand.h"

#include <errno.h>
#include <stdlib.h>

#define AT(field) offsetof(struct timechart_opts, field)

static int timechart_add_process(void *place, const struct opt *opt, const char *value, bool unset,
				 struct err *err)
{
	struct timechart_opts *o = place;

	(void)opt;
	if (unset || !value)
		return err_set(err, ERR_USAGE, "--process needs a pid or a name");
	vec_add(&o->view.shown, value);
	return 0;
}

static int set_highlight(void *place, const struct opt *opt, const char *value, bool unset,
			 struct err *err)
{
	struct timechart_opts *o = place;

	(void)opt;
	if (unset || !value)
		return err_set(err, ERR_USAGE, "--highlight needs a duration or a name");
	if (o->view.highlight || o->view.highlight_name)
		return err_set(err, ERR_USAGE, "--highlight can be given only once");
	o->view.highlight = strtoull(value, NULL, 0);
	if (!o->view.highlight)
		o->view.highlight_name = value;
	return 0;
}

/* "10us": ns without a unit. */
static int set_time(void *place, const struct opt *opt, const char *value, bool unset,
		    struct err *err)
{
	(void)unset;
	if (value && !parse_short_time(value, place))
		return 0;
	return err_set(err, ERR_USAGE,
		       "'--%s' takes a time such as 10us, 10ms or 10 (ns), not '%s'", opt->name,
		       value ? value : "");
}

static const struct opt timechart_opts[] = {
	{OPT_BOOL, 'P', "power-only", AT(view.power_only), NULL, "output power data only"},
	{OPT_BOOL, 'T', "tasks-only", AT(view.tasks_only), NULL, "output processes data only"},
	{OPT_BOOL, 'f', "force", AT(input.force), NULL, "don't complain, do it"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "input file name"},
	{OPT_INT, 'n', "proc-num", AT(view.tasks_wanted), "n", "min. number of tasks to print"},
	{OPT_STRING, 'o', "output", AT(output), "file", "output file name"},
	{OPT_CALL, 'p', "process", 0, "process", "process selector. Pass a pid or process name.",
	 .call = timechart_add_process},
	{OPT_BOOL, 't', "topology", AT(topology), NULL, "sort CPUs according to topology"},
	{OPT_INT, 'w', "width", AT(view.width), "n", "page width"},
	{OPT_CALL, 0, "highlight", 0, "duration or task name",
	 "highlight tasks. Pass duration in ns or process name.", .call = set_highlight},
	{OPT_CALL, 0, "io-merge-dist", AT(io_merge_dist), "time",
	 "merge events that are merge-dist us apart", .call = set_time},
	{OPT_CALL, 0, "io-min-time", AT(io_min_time), "time",
	 "all IO faster than min-time will visually appear longer", .call = set_time},
	{OPT_BOOL, 0, "io-skip-eagain", AT(view.io_skip_again), NULL, "skip EAGAIN errors"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_STRING, 0, "symfs", AT(symbols.symfs), "directory",
	 "Look for files with symbols relative to this directory"},
	{OPT_STRING, 0, "time", AT(time), "str", "Time span to draw (start,stop)"},
	{OPT_END},
};
static const struct opt_group groups[] = {{timechart_opts, 0}, {0}};

int timechart_check_sections(const struct timechart_opts *o, struct err *err)
{
	if (!o->view.power_only || !o->view.tasks_only)
		return 0;
	return err_set(err, ERR_USAGE, "-P and -T options cannot be used at the same time.");
}

static int cmd_timechart_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct timechart_opts *o = v;
	int status = -1;

	if (argc)
		status = subcommand_refuse(env->cmd, "timechart", argv[0], err);
	else if (!timechart_check_sections(o, err))
		status = timechart_draw(env, o, err);
	vec_release(&o->view.shown);
	return status;
}

static void timechart_defaults(void *v, const struct env *env)
{
	struct timechart_opts *o = v;

	o->output = "output.svg";
	o->io_min_time = 1000000;
	o->io_merge_dist = 1000;
	o->view.width = 1000;
	o->view.tasks_wanted = 15;
	symbol_opts_defaults(&o->symbols, env);
}

static const char *const usage[] = {"timechart [<options>] {record}", NULL};

static const struct cmd *const subcommands[] = {&cmd_timechart_record, NULL};

const struct cmd cmd_timechart = {
	.name = "timechart",
	.summary = "Tool to visualize total system behavior during a workload",
	.usage = usage,
	.groups = groups,
	.opts_size = sizeof(struct timechart_opts),
	.stop_at_word = true,
	.defaults = timechart_defaults,
	.words = "record",
	.subcommands = subcommands,
	.run = cmd_timechart_run,
};
