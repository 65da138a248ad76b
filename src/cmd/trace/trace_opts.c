// SPDX-License-Identifier: MIT
#include "cmd/trace/trace_opts.h"

#define AT(member) offsetof(struct trace_opts, member)

static const struct opt options[] = {
	{OPT_HEADING, .help = "What is traced"},
	{OPT_STRINGS, 'e', "event", AT(events), "call[,call...]",
	 "system calls: names, globs, %file and other groups; '!' before all: all but these"},
	{OPT_STRINGS, 0, "expr", AT(events), "call[,call...]", "the same as -e"},
	{OPT_BOOL, 'a', "all-cpus", AT(target.system_wide), NULL, "every task"},
	{OPT_STRING, 'C', "cpu", AT(target.cpus), "cpu",
	 "only calls that end on these CPUs, like 0,2-3"},
	{OPT_STRING, 'p', "pid", AT(target.pids), "pid", "processes that run"},
	{OPT_STRING, 't', "tid", AT(target.tids), "tid", "threads that run"},
	{OPT_STRING, 'u', "uid", AT(target.user), "user", "tasks of a user, that run now"},
	{OPT_STRING, 0, "filter-pids", AT(filter_pids), "pid[,pid...]",
	 "leave out these processes"},
	{OPT_BOOL, 0, "no-inherit", AT(no_inherit), NULL,
	 "what is started meanwhile is not traced"},
	{OPT_UINT, 'D', "delay", AT(delay_ms), "ms", "begin so much after the command does"},
	{OPT_STRING, 'm', "mmap-pages", AT(ring), "pages",
	 "size of the buffer: pages, or with B, K, M, G"},
	{OPT_HEADING, .help = "Which calls are shown"},
	{OPT_DOUBLE, 0, "duration", AT(duration_ms), "ms", "calls that took at least so long"},
	{OPT_BOOL, 0, "failure", AT(failure), NULL, "calls that failed"},
	{OPT_U64, 0, "max-events", AT(max_events), "n", "end after so many"},
	{OPT_HEADING, .help = "How they are shown"},
	{OPT_BOOL, 's', "summary", AT(summary), NULL,
	 "only how many of each kind, and how long they took"},
	{OPT_BOOL, 'S', "with-summary", AT(with_summary), NULL, "that after the calls"},
	{OPT_BOOL, 0, "errno-summary", AT(errno_summary), NULL,
	 "with -s or -S: how often each error"},
	{OPT_STRING, 0, "summary-mode", AT(summary_mode), "mode",
	 "with -s or -S: sums of:", .words = "thread total"},
	{OPT_U64, 0, "max-summary", AT(max_summary), "n",
	 "with -s or -S: so many threads, or calls of a total"},
	{OPT_UINT, 0, "string-size", AT(string_size), "bytes",
	 "bytes of a buffer that are shown (32; at most 1024)"},
	{OPT_BOOL, 'T', "time", AT(full_time), NULL,
	 "times of the monotonic clock, not from the first call on"},
	{OPT_BOOL, 0, "comm", AT(comm), NULL, "the name of the thread before its id (usual)"},
	{OPT_BOOL, 0, "show-cpu", AT(show_cpu), NULL, "the CPU"},
	{OPT_STRING, 'o', "output", AT(output), "file",
	 "write to this file, not to standard error"},
	{OPT_BOOL, 0, "sort-events", AT(sort_events), NULL, "sort events (always done)"},
	{OPT_BOOL, 0, "syscalls", AT(syscalls), NULL, "trace system calls (usual)"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "say more"},
	{OPT_END},
};

const struct opt_group trace_groups[] = {
	{input_opts, offsetof(struct trace_opts, input)}, {options, 0}, {0}};

void trace_defaults(void *v, const struct env *env)
{
	struct trace_opts *o = v;

	o->comm = o->syscalls = true;
	o->string_size = 32;
	o->verbose = env->verbose;
}
