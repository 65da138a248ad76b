/* SPDX-License-Identifier: MIT */
/*
 * The suites there are, in the order in which they are listed and run by "all". A row: the suite
 * (bench_ID), its collection, name, summary, and its table of options.
 */
#ifndef BENCH_SUITES_H
#define BENCH_SUITES_H

#include "bench/bench.h"

#include <fcntl.h>
#include <stddef.h>

#define BENCH_SCHED(X)                                                                             \
	X(sched_messaging, sched, "messaging", "Benchmark for scheduling and IPC",                 \
	  messaging_options)                                                                       \
	X(sched_pipe, sched, "pipe", "Benchmark for pipe() between two processes", pipe_options)   \
	X(sched_seccomp_notify, sched, "seccomp-notify", "Benchmark for seccomp user notify",      \
	  notify_options)
#define BENCH_SYSCALL(X)                                                                           \
	X(syscall_basic, syscall, "basic", "Benchmark for basic getppid(2) calls",                 \
	  syscall_options)                                                                         \
	X(syscall_getpgid, syscall, "getpgid", "Benchmark for getpgid(2) calls", syscall_options)  \
	X(syscall_fork, syscall, "fork", "Benchmark for fork(2) calls", syscall_options)           \
	X(syscall_execve, syscall, "execve", "Benchmark for execve(2) calls", syscall_options)
#define BENCH_MEM(X)                                                                               \
	X(mem_memcpy, mem, "memcpy", "Benchmark for memcpy() functions", copy_options)             \
	X(mem_memset, mem, "memset", "Benchmark for memset() functions", fill_options)             \
	X(mem_find_bit, mem, "find_bit", "Benchmark for find_bit() functions", bits_options)       \
	X(mem_mmap, mem, "mmap", "Benchmark for mmap() mappings", mmap_options)

#define BENCH_NUMA(X)                                                                              \
	X(numa_mem, numa, "mem", "Benchmark for NUMA workloads", numa_options)
#define BENCH_FUTEX(X)                                                                             \
	X(futex_hash, futex, "hash", "Benchmark for futex hash table", futex_hash_options)         \
	X(futex_wake, futex, "wake", "Benchmark for futex wake calls", futex_wake_options)         \
	X(futex_wake_parallel, futex, "wake-parallel", "Benchmark for parallel futex wake calls",  \
	  futex_wake_parallel_options)                                                             \
	X(futex_requeue, futex, "requeue", "Benchmark for futex requeue calls",                    \
	  futex_requeue_options)                                                                   \
	X(futex_lock_pi, futex, "lock-pi", "Benchmark for futex lock_pi calls",                    \
	  futex_lock_pi_options)
#define BENCH_EPOLL(X)                                                                             \
	X(epoll_wait, epoll, "wait", "Benchmark epoll concurrent epoll_waits", epoll_wait_options) \
	X(epoll_ctl, epoll, "ctl", "Benchmark epoll concurrent epoll_ctls", epoll_ctl_options)
#define BENCH_INTERNALS(X)                                                                         \
	X(internals_synthesize, internals, "synthesize", "Benchmark perf event synthesis",         \
	  synthesize_options)                                                                      \
	X(internals_kallsyms_parse, internals, "kallsyms-parse", "Benchmark kallsyms parsing",     \
	  kallsyms_parse_options)                                                                  \
	X(internals_inject_build_id, internals, "inject-build-id", "Benchmark build-id injection", \
	  inject_options)                                                                          \
	X(internals_evlist_open_close, internals, "evlist-open-close",                             \
	  "Benchmark evlist open and close", open_close_options)                                   \
	X(internals_pmu_scan, internals, "pmu-scan", "Benchmark sysfs PMU info scanning",          \
	  pmu_scan_options)
#define BENCH_BREAKPOINT(X)                                                                        \
	X(breakpoint_thread, breakpoint, "thread",                                                 \
	  "Benchmark thread start/finish with breakpoints", breakpoint_thread_options)             \
	X(breakpoint_enable, breakpoint, "enable", "Benchmark breakpoint enable/disable",          \
	  breakpoint_enable_options)
#define BENCH_UPROBE(X)                                                                            \
	X(uprobe_baseline, uprobe, "baseline", "Baseline libc usleep(1000) call", uprobe_options)  \
	X(uprobe_empty, uprobe, "empty", "Attach empty BPF prog to uprobe on usleep",              \
	  uprobe_options)                                                                          \
	X(uprobe_trace_printk, uprobe, "trace_printk",                                             \
	  "Attach trace_printk BPF prog to uprobe on usleep", uprobe_options)                      \
	X(uprobe_empty_ret, uprobe, "empty_ret", "Attach empty BPF prog to uretprobe on usleep",   \
	  uprobe_options)                                                                          \
	X(uprobe_trace_printk_ret, uprobe, "trace_printk_ret",                                     \
	  "Attach trace_printk BPF prog to uretprobe on usleep", uprobe_options)

#define BENCH_SUITES(X)                                                                            \
	BENCH_SCHED(X)                                                                             \
	BENCH_SYSCALL(X) BENCH_MEM(X) BENCH_NUMA(X) BENCH_FUTEX(X) BENCH_EPOLL(X)                  \
	BENCH_INTERNALS(X) BENCH_BREAKPOINT(X) BENCH_UPROBE(X)

#define BENCH_DECLARE(id, collection, name, summary, options)                                      \
	extern const struct bench_suite bench_##id;                                                \
	extern const struct opt options[];
BENCH_SUITES(BENCH_DECLARE)

/* A collection, its summary, and the summary of its "all" ("": it has none). */
#define BENCH_COLLECTIONS(X)                                                                       \
	X(sched, BENCH_SCHED, "Scheduler and IPC benchmarks", "Run all scheduler benchmarks")      \
	X(syscall, BENCH_SYSCALL, "System call benchmarks", "Run all syscall benchmarks")          \
	X(mem, BENCH_MEM, "Memory access benchmarks", "Run all memory access benchmarks")          \
	X(numa, BENCH_NUMA, "NUMA scheduling and MM benchmarks", "Run all NUMA benchmarks")        \
	X(futex, BENCH_FUTEX, "Futex stressing benchmarks", "Run all futex benchmarks")            \
	X(epoll, BENCH_EPOLL, "Epoll stressing benchmarks", "Run all futex benchmarks")            \
	X(internals, BENCH_INTERNALS, "Perf-internals benchmarks", "")                             \
	X(breakpoint, BENCH_BREAKPOINT, "Breakpoint benchmarks", "Run all breakpoint benchmarks")  \
	X(uprobe, BENCH_UPROBE, "uprobe benchmarks", "Run all uprobe benchmarks")

#endif
