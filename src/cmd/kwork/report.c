// SPDX-License-Identifier: MIT
/* perf kwork report and latency: a row for each work, with its run time or its delay. */
#include "cmd/kwork/kwork_opts.h"

#include "view/kwork/kwork.h"

#include <string.h>

#define AT(field) offsetof(struct kwork_opts, field)
#define SHARED_OPTIONS                                                                             \
	{OPT_STRING, 'C', "cpu", AT(cpus), "cpu", "list of cpus to profile"},                      \
		{OPT_STRING, 'i', "input", AT(input.path), "file", "input file name"},             \
		{OPT_STRING, 'n', "name", AT(name), "name", "event name to profile"},              \
	{                                                                                          \
		OPT_STRING, 0, "time", AT(time), "str", "Time span for analysis (start,stop)"      \
	}

static const struct opt report_options[] = {
	SHARED_OPTIONS,
	{OPT_BOOL, 'b', "use-bpf", AT(use_bpf), NULL, "Use BPF to measure kwork runtime"},
	{OPT_STRING, 's', "sort", AT(sort), "key[,key2...]",
	 "sort by key(s):", .words = "runtime max count avg id", .joined = ", "},
	{OPT_BOOL, 'S', "with-summary", AT(summary), NULL, "Show summary with statistics"},
	{OPT_END},
};

static const struct opt latency_options[] = {
	SHARED_OPTIONS,
	{OPT_BOOL, 'b', "use-bpf", AT(use_bpf), NULL, "Use BPF to measure kwork latency"},
	{OPT_STRING, 's', "sort", AT(sort), "key[,key2...]",
	 "sort by key(s):", .words = "avg max count id", .joined = ", "},
	{OPT_END},
};

static const struct opt_group report_groups[] = {
	{report_options, 0}, {form_opts, AT(form)}, {kwork_class_opts, 0}, {kwork_opts, 0}, {0}};
static const struct opt_group latency_groups[] = {
	{latency_options, 0}, {form_opts, AT(form)}, {kwork_class_opts, 0}, {kwork_opts, 0}, {0}};

static int kwork_present(struct env *env, const struct kwork_opts *o, struct kwork *k,
			 struct err *err)
{
	struct form_output f;

	kwork_sort(k);
	if (!form_is_rows(&o->form)) {
		kwork_show(k, o->summary, env->out);
		return 0;
	}
	if (form_begin(&f, &o->form, env, env->out, err))
		return -1;
	kwork_show_rows(k, f.out, &f.rows);
	return form_end(&f, err);
}

static int kwork_report_show(struct env *env, const struct kwork_opts *o, struct kwork *k,
			     struct recording *rec, struct err *err)
{
	AUTO(world) *world = world_of_recording(rec, &o->symbols);
	int failed = (!rec->is_pipe && kwork_check(rec, err)) || kwork_read(k, rec, world, err) ||
		     kwork_check(rec, err) || kwork_present(env, o, k, err);

	symbols_explain(world_dsos(world), env->debug);
	return failed ? -1 : kwork_account(o, rec, k->uncertain, k->uncertain_ns);
}

static int kwork_report_measured(struct env *env, const struct kwork_opts *o, struct kwork *k,
				 struct err *err)
{
	int status;

	if (o->input.path || o->time || o->dump)
		return err_set(err, ERR_USAGE,
			       "-b measures: it reads no recording (-i, --time, -D)");
	if (kwork_classes_have(&k->opts->classes, KWORK_SCHED))
		return err_set(err, ERR_USAGE, "-b measures irq, softirq and workqueue: '%s'",
			       o->classes);
	status = kwork_measure(k, o, err);
	return status < 0 || kwork_present(env, o, k, err) ? -1 : status;
}

static int report_run(struct env *env, struct kwork_opts *o, struct kwork_options *how,
		      const char *sort, int argc, char **argv, struct err *err)
{
	AUTO(recording) *rec = NULL;
	struct kwork k;
	int status = -1;

	how->name = o->name;
	how->filter.socket = -1;
	kwork_init(&k, how);
	if (form_is_rows(&o->form) && o->summary) {
		err_set(err, ERR_USAGE, "-S is text: it goes with neither -x nor -j");
		goto out;
	}
	if (!form_opts_check(&o->form, err) &&
	    !kwork_classes_parse(&how->classes, o->classes ? o->classes : KWORK_CLASSES, err) &&
	    !kwork_sort_parse(how, o->sort ? o->sort : sort, err)) {
		if (o->use_bpf) {
			o->command = argc ? argv : NULL;
			status = kwork_report_measured(env, o, &k, err);
			goto out;
		}
		if (kwork_instead(o, KWORK_CLASSES, env, argc, argv, &status, err))
			goto out;
		rec = kwork_open(o, env, &how->filter, err);
		status = rec ? kwork_report_show(env, o, &k, rec, err) : -1;
	}
out:
	kwork_release(&k);
	vec_release(&how->sort);
	filter_release(&how->filter);
	return status;
}

static int runtime_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct kwork_options how = {.question = KWORK_RUNTIME};

	return report_run(env, v, &how, "runtime, max, count", argc, argv, err);
}

static int latency_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct kwork_options how = {.question = KWORK_DELAY};

	return report_run(env, v, &how, "avg, max, count", argc, argv, err);
}

static const char *const report_usage[] = {"kwork report [<options>] [<command>]",
					   "kwork report -b [<options>] [<command>]", NULL};
static const char *const latency_usage[] = {"kwork latency [<options>] [<command>]",
					    "kwork latency -b [<options>] [<command>]", NULL};

const struct cmd cmd_kwork_report = {
	.name = "report",
	.usage = report_usage,
	.groups = report_groups,
	.stop_at_word = true,
	.pager = true,
	.run = runtime_run,
};

const struct cmd cmd_kwork_latency = {
	.name = "latency",
	.usage = latency_usage,
	.groups = latency_groups,
	.stop_at_word = true,
	.pager = true,
	.run = latency_run,
};
