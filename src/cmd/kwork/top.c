// SPDX-License-Identifier: MIT
#include "cmd/kwork/kwork_opts.h"

#include "view/kwork/kwork.h"

#define AT(field) offsetof(struct kwork_opts, field)

static const struct opt options[] = {
	{OPT_BOOL, 'b', "use-bpf", AT(use_bpf), NULL, "Use BPF to measure task cpu usage"},
	{OPT_STRING, 'C', "cpu", AT(cpus), "cpu", "list of cpus to profile"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "input file name"},
	{OPT_STRING, 'n', "name", AT(name), "name", "event name to profile"},
	{OPT_STRING, 's', "sort", AT(sort), "key[,key2...]",
	 "sort by key(s):", .words = "rate runtime tid", .joined = ", "},
	{OPT_STRING, 0, "time", AT(time), "str", "Time span for analysis (start,stop)"},
	{OPT_END},
};

static const struct opt_group groups[] = {
	{options, 0}, {form_opts, AT(form)}, {kwork_class_opts, 0}, {kwork_opts, 0}, {0}};

static int top_configure(const struct kwork_opts *o, struct kwork_top_options *how, struct err *err)
{
	struct kwork_classes classes;

	if (kwork_classes_parse(&classes, o->classes ? o->classes : KWORK_TOP_CLASSES, err) ||
	    kwork_top_sort_parse(how, o->sort ? o->sort : "rate, runtime", err))
		return -1;
	how->irqs = kwork_classes_have(&classes, KWORK_IRQ);
	how->softirqs = kwork_classes_have(&classes, KWORK_SOFTIRQ);
	how->name = o->name;
	if (kwork_classes_have(&classes, KWORK_SCHED))
		return 0;
	return err_set(err, ERR_USAGE, "kwork top counts switches of tasks: '%s' lacks sched",
		       o->classes);
}

static int kwork_top_present(struct env *env, const struct kwork_opts *o, struct kwork_top *t,
			     struct err *err)
{
	struct form_output f;

	kwork_top_sort(t);
	if (!form_is_rows(&o->form)) {
		kwork_top_show(t, env->out);
		return 0;
	}
	if (form_begin(&f, &o->form, env, env->out, err))
		return -1;
	kwork_top_show_rows(t, f.out, &f.rows);
	return form_end(&f, err);
}

static int top_check(const struct recording *rec, struct err *err)
{
	if (event_set_find_name(&rec->m.events, "sched:sched_switch"))
		return 0;
	err_set(err, ERR_INPUT, "the recording has no switches of tasks");
	return err_hint(err, "'perf kwork -k sched,irq,softirq record' records them");
}

static int top_show(struct env *env, const struct kwork_opts *o, struct kwork_top *t,
		    struct recording *rec, struct err *err)
{
	AUTO(world) *world = world_of_recording(rec, &o->symbols);

	if ((!rec->is_pipe && top_check(rec, err)) || kwork_top_read(t, rec, world, err) ||
	    top_check(rec, err) || kwork_top_present(env, o, t, err))
		return -1;
	return kwork_account(o, rec, t->uncertain, t->uncertain_ns);
}

static int kwork_top_measured(struct env *env, const struct kwork_opts *o, struct kwork_top *t,
			      struct err *err)
{
	int status;

	if (o->input.path || o->time || o->dump)
		return err_set(err, ERR_USAGE,
			       "-b measures: it reads no recording (-i, --time, -D)");
	status = kwork_top_measure(t, o, err);
	return status < 0 || kwork_top_present(env, o, t, err) ? -1 : status;
}

static int kwork_top_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct kwork_opts *o = v;
	struct kwork_top_options how = {.filter = {.socket = -1}};
	AUTO(recording) *rec = NULL;
	struct kwork_top t;
	int status = -1;

	kwork_top_init(&t, &how);
	if (form_opts_check(&o->form, err) || top_configure(o, &how, err))
		goto out;
	if (o->use_bpf) {
		o->command = argc ? argv : NULL;
		if (!o->cpus || !number_list_parse(&how.filter.cpus, o->cpus, "cpus", err))
			status = kwork_top_measured(env, o, &t, err);
	} else if (!kwork_instead(o, KWORK_TOP_CLASSES, env, argc, argv, &status, err) &&
		   (rec = kwork_open(o, env, &how.filter, err))) {
		status = top_show(env, o, &t, rec, err);
	}
out:
	kwork_top_release(&t);
	vec_release(&how.sort);
	filter_release(&how.filter);
	return status;
}

static const char *const usage[] = {"kwork top [<options>] [<command>]",
				    "kwork top -b [<options>] [<command>]", NULL};

const struct cmd cmd_kwork_top = {
	.name = "top",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.pager = true,
	.run = kwork_top_run,
};
