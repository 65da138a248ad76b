// SPDX-License-Identifier: MIT
#include "cmd/trace/trace_opts.h"

#define AT(member) offsetof(struct trace_opts, member)

static int set_syscalls(void *place, const struct opt *opt, const char *value, bool unset,
			struct err *err)
{
	enum unset_or *syscalls = place;

	(void)opt;
	(void)value;
	(void)err;
	*syscalls = unset ? NO : YES;
	return 0;
}

static int set_chains(void *place, const struct opt *opt, const char *value, bool unset,
		      struct err *err)
{
	(void)opt;
	return value_callgraph(unset ? "no" : value, place, err);
}

/* Refuses options of other perf versions. .help says what this perf does instead. */
static int refuse_option(void *place, const struct opt *opt, const char *value, bool unset,
			 struct err *err)
{
	(void)place;
	(void)value;
	return unset ? 0 : err_set(err, ERR_UNSUPPORTED, "--%s: %s", opt->name, opt->help);
}

#define REFUSED(name, flags, why)                                                                  \
	{                                                                                          \
		OPT_CALL, 0, name, 0, "value", why, OPT_HIDDEN | (flags), .call = refuse_option    \
	}

static const struct opt refused[] = {
	REFUSED("tool_stats", OPT_NO_VALUE, "no such statistics are kept; -v says more"),
	REFUSED("map-dump", 0, "no map is for users to dump; 'bpftool map dump' shows any"),
	REFUSED("force-btf", OPT_NO_VALUE,
		"arguments are decoded by tables, and need no type information"),
	{OPT_END},
};

static const struct opt options[] = {
	{OPT_HEADING, .help = "What is traced"},
	{OPT_CALL, 'e', "event", AT(selects), "call|event[,...]",
	 "system calls: names, globs, %file and other groups; '!' before all: all but these; "
	 "and any events",
	 .value = SELECT_EVENTS, .call = event_select_call},
	{OPT_CALL, 0, "expr", AT(selects), "call|event[,...]", "the same as -e",
	 .value = SELECT_EVENTS, .call = event_select_call},
	{OPT_CALL, 0, "filter", AT(selects), "filter", "of the events before it",
	 .value = SELECT_FILTER, .call = event_select_call},
	{OPT_STRING, 'F', "pf", AT(faults), "all|maj|min", "page faults", OPT_OPTIONAL_NEXT, "maj",
	 .words = "all maj min"},
	{OPT_BOOL, 0, "sched", AT(sched), NULL, "with -s or -S: how long threads were on a CPU"},
	{OPT_CALL, 'G', "cgroup", AT(selects), "name",
	 "calls and events of tasks in this control group only (-a)", .value = SELECT_CGROUPS,
	 .call = event_select_call},
	{OPT_BOOL, 'a', "all-cpus", AT(target.system_wide), NULL, "every task"},
	{OPT_STRING, 'C', "cpu", AT(target.cpus), "cpu",
	 "only calls that begin on these CPUs, like 0,2-3"},
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
	{OPT_UINT, 0, "proc-map-timeout", AT(map_timeout), "ms",
	 "give up reading the maps of a process after this"},
	{OPT_HEADING, .help = "Which calls are shown"},
	{OPT_DOUBLE, 0, "duration", AT(duration_ms), "ms", "calls that took at least so long"},
	{OPT_BOOL, 0, "failure", AT(failure), NULL, "calls that failed"},
	{OPT_U64, 0, "max-events", AT(max_events), "n", "end after so many"},
	{OPT_STRING, 0, "switch-on", AT(switch_on), "event", "begin with this event"},
	{OPT_STRING, 0, "switch-off", AT(switch_off), "event", "end with this event"},
	{OPT_BOOL, 0, "show-on-off-events", AT(show_switches), NULL, "show these two, too"},
	{OPT_HEADING, .help = "How they are shown"},
	{OPT_BOOL, 's', "summary", AT(summary), NULL,
	 "only how many of each kind, and how long they took"},
	{OPT_BOOL, 0, "bpf-summary", AT(bpf_summary), NULL,
	 "with -s: count in the kernel (always done)"},
	{OPT_BOOL, 'S', "with-summary", AT(with_summary), NULL, "that after the calls"},
	{OPT_BOOL, 0, "errno-summary", AT(errno_summary), NULL,
	 "with -s or -S: how often each error"},
	{OPT_STRING, 0, "summary-mode", AT(summary_mode), "mode",
	 "with -s or -S: sums of:", .words = "thread total cgroup"},
	{OPT_U64, 0, "max-summary", AT(max_summary), "n",
	 "with -s or -S: so many threads, or calls of a total"},
	{OPT_UINT, 0, "string-size", AT(string_size), "bytes",
	 "bytes of a buffer that are shown (32; at most 1024)"},
	{OPT_STRING, 0, "buffers", AT(buffers), "fd[,...]|all",
	 "below calls that read or write these descriptors: all their bytes in hexadecimal"},
	{OPT_BOOL, 'T', "time", AT(full_time), NULL,
	 "times of the monotonic clock, not from the first call on"},
	{OPT_BOOL, 0, "comm", AT(comm), NULL, "the name of the thread before its id (usual)"},
	{OPT_BOOL, 0, "show-cpu", AT(show_cpu), NULL, "the CPU"},
	{OPT_STRING, 'o', "output", AT(output), "file",
	 "write to this file, not to standard error"},
	{OPT_STRING, 'x', "field-separator", AT(separator), "separator",
	 "for programs: a row of fields for each call, event or (-s) sum"},
	{OPT_BOOL, 'j', "json-output", AT(json), NULL, "the same as JSON objects, one a line"},
	{OPT_BOOL, 0, "sort-events", AT(sort_events), NULL, "sort events (always done)"},
	{OPT_CALL, 0, "syscalls", AT(syscalls), NULL,
	 "trace system calls (usual without -F and events)", OPT_NO_VALUE, .call = set_syscalls},
	{OPT_CALL, 0, "call-graph", AT(chains), "mode[,size]",
	 "call chains of calls, events and page faults: fp, dwarf, lbr", .call = set_chains},
	{OPT_BOOL, 0, "kernel-syscall-graph", AT(kernel_graph), NULL,
	 "call chains of calls with the kernel's part (implies --call-graph fp)"},
	{OPT_BOOL, 0, "print-sample", AT(print_sample), NULL,
	 "a line before, for the beginning and the end of each call"},
	{OPT_UINT, 0, "max-stack", AT(max_stack), "n",
	 "frames of a chain that are shown (implies --call-graph dwarf)"},
	{OPT_UINT, 0, "min-stack", AT(min_stack), "n",
	 "only calls and events whose chain has as many frames (implies --call-graph dwarf)"},
	{OPT_BOOL, 0, "libtraceevent_print", AT(print_formats), NULL,
	 "tracepoints by their own print format"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "say more"},
	{OPT_END},
};

const struct opt_group trace_groups[] = {
	{input_opts, offsetof(struct trace_opts, input)}, {options, 0}, {refused, 0}, {0}};

void trace_defaults(void *v, const struct env *env)
{
	struct trace_opts *o = v;

	o->comm = true;
	o->map_timeout = 500;
	o->string_size = 32;
	o->verbose = env->verbose;
}
