// SPDX-License-Identifier: MIT
#include "cmd/sched/sched_opts.h"
#include "view/sched/sched.h"
#include "world/replay/replay.h"

#include <stdio.h>

#define AT(field) offsetof(struct sched_opts, field)

static const struct opt options[] = {
	{OPT_STRING, 'C', "cpu", AT(cpus), "cpu", "list of cpus to profile"},
	{OPT_STRING, 'c', "comms", AT(filter.comms), "comm[,comm...]",
	 "analyze events only for tasks of these names"},
	{OPT_BOOL, 'g', "call-graph", AT(chains), NULL,
	 "Display call chains if present (default on)"},
	{OPT_BOOL, 'I', "idle-hist", AT(idle), NULL, "Show idle events only"},
	{OPT_STRING, 'k', "vmlinux", AT(symbols.vmlinux), "file", "vmlinux pathname"},
	{OPT_BOOL, 'M', "migrations", AT(migrations), NULL, "Show migration events"},
	{OPT_BOOL, 'n', "next", AT(next), NULL, "Show next task"},
	{OPT_STRING, 'p', "pid", AT(pids), "pid[,pid...]",
	 "analyze events only for given process id(s)"},
	{OPT_BOOL, 'P', "pre-migrations", AT(pre_migrations), NULL, "Show pre-migration wait time"},
	{OPT_BOOL, 's', "summary", AT(summary_only), NULL,
	 "Show only syscall summary with statistics"},
	{OPT_BOOL, 'S', "with-summary", AT(summary), NULL,
	 "Show all syscalls and summary with statistics"},
	{OPT_STRING, 't', "tid", AT(tids), "tid[,tid...]",
	 "analyze events only for given thread id(s)"},
	{OPT_BOOL, 'V', "cpu-visual", AT(cpu_visual), NULL, "Add CPU visual"},
	{OPT_BOOL, 'w', "wakeups", AT(wakeups), NULL, "Show wakeup events"},
	{OPT_STRING, 0, "kallsyms", AT(symbols.kallsyms), "file", "kallsyms pathname"},
	{OPT_UINT, 0, "max-stack", AT(max_stack), "n",
	 "Maximum number of functions to display backtrace."},
	{OPT_STRING, 0, "prio", AT(prios), "prio",
	 "analyze events only for given task priority(ies)"},
	{OPT_BOOL, 0, "show-prio", AT(show_prio), NULL, "Show task priority"},
	{OPT_BOOL, 0, "state", AT(state), NULL, "Show task state when sched-out"},
	{OPT_STRING, 0, "symfs", AT(symbols.symfs), "directory",
	 "Look for files with symbols relative to this directory"},
	{OPT_STRING, 0, "time", AT(time), "str", "Time span for analysis (start,stop)"},
	{OPT_END},
};

static const struct opt_group groups[] = {{options, 0}, {sched_opts, 0}, {0}};

static int timehist_times(const struct sched_opts *o, const struct recording *rec,
			  struct timehist_options *how, struct err *err)
{
	struct time_range part;

	if (filter_opts_part(o->time, rec, &part, err))
		return -1;
	how->start = part.start;
	how->end = part.end == UINT64_MAX ? 0 : part.end;
	return 0;
}

/* Priorities of the kernel: 0 to 99 are real-time, 100 to 139 are those of nice -20 to 19. */
#define TIMEHIST_PRIO_MAX 139

static int timehist_prios(const char *text, struct number_list *prios, struct err *err)
{
	if (number_list_parse(prios, text, "priorities", err))
		return -1;
	for (size_t i = 0; i < prios->ranges.n; i++)
		if (prios->ranges.at[i].last > TIMEHIST_PRIO_MAX)
			return err_set(err, ERR_USAGE, "a priority is from 0 to %d: '%s'",
				       TIMEHIST_PRIO_MAX, text);
	return 0;
}

static int timehist_configure(const struct sched_opts *o, const struct recording *rec,
			      struct timehist_options *how, struct err *err)
{
	if ((o->wakeups || o->next) && o->summary_only)
		return err_set(err, ERR_USAGE, " Error: -s and -[n|w] are mutually exclusive.");
	how->one_cpu_list = o->cpus;
	if (o->filter.comms)
		name_list_add(&how->comms, o->filter.comms, ",");
	return (o->cpus && number_list_parse(&how->cpus, o->cpus, "cpus", err)) ||
			       (o->pids && number_list_parse(&how->pids, o->pids, "pids", err)) ||
			       (o->tids && number_list_parse(&how->tids, o->tids, "tids", err)) ||
			       (o->prios && timehist_prios(o->prios, &how->prio_list, err)) ||
			       (o->time && timehist_times(o, rec, how, err))
		       ? -1
		       : 0;
}

