/* SPDX-License-Identifier: MIT */
/* perf bench numa mem: processes with threads that read and write memory, wherever the kernel or
 * the user puts both. */
#ifndef BENCH_NUMA_NUMA_H
#define BENCH_NUMA_NUMA_H

#include "bench/suites.h"

#define NUMA_TASKS_MAX 4096
#define NUMA_NODES_MAX 64

struct numa_opts {
	unsigned int processes, threads;
	int loops; /* -1: no limit */
	unsigned int seconds, sleep_us, perturb_seconds;
	const char *global_mb, *process_mb, *locked_mb, *thread_mb; /* NULL: none */
	const char *cpus, *nodes;
	int thp; /* below 0: no huge pages; above: huge pages */
	unsigned int details;
	bool reads, writes, backwards, zero_memory, random_walk;
	bool init_zero, init_random, init_cpu0, together;
	bool show_convergence, measure_convergence, quiet, all;
};

/* What a task is bound to; -1: to nothing. */
struct numa_binding {
	int cpu, node;
};

struct numa_machine {
	unsigned int cpus, nodes;
	VEC(int) node_of; /* by CPU */
};
void numa_machine_read(struct numa_machine *m);

struct numa_plan {
	const struct numa_opts *opts;
	const struct numa_machine *machine;
	struct numa_binding *bindings; /* by task */
	unsigned int tasks;
	uint64_t global, process, locked, thread; /* bytes */
};

/* What one task did. */
struct numa_task {
	double seconds, user, system;
	uint64_t bytes;
	uint32_t loops;
	int32_t cpu; /* where it was last; -1: it has not begun */
};

struct numa_result {
	struct numa_task *tasks; /* of the plan's number */
	double converged;	 /* seconds until it was; 0: never */
};

/* Appends what is to be said before and while it runs to b->text. 0, or -1 with *err. */
int numa_run(struct bench *b, const struct numa_plan *plan, struct numa_result *result,
	     struct err *err);
/* All the tests of --all, each through numa_measure_one(). */
int numa_measure_all(struct bench *b, const struct numa_machine *m, struct err *err);
/* One test. 0; 1: this machine lacks CPUs or nodes for it, which the text says; -1 with *err. */
int numa_measure_one(struct bench *b, const struct numa_opts *o, const struct numa_machine *m,
		     const char *name, const char *words, struct err *err);
extern const struct numa_opts numa_defaults;

#endif
