// SPDX-License-Identifier: MIT
/* Translates record's options to the recorder's options. */
#include "cmd/options/output/contain_file.h"
#include "cmd/record/record_opts.h"

#include "os/rights/rights.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void record_plan_tell(void *ctx, const char *text)
{
	(void)ctx;
	fputs(text, stderr);
}

/* Flushes each text: the recording may be killed. */
static void debug(void *stream, const char *text)
{
	fputs(text, stream);
	fflush(stream);
}

/* Of two given targets, keeps the narrower one and warns. */
static void narrow(struct target_options *t, void (*say)(void *ctx, const char *text))
{
	const char *what = t->pids || t->tids ? "-p and -t" : "-u";

	if ((t->pids || t->tids || t->user) && (t->system_wide || t->cpus)) {
		AUTO_CHAR *text = mem_printf("warning: %s go before %s\n", what,
					     t->cpus ? "-C" : "-a");

		if (say)
			say(NULL, text);
		t->system_wide = false;
		t->cpus = NULL;
	}
	if ((t->system_wide || t->cpus) && t->per_thread) {
		if (say)
			say(NULL, "warning: -a and -C go before --per-thread\n");
		t->per_thread = false;
	}
}

static bool stdout_is_pipe(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode);
}

static int record_plan_rate(const struct record_opts *o, struct sampling *s, struct err *err)
{
	if (o->period && o->frequency)
		return err_set(err, ERR_USAGE, "cannot set frequency and period at the same time");
	s->max_frequency = (uint64_t)rights_sysctl("/proc", "perf_event_max_sample_rate", 0);
	s->period = o->period;
	s->rate_given = o->period || o->frequency;
	s->frequency = o->period ? 0 : 4000;
	if (o->frequency)
		return value_frequency(o->frequency, s->max_frequency, &s->frequency, err);
	/* a default rate above the limit is lowered without a message */
	if (!o->period && s->max_frequency && s->frequency > s->max_frequency)
		s->frequency = s->max_frequency;
	return 0;
}

/* Of the whole machine, the number of threads that run is that of all programs together. */
static int check_latency(const struct target_options *target, struct err *err)
{
	if (!target->system_wide && !target->cpus)
		return 0;
	err_set(err, ERR_USAGE, "'%s' and '--latency' exclude each other",
		target->system_wide ? "-a" : "-C");
	return err_hint(err, "latency is that of a program: name a command, or -p");
}

static int plan_sampling(const struct record_opts *o, const struct target_options *target,
			 struct sampling *s, struct err *err)
{
	*s = o->sampling;
	if (o->pairs.n && !o->wall)
		return err_set(err, ERR_USAGE, "'--pair' needs '--wall'");
	if (record_plan_rate(o, s, err) || (o->wall && record_wall_check(o, err)) ||
	    (o->latency && check_latency(target, err)))
		return -1;
	if (o->wall)
		record_wall_sampling(o, target, s);
	if (o->wall && !s->callgraph &&
	    value_callgraph(o->usual_chains ? o->usual_chains : "fp", s, err))
		return -1;
	s->switch_events |= o->latency;
	s->inherit = !o->no_inherit && !target->tids && !target->per_thread;
	s->address |= o->data;
	s->data_src |= o->data;
	if (s->callgraph == CALLGRAPH_DWARF && s->stack_auto && (s->keep_stack || s->overwrite)) {
		err_set(err, ERR_USAGE,
			"'dwarf,auto' makes call chains while recording: %s is not possible "
			"with it",
			s->keep_stack ? "--keep-stack" : "--overwrite");
		return err_hint(err, "say how many bytes, like dwarf,32768");
	}
	/* overwritable rings are read once, at the end: stacks cannot be unwound while recording */
	s->keep_stack |= s->overwrite;
	s->time = o->timestamp_given ? (o->timestamp ? YES : NO) : UNSET;
	s->sample_period = o->sample_period_given ? (o->sample_period ? YES : NO) : UNSET;
	if (o->branch_any)
		s->branch |= 1u << 3; /* PERF_SAMPLE_BRANCH_ANY */
	s->all_user_regs = all_user_registers();
	if (s->callgraph == CALLGRAPH_FP)
		s->user_regs |= leaf_registers();
	s->bpf_events = !o->no_bpf_event;
	s->build_ids = o->build_id_mmap;
	s->system_wide = target->system_wide || target->cpus;
	s->per_thread = target->per_thread;
	s->starts_command = target_is_command(target);
	s->delayed = o->delay.given;
	if (s->all_user && s->all_kernel)
		return err_set(err, ERR_USAGE, "--all-user and --all-kernel leave nothing");
	if (s->use_clockid)
		s->time = YES;
	return 0;
}

