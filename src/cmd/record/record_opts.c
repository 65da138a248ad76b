// SPDX-License-Identifier: MIT
#include "cmd/record/record_opts.h"

#include "cmd/options/opts_absent.h"
#include "cmd/options/opts_events.h"
#include "cmd/options/output/opts_compress.h"
#include "event/branch.h"
#include "event/registers.h"

#include <string.h>

#define AT(member) offsetof(struct record_opts, member)

static int callgraph_call(void *place, const struct opt *opt, const char *value, bool unset,
			  struct err *err)
{
	struct record_opts *o = (struct record_opts *)((char *)place - AT(sampling));
	struct sampling *s = &o->sampling;

	(void)opt;
	if (unset) {
		s->callgraph = CALLGRAPH_NONE;
		return 0;
	}
	if (value)
		return value_callgraph(value, s, err);
	if (s->callgraph) /* a plain -g keeps an earlier --call-graph */
		return 0;
	return value_callgraph(o->usual_chains ? o->usual_chains : "fp", s, err);
}

static int clock_call(void *place, const struct opt *opt, const char *value, bool unset,
		      struct err *err)
{
	struct sampling *s = place;

	(void)opt;
	s->use_clockid = !unset;
	return unset ? 0 : value_clock(value, &s->clockid, err);
}

static int registers_call(void *place, const struct opt *opt, const char *value, bool unset,
			  struct err *err)
{
	struct buf names = {0};

	(void)unset;
	if (!value || strcmp(value, "?"))
		return value_registers(value, place, err);
	register_names(&names);
	err_set(err, ERR_USAGE, "registers for %s: %s", opt->letter ? "-I" : "--user-regs",
		buf_text(&names));
	buf_release(&names);
	return -1;
}

static int branch_call(void *place, const struct opt *opt, const char *value, bool unset,
		       struct err *err)
{
	(void)opt;
	if (unset) {
		*(uint64_t *)place = 0;
		return 0;
	}
	return branch_parse(value, place, err);
}

static int delay_call(void *place, const struct opt *opt, const char *value, bool unset,
		      struct err *err)
{
	(void)opt;
	return unset ? 0 : value_delay(value, place, err);
}

static int rotation_call(void *place, const struct opt *opt, const char *value, bool unset,
			 struct err *err)
{
	(void)opt;
	return unset ? 0 : value_rotation(value ? value : "signal", place, err);
}

static int synth_call(void *place, const struct opt *opt, const char *value, bool unset,
		      struct err *err)
{
	(void)opt;
	return value_synth(unset ? "no" : value, place, err);
}

static int control_call(void *place, const struct opt *opt, const char *value, bool unset,
			struct err *err)
{
	(void)opt;
	return unset ? 0 : value_control(value, place, err);
}

#define SCRIPTLETS_ABSENT "a BPF program is no event any more"
#define SAY(member) offsetof(struct record_opts, sampling.member)

