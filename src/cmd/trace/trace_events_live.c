// SPDX-License-Identifier: MIT
/* Live events, merged by time with the calls of the tracer. */
#include "cmd/trace/trace_events.h"

#include "base/monotonic.h"
#include "os/rights/rights.h"
#include "os/process/signals.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_MS 20 /* longest delay of a line */

static void tell_user(void *ctx, const char *text)
{
	(void)ctx;
	fputs(text, stderr);
}

/* Makes every page fault a sample, and finds the events of --sched and of call chains. */
static void set_up_events(struct trace_events *e)
{
	struct event_set *set = &e->source->m.events;

	for (size_t i = 0; i < set->events.n; i++) {
		struct event *ev = set->events.at[i];

		if (event_is_fault(ev)) {
			ev->attr.sample_period = 1;
			ev->fixed |= FIXED_PERIOD;
		}
		if (e->show->opts->sched && !strcmp(ev->name, "sched:sched_stat_runtime"))
			e->runtime = ev;
	}
	if (!e->call_chains)
		return;
	/* of several such events, the last is trace_select()'s */
	for (size_t i = 0; i < set->events.n; i++)
		if (!strcmp(set->events.at[i]->name, "raw_syscalls:sys_exit"))
			e->exits = set->events.at[i];
	if (e->exits && !e->show->opts->kernel_graph)
		((struct event *)e->exits)->attr.flags |= ATTR_EXCLUDE_CALLCHAIN_KERNEL;
}

static bool has_faults(const struct event_set *set)
{
	for (size_t i = 0; i < set->events.n; i++)
		if (event_is_fault(set->events.at[i]))
			return true;
	return false;
}

static void plan_session(struct trace_events *e, const struct target_options *target,
			 char **command)
{
	const struct trace_opts *o = e->show->opts;
	struct session_options *s = &e->session;
	struct sampling *a = &s->sampling;

	s->target = *target;
	s->command = command && *command ? command : NULL;
	*a = o->chains;
	a->max_frequency = (uint64_t)rights_sysctl("/proc", "perf_event_max_sample_rate", 0);
	a->frequency = a->max_frequency ? MIN(4000, a->max_frequency) : 4000;
	a->inherit = !o->no_inherit && !target->tids;
	a->time = YES;
	a->cpu = true;
	a->use_clockid = true;
	a->clockid = CLOCK_MONOTONIC;
	a->address = has_faults(&e->source->m.events);
	a->max_stack = 0;
	a->all_user_regs = all_user_registers();
	if (a->callgraph == CALLGRAPH_FP)
		a->user_regs |= leaf_registers();
	a->bpf_events = true;
	a->system_wide = target->system_wide || target->cpus;
	a->starts_command = target_is_command(target) && s->command;
	s->synth = (struct synth_options){.tasks = true,
					  .maps = true,
					  .data_maps = a->address,
					  .map_timeout_ms = o->map_timeout,
					  .proc_root = "/proc",
					  .sys_root = "/sys"};
}

static int open_source(struct trace_events *e, const struct target_options *target, char **command,
		       struct err *err)
{
	const struct trace_opts *o = e->show->opts;
	struct symbol_options symbols = {.demangle = true, .use_modules = true};
	struct event_source names;
	int got;

	e->source = live_source_new();
	got = event_source_open(&names, NULL, e->show->config, err);
	if (!got)
		got = events_select(&e->selects, &names.host, &e->source->m.events, err);
	if (!got)
		got = events_set_cgroups(&e->selects, &e->source->m.events, err);
	event_source_release(&names);
	if (got)
		return -1;
	set_up_events(e);
	if (o->ring && !e->calls &&
	    value_ring(o->ring, &e->session.rings.ring_size, &e->session.sampling.aux_size, err))
		return -1;
	plan_session(e, target, command);
	if (live_source_open(e->source, &e->session, tell_user, NULL, err))
		return -1;
	e->world = world_new(&e->source->m, &symbols);
	world_present_only(e->world);
	return trace_events_begin(e, &e->source->m, e->world, e->source->m.chains_made, err);
}

int trace_events_open(struct trace_events *e, const struct target_options *target, int command_pid,
		      struct err *err)
{
	struct target_options t = *target;

	if (command_pid && target_is_command(target)) {
		snprintf(e->pid_text, sizeof(e->pid_text), "%d", command_pid);
		t.pids = e->pid_text;
		e->before_exec = (uint32_t)command_pid;
	}
	return open_source(e, &t, NULL, err);
}

void trace_events_close(struct trace_events *e)
{
	if (e->lines.world)
		script_frames_release(&e->lines.frames);
	tp_text_free(e->lines.texts);
	e->lines = (struct event_lines){0};
	if (!e->source)
		return;
	world_free(e->world);
	e->world = NULL;
	live_source_free(e->source);
	e->source = NULL;
}

static void take_record(struct trace_events *e, const struct record *r)
{
	if (r->header.type != RECORD_SAMPLE) {
		world_add(e->world, r, record_time(&e->source->m, r));
		if (r->header.type == RECORD_COMM && r->header.misc & MISC_COMM_EXEC &&
		    r->comm.pid == e->before_exec)
			e->before_exec = 0;
		return;
	}
	/* before its exec, the command is a fork of perf */
	if (r->sample.pid == (uint32_t)getpid() ||
	    (e->before_exec && r->sample.pid == e->before_exec))
		return;
	trace_events_add(e, r);
}

int trace_events_pull(struct trace_events *e, bool all, struct err *err)
{
	const uint64_t before = e->pulled_ns;
	struct record r;
	int got;

	e->pulled_ns = monotonic_ns();
	if (all)
		e->source->session.stop = true;
	while ((got = live_source_next(e->source, session_now_ms(), &r, err)) > 0)
		take_record(e, &r);
	if (got < 0)
		return -1;
	/* all calls that ended before the last pull have arrived */
	trace_events_show_queue(e, all ? UINT64_MAX : before);
	return 0;
}

static int show_all(struct trace_events *e, struct err *err)
{
	struct trace_show *s = e->show;
	struct session *session = &e->source->session;
	struct record r;
	int got;

	for (;;) {
		got = live_source_next(e->source, session_now_ms() + PAUSE_MS, &r, err);
		if (got < 0)
			return -1;
		if (got)
			take_record(e, &r);
		else if (!out_flush(&s->out) || session->stop)
			return 0;
		session->stop |= trace_show_full(s);
	}
}

int trace_events_run(struct trace_events *e, char **command, struct err *err)
{
	struct target_options target = e->show->opts->target;
	struct session *session;
	int status;

	e->show->live = true;
	if (!*command && target_is_command(&target))
		target.system_wide = true;
	if (open_source(e, &target, command, err) || show_all(e, err))
		return -1;
	session = &e->source->session;
	status = trace_say_lost(e->show, 0, e->source->lost_samples);
	trace_show_end(e->show);
	out_flush(&e->show->out);
	session_stop(session);
	session_close(session);
	e->source->opened = false;
	signals_die(session->signal, *command != NULL);
	if (!*command || trace_show_enough(e->show) || !session_exit_status(session))
		return status;
	return session_exit_status(session);
}