/* Prints choices that the user may not expect. */
static void tell_choices(const struct record_opts *o, const struct recorder_options *out)
{
	if (!out->tell)
		return;
	if (o->frequency && !strcasecmp(o->frequency, "max")) {
		AUTO_CHAR *text = mem_printf("info: Using a maximum frequency rate of %llu Hz\n",
					     (unsigned long long)out->session.sampling.frequency);

		out->tell(NULL, text);
	}
	if (out->as_pipe && !o->output)
		out->tell(NULL, "[ perf record: standard output is a pipe: the recording goes into "
				"it, and '-o FILE' "
				"writes a file ]\n");
}

static int plan_output(const struct record_opts *o, struct recorder_options *out, struct err *err)
{
	bool to_stdout = !o->output && stdout_is_pipe();

	out->path = o->output ? o->output : to_stdout ? "-" : "perf.data";
	out->as_pipe = out->session.command_to_stderr = !strcmp(out->path, "-");
	out->kcore = o->kcore;
	out->compress = o->compress;
	out->max_size = o->max_size;
	out->rotation = o->rotation;
	out->rotation_keep = o->rotation_keep;
	out->timestamp_filename = o->timestamp_filename;
	if (o->trigger)
		out->rotation.on = out->rotation.on_signal = true;
	if (out->as_pipe && o->kcore)
		return err_set(err, ERR_USAGE,
			       "--kcore makes a directory, and a pipe cannot be one");
	if (out->as_pipe && (out->rotation.on || o->timestamp_filename))
		return err_set(err, ERR_USAGE, "a pipe cannot be switched or renamed");
	if (o->ring && value_ring(o->ring, &out->session.rings.ring_size,
				  &out->session.sampling.aux_size, err))
		return -1;
	if (o->probe_budget && value_share(o->probe_budget, &out->probe_budget, err))
		return -1;
	out->session.rings.ring_size_given = o->ring != NULL;
	out->session.rings.build_ids = !o->no_build_id;
	out->no_build_ids = o->no_build_id;
	out->wait_states = o->wall != NULL;
	return 0;
}

/* Refuses recordings that --self-contained cannot add to. */
static int plan_contained(const struct record_opts *o, const struct recorder_options *out,
			  struct err *err)
{
	const struct sampling *s = &out->session.sampling;

	if (!o->contained)
		return 0;
	if (s->callgraph == CALLGRAPH_DWARF && s->keep_stack) {
		err_set(err, ERR_USAGE, "'--self-contained' has no answers for copies of stacks");
		return err_hint(err,
				"leave '%s' out, or use 'perf inject --self-contained' afterwards",
				s->overwrite ? "--overwrite" : "--keep-stack");
	}
	return contain_file_check(out->path, err);
}

int record_plan(struct record_opts *o, const struct env *env, char **argv,
		struct recorder_options *out, struct event_set *events, struct event_set *trigger,
		struct err *err)
{
	*out = (struct recorder_options){.session = {.target = o->target,
						     .delay = o->delay,
						     .control = o->control,
						     .realtime = o->realtime,
						     .command = argv && argv[0] ? argv : NULL},
					 .argc = env->argc,
					 .argv = env->argv,
					 .version = PERF_VERSION};
	o->command = out->session.command;
	out->tell = o->quiet ? NULL : record_plan_tell;
	if (!o->quiet && o->verbose)
		out->session.debug = (struct debug_lines){debug, env->debug};
	if (!o->quiet && (o->verbose > 1 || env->show_opens))
		out->session.rings.opens = (struct debug_lines){debug, env->debug};
	narrow(&out->session.target, out->tell);
	if (target_is_command(&o->target) && !out->session.command)
		out->session.target.system_wide = true;
	out->session.synth = (struct synth_options){
		.tasks = o->synth & SYNTH_TASK, .maps = o->synth & SYNTH_MMAP,
		.cgroup_paths = o->sampling.cgroups && o->synth & SYNTH_CGROUP,
		.namespaces = o->sampling.namespaces, .build_ids = !o->no_build_id,
		.map_timeout_ms = o->map_timeout, .proc_root = "/proc", .sys_root = "/sys"};
	if (env->guests)
		out->session.synth.guests = *env->guests;
	if (plan_sampling(o, &out->session.target, &out->session.sampling, err) ||
	    plan_output(o, out, err) || plan_contained(o, out, err) ||
	    record_events(o, &o->selects, out->session.target.system_wide, env, events, err))
		return -1;
	out->session.synth.data_maps = out->session.sampling.address ||
				       (out->session.sampling.callgraph == CALLGRAPH_DWARF &&
					out->session.sampling.keep_stack);
	for (size_t i = 0; i < events->events.n; i++)
		if (events->events.at[i]->cgroup && !out->session.target.system_wide)
			return err_set(err, ERR_USAGE, "-G needs -a: groups are measured by CPU");
	if (o->trigger) {
		struct event_select one = {SELECT_EVENTS, o->trigger};
		struct event_selects only = {.at = &one, .n = 1};

		out->session.trigger = trigger;
		if (record_events(o, &only, false, env, trigger, err))
			return -1;
	}
	tell_choices(o, out);
	return 0;
}
