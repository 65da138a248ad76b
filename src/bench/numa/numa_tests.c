// SPDX-License-Identifier: MIT
/* The tests of --all: bandwidth of memory nearby and of another node, how fast processes come to
 * rest on one node each, and what many of them move together. */
#include "bench/numa/numa.h"

#include <string.h>
#include <sys/utsname.h>

enum numa_kind { NUMA_RAM, NUMA_CONVERGENCE, NUMA_BANDWIDTH };

struct numa_test {
	const char *name;
	enum numa_kind kind;
	unsigned int processes, threads;
	const char *process_mb, *thread_mb, *cpus, *nodes;
	bool no_thp;
};

static const struct numa_test tests[] = {
	{"RAM-bw-local,", NUMA_RAM, 1, 1, "1024", NULL, "0", "0", false},
	{"RAM-bw-local-NOTHP,", NUMA_RAM, 1, 1, "1024", NULL, "0", "0", true},
	{"RAM-bw-remote,", NUMA_RAM, 1, 1, "1024", NULL, "0", "1", false},
	{"RAM-bw-local-2x,", NUMA_RAM, 2, 1, "1024", NULL, "0,2", "0x2", false},
	{"RAM-bw-remote-2x,", NUMA_RAM, 2, 1, "1024", NULL, "0,2", "1x2", false},
	{"RAM-bw-cross,", NUMA_RAM, 2, 1, "1024", NULL, "0,8", "1,0", false},
	{" 1x3-convergence,", NUMA_CONVERGENCE, 1, 3, "512", NULL, NULL, NULL, false},
	{" 1x4-convergence,", NUMA_CONVERGENCE, 1, 4, "512", NULL, NULL, NULL, false},
	{" 1x6-convergence,", NUMA_CONVERGENCE, 1, 6, "1020", NULL, NULL, NULL, false},
	{" 2x3-convergence,", NUMA_CONVERGENCE, 2, 3, "1020", NULL, NULL, NULL, false},
	{" 3x3-convergence,", NUMA_CONVERGENCE, 3, 3, "1020", NULL, NULL, NULL, false},
	{" 4x4-convergence,", NUMA_CONVERGENCE, 4, 4, "512", NULL, NULL, NULL, false},
	{" 4x4-convergence-NOTHP,", NUMA_CONVERGENCE, 4, 4, "512", NULL, NULL, NULL, true},
	{" 4x6-convergence,", NUMA_CONVERGENCE, 4, 6, "1020", NULL, NULL, NULL, false},
	{" 4x8-convergence,", NUMA_CONVERGENCE, 4, 8, "512", NULL, NULL, NULL, false},
	{" 8x4-convergence,", NUMA_CONVERGENCE, 8, 4, "512", NULL, NULL, NULL, false},
	{" 8x4-convergence-NOTHP,", NUMA_CONVERGENCE, 8, 4, "512", NULL, NULL, NULL, true},
	{" 3x1-convergence,", NUMA_CONVERGENCE, 3, 1, "512", NULL, NULL, NULL, false},
	{" 4x1-convergence,", NUMA_CONVERGENCE, 4, 1, "512", NULL, NULL, NULL, false},
	{" 8x1-convergence,", NUMA_CONVERGENCE, 8, 1, "512", NULL, NULL, NULL, false},
	{"16x1-convergence,", NUMA_CONVERGENCE, 16, 1, "256", NULL, NULL, NULL, false},
	{"32x1-convergence,", NUMA_CONVERGENCE, 32, 1, "128", NULL, NULL, NULL, false},
	{" 2x1-bw-process,", NUMA_BANDWIDTH, 2, 1, "1024", NULL, NULL, NULL, false},
	{" 3x1-bw-process,", NUMA_BANDWIDTH, 3, 1, "1024", NULL, NULL, NULL, false},
	{" 4x1-bw-process,", NUMA_BANDWIDTH, 4, 1, "1024", NULL, NULL, NULL, false},
	{" 8x1-bw-process,", NUMA_BANDWIDTH, 8, 1, "512", NULL, NULL, NULL, false},
	{" 8x1-bw-process-NOTHP,", NUMA_BANDWIDTH, 8, 1, "512", NULL, NULL, NULL, true},
	{"16x1-bw-process,", NUMA_BANDWIDTH, 16, 1, "256", NULL, NULL, NULL, false},
	{" 1x4-bw-thread,", NUMA_BANDWIDTH, 1, 4, NULL, "256", NULL, NULL, false},
	{" 1x8-bw-thread,", NUMA_BANDWIDTH, 1, 8, NULL, "256", NULL, NULL, false},
	{"1x16-bw-thread,", NUMA_BANDWIDTH, 1, 16, NULL, "128", NULL, NULL, false},
	{"1x32-bw-thread,", NUMA_BANDWIDTH, 1, 32, NULL, "64", NULL, NULL, false},
	{" 2x3-bw-process,", NUMA_BANDWIDTH, 2, 3, "512", NULL, NULL, NULL, false},
	{" 4x4-bw-process,", NUMA_BANDWIDTH, 4, 4, "512", NULL, NULL, NULL, false},
	{" 4x6-bw-process,", NUMA_BANDWIDTH, 4, 6, "512", NULL, NULL, NULL, false},
	{" 4x8-bw-process,", NUMA_BANDWIDTH, 4, 8, "512", NULL, NULL, NULL, false},
	{" 4x8-bw-process-NOTHP,", NUMA_BANDWIDTH, 4, 8, "512", NULL, NULL, NULL, true},
	{" 3x3-bw-process,", NUMA_BANDWIDTH, 3, 3, "512", NULL, NULL, NULL, false},
	{" 5x5-bw-process,", NUMA_BANDWIDTH, 5, 5, "512", NULL, NULL, NULL, false},
	{"2x16-bw-process,", NUMA_BANDWIDTH, 2, 16, "512", NULL, NULL, NULL, false},
	{"1x32-bw-process,", NUMA_BANDWIDTH, 1, 32, "2048", NULL, NULL, NULL, false},
	{"numa02-bw,", NUMA_BANDWIDTH, 1, 32, NULL, "32", NULL, NULL, false},
	{"numa02-bw-NOTHP,", NUMA_BANDWIDTH, 1, 32, NULL, "32", NULL, NULL, true},
	{"numa01-bw-thread,", NUMA_BANDWIDTH, 2, 16, NULL, "192", NULL, NULL, false},
	{"numa01-bw-thread-NOTHP,", NUMA_BANDWIDTH, 2, 16, NULL, "192", NULL, NULL, true},
};

