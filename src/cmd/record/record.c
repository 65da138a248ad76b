// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"
#include "cmd/options/opts_debuginfod.h"
#include "cmd/options/opts_symbols.h"
#include "cmd/options/output/contain_file.h"
#include "cmd/record/record_opts.h"
#include "cmd/record/record_store.h"
#include "os/rights/rights.h"

#include <signal.h>
#include <stdio.h>

/* Prints how many new tasks ended before their first sample. */
static void say_unsampled(const struct unsampled *u)
{
	const char *or_else = u->excluded & ATTR_EXCLUDE_KERNEL ? ", or was in the kernel"
			      : u->excluded & ATTR_EXCLUDE_USER ? ", or was in user space" : "";

	if (!u->event)
		return;
	fprintf(stderr,
		"[ perf record: %.0f %% of what '%s' counted has no samples%s: each of %llu new "
		"processes and threads began a "
		"period of its own%s ]\n",
		100 * u->share, u->event, or_else, (unsigned long long)u->tasks,
		rights_whole_machine("/proc")
			? ""
			: " (one clock for all needs CAP_PERFMON, or perf_event_paranoid <= 0)");
}

static void say_losses(const struct recorder_result *r)
{
	const uint64_t all = r->samples + r->cut_samples + r->lost_samples,
		       chains = unwind_ends_sum(r->chain_ends);

	if (r->cut_samples)
		fprintf(stderr,
			"[ perf record: The last %llu samples had no room and are not in it ]\n",
			(unsigned long long)r->cut_samples);
	if (r->lost_samples)
		fprintf(stderr, "[ perf record: Lost %llu samples, %.2f %% of all ]\n",
			(unsigned long long)r->lost_samples,
			100.0 * (double)r->lost_samples / (double)all);
	if (r->lost_side)
		fprintf(stderr,
			"[ perf record: Lost %llu records of names and maps: some samples may have "
			"none ]\n",
			(unsigned long long)r->lost_side);
	if (r->stack_size)
		fprintf(stderr,
			"[ perf record: stack copies were raised to %u bytes after %llu samples "
			"]\n",
			r->stack_size, (unsigned long long)r->stack_after);
	for (int end = UNWIND_OUTERMOST + 1; end < UNWIND_ENDS; end++)
		if (r->chain_ends[end])
			fprintf(stderr,
				"[ perf record: %llu of %llu call chains end early: %s%s ]\n",
				(unsigned long long)r->chain_ends[end], (unsigned long long)chains,
				unwind_end_text((enum unwind_end)end),
				end == UNWIND_STACK && r->chain_ends[end] > r->stack_cuts
					? " (--call-graph dwarf,SIZE)"
					: "");
	if (r->stack_cuts)
		fprintf(stderr,
			"[ perf record: %llu copies of stacks were cut: files or the disk were too "
			"slow "
			"]\n",
			(unsigned long long)r->stack_cuts);
	say_unsampled(&r->unsampled);
	if (r->throttles)
		fprintf(stderr, "[ perf record: The kernel throttled sampling %llu times ]\n",
			(unsigned long long)r->throttles);
	if (r->bpf_programs_left_out)
		fprintf(stderr,
			"[ perf record: %u BPF programs are beyond 64 MiB: they have no code, and "
			"perhaps no names ]\n",
			r->bpf_programs_left_out);
	if (r->bpf_types_left_out)
		fprintf(stderr,
			"[ perf record: The types and lines of %u BPF programs are beyond 64 MiB, "
			"and not in it ]\n",
			r->bpf_types_left_out);
	if (r->late_maps)
		fprintf(stderr,
			"[ perf record: The maps of %llu processes took longer than "
			"--proc-map-timeout ]\n",
			(unsigned long long)r->late_maps);
}

static void say_result(const struct recorder_options *o, const struct recorder_result *r)
{
	const char *last = r->files.n ? *vec_last(&r->files) : NULL;

	if (r->size_reached)
		fprintf(stderr,
			"[ perf record: perf size limit reached (%llu KB), stopping session ]\n",
			(unsigned long long)r->bytes >> 10);
	fprintf(stderr, "[ perf record: Woken up %llu times to write data ]\n",
		(unsigned long long)r->wakeups);
	if (last)
		fprintf(stderr, "[ perf record: Dump %s ]\n", last);
	fprintf(stderr, "[ perf record: Captured and wrote %.3f MB %s",
		(double)r->bytes / 1024 / 1024, last ? last : o->path);
	if (r->samples && !last)
		fprintf(stderr, " (%llu samples)", (unsigned long long)r->samples);
	if (r->packed)
		fprintf(stderr, ", compressed (original %.3f MB, ratio is %.3f)",
			(double)r->plain / 1024 / 1024, (double)r->plain / (double)r->packed);
	fprintf(stderr, " ]\n");
	say_losses(r);
}

/* Ends perf like the recording: by the same signal, or with the command's status. */
static int record_leave(const struct recorder_result *r)
{
	int sig = r->signal ? r->signal : r->exit_status > 128 ? r->exit_status - 128 : 0;

	if (r->killed || r->signal) {
		fflush(stderr);
		signal(sig, SIG_DFL);
		raise(sig);
	}
	return r->exit_status;
}

/* --self-contained, of the file that was written, or of all that were. */
static int record_contain(struct env *env, const struct record_opts *o, const char *path,
			  const struct recorder_files *files, struct err *err)
{
	struct symbol_options how = {.force = true};
	int got = 0;

	symbol_opts_defaults(&how, env);
	how.verbose = o->verbose;
	if (!files->n)
		return contain_file(env, path, &how, err);
	for (size_t i = 0; i < files->n && !got; i++)
		got = contain_file(env, files->at[i], &how, err);
	return got;
}

static int cmd_record_run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct record_opts *opts = v;
	struct recorder_options o = {0};
	struct recorder_result result = {0};
	struct event_set events = {0}, trigger = {0};
	int got;

	(void)argc;
	got = record_plan(opts, env, argv, &o, &events, &trigger, err);
	if (!got && !opts->dry_run) {
		got = recorder_run(&o, &events, &result, err);
		if (!opts->quiet && (!got || result.samples))
			say_result(&o, &result);
		if (!got && !o.timestamp_filename && !o.rotation.on)
			record_store(opts, env, o.path);
		if (!got && opts->contained)
			got = record_contain(env, opts, o.path, &result.files, err);
	}
	recorder_files_release(&result.files);
	event_set_release(&events);
	event_set_release(&trigger);
	vec_release(&opts->selects);
	vec_release(&opts->delay.spans);
	return got ? got : record_leave(&result);
}

static const char *const usage[] = {"record [<options>] [<command>]",
				    "record [<options>] -- <command> [<options>]", NULL};

static const struct cmd_variable variables[] = {
	DEBUGINFOD_VARIABLE,
	{"core.proc-map-timeout", "proc-map-timeout"},
	{"record.aio", "aio"},
	{"record.debuginfod", "debuginfod"},
	{"record.self-contained", "self-contained"},
	{NULL, NULL},
};

const struct cmd cmd_record = {
	.name = "record",
	.summary = "Run a command and record its profile into perf.data",
	.usage = usage,
	.groups = record_opt_groups,
	.opts_size = sizeof(struct record_opts),
	.stop_at_word = true,
	.defaults = record_defaults,
	.variables = variables,
	.run = cmd_record_run,
};
