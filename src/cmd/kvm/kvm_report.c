// SPDX-License-Identifier: MIT
#include "cmd/kvm/kvm_opts.h"
#include "view/kvm.h"

#include <stdio.h>
#include <string.h>

#define AT(field) offsetof(struct kvm_opts, field)

static const struct opt options[] = {
	{OPT_BOOL, 'f', "force", AT(input.force), NULL, "don't complain, do it"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "input file name"},
	{OPT_STRING, 'k', "key", AT(key), "sort-key",
	 "key for sorting: sample(sort by samples number) time (sort by avg time):",
	 .words = "sample time"},
	{OPT_STRING, 'p', "pid", AT(pids), "pid", "analyze events only for given process id(s)"},
	{OPT_STRING, 0, "event", AT(event), "report event",
	 "event for reporting:", .words = "vmexit mmio ioport"},
	{OPT_BOOL, 0, "strict", AT(strict), NULL,
	 "Exit with status 3 when anything was lost or damaged"},
	{OPT_INT, 0, "vcpu", AT(vcpu), "n", "vcpu id to report", .given_offset = AT(vcpu_given)},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {0}};

/* Returns the index of word among n words, or -1. */
static int place_of(const char *word, const char *const *words, int n)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(word, words[i]))
			return i;
	return -1;
}

static int configure(const struct kvm_opts *o, struct kvm_options *how, struct filter *filter,
		     struct err *err)
{
	static const char *const events[] = {
		[KVM_EXITS] = "vmexit", [KVM_MMIO] = "mmio", [KVM_PORTS] = "ioport"};
	static const char *const keys[] = {[KVM_BY_SAMPLES] = "sample", [KVM_BY_TIME] = "time"};
	int event = place_of(o->event, events, ARRAY_SIZE(events));
	int key = place_of(o->key, keys, ARRAY_SIZE(keys));

	if (event < 0)
		return err_set(err, ERR_USAGE, "Unknown report event:%s", o->event);
	if (key < 0)
		return err_set(err, ERR_USAGE, "Unknown compare key:%s", o->key);
	if (o->vcpu_given && o->vcpu < 0)
		return err_set(err, ERR_USAGE, "Invalid vcpu:%d.", o->vcpu);
	*how = (struct kvm_options){(enum kvm_event)event, (enum kvm_key)key, o->vcpu, filter};
	return o->pids ? number_list_parse(&filter->pids, o->pids, "pids", err) : 0;
}

static bool has_exits(const struct event_set *set)
{
	for (const struct kvm_tracepoint *t = kvm_tracepoints; t->name; t++) {
		AUTO_CHAR *name = mem_printf("%s:%s", t->system, t->name);

		if (t->is_exit && event_set_find_name(set, name))
			return true;
	}
	return false;
}

static int report_show(struct env *env, const struct kvm_opts *o, const struct kvm_options *how,
		       struct recording *rec, struct err *err)
{
	AUTO(world) *world = world_of_recording(rec, &o->symbols);
	struct kvm k;
	int failed = kvm_read(&k, how, rec, world, err);

	if (!failed) {
		kvm_show(&k, o->pids, env->out);
		if (k.uncertain)
			fprintf(stderr,
				"perf: records were lost during %llu exits: their times may be "
				"wrong\n",
				(unsigned long long)k.uncertain);
	}
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
	if (configure(o, &how, &filter, err))
		goto out;
	if (!o->input.path)
		o->input.path = kvm_file(o);
	rec = input_open_recording(&o->input, env->out, err);
	if (!rec)
		goto out;
	if (rec->is_pipe || has_exits(&rec->m.events))
		status = report_show(env, o, &how, rec, err);
	else
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
