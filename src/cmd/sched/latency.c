// SPDX-License-Identifier: MIT
#include "cmd/sched/sched_opts.h"
#include "view/sched/sched.h"

#include <string.h>

#define AT(field) offsetof(struct sched_opts, field)

static const struct opt options[] = {
	{OPT_STRING, 'C', "CPU", AT(filter.cpus), "cpu", "CPUs to profile on: 0-3,8"},
	{OPT_BOOL, 'p', "pids", AT(by_task), NULL, "latency stats per pid instead of per comm"},
	{OPT_BOOL, 'H', "histogram", AT(histogram), NULL, "show a histogram of all waits, too"},
	{OPT_STRING, 's', "sort", AT(sort), "key[,key2...]",
	 "sort by key(s): runtime, switch, avg, max", .words = "runtime switch avg max pid",
	 .joined = ","},
	{OPT_STRING, 'c', "comms", AT(filter.comms), "comm[,comm...]", "only tasks of these names"},
	{OPT_STRING, 0, "hist-mode", AT(hist_mode), "mode",
	 "ranges of -H: powers of two, or of one width:", .words = "log linear"},
	{OPT_STRING, 0, "pid", AT(filter.pids), "pid[,pid...]", "only tasks of these processes"},
	{OPT_STRING, 0, "tid", AT(filter.tids), "tid[,tid...]", "only these tasks"},
	{OPT_STRING, 0, "time", AT(filter.time), "str", "Time span for analysis (start,stop)"},
	{OPT_END},
};

static const struct opt_group groups[] = {
	{options, 0}, {form_opts, AT(form)}, {sched_opts, 0}, {0}};

static int latency_present(struct env *env, const struct sched_opts *o,
			   const struct sched_latency *l, struct err *err)
{
	struct form_output f;

	if (!form_is_rows(&o->form)) {
		sched_latency_show(l, env->out);
		return 0;
	}
	if (form_begin(&f, &o->form, env, env->out, err))
		return -1;
	sched_latency_show_rows(l, f.out, &f.rows);
	return form_end(&f, err);
}

static int latency_show(struct env *env, const struct sched_opts *o, struct recording *rec,
			const struct sched_latency_options *how, struct err *err)
{
	AUTO(world) *world = world_of_recording(rec, &o->symbols);
	struct sched_latency l;
	int status = -1;

	sched_latency_init(&l, how);
	if (!sched_latency_read(&l, rec, world, err) && !sched_check(rec, err) &&
	    !latency_present(env, o, &l, err))
		status = sched_account(o, rec, "waits", l.uncertain, l.uncertain_ns, err);
	sched_latency_release(&l);
	return status;
}

static int cmd_latency_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct sched_opts *o = v;
	struct sched_latency_options how = {
		.by_task = o->by_task,
		.by_histogram = o->histogram || o->hist_mode,
	};
	AUTO(recording) *rec = NULL;
	int status = -1;

	if (o->hist_mode && strcmp(o->hist_mode, "log") && strcmp(o->hist_mode, "linear"))
		return err_set(err, ERR_USAGE, "--hist-mode is log or linear, not '%s'",
			       o->hist_mode);
	how.histogram =
		o->hist_mode && !strcmp(o->hist_mode, "linear") ? HISTOGRAM_LINEAR : HISTOGRAM_LOG;
	if (!form_opts_check(&o->form, err) && !sched_latency_sort_parse(&how, o->sort, err) &&
	    !sched_instead(o, env, argc, argv, &status, err))
		rec = sched_open(o, env, err);
	if (rec && !filter_opts_apply(&o->filter, rec, &how.filter, err))
		status = latency_show(env, o, rec, &how, err);
	filter_release(&how.filter);
	vec_release(&how.sort);
	return status;
}

static const char *const usage[] = {"sched latency [<options>] [<command>]", NULL};

const struct cmd cmd_sched_latency = {
	.name = "latency",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.pager = true,
	.run = cmd_latency_run,
};
