// SPDX-License-Identifier: MIT
/* perf sched stats record: two snapshots of the scheduler's statistics in a recording. */
#include "cmd/sched/sched_opts.h"

#include "capture/count/schedstat_run.h"
#include "capture/record/features.h"
#include "data/feature/schedstat.h"
#include "os/process/signals.h"

#include <stdio.h>

struct stats_file {
	const char *path;
	struct sink *sink; /* NULL before the first snapshot */
	const struct env *env;
	struct cpu_list cpus; /* only these, when only is set */
	bool only;
};

static int stats_file_begin(struct stats_file *f, const struct schedstat *s, struct err *err)
{
	struct event_set none = {0};
	const struct feature_facts facts = {.events = &none,
					    .argc = f->env->argc,
					    .argv = f->env->argv,
					    .version = PERF_VERSION,
					    .proc_root = "/proc",
					    .sys_root = "/sys"};
	const struct sink_options so = {.path = f->path};
	AUTO_BUF domains = {0};

	f->sink = sink_open(&so, err);
	if (!f->sink)
		return -1;
	schedstat_domains_encode(s, &domains);
	if (sink_begin(f->sink, &none, err) ||
	    sink_feature(f->sink, FEATURE_CPU_DOMAIN_INFO, domains.at, domains.n, err) ||
	    features_put(f->sink, &facts, err))
		return -1;
	return 0;
}

static int stats_file_take(void *ctx, const struct schedstat *s, struct err *err)
{
	struct stats_file *f = ctx;
	AUTO_BUF records = {0};

	if (!f->sink && stats_file_begin(f, s, err))
		return -1;
	for (size_t i = 0; i < s->rows.n; i++)
		if (!f->only || cpus_has(&f->cpus, (int)s->rows.at[i].cpu))
			schedstat_encode(s, &s->rows.at[i], &records);
	if (records.n && sink_put(f->sink, records.at, records.n, NULL, 0, err))
		return -1;
	return sink_sync(f->sink, err);
}

static int stats_record(struct stats_file *f, char **command, struct err *err)
{
	const struct schedstat_run run = {
		.proc_root = "/proc", .command = command, .take = stats_file_take, .ctx = f};
	struct schedstat_result result = {0};

	if (schedstat_run(&run, &result, err) || sink_end(f->sink, err))
		return -1;
	fprintf(stderr, "[ perf sched stats: Wrote samples to %s ]\n", f->path);
	signals_die(result.signal, command != NULL);
	return result.exit_status;
}

static int cmd_stats_record_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	const struct sched_opts *o = v;
	struct stats_file f = {
		.path = o->output ? o->output : "perf.data", .env = env, .only = o->cpus != NULL};
	int status = -1;

	if (!sched_stats_cpus(o, &f.cpus, err))
		status = stats_record(&f, argc ? argv : NULL, err);
	sink_free(f.sink);
	vec_release(&f.cpus);
	return status;
}

static const char *const usage[] = {"sched stats record [<options>] [<command>]", NULL};
static const struct opt_group groups[] = {{sched_stats_opts, 0}, {0}};

const struct cmd cmd_sched_stats_record = {
	.name = "record",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.run = cmd_stats_record_run,
};