static const struct opt options[] = {
	{OPT_HEADING, .help = "What is recorded"},
	{OPT_CALL, 'e', "event", AT(selects), "event", "events to record; 'perf list' names them",
	 .value = SELECT_EVENTS, .call = event_select_call, .offer = event_words, .joined = ",{"},
	{OPT_CALL, 0, "pfm-events", AT(selects), "event", "events to record, by libpfm4's names",
	 .value = SELECT_PFM, .call = event_select_call, .offer = pfm_words, .joined = ",{"},
	EVENTS_DIR_OPTION(AT(events_dir)),
	{OPT_CALL, 0, "filter", AT(selects), "filter", "kernel filter of the events before it",
	 .value = SELECT_FILTER, .call = event_select_call},
	{OPT_CALL, 0, "exclude-perf", AT(selects), NULL, "not what this recorder does itself",
	 OPT_NO_VALUE, .value = SELECT_NOT_PERF, .call = event_select_call},
	{OPT_STRING, 0, "wall", AT(wall), "bpf|sums|tracepoints|switches",
	 "all of the time of threads, waiting too: report --wall shows it", OPT_OPTIONAL, WALL_ANY,
	 .words = "bpf sums tracepoints switches"},
	{OPT_STRINGS, 0, "pair", AT(pairs), "begin,end[,field]",
	 "with --wall: events around the turns of tasks, such as markers (USDT)"},
	{OPT_BOOL, 'a', "all-cpus", AT(target.system_wide), NULL, "the whole machine"},
	{OPT_STRING, 'C', "cpu", AT(target.cpus), "cpu", "only these CPUs: 0-3,8"},
	{OPT_STRING, 'p', "pid", AT(target.pids), "pid", "processes that run"},
	{OPT_STRING, 't', "tid", AT(target.tids), "tid", "threads that run"},
	{OPT_STRING, 'u', "uid", AT(target.user), "user", "all processes of a user"},
	{OPT_CALL, 'G', "cgroup", AT(selects), "name", "only in these control groups (with -a)",
	 .value = SELECT_CGROUPS, .call = event_select_call},
	{OPT_BOOL, 0, "per-thread", AT(target.per_thread), NULL, "one ring a thread, not a CPU"},
	{OPT_BOOL, 'i', "no-inherit", AT(no_inherit), NULL, "not in children and new threads"},
	{OPT_BOOL, 0, "all-kernel", SAY(all_kernel), NULL, "only the kernel's part of events"},
	{OPT_BOOL, 0, "all-user", SAY(all_user), NULL, "only user space's part of events"},
	{OPT_BOOL, 0, "group", SAY(group), NULL, "all events in one group"},
	{OPT_STRING, 'F', "freq", AT(frequency), "freq or 'max'", "samples a second",
	 .words = "max"},
	{OPT_U64, 'c', "count", AT(period), "n", "events a sample"},
	{OPT_BOOL, 'n', "no-samples", SAY(no_samples), NULL, "count only"},
	{OPT_BOOL, 0, "strict-freq", SAY(strict_frequency), NULL,
	 "fail when the frequency is not possible"},
	{OPT_STRING, 0, "probe-budget", AT(probe_budget), "percent",
	 "close probes in programs that cost more than this share of the time"},
	{OPT_HEADING, .help = "What samples hold"},
	{OPT_CALL, 'g', NULL, AT(sampling), NULL, "call chains", OPT_NO_VALUE,
	 .call = callgraph_call},
	{OPT_CALL, 0, "call-graph", AT(sampling), "mode[,size]",
	 "call chains by fp[,FRAMES|,defer], dwarf[,BYTES|,auto] or lbr", .call = callgraph_call,
	 .words = "fp fp,defer dwarf dwarf,auto lbr no"},
	{OPT_BOOL, 0, "keep-stack", SAY(keep_stack), NULL,
	 "with dwarf: write the copies of stacks, for the reader to unwind"},
	{OPT_BOOL, 0, "kernel-callchains", SAY(kernel_callchains), NULL,
	 "chains of the kernel only"},
	{OPT_BOOL, 0, "user-callchains", SAY(user_callchains), NULL, "chains of user space only"},
	{OPT_BOOL, 'b', "branch-any", AT(branch_any), NULL, "the last branches of any kind"},
	{OPT_CALL, 'j', "branch-filter", SAY(branch), "kinds", "the last branches of these kinds:",
	 .call = branch_call, .list = branch_names, .joined = ",|"},
	{OPT_BOOL, 'd', "data", AT(data), NULL, "data addresses"},
	{OPT_BOOL, 0, "phys-data", SAY(phys_addr), NULL, "physical data addresses"},
	{OPT_BOOL, 0, "data-page-size", SAY(data_page_size), NULL, "the data address's page size"},
	{OPT_BOOL, 0, "code-page-size", SAY(code_page_size), NULL, "the code address's page size"},
	{OPT_BOOL, 'W', "weight", SAY(weight), NULL, "what the instruction cost"},
	{OPT_BOOL, 0, "transaction", SAY(transaction), NULL, "transaction flags"},
	{OPT_BOOL, 'T', "timestamp", AT(timestamp), NULL, "times",
	 .given_offset = AT(timestamp_given)},
	{OPT_BOOL, 'P', "period", AT(sample_period), NULL, "periods",
	 .given_offset = AT(sample_period_given)},
	{OPT_BOOL, 'R', "raw-samples", SAY(raw), NULL, "raw data of every event"},
	{OPT_BOOL, 0, "sample-cpu", SAY(cpu), NULL, "the CPU"},
	{OPT_BOOL, 0, "sample-identifier", SAY(identifier), NULL, "the event's id, up front"},
	{OPT_CALL, 'I', "intr-regs", SAY(intr_regs), "registers", "registers, '?' lists them",
	 OPT_OPTIONAL, .call = registers_call, .list = register_names, .joined = ","},
	{OPT_CALL, 0, "user-regs", SAY(user_regs), "registers", "registers of user space",
	 OPT_OPTIONAL, .call = registers_call, .list = register_names, .joined = ","},
	{OPT_CALL, 'k', "clockid", AT(sampling), "clock",
	 "times by this clock:", .call = clock_call, .list = clock_names},
	{OPT_BOOL, 's', "stat", SAY(inherit_stat), NULL, "counts of each thread"},
	{OPT_BOOL, 0, "running-time", SAY(running_time), NULL, "times of read (:S) events"},
	{OPT_BOOL, 0, "switch-events", SAY(switch_events), NULL, "context switches"},
	{OPT_BOOL, 0, "latency", AT(latency), NULL, "context switches, for report --latency"},
	{OPT_BOOL, 0, "namespaces", SAY(namespaces), NULL, "namespaces of processes"},
	{OPT_BOOL, 0, "all-cgroups", SAY(cgroups), NULL, "control groups"},
	{OPT_BOOL, 0, "no-bpf-event", AT(no_bpf_event), NULL, "not the loading of BPF programs"},
	{OPT_CALL, 0, "synth", AT(synth), "no|all|task|mmap|cgroup",
	 "what to tell of before the start", .call = synth_call, .words = "no all task mmap cgroup",
	 .joined = ","},
	{OPT_HEADING, .help = "Where it goes"},
	{OPT_STRING, 'o', "output", AT(output), "file", "the file; - is standard output"},
	COMPRESS_OPTION(AT(compress)),
	{OPT_U64, 0, "max-size", AT(max_size), "size", "end when the file is that large", OPT_SIZE},
	{OPT_CALL, 0, "switch-output", AT(rotation), "signal|size|time",
	 "begin a new file at SIGUSR2, at a size (30M) or after a time (10s)", OPT_OPTIONAL,
	 .call = rotation_call, .words = "signal"},
	{OPT_STRING, 0, "switch-output-event", AT(trigger), "event",
	 "... or when this event occurs", .offer = event_words},
	{OPT_UINT, 0, "switch-max-files", AT(rotation_keep), "n", "keep only the last n of them"},
	{OPT_BOOL, 0, "timestamp-filename", AT(timestamp_filename), NULL, "the time in file names"},
	{OPT_BOOL, 0, "timestamp-boundary", AT(timestamp_boundary), NULL,
	 "first and last time in the header (always there)"},
	{OPT_BOOL, 'B', "no-buildid", AT(no_build_id), NULL, "no build-ids"},
	{OPT_BOOL, 'N', "no-buildid-cache", AT(no_build_id_cache), NULL, "never fills the cache"},
	{OPT_BOOL, 0, "buildid-all", AT(build_id_all), NULL, "build-ids of all maps (always)"},
	{OPT_BOOL, 0, "buildid-mmap", AT(build_id_mmap), NULL, "build-ids in map records (always)"},
	{OPT_HEADING, .help = "How and when"},
	{OPT_CALL, 'D', "delay", AT(delay), "ms", "start later, -1: by --control; or 10-20,30-40",
	 .call = delay_call},
	{OPT_CALL, 0, "control", AT(control), "fd:N[,N]|fifo:PATH[,PATH]",
	 "take commands: enable, disable, stop, ...", .call = control_call, .words = "fd: fifo:"},
	{OPT_STRING, 'm', "mmap-pages", AT(ring), "pages[,pages]", "size of the rings: 128 or 1M"},
	{OPT_BOOL, 0, "overwrite", SAY(overwrite), NULL, "keep the newest only, write at the end"},
	{OPT_BOOL, 0, "no-buffering", SAY(no_buffering), NULL, "wake up at each sample"},
	{OPT_INT, 'r', "realtime", AT(realtime), "n", "record at this SCHED_FIFO priority"},
	{OPT_UINT, 0, "proc-map-timeout", AT(map_timeout), "n", "ms to read a process's maps"},
	{OPT_UINT, 0, "num-thread-synthesize", AT(synth_threads), "n", "taken, and not needed"},
	{OPT_STRING, 0, "mmap-flush", AT(flush), "n", "taken, and not needed"},
	{OPT_STRING, 0, "affinity", AT(affinity), "node|cpu", "taken, and not needed",
	 .words = "node cpu"},
	{OPT_STRING, 0, "threads", AT(threads), "spec", "taken, and not needed", OPT_OPTIONAL,
	 "cpu"},
	{OPT_INT, 0, "aio", AT(aio), "n", "taken, and not needed", OPT_OPTIONAL, "1"},
	{OPT_BOOL, 0, "tail-synthesize", AT(tail_synthesize), NULL, "taken, and not needed"},
	{OPT_STRING, 0, "vmlinux", AT(vmlinux), "file", "taken, and not needed"},
	{OPT_STRING, 0, "debuginfod", AT(debuginfod), "urls",
	 "fetch debug files of what was sampled into the store of files by build-id", OPT_OPTIONAL,
	 ""},
	{OPT_BOOL, 0, "self-contained", AT(contained), NULL,
	 "at the end, add symbols, lines and code of what was hit (see inject)"},
	{OPT_BOOL, 0, "kcore", AT(kcore), NULL,
	 "a directory, with a copy of the kernel's code in it"},
	{OPT_ABSENT, 0, "off-cpu", 0, NULL, "samples of time off the CPUs",
	 .why = "--wall records that time, and what was waited for"},
	{OPT_ABSENT, 'S', "snapshot", 0, "opts", "of AUX events", OPT_OPTIONAL,
	 .why = TRACES_ABSENT},
	{OPT_ABSENT, 0, "aux-sample", 0, "opts", "of AUX events", OPT_OPTIONAL,
	 .why = TRACES_ABSENT},
	{OPT_ABSENT, 0, "clang-path", 0, "clang path", "clang binary for BPF scriptlets",
	 .why = SCRIPTLETS_ABSENT},
	{OPT_ABSENT, 0, "clang-opt", 0, "clang options", "how clang compiles BPF scriptlets",
	 .why = SCRIPTLETS_ABSENT},
	{OPT_BOOL, 0, "dry-run", AT(dry_run), NULL, "only look at the options"},
	{OPT_BOOL, 'q', "quiet", AT(quiet), NULL, "no messages"},
	{OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "more messages"},
	{0},
};

const struct opt_group record_opt_groups[] = {{options, 0}, {0}};
