// SPDX-License-Identifier: MIT
#include "capture/recorder.h"
#include "cmd/cmd.h"
#include "cmd/record_opts.h"

#include <signal.h>
#include <stdio.h>

static void say_result(const struct recorder_options *o, const struct recorder_result *r)
{
	double mb = (double)r->bytes / 1048576;

	fprintf(stderr, "[ perf record: Woken up %llu times to write data ]\n",
		(unsigned long long)r->wakeups);
	fprintf(stderr, "[ perf record: Captured and wrote %.3f MB %s", mb, o->path);
	if (r->samples)
		fprintf(stderr, " (%llu samples)", (unsigned long long)r->samples);
	if (o->compress && r->bytes)
		fprintf(stderr, ", compressed (original %.3f MB, ratio is %.3f)",
			(double)r->bytes_in / 1048576, (double)r->bytes_in / (double)r->bytes);
	fprintf(stderr, " ]\n");
}

static int run(struct env *env, void *v, int argc, char **argv, struct err *err)
{
	struct record_opts *opts = v;
	struct recorder_options o = {0};
	struct recorder_result result = {0};
	struct event_set events = {0};
	int got;

	(void)argc;
	got = record_plan(opts, env, argv, &o, &events, err);
	if (!got)
		got = recorder_run(&o, &events, &result, err);
	if (!opts->quiet) {
		fputs(buf_text(&result.notices), stderr);
		if (!got)
			say_result(&o, &result);
	}
	buf_release(&result.notices);
	event_set_release(&events);
	return got ? got : result.exit_status;
}

static const char *const usage[] = {"record [<options>] [<command>]",
				    "record [<options>] -- <command> [<options>]", NULL};

const struct cmd cmd_record = {
	.name = "record",
	.summary = "Run a command and record its profile into perf.data",
	.usage = usage,
	.groups = record_opt_groups,
	.opts_size = sizeof(struct record_opts),
	.stop_at_word = true,
	.run = run,
};
