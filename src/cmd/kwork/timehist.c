// SPDX-License-Identifier: MIT
#include "cmd/kwork/kwork_opts.h"

#include "view/kwork/kwork.h"

#include <stdio.h>

#define AT(field) offsetof(struct kwork_opts, field)

static const struct opt options[] = {
	{OPT_STRING, 'C', "cpu", AT(cpus), "cpu", "list of cpus to profile"},
	{OPT_BOOL, 'g', "call-graph", AT(chains), NULL, "Display call chains if present"},
	{OPT_STRING, 'i', "input", AT(input.path), "file", "input file name"},
	{OPT_STRING, 'k', "vmlinux", AT(symbols.vmlinux), "file", "vmlinux pathname"},
	{OPT_STRING, 'n', "name", AT(name), "name", "event name to profile"},
	{OPT_STRING, 0, "kallsyms", AT(symbols.kallsyms), "file", "kallsyms pathname"},
	{OPT_UINT, 0, "max-stack", AT(max_stack), "n",
	 "Maximum number of functions to display backtrace."},
	{OPT_STRING, 0, "symfs", AT(symbols.symfs), "directory",
	 "Look for files with symbols relative to this directory"},
	{OPT_STRING, 0, "time", AT(time), "str", "Time span for analysis (start,stop)"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {kwork_opts, 0}, {0}};

/* True when all tracepoints have call chains. */
static bool timehist_has_chains(const struct recording *rec)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		const struct attr *a = &rec->m.events.events.at[i]->attr;

		if (!(a->sample_type & SAMPLE_CALLCHAIN) && a->type == TYPE_TRACEPOINT)
			return false;
	}
	return true;
}

static int timehist_show(struct env *env, const struct kwork_opts *o, struct kwork *k,
			 struct recording *rec, struct err *err)
{
	AUTO(world) *world = world_of_recording(rec, &o->symbols);
	struct script_frames frames;
	struct kwork_history h = {.out = env->out, .chains = o->chains && timehist_has_chains(rec)};
	int failed;

	if (!rec->is_pipe && kwork_check(rec, err))
		return -1;
	if (o->chains && !h.chains)
		fputs("Samples do not have callchains.\n", stderr);
	script_frames_init(&frames, world, rec);
	frames.no_inlines = true;
	h.line = (struct chain_line){
		.world = world, .frames = &frames, .max_stack = MIN(o->max_stack, 1u << 16)};
	kwork_history_show(&h, k);
	failed = kwork_read(k, rec, world, err) || kwork_check(rec, err);
	kwork_history_release(&h);
	script_frames_release(&frames);
	symbols_explain(world_dsos(world), env->debug);
	return failed ? -1 : kwork_account(o, rec, k->uncertain, k->uncertain_ns);
}

static int kwork_timehist_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct kwork_opts *o = v;
	struct kwork_options how = {
		.question = KWORK_HISTORY, .name = o->name, .filter = {.socket = -1}};
	AUTO(recording) *rec = NULL;
	struct kwork k;
	int status = -1;

	o->symbols.force = o->input.force;
	kwork_init(&k, &how);
	if (!symbol_opts_check(&o->symbols, err) &&
	    !kwork_classes_parse(&how.classes, o->classes ? o->classes : KWORK_CLASSES, err)) {
		if (!kwork_instead(o, KWORK_CLASSES, env, argc, argv, &status, err) &&
		    (rec = kwork_open(o, env, &how.filter, err)))
			status = timehist_show(env, o, &k, rec, err);
	}
	kwork_release(&k);
	filter_release(&how.filter);
	return status;
}

static const char *const usage[] = {"kwork timehist [<options>] [<command>]", NULL};

const struct cmd cmd_kwork_timehist = {
	.name = "timehist",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.pager = true,
	.run = kwork_timehist_run,
};
