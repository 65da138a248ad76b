/* SPDX-License-Identifier: MIT */
/*
 * The suites there are, in the order in which they are listed and run by "all". A row: the suite (bench_ID), its
 * collection, name, summary, and its table of options.
 */
#ifndef BENCH_SUITES_H
#define BENCH_SUITES_H

#include "bench/bench.h"

#include <fcntl.h>
#include <stddef.h>

#define BENCH_SCHED(X)                                                                                                 \
	X(sched_messaging, sched, "messaging", "Benchmark for scheduling and IPC", messaging_options)                  \
	X(sched_pipe, sched, "pipe", "Benchmark for pipe() between two processes", pipe_options)                       \
	X(sched_seccomp_notify, sched, "seccomp-notify", "Benchmark for seccomp user notify", notify_options)
#define BENCH_SYSCALL(X)                                                                                               \
	X(syscall_basic, syscall, "basic", "Benchmark for basic getppid(2) calls", syscall_options)                    \
	X(syscall_getpgid, syscall, "getpgid", "Benchmark for getpgid(2) calls", syscall_options)                      \
	X(syscall_fork, syscall, "fork", "Benchmark for fork(2) calls", syscall_options)                               \
	X(syscall_execve, syscall, "execve", "Benchmark for execve(2) calls", syscall_options)
#define BENCH_MEM(X)                                                                                                   \
	X(mem_memcpy, mem, "memcpy", "Benchmark for memcpy() functions", copy_options)                                 \
	X(mem_memset, mem, "memset", "Benchmark for memset() functions", fill_options)                                 \
	X(mem_find_bit, mem, "find_bit", "Benchmark for find_bit() functions", bits_options)                           \
	X(mem_mmap, mem, "mmap", "Benchmark for mmap() mappings", mmap_options)

#define BENCH_SUITES(X) BENCH_SCHED(X) BENCH_SYSCALL(X) BENCH_MEM(X)

#define BENCH_DECLARE(id, collection, name, summary, options)                                                          \
	extern const struct bench_suite bench_##id;                                                                    \
	extern const struct opt options[];
BENCH_SUITES(BENCH_DECLARE)

/* A collection, its summary, and the summary of its "all" ("": it has none). */
#define BENCH_COLLECTIONS(X)                                                                                           \
	X(sched, BENCH_SCHED, "Scheduler and IPC benchmarks", "Run all scheduler benchmarks")                          \
	X(syscall, BENCH_SYSCALL, "System call benchmarks", "Run all syscall benchmarks")                              \
	X(mem, BENCH_MEM, "Memory access benchmarks", "Run all memory access benchmarks")

#endif