/* True when all tracepoints have call chains. Prints a message if not. */
static bool timehist_has_chains(const struct recording *rec)
{
	for (size_t i = 0; i < rec->m.events.events.n; i++) {
		const struct attr *a = &rec->m.events.events.at[i]->attr;

		if (!(a->sample_type & SAMPLE_CALLCHAIN) && a->type == TYPE_TRACEPOINT) {
			fputs("Samples do not have callchains.\n", stderr);
			return false;
		}
	}
	return true;
}

static int timehist_show(const struct sched_opts *o, struct recording *rec,
			 const struct timehist_options *how, struct timehist_view *v,
			 struct err *err)
{
	struct timehist t = {.max_cpu = v->n_cpus,
			     .show = timehist_show_row,
			     .ctx = v,
			     .idle = v->idle_chains ? timehist_count_idle : NULL};
	struct replay rp;
	int failed;

	if (!o->summary_only)
		timehist_show_header(v, &t);
	failed = timehist_read(&t, how, &rp, rec, v->world, err);
	if (!failed && (o->summary || o->summary_only))
		timehist_show_summary(v, &t);
	timehist_release(&t);
	return failed ? -1
		      : sched_account(o, rec, "waits and runs", t.uncertain, t.uncertain_ns, err);
}

static int timehist_run(struct env *env, const struct sched_opts *o, struct recording *rec,
			const struct timehist_options *how, struct err *err)
{
	AUTO(world) *world = world_of_recording(rec, &o->symbols);
	struct script_frames frames;
	struct timehist_view v = {.out = env->out,
				  .world = world,
				  .max_stack = MIN(o->max_stack, 1u << 16),
				  .cpu_visual = o->cpu_visual,
				  .next = o->next,
				  .state = o->state,
				  .wakeups = o->wakeups,
				  .prios = o->show_prio,
				  .pre_migrations = o->pre_migrations,
				  .n_cpus = rec->nr_cpus_online ? MIN(rec->nr_cpus_online, 4096u)
								: 4};
	int status;

	script_frames_init(&frames, world, rec);
	frames.no_inlines = true;
	if (o->chains && timehist_has_chains(rec))
		v.frames = &frames;
	if (!v.frames)
		world_without_maps(world);
	if (v.frames && o->idle)
		v.idle_chains = timehist_idle_chains_new();
	status = timehist_show(o, rec, how, &v, err);
	vec_release(&v.names);
	timehist_idle_chains_free(v.idle_chains);
	script_frames_release(&frames);
	symbols_explain(world_dsos(world), env->debug);
	return status;
}

static int cmd_timehist_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct sched_opts *o = v;
	struct timehist_options how = {.wakeups = o->wakeups,
				       .migrations = o->migrations,
				       .idle = o->idle,
				       .prios = o->show_prio || o->prios,
				       .next = o->next,
				       .pre_migrations = o->pre_migrations,
				       .summary_only = o->summary_only};
	AUTO(recording) *rec = NULL;
	int status = -1;

	o->symbols.force = o->input.force;
	o->symbols.verbose += o->verbose;
	if (symbol_opts_check(&o->symbols, err))
		return -1;
	if (sched_instead(o, env, argc, argv, &status, err))
		return status;
	rec = sched_open(o, env, err);
	if (rec && !timehist_configure(o, rec, &how, err))
		status = timehist_run(env, o, rec, &how, err);
	vec_release(&how.cpus.ranges);
	vec_release(&how.pids.ranges);
	vec_release(&how.tids.ranges);
	vec_release(&how.prio_list.ranges);
	intern_release(&how.comms.names);
	return status;
}

static const char *const usage[] = {"sched timehist [<options>] [<command>]", NULL};

const struct cmd cmd_sched_timehist = {
	.name = "timehist",
	.usage = usage,
	.groups = groups,
	.stop_at_word = true,
	.pager = true,
	.run = cmd_timehist_run,
};
