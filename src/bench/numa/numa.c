// SPDX-License-Identifier: MIT
#include "bench/numa/numa.h"

#include "os/machine/topology.h"

#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(struct numa_opts, field)
#define MB	  (1024.0 * 1024.0)

const struct opt numa_options[] = {
	{OPT_UINT, 'p', "nr_proc", AT(processes), "n", "number of processes"},
	{OPT_UINT, 't', "nr_threads", AT(threads), "n", "number of threads per process"},
	{OPT_STRING, 'G', "mb_global", AT(global_mb), "MB", "global  memory (MBs)"},
	{OPT_STRING, 'P', "mb_proc", AT(process_mb), "MB", "process memory (MBs)"},
	{OPT_STRING, 'L', "mb_proc_locked", AT(locked_mb), "MB",
	 "process serialized/locked memory access (MBs), <= process_memory"},
	{OPT_STRING, 'T', "mb_thread", AT(thread_mb), "MB", "thread  memory (MBs)"},
	{OPT_INT, 'l', "nr_loops", AT(loops), "n",
	 "max number of loops to run (default: unlimited)"},
	{OPT_UINT, 's', "nr_secs", AT(seconds), "n",
	 "max number of seconds to run (default: 5 secs)"},
	{OPT_UINT, 'u', "usleep", AT(sleep_us), "n", "usecs to sleep per loop iteration"},
	{OPT_BOOL, 'R', "data_reads", AT(reads), NULL,
	 "access the data via reads (can be mixed with -W)"},
	{OPT_BOOL, 'W', "data_writes", AT(writes), NULL,
	 "access the data via writes (can be mixed with -R)"},
	{OPT_BOOL, 'B', "data_backwards", AT(backwards), NULL, "access the data backwards as well"},
	{OPT_BOOL, 'Z', "data_zero_memset", AT(zero_memory), NULL,
	 "access the data via glibc bzero only"},
	{OPT_BOOL, 'r', "data_rand_walk", AT(random_walk), NULL,
	 "access the data with random (32bit LFSR) walk"},
	{OPT_BOOL, 'z', "init_zero", AT(init_zero), NULL, "bzero the initial allocations"},
	{OPT_BOOL, 'I', "init_random", AT(init_random), NULL,
	 "randomize the contents of the initial allocations"},
	{OPT_BOOL, '0', "init_cpu0", AT(init_cpu0), NULL, "do the initial allocations on CPU#0"},
	{OPT_UINT, 'x', "perturb_secs", AT(perturb_seconds), "n",
	 "perturb thread 0/0 every X secs, to test convergence stability"},
	{OPT_COUNT, 'd', "show_details", AT(details), NULL, "Show details"},
	{OPT_BOOL, 'a', "all", AT(all), NULL, "Run all tests in the suite"},
	{OPT_INT, 'H', "thp", AT(thp), "n", "MADV_NOHUGEPAGE < 0 < MADV_HUGEPAGE"},
	{OPT_BOOL, 'c', "show_convergence", AT(show_convergence), NULL,
	 "show convergence details, convergence is reached when each process (all its threads) is "
	 "running on a single NUMA node."},
	{OPT_BOOL, 'm', "measure_convergence", AT(measure_convergence), NULL,
	 "measure convergence latency"},
	{OPT_BOOL, 'q', "quiet", AT(quiet), NULL,
	 "quiet mode (do not show any warnings or messages)"},
	{OPT_BOOL, 'S', "serialize-startup", AT(together), NULL, "serialize thread startup"},
	{OPT_STRING, 'C', "cpus", AT(cpus), "cpu[,cpu2,...cpuN]",
	 "bind the first N tasks to these specific cpus (the rest is unbound)"},
	{OPT_STRING, 'M', "memnodes", AT(nodes), "node[,node2,...nodeN]",
	 "bind the first N tasks to these specific memory nodes (the rest is unbound)"},
	{OPT_END},
};

