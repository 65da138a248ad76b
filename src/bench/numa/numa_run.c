// SPDX-License-Identifier: MIT
/* Processes, their threads, and who watches where these run. */
#include "bench/futex.h"
#include "bench/numa/numa_work.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* All processes have it mapped. */
struct numa_shared {
	uint32_t ready, go, stop;
	struct numa_shared_task {
		struct numa_task did;
		const void *process, *thread; /* memory; NULL: none */
	} tasks[];
};

struct numa_process {
	const struct numa_plan *plan;
	struct numa_shared *shared;
	unsigned int number;
	uint64_t *global, *own;
	pthread_mutex_t lock;
};

struct numa_thread {
	struct numa_process *process;
	unsigned int number; /* in the process */
	pthread_t thread;
};

static void numa_loop(struct numa_process *p, unsigned int task, unsigned int number,
		      uint64_t *words, uint32_t loop)
{
	const struct numa_plan *plan = p->plan;
	const struct numa_opts *o = plan->opts;

	numa_work(o, p->global, plan->global, task, plan->tasks, loop);
	numa_work(o, p->own, plan->process, number, o->threads, loop);
	if (plan->locked) {
		pthread_mutex_lock(&p->lock);
		numa_work(o, p->own, plan->locked, number, o->threads, loop);
		pthread_mutex_unlock(&p->lock);
	}
	numa_work(o, words, plan->thread, 0, 1, loop);
}

/* The first task of all moves to the first CPU for a loop, every so many seconds. */
static void numa_perturb(cpu_set_t *before, bool *away)
{
	const struct numa_binding first = {0, -1};

	if (*away)
		(void)sched_setaffinity(0, sizeof(*before), before);
	else if (!sched_getaffinity(0, sizeof(*before), before))
		numa_bind_thread(&first);
	*away = !*away;
}

static void numa_task_run(struct numa_process *p, unsigned int task, unsigned int number,
			  uint64_t *words)
{
	const struct numa_plan *plan = p->plan;
	const struct numa_opts *o = plan->opts;
	struct numa_task *t = &p->shared->tasks[task].did;
	const uint64_t begin = bench_now_ns(), limit = o->seconds * 1000000000ull,
		       perturb = o->perturb_seconds * 1000000000ull;
	uint64_t now = begin, moved = begin;
	bool away = false;
	cpu_set_t before;

	while (!__atomic_load_n(&p->shared->stop, __ATOMIC_RELAXED) &&
	       (o->loops < 0 || t->loops < (uint32_t)o->loops) && (!limit || now - begin < limit)) {
		__atomic_store_n(&t->cpu, sched_getcpu(), __ATOMIC_RELAXED);
		numa_loop(p, task, number, words, t->loops);
		t->bytes += plan->global + plan->process + plan->locked + plan->thread;
		__atomic_store_n(&t->loops, t->loops + 1, __ATOMIC_RELAXED);
		if (o->sleep_us)
			usleep(o->sleep_us);
		now = bench_now_ns();
		if (!task && perturb && (away || now - moved >= perturb)) {
			numa_perturb(&before, &away);
			moved = now;
		}
	}
	t->seconds = (double)(now - begin) / 1e9;
}

