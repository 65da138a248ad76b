// SPDX-License-Identifier: MIT
/* perf sched stats: the scheduler's own statistics, over a time. */
#include "view/sched/stats.h"

#include "capture/count/schedstat_run.h"
#include "cmd/sched/sched_opts.h"
#include "os/process/signals.h"

#define AT(field) offsetof(struct sched_opts, field)

const struct opt sched_stats_opts[] = {
	{OPT_STRING, 'C', "cpu", AT(cpus), "cpu", "list of cpus to profile"},
	{OPT_BOOL, 'f', "force", AT(input.force), NULL, "don't complain, do it"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "`stats report` with input filename"},
	{OPT_STRING, 'o', "output", AT(output), "file", "`stats record` with output filename"},
	{OPT_BOOL, 'v', "verbose", AT(texts), NULL, "Show explanation for fields in the report"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_END},
};

static const struct opt_group groups[] = {{sched_stats_opts, 0}, {0}};

int sched_stats_cpus(const struct sched_opts *o, struct cpu_list *cpus, struct err *err)
{
	if (o->cpus && cpus_parse(o->cpus, cpus))
		return err_set(err, ERR_USAGE, "'%s' is not a list of CPUs", o->cpus);
	return 0;
}

/* Reads the statistics of a file. Returns the status of its account, or -1 with *err. */
static int stats_of_file(const struct sched_opts *o, struct env *env, const char *path,
			 struct cpu_list *cpus, struct sched_stats *s, struct err *err)
{
	const struct input_opts input = {.path = path, .force = o->input.force};
	AUTO(recording) *rec = input_open_recording(&input, env->out, err);

	s->cpus = o->cpus ? cpus : NULL;
	if (!rec)
		return -1;
	if (sched_stats_read(s, rec, err)) {
		err_prefix(err, input_path(&input));
		return -1;
	}
	/* the names of domains are the recording's */
	for (size_t i = 0; i < s->domains.n; i++) {
		struct schedstat_domain *d = &s->domains.at[i];

		d->name = d->name ? arena_strdup(&s->arena, d->name) : NULL;
		d->mask = arena_strdup(&s->arena, d->mask);
		d->list = arena_strdup(&s->arena, d->list);
	}
	return input_account(rec, "perf: ", o->strict);
}

static int cmd_stats_report_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct sched_opts *o = v;
	struct sched_stats s = {0};
	struct cpu_list cpus = {0};
	int status = -1;

	if (argc)
		err_set(err, ERR_USAGE,
			"sched stats report takes no argument: '%s' (-i names a file)", argv[0]);
	else if (!sched_stats_cpus(o, &cpus, err))
		status = stats_of_file(o, env, o->input.path, &cpus, &s, err);
	if (status >= 0)
		sched_stats_show(&s, o->texts, env->out);
	sched_stats_release(&s);
	vec_release(&cpus);
	return status;
}

static int stats_diff(struct env *env, const struct sched_opts *o, const char *const *paths,
		      struct cpu_list *cpus, struct err *err)
{
	struct sched_stats s[2] = {0};
	int status[2] = {-1, -1};

	for (int i = 0; i < 2 && (!i || status[0] >= 0); i++)
		status[i] = stats_of_file(o, env, paths[i], cpus, &s[i], err);
	if (status[1] >= 0 && sched_stats_comparable(&s[0], &s[1], err))
		status[1] = -1;
	if (status[1] >= 0)
		sched_stats_show_diff(&s[0], &s[1], o->texts, env->out);
	sched_stats_release(&s[0]);
	sched_stats_release(&s[1]);
	return status[1] < 0 ? -1 : MAX(status[0], status[1]);
}

static int cmd_stats_diff_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct sched_opts *o = v;
	const char *paths[2] = {"perf.data.old", "perf.data"};
	struct cpu_list cpus = {0};
	int status = -1;

	if (argc > 2)
		return err_set(err, ERR_USAGE, "sched stats diff compares two files, not %d", argc);
	if (argc)
		paths[1] = argv[argc - 1];
	if (argc == 2)
		paths[0] = argv[0];
	if (!sched_stats_cpus(o, &cpus, err))
		status = stats_diff(env, o, paths, &cpus, err);
	vec_release(&cpus);
	return status;
}

static int stats_take(void *ctx, const struct schedstat *snapshot, struct err *err)
{
	return sched_stats_take(ctx, snapshot, err);
}

static int cmd_stats_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct sched_opts *o = v;
	struct cpu_list cpus = {0};
	struct sched_stats s = {.cpus = o->cpus ? &cpus : NULL};
	const struct schedstat_run run = {
		.proc_root = "/proc", .command = argc ? argv : NULL, .take = stats_take, .ctx = &s};
	struct schedstat_result result = {0};
	int status = -1;

	if (!sched_stats_cpus(o, &cpus, err) && !schedstat_run(&run, &result, err) &&
	    !sched_stats_end(&s, err)) {
		signals_die(result.signal, argc > 0);
		sched_stats_show(&s, o->texts, env->out);
		status = result.exit_status;
	}
	sched_stats_release(&s);
	vec_release(&cpus);
	return status;
}

static const char *const report_usage[] = {"sched stats report [<options>]", NULL};
static const char *const diff_usage[] = {"sched stats diff [<options>] [<file>] [<file>]", NULL};
static const char *const usage[] = {"sched stats [<options>] [<command>]",
				    "sched stats {record|report|diff} [<options>]", NULL};

static const struct cmd cmd_sched_stats_report = {
	.name = "report",
	.usage = report_usage,
	.groups = groups,
	.pager = true,
	.run = cmd_stats_report_run,
};

static const struct cmd cmd_sched_stats_diff = {
	.name = "diff",
	.usage = diff_usage,
	.groups = groups,
	.pager = true,
	.run = cmd_stats_diff_run,
};

static const struct cmd *const subcommands[] = {&cmd_sched_stats_record, &cmd_sched_stats_report,
						&cmd_sched_stats_diff, NULL};

const struct cmd cmd_sched_stats = {
	.name = "stats",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.subcommands = subcommands,
	.words = "record report diff",
	.run = cmd_stats_run,
};