const struct numa_opts numa_defaults = {.processes = 1,
					.threads = 1,
					.loops = -1,
					.seconds = 5,
					.global_mb = "1",
					.reads = true,
					.writes = true,
					.backwards = true,
					.random_walk = true,
					.init_random = true,
					.together = true};

void numa_machine_read(struct numa_machine *m)
{
	struct topology t = {0};

	topology_read(&t, "/sys");
	for (size_t i = 0; i < t.cpus.n; i++) {
		const struct topology_cpu *c = &t.cpus.at[i];

		while (m->node_of.n <= (size_t)c->cpu)
			vec_add(&m->node_of, -1);
		m->node_of.at[c->cpu] = MAX(c->node, 0);
		m->nodes = MAX(m->nodes, (unsigned int)MAX(c->node, 0) + 1);
	}
	m->cpus = MAX((unsigned int)m->node_of.n, 1u);
	m->nodes = MIN(MAX(m->nodes, 1u), (unsigned int)NUMA_NODES_MAX);
	topology_release(&t);
}

static int numa_bytes(uint64_t *out, const char *mb, struct err *err)
{
	char *end;
	const double n = mb ? strtod(mb, &end) : 0;

	if (mb && (end == mb || *end || !(n >= 0) || n > 1e9))
		return err_set(err, ERR_USAGE, "'%s' is not a number of MB", mb);
	*out = (uint64_t)(n * MB) & ~7ull;
	return 0;
}

/* -- what tasks are bound to -- */

struct numa_list {
	const char *text, *called, *bound; /* "CPUs", "bound" */
	unsigned int there;		   /* of the machine */
	bool nodes;
};

static void numa_bind_task(const struct numa_plan *plan, const struct numa_list *l, unsigned int *n,
			   unsigned int at, struct buf *out)
{
	if (*n == plan->tasks) {
		buf_printf(out, "\n# NOTE: ignoring bind %s starting at %s#%u\n #", l->called,
			   l->nodes ? "NODE" : "CPU", at);
	} else if (*n < plan->tasks) {
		buf_printf(out, "%s%2u", *n ? "," : " ", at);
		*(l->nodes ? &plan->bindings[*n].node : &plan->bindings[*n].cpu) = (int)at;
	}
	++*n;
}

/* The number behind a sign; *p: behind it, or NULL when there is none. */
static unsigned long numa_number(char **p, unsigned long none, char sign)
{
	char *end;
	unsigned long n;

	if (!*p || **p != sign)
		return none;
	n = strtoul(*p + 1, &end, 10);
	*p = (*p)[1] >= '0' && (*p)[1] <= '9' ? end : NULL;
	return n;
}

/* FIRST[-LAST[#STEP]][xTIMES],... 0; 1: it is not of this machine; -1 with *err. */
static int numa_bind(const struct numa_plan *plan, const struct numa_list *l, struct buf *out,
		     struct err *err)
{
	unsigned int n = 0;

	if (!l->text)
		return 0;
	buf_printf(out, "# binding tasks to %s:\n# ", l->called);
	for (const char *p = l->text; *p;) {
		char *end;
		const unsigned long first = strtoul(p, &end, 10);
		unsigned long last, step, times;

		end = *p >= '0' && *p <= '9' ? end : NULL;
		last = numa_number(&end, first, '-');
		step = numa_number(&end, 1, '#');
		times = numa_number(&end, 1, 'x');
		if (!end || (*end && *end != ',') || !step || last < first)
			return err_set(err, ERR_USAGE, "'%s' is not a list of %s", l->text,
				       l->called);
		if (last >= l->there) {
			buf_printf(out, "\nTest not applicable, system has only %u %s.\n", l->there,
				   l->nodes ? "nodes" : "CPUs");
			return 1;
		}
		for (unsigned long at = first; at <= last; at += step)
			for (unsigned long i = 0; i < times && n <= plan->tasks; i++)
				numa_bind_task(plan, l, &n, (unsigned int)at, out);
		p = *end ? end + 1 : end;
	}
	buf_char(out, '\n');
	if (n < plan->tasks)
		buf_printf(out, "# NOTE: %u tasks %s, %u tasks unbound\n", n, l->bound,
			   plan->tasks - n);
	return 0;
}

