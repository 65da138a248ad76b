// SPDX-License-Identifier: MIT
#include "cmd/cmd.h"

extern const struct cmd cmd_annotate;
extern const struct cmd cmd_archive;
extern const struct cmd cmd_balance;
extern const struct cmd cmd_bench;
extern const struct cmd cmd_buildid_cache;
extern const struct cmd cmd_buildid_list;
extern const struct cmd cmd_c2c;
extern const struct cmd cmd_calls;
extern const struct cmd cmd_check;
extern const struct cmd cmd_config;
extern const struct cmd cmd_daemon;
extern const struct cmd cmd_data;
extern const struct cmd cmd_diff;
extern const struct cmd cmd_doctor;
extern const struct cmd cmd_evlist;
extern const struct cmd cmd_ftrace;
extern const struct cmd cmd_help;
extern const struct cmd cmd_inject;
extern const struct cmd cmd_iostat;
extern const struct cmd cmd_kallsyms;
extern const struct cmd cmd_kmem;
extern const struct cmd cmd_kvm;
extern const struct cmd cmd_kwork;
extern const struct cmd cmd_list;
extern const struct cmd cmd_lock;
extern const struct cmd cmd_locks;
extern const struct cmd cmd_mem;
extern const struct cmd cmd_probe;
extern const struct cmd cmd_record;
extern const struct cmd cmd_report;
extern const struct cmd cmd_sched;
extern const struct cmd cmd_script;
extern const struct cmd cmd_stat;
extern const struct cmd cmd_test;
extern const struct cmd cmd_timechart;
extern const struct cmd cmd_top;
extern const struct cmd cmd_trace;
extern const struct cmd cmd_version;
extern const struct cmd cmd_waits;

/* In the order in which `perf` lists them. */
const struct cmd *const commands[] = {
	&cmd_annotate,
	&cmd_archive,
	&cmd_balance,
	&cmd_bench,
	&cmd_buildid_cache,
	&cmd_buildid_list,
	&cmd_c2c,
	&cmd_calls,
	&cmd_check,
	&cmd_config,
	&cmd_daemon,
	&cmd_data,
	&cmd_diff,
	&cmd_doctor,
	&cmd_evlist,
	&cmd_ftrace,
	&cmd_inject,
	&cmd_iostat,
	&cmd_kallsyms,
	&cmd_kmem,
	&cmd_kvm,
	&cmd_kwork,
	&cmd_list,
	&cmd_lock,
	&cmd_locks,
	&cmd_mem,
	&cmd_probe,
	&cmd_record,
	&cmd_report,
	&cmd_sched,
	&cmd_script,
	&cmd_stat,
	&cmd_test,
	&cmd_timechart,
	&cmd_top,
	&cmd_trace,
	&cmd_version,
	&cmd_waits,
	&cmd_help,
	NULL,
};
