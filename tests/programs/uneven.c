// SPDX-License-Identifier: MIT
/*
 * uneven KIND [PERCENT]: threads that keep each other waiting in a known way.
 *
 *   phases  main prepares (60 ms), "quick" and "quick2" work 40 ms, "slow" 160 ms,
 *           main finishes (80 ms)
 *   rounds  10 rounds of three threads that meet at a barrier: two work 2 ms, "slow" 12 ms
 *   queue   main hands 12 jobs to three threads: each takes 10 ms, and long_job() 100 ms
 *   burn    as phases, with threads that burn CPU time instead of sleeping
 *   spins   two threads work 20 and 120 ms of CPU time, and spin until the other one is done
 *   flags   as spins, in loops that only their instructions tell from work: "short" reads a flag
 *           again and again, "pausing" (20 ms, too) also says pause where the processor has it
 *   relay   two threads hand 20 blocks to and fro: parse() burns 6 ms, store() 2 ms
 *
 * What "slow" does, long_job() and parse() take PERCENT of that (100). Work is a sleep, but for
 * burn, spins, flags and relay: then a machine under load does not change it. Prints "wall NS",
 * and of phases and burn the ns at which main made the threads, the quick ones had ended, and all
 * had.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define QUICK 2

struct worker {
	const char *name;
	void (*work)(void);
	pthread_t thread;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t jobs_come = PTHREAD_COND_INITIALIZER, turn_comes = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static atomic_int arrived, idle;
static volatile bool flag;
static long long begin, ends[QUICK];
static int percent = 100, jobs, quick, turn;
static bool closed, burns;

static long long clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC) - begin;
}

static void rest(long long us)
{
	const struct timespec t = {us / 1000000, us % 1000000 * 1000};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static void burn(long long us)
{
	const long long end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + us * 1000;
	static volatile unsigned long sink;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		for (int i = 0; i < 20000; i++)
			sink = sink + 1;
}

static void take_time(long long us)
{
	if (burns)
		burn(us);
	else
		rest(us);
}

static void prepare(void)
{
	take_time(60000);
}

static void finish(void)
{
	take_time(80000);
}

static void quick_work(void)
{
	take_time(40000);
	ends[__atomic_fetch_add(&quick, 1, __ATOMIC_SEQ_CST)] = now_ns();
}

static void slow_work(void)
{
	take_time(1600LL * percent);
}

static void slow_step(void)
{
	rest(120LL * percent);
}

static void quick_step(void)
{
	rest(2000);
}

static void slow_rounds(void)
{
	for (int i = 0; i < 10; i++) {
		slow_step();
		pthread_barrier_wait(&barrier);
	}
}

static void quick_rounds(void)
{
	for (int i = 0; i < 10; i++) {
		quick_step();
		pthread_barrier_wait(&barrier);
	}
}

static void short_job(void)
{
	rest(10000);
}

static void long_job(void)
{
	rest(1000LL * percent);
}

static void take_jobs(void)
{
	idle++;
	for (;;) {
		int job;

		pthread_mutex_lock(&lock);
		while (!jobs && !closed)
			pthread_cond_wait(&jobs_come, &lock);
		job = jobs ? jobs-- : 0;
		pthread_mutex_unlock(&lock);
		if (!job)
			return;
		if (job == 3)
			long_job();
		else
			short_job();
	}
}

/* Once all workers have begun: on a busy machine that takes a while. */
static void give_jobs(void)
{
	while (idle < 3)
		rest(200);
	rest(20000);
	pthread_mutex_lock(&lock);
	jobs = 12;
	closed = true;
	pthread_cond_broadcast(&jobs_come);
	pthread_mutex_unlock(&lock);
}

static void spin_until_both(void)
{
	while (arrived < 2)
		;
}

static void burn_short(void)
{
	burn(20000);
	arrived++;
	spin_until_both();
}