static int numa_bind_tasks(const struct numa_plan *plan, struct buf *out, struct err *err)
{
	const struct numa_list cpus = {plan->opts->cpus, "CPUs", "bound", plan->machine->cpus,
				       false},
			       nodes = {plan->opts->nodes, "NODEs", "mem-bound",
					plan->machine->nodes, true};
	int got;

	for (unsigned int i = 0; i < plan->tasks; i++)
		plan->bindings[i] = (struct numa_binding){-1, -1};
	buf_str(out, "#\n");
	got = numa_bind(plan, &cpus, out, err);
	if (!got)
		got = numa_bind(plan, &nodes, out, err);
	if (!got)
		buf_str(out, "#\n");
	return got;
}

/* -- what comes out -- */

struct numa_text {
	struct bench *b;
	const struct numa_opts *opts;
	const char *name;
};

static void numa_value(const struct numa_text *t, double v, const char *unit, const char *what,
		       const char *sentence)
{
	if (t->opts->quiet)
		buf_printf(t->b->text, " %14.3f %s\n", v, sentence);
	else
		buf_printf(t->b->text, " %-30s %15.3f, %-15s %s\n", t->name, v, unit, what);
}

static void numa_show_tasks(struct buf *out, const struct numa_plan *plan,
			    const struct numa_task *tasks)
{
	for (unsigned int i = 0; i < plan->tasks; i++) {
		const struct numa_task *k = &tasks[i];
		const struct {
			double v;
			const char *unit, *what;
		} rows[] = {
			{k->seconds > 0 ? (double)k->bytes / k->seconds / 1e9 : 0, "GB/sec",
			 "thread-speed"},
			{k->system, "secs", "thread-system-time"},
			{k->user, "secs", "thread-user-time"},
		};
		AUTO_CHAR *name = mem_printf("process%u:thread%u", i / plan->opts->threads,
					     i % plan->opts->threads);

		for (size_t r = 0; r < ARRAY_SIZE(rows); r++)
			buf_printf(out, " %-30s %15.3f, %-15s %s\n", name, rows[r].v, rows[r].unit,
				   rows[r].what);
	}
}

static void numa_show(const struct numa_text *t, const struct numa_plan *plan,
		      const struct numa_result *r)
{
	double least = r->tasks[0].seconds, most = 0, sum = 0, bytes = 0, each;

	for (unsigned int i = 0; i < plan->tasks; i++) {
		least = MIN(least, r->tasks[i].seconds);
		most = MAX(most, r->tasks[i].seconds);
		sum += r->tasks[i].seconds;
		bytes += (double)r->tasks[i].bytes;
	}
	sum /= plan->tasks;
	each = bytes / plan->tasks;
	if (t->opts->measure_convergence)
		numa_value(t, r->converged, "secs,", "NUMA-convergence-latency",
			   "secs latency to NUMA-converge");
	numa_value(t, most, "secs,", "runtime-max/thread", "secs slowest (max) thread-runtime");
	numa_value(t, least, "secs,", "runtime-min/thread", "secs fastest (min) thread-runtime");
	numa_value(t, sum, "secs,", "runtime-avg/thread", "secs average thread-runtime");
	numa_value(t, most > 0 ? 100 * (most - least) / most / 2 : 0, "%,", "spread-runtime/thread",
		   "% difference between max/avg runtime");
	numa_value(t, each / 1e9, "GB,", "data/thread", "GB data processed, per thread");
	numa_value(t, bytes / 1e9, "GB,", "data-total", "GB data processed, total");
	numa_value(t, each > 0 ? most * 1e9 / each : 0, "nsecs,", "runtime/byte/thread",
		   "nsecs/byte/thread runtime");
	numa_value(t, most > 0 ? each / 1e9 / most : 0, "GB/sec,", "thread-speed",
		   "GB/sec/thread speed");
	numa_value(t, most > 0 ? bytes / 1e9 / most : 0, "GB/sec,", "total-speed",
		   "GB/sec total speed");
	if (t->opts->details > 1)
		numa_show_tasks(t->b->text, plan, r->tasks);
	bench_value(t->b, most > 0 ? bytes / 1e9 / most : 0, "%s GB/sec", t->name);
	bench_value(t->b, most, "%s seconds", t->name);
}