static void *numa_thread_run(void *v)
{
	struct numa_thread *t = v;
	struct numa_process *p = t->process;
	const struct numa_opts *o = p->plan->opts;
	const unsigned int task = p->number * o->threads + t->number;
	struct numa_shared *s = p->shared;
	struct rusage used;
	uint64_t *words;

	numa_bind_thread(&p->plan->bindings[task]);
	words = numa_memory(o, p->plan->thread, false);
	if (!words)
		_exit(1);
	s->tasks[task].process = p->plan->process ? p->own : NULL;
	s->tasks[task].thread = p->plan->thread ? words : NULL;
	__atomic_add_fetch(&s->ready, 1, __ATOMIC_RELEASE);
	while (o->together && !__atomic_load_n(&s->go, __ATOMIC_ACQUIRE))
		futex_wait(&s->go, 0, true);
	numa_task_run(p, task, t->number, words);
	if (!getrusage(RUSAGE_THREAD, &used)) {
		s->tasks[task].did.user =
			(double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6;
		s->tasks[task].did.system =
			(double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec / 1e6;
	}
	numa_memory_free(words, p->plan->thread);
	return NULL;
}

/* A process of the run, which does not return. */
static void numa_process_run(const struct numa_plan *plan, struct numa_shared *s, uint64_t *global,
			     unsigned int number)
{
	const struct numa_opts *o = plan->opts;
	struct numa_process p = {plan, s, number, global, NULL, PTHREAD_MUTEX_INITIALIZER};
	struct numa_thread *threads = mem_zero(o->threads * sizeof(*threads));

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	numa_bind_thread(&plan->bindings[number * o->threads]);
	p.own = numa_memory(o, plan->process, false);
	if (!p.own)
		_exit(1);
	for (unsigned int i = 0; i < o->threads; i++) {
		threads[i] = (struct numa_thread){.process = &p, .number = i};
		if (pthread_create(&threads[i].thread, NULL, numa_thread_run, &threads[i]))
			_exit(1);
	}
	for (unsigned int i = 0; i < o->threads; i++)
		pthread_join(threads[i].thread, NULL);
	_exit(0);
}

/* -- the one that watches -- */

struct numa_watch {
	struct bench *b;
	const struct numa_plan *plan;
	struct numa_shared *shared;
	uint64_t *global;
	pid_t *pids;
	unsigned int left; /* processes that have not ended */
	bool failed;
	struct bench_wait wait;
	uint64_t begin;
	double converged; /* seconds; 0: not yet */
};

static void numa_watch_ends(struct numa_watch *w)
{
	for (unsigned int i = 0; i < w->plan->opts->processes; i++) {
		int status;

		if (w->pids[i] <= 0 || waitpid(w->pids[i], &status, WNOHANG) != w->pids[i])
			continue;
		w->pids[i] = 0;
		w->left--;
		w->failed |= status != 0;
	}
	if (w->failed)
		__atomic_store_n(&w->shared->stop, 1, __ATOMIC_RELAXED);
}

/* How many threads run on each node, and how many processes have threads there. False: some thread
 * has not begun. */
static bool numa_count_nodes(const struct numa_watch *w, unsigned int *tasks,
			     unsigned int *processes)
{
	const struct numa_machine *m = w->plan->machine;
	const unsigned int threads = w->plan->opts->threads;

	for (unsigned int i = 0; i < w->plan->tasks; i++) {
		const int cpu = __atomic_load_n(&w->shared->tasks[i].did.cpu, __ATOMIC_RELAXED);
		const int node = cpu >= 0 && (size_t)cpu < m->node_of.n ? m->node_of.at[cpu] : -1;
		bool known = false;

		if (node < 0 || node >= NUMA_NODES_MAX)
			return false;
		tasks[node]++;
		for (unsigned int k = i - i % threads; k < i; k++) {
			const int other =
				__atomic_load_n(&w->shared->tasks[k].did.cpu, __ATOMIC_RELAXED);

			known |= (size_t)other < m->node_of.n && m->node_of.at[other] == node;
		}
		processes[node] += !known;
	}
	return true;
}

static double numa_seconds(const struct numa_watch *w)
{
	return (double)(bench_now_ns() - w->begin) / 1e9;
}

/* How much of the run is over: of the seconds, or of the rounds of the task that had most. */
static void numa_show_progress(struct numa_watch *w, uint32_t *least, uint32_t *most)
{
	const struct numa_opts *o = w->plan->opts;
	double share;

	*least = UINT32_MAX;
	*most = 0;
	for (unsigned int i = 0; i < w->plan->tasks; i++) {
		const uint32_t n =
			__atomic_load_n(&w->shared->tasks[i].did.loops, __ATOMIC_RELAXED);

		*least = MIN(*least, n);
		*most = MAX(*most, n);
	}
	share = o->seconds ? numa_seconds(w) / o->seconds : 0;
	if (o->loops > 0)
		share = MAX(share, (double)*most / o->loops);
	buf_printf(w->b->text, "\r # %6.1f%%  [%.1f mins]", 100 * share, numa_seconds(w) / 60);
}

static void numa_show_nodes(struct numa_watch *w, const unsigned int *tasks,
			    const unsigned int *processes, unsigned int groups)
{
	struct buf *out = w->b->text;
	uint32_t least, most;

	numa_show_progress(w, &least, &most);
	for (unsigned int i = 0; i < w->plan->machine->nodes; i++)
		buf_printf(out, " %2u/%-2u", tasks[i], processes[i]);
	buf_printf(out, " [%2u/%-2u] l:%3u-%-3u (%3u) [%4.1f%%]", groups - w->plan->opts->processes,
		   groups, least, most, most - least,
		   most ? 100 * (double)(most - least) / (double)most : 0);
}

/* Is every process on one node? show: a second has passed. */
static void numa_watch_nodes(struct numa_watch *w, bool show)
{
	const struct numa_opts *o = w->plan->opts;
	unsigned int tasks[NUMA_NODES_MAX] = {0}, processes[NUMA_NODES_MAX] = {0}, groups = 0;
	bool first;

	if (!numa_count_nodes(w, tasks, processes))
		return;
	for (unsigned int i = 0; i < NUMA_NODES_MAX; i++)
		groups += processes[i];
	first = groups == o->processes && w->converged == 0;
	if (!o->quiet && (show || first))
		numa_show_nodes(w, tasks, processes, groups);
	if (groups > o->processes)
		w->converged = 0; /* they have parted again */
	if (!first)
		return;
	w->converged = numa_seconds(w);
	if (!o->quiet)
		buf_printf(w->b->text, " (%6.1fs converged)\n", w->converged);
	if (o->measure_convergence)
		__atomic_store_n(&w->shared->stop, 1, __ATOMIC_RELAXED);
}

/* Where the memory of each thread lies. */
static void numa_show_memory(const struct numa_watch *w)
{
	const unsigned int threads = w->plan->opts->threads;

	for (unsigned int i = 0; i < w->plan->tasks; i++)
		buf_printf(w->b->text,
			   "#  thread %2u / %2u global mem: %p, process mem: %p, thread mem: %p\n",
			   i / threads, i % threads,
			   w->plan->global ? (const void *)w->global : NULL,
			   w->shared->tasks[i].process, w->shared->tasks[i].thread);
}

static int numa_watch_start(struct numa_watch *w, struct err *err)
{
	const struct numa_opts *o = w->plan->opts;
	const uint64_t begin = bench_now_ns();

	if (!o->quiet && o->together)
		buf_str(w->b->text, " # Startup synchronization: ... ");
	bench_flush(w->b);
	while (o->together && !w->failed &&
	       __atomic_load_n(&w->shared->ready, __ATOMIC_ACQUIRE) < w->plan->tasks) {
		if (!bench_wait(&w->wait, 0.001))
			return err_set(err, ERR_INTERRUPTED, "interrupted");
		numa_watch_ends(w);
	}
	if (!o->quiet && o->together)
		buf_printf(w->b->text, "threads initialized in %.6f seconds.\n #\n",
			   (double)(bench_now_ns() - begin) / 1e9);
	if (o->details > 1 && !o->quiet && o->together)
		numa_show_memory(w);
	w->begin = bench_now_ns();
	__atomic_store_n(&w->shared->go, 1, __ATOMIC_RELEASE);
	futex_wake(&w->shared->go, INT32_MAX, true);
	return 0;
}

static void numa_watch_run(struct numa_watch *w)
{
	const struct numa_opts *o = w->plan->opts;
	uint64_t shown = w->begin;

	while (w->left) {
		const bool second = bench_now_ns() - shown >= 1000000000;

		if (!bench_wait(&w->wait, 0.005))
			__atomic_store_n(&w->shared->stop, 1, __ATOMIC_RELAXED);
		if (second)
			shown = bench_now_ns();
		if (o->show_convergence || o->measure_convergence)
			numa_watch_nodes(w, second);
		else if (second && !o->quiet)
			numa_show_progress(w, &(uint32_t){0}, &(uint32_t){0});
		bench_flush(w->b);
		numa_watch_ends(w);
	}
}

static int numa_fork(struct numa_watch *w, struct err *err)
{
	const struct numa_opts *o = w->plan->opts;

	bench_flush(w->b);
	for (unsigned int i = 0; i < o->processes; i++) {
		w->pids[i] = fork();
		if (w->pids[i] < 0)
			return err_sys(err, errno, "cannot start a process");
		if (!w->pids[i])
			numa_process_run(w->plan, w->shared, w->global, i);
		w->left++;
		if (o->details && !o->quiet)
			buf_printf(w->b->text, " # process %2u: PID %d\n", i, (int)w->pids[i]);
	}
	return 0;
}

static void numa_end(struct numa_watch *w)
{
	for (unsigned int i = 0; i < w->plan->opts->processes; i++)
		if (w->pids[i] > 0) {
			kill(w->pids[i], SIGKILL);
			waitpid(w->pids[i], NULL, 0);
		}
}

int numa_run(struct bench *b, const struct numa_plan *plan, struct numa_result *result,
	     struct err *err)
{
	const size_t bytes =
		sizeof(struct numa_shared) + plan->tasks * sizeof(struct numa_shared_task);
	struct numa_watch w = {.b = b, .plan = plan};
	int got = -1;

	w.shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (w.shared == MAP_FAILED)
		return err_sys(err, errno, "cannot get memory");
	for (unsigned int i = 0; i < plan->tasks; i++)
		w.shared->tasks[i].did.cpu = -1;
	w.pids = mem_zero(plan->opts->processes * sizeof(*w.pids));
	w.global = numa_memory(plan->opts, plan->global, true);
	if (!w.global)
		err_sys(err, errno, "cannot get %s MB of memory", plan->opts->global_mb);
	else if (!bench_block(&w.wait, err)) {
		got = numa_fork(&w, err);
		if (!got)
			got = numa_watch_start(&w, err);
		if (!got)
			numa_watch_run(&w);
		if (!got && w.failed)
			got = err_set(err, ERR_SYSTEM,
				      "a process of the benchmark failed: there "
				      "may be too little memory");
		numa_end(&w);
		bench_unblock(&w.wait);
	}
	for (unsigned int i = 0; i < plan->tasks; i++)
		result->tasks[i] = w.shared->tasks[i].did;
	result->converged = w.converged;
	numa_memory_free(w.global, plan->global);
	munmap(w.shared, bytes);
	free(w.pids);
	return got;
}