static void numa_test_words(const struct numa_test *t, struct buf *out)
{
	static const char *const how[] = {[NUMA_RAM] = "-s 20 -zZq",
					  [NUMA_CONVERGENCE] = "-s 100 -zZ0qcm",
					  [NUMA_BANDWIDTH] = "-s 20 -zZ0q"};

	buf_printf(out, "mem -p %u -t %u -%c %s", t->processes, t->threads,
		   t->process_mb ? 'P' : 'T', t->process_mb ? t->process_mb : t->thread_mb);
	if (t->cpus)
		buf_printf(out, " -C %s -M %s", t->cpus, t->nodes);
	buf_printf(out, " %s --thp %s%s", how[t->kind], t->no_thp ? "-1" : " 1",
		   t->kind == NUMA_RAM ? " --no-data_rand_walk" : "");
}

int numa_measure_all(struct bench *b, const struct numa_machine *m, struct err *err)
{
	struct utsname u;

	if (!uname(&u))
		buf_printf(b->text, " #\n # Running test on: %s %s %s %s %s\n #\n", u.sysname,
			   u.nodename, u.release, u.version, u.machine);
	for (size_t i = 0; i < ARRAY_SIZE(tests); i++) {
		const struct numa_test *t = &tests[i];
		struct numa_opts o = numa_defaults;
		AUTO_BUF words = {0};

		o.processes = t->processes;
		o.threads = t->threads;
		o.process_mb = t->process_mb;
		o.thread_mb = t->thread_mb;
		o.cpus = t->cpus;
		o.nodes = t->nodes;
		o.thp = t->no_thp ? -1 : 1;
		o.seconds = t->kind == NUMA_CONVERGENCE ? 100 : 20;
		o.init_zero = o.zero_memory = o.quiet = true;
		o.init_cpu0 = t->kind != NUMA_RAM;
		o.random_walk = t->kind != NUMA_RAM;
		o.show_convergence = o.measure_convergence = t->kind == NUMA_CONVERGENCE;
		numa_test_words(t, &words);
		/* a machine that lacks CPUs or nodes leaves the test out */
		if (numa_measure_one(b, &o, m, t->name, buf_text(&words), err) < 0)
			return -1;
		bench_flush(b);
	}
	return 0;
}