static void burn_long(void)
{
	burn(1200LL * percent);
	arrived++;
	spin_until_both();
}

static void read_flag(void)
{
	burn(20000);
	while (!flag)
		;
}

static void read_flag_politely(void)
{
	burn(20000);
	while (!flag) {
#ifdef __x86_64__
		__builtin_ia32_pause();
#endif
	}
}

static void set_flag(void)
{
	burn(1200LL * percent);
	flag = true;
}

/* Waits until the block is at that end. */
static void await_turn(int mine)
{
	pthread_mutex_lock(&lock);
	while (turn != mine)
		pthread_cond_wait(&turn_comes, &lock);
	pthread_mutex_unlock(&lock);
}

static void give_turn(int next)
{
	pthread_mutex_lock(&lock);
	turn = next;
	pthread_cond_signal(&turn_comes);
	pthread_mutex_unlock(&lock);
}

static void parse(void)
{
	burn(60LL * percent);
}

static void store(void)
{
	burn(2000);
}

static void parse_blocks(void)
{
	for (int i = 0; i < 20; i++) {
		await_turn(0);
		parse();
		give_turn(1);
	}
}

static void store_blocks(void)
{
	for (int i = 0; i < 20; i++) {
		await_turn(1);
		store();
		give_turn(0);
	}
}

static void *run_worker(void *arg)
{
	struct worker *w = arg;

	pthread_setname_np(pthread_self(), w->name);
	w->work();
	return NULL;
}

static const struct kind {
	const char *name;
	void (*before)(void), (*meanwhile)(void), (*after)(void);
	struct worker workers[3];
} kinds[] = {
	{"phases",
	 prepare,
	 NULL,
	 finish,
	 {{"quick", quick_work}, {"quick2", quick_work}, {"slow", slow_work}}},
	{"burn",
	 prepare,
	 NULL,
	 finish,
	 {{"quick", quick_work}, {"quick2", quick_work}, {"slow", slow_work}}},
	{"rounds",
	 NULL,
	 NULL,
	 NULL,
	 {{"quick", quick_rounds}, {"quick2", quick_rounds}, {"slow", slow_rounds}}},
	{"queue",
	 NULL,
	 give_jobs,
	 NULL,
	 {{"one", take_jobs}, {"two", take_jobs}, {"three", take_jobs}}},
	{"spins", NULL, NULL, NULL, {{"short", burn_short}, {"long", burn_long}}},
	{"flags",
	 NULL,
	 NULL,
	 NULL,
	 {{"short", read_flag}, {"pausing", read_flag_politely}, {"long", set_flag}}},
	{"relay", NULL, NULL, NULL, {{"parser", parse_blocks}, {"storer", store_blocks}}},
};

int main(int argc, char **argv)
{
	struct kind kind = {0};
	long long made, joined;

	if (argc > 2)
		percent = atoi(argv[2]);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (argc > 1 && !strcmp(kinds[i].name, argv[1]))
			kind = kinds[i];
	if (!kind.name || pthread_barrier_init(&barrier, NULL, 3))
		return 1;
	burns = !strcmp(kind.name, "burn");
	begin = clock_ns(CLOCK_MONOTONIC);
	if (kind.before)
		kind.before();
	made = now_ns();
	for (int i = 0; i < 3 && kind.workers[i].name; i++)
		if (pthread_create(&kind.workers[i].thread, NULL, run_worker, &kind.workers[i]))
			return 1;
	if (kind.meanwhile)
		kind.meanwhile();
	for (int i = 0; i < 3 && kind.workers[i].name; i++)
		pthread_join(kind.workers[i].thread, NULL);
	joined = now_ns();
	if (kind.after)
		kind.after();
	printf("wall %lld\n", now_ns());
	if (quick)
		printf("phases %lld %lld %lld\n", made, ends[0] > ends[1] ? ends[0] : ends[1],
		       joined);
	return 0;
}