static void numa_show_plan(const struct numa_plan *plan, struct buf *out)
{
	const struct {
		uint64_t bytes;
		const char *what;
	} rows[] = {{plan->global, "global  shared mem operations"},
		    {plan->process, "process shared mem operations"},
		    {plan->thread, "thread  local  mem operations"}};

	buf_printf(out, "\n ###\n # %u task%s will execute (on %u nodes, %u CPUs):\n", plan->tasks,
		   plan->tasks == 1 ? "" : "s", plan->machine->nodes, plan->machine->cpus);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		buf_printf(out, " #      %5dx %5lluMB %s\n", plan->opts->loops,
			   (unsigned long long)(rows[i].bytes >> 20), rows[i].what);
	buf_str(out, " ###\n\n ###\n #\n");
}

int numa_measure_one(struct bench *b, const struct numa_opts *o, const struct numa_machine *m,
		     const char *name, const char *words, struct err *err)
{
	struct numa_plan plan = {.opts = o, .machine = m, .tasks = o->processes * o->threads};
	struct numa_result result = {0};
	const struct numa_text text = {b, o, name};
	AUTO_BUF said = {0};
	int got;

	if (!o->processes || !o->threads || o->processes > NUMA_TASKS_MAX ||
	    o->threads > NUMA_TASKS_MAX || plan.tasks > NUMA_TASKS_MAX)
		return err_set(err, ERR_USAGE, "-p and -t make 1 to %d tasks", NUMA_TASKS_MAX);
	if (numa_bytes(&plan.global, o->global_mb, err) ||
	    numa_bytes(&plan.process, o->process_mb, err) ||
	    numa_bytes(&plan.locked, o->locked_mb, err) ||
	    numa_bytes(&plan.thread, o->thread_mb, err))
		return -1;
	if (plan.locked > plan.process)
		return err_set(err, ERR_USAGE, "-L is a part of -P: %s MB of %s", o->locked_mb,
			       o->process_mb ? o->process_mb : "0");
	buf_printf(b->text, "\n # Running %s \"perf bench numa %s\"\n", name, words);
	plan.bindings = mem_zero(plan.tasks * sizeof(*plan.bindings));
	result.tasks = mem_zero(plan.tasks * sizeof(*result.tasks));
	got = numa_bind_tasks(&plan, &said, err);
	if (!got)
		numa_show_plan(&plan, &said);
	if (!o->quiet || got > 0)
		buf_add(b->text, said.at, said.n);
	if (!got)
		got = numa_run(b, &plan, &result, err);
	if (!got) {
		if (!o->quiet)
			buf_str(b->text, "\n ###\n\n");
		numa_show(&text, &plan, &result);
	}
	free(plan.bindings);
	free(result.tasks);
	return got;
}

static int numa_measure(struct bench *b, const void *v, struct err *err)
{
	const struct numa_opts *o = v;
	struct numa_machine m = {0};
	AUTO_CHAR *words = mem_printf("numa-mem%s%s", *b->words ? " " : "", b->words);
	int got;

	numa_machine_read(&m);
	if (o->all || !*b->words)
		got = numa_measure_all(b, &m, err);
	else
		got = numa_measure_one(b, o, &m, "main,", words, err);
	vec_release(&m.node_of);
	return got;
}

const struct bench_suite bench_numa_mem = {
	.defaults = &numa_defaults,
	.opts_size = sizeof(struct numa_opts),
	.measure = numa_measure,
};
