// SPDX-License-Identifier: MIT
#include "cmd/kvm/kvm_opts.h"
#include "view/kvm.h"

#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(struct kvm_opts, field)

static const struct opt options[] = {
	{OPT_STRING, 'c', "comms", AT(filter.comms), "comm[,comm...]",
	 "only virtual CPUs whose threads have these names"},
	{OPT_STRING, 'C', "cpu", AT(filter.cpus), "cpu", "only what ends on these CPUs: 0-3,8"},
	{OPT_BOOL, 'f', "force", AT(input.force), NULL, "don't complain, do it"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "input file name"},
	{OPT_STRING, 'p', "pid", AT(filter.pids), "pid",
	 "analyze events only for given process id(s)"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_STRING, 't', "tid", AT(filter.tids), "tid[,tid...]",
	 "only virtual CPUs of these threads"},
	{OPT_STRING, 0, "time", AT(filter.time), "str",
	 "Time span of interest (start,stop): what ends in it"},
	{OPT_END},
};

static const struct opt_group groups[] = {
	{options, 0}, {kvm_event_opts, 0}, {form_opts, AT(form)}, {0}};

static bool has_exits(const struct event_set *set)
{
	for (const struct kvm_tracepoint *t = kvm_tracepoints; t->name; t++) {
		AUTO_CHAR *name = mem_printf("%s:%s", t->system, t->name);

		if (t->is_exit && event_set_find_name(set, name))
			return true;
	}
	return false;
}

static int kvm_present(struct env *env, const struct kvm_opts *o, struct kvm *k, struct err *err)
{
	struct form_output f;

	if (!form_is_rows(&o->form)) {
		kvm_show(k, o->filter.pids, env->out);
		return 0;
	}
	if (form_begin(&f, &o->form, env, env->out, err))
		return -1;
	kvm_show_rows(k, f.out, &f.rows);
	return form_end(&f, err);
}

static int report_show(struct env *env, const struct kvm_opts *o, const struct kvm_options *how,
		       struct recording *rec, struct err *err)
{
	AUTO(world) *world = world_of_recording(rec, &o->symbols);
	struct kvm k;
	int failed = kvm_read(&k, how, rec, world, err) || kvm_present(env, o, &k, err);

	if (!failed)
		input_tell_doubts(rec, "exits", k.uncertain, 0);
	kvm_release(&k);
	return failed ? -1 : input_account(rec, "perf: ", o->strict);
}

static int cmd_kvm_report_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct kvm_opts *o = v;
	struct filter filter = {.socket = -1};
	struct kvm_options how;
	AUTO(recording) *rec = NULL;
	int status = -1;

	if (argc)
		return err_set(err, ERR_USAGE,
			       "kvm stat report takes no argument: '%s' (-i names a file)",
			       argv[0]);
	if (form_opts_check(&o->form, err) || kvm_configure(o, &how, err))
		goto out;
	if (!o->input.path)
		o->input.path = kvm_file(o);
	rec = input_open_recording(&o->input, env->out, err);
	if (!rec || filter_opts_apply(&o->filter, rec, &filter, err))
		goto out;
	how.filter = &filter;
	if (rec->is_pipe || has_exits(&rec->m.events))
		status = report_show(env, o, &how, rec, err);
	else if (!input_lost_tracepoints(rec, err))
		err_set(err, ERR_INPUT,
			"no kvm_exit events found: have you run 'perf kvm stat record'?");
out:
	filter_release(&filter);
	return status;
}

static const char *const usage[] = {"kvm stat report [<options>]", NULL};

const struct cmd cmd_kvm_stat_report = {
	.name = "report",
	.usage = usage,
	.groups = groups,
	.pager = true,
	.run = cmd_kvm_report_run,
};
