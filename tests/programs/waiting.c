// SPDX-License-Identifier: MIT
/*
 * waiting KIND [TIMES]: threads that wait for each other in a known way.
 *
 *   convoy    three threads, once all are there, take a lock in turn, and hold it while they sleep
 *   consumer  a producer fills a pipe whose reader sleeps before each read
 *   barrier   three threads meet at a barrier; one of them sleeps first
 *   pool      two workers wait for work that never comes, while another thread sleeps
 *   spin      a thread spins until another one, which sleeps, sets a flag
 *   stop      a collector stops two other threads, and sleeps until it lets them go on
 *   lost      a thread waits for a signal that came before: until its time is over
 *   inversion a thread of low priority has a lock that another one waits for, and no CPU: a third
 *             thread burns it, for STEP_MS times TIMES
 *   disk      a thread writes blocks to the disk, in a file of the current folder
 *
 * For each thread it prints a line "NAME INNER OUTER CPU READY": ns from when the thread has its
 * name to its last statement, and from before it was made until it was joined; and what the
 * kernel's own account (schedstat) says of the first of them: on CPUs, and waiting for one; -1
 * where there is none. Each does it TIMES times (10), and sleeps take STEP_MS.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define STEP_MS 4

struct worker {
	const char *name;
	void (*work)(void);
	pthread_t thread;
	long long made, begun, ended, joined;
	struct account {
		long long cpu, ready;
	} account;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work_comes = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static atomic_bool done, held, wanted, burns;
static atomic_int stopped;
static bool stopping;
static int ends[2], times = 10;

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void rest(void)
{
	const struct timespec step = {0, STEP_MS * 1000000L};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &step, NULL);
}

static void hold_lock(void)
{
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < times; i++) {
		pthread_mutex_lock(&lock);
		rest();
		pthread_mutex_unlock(&lock);
	}
}

static void produce(void)
{
	static char block[4096];

	for (int i = 0; i < times; i++)
		if (write(ends[1], block, sizeof(block)) < 0)
			return;
	close(ends[1]);
}

static void consume(void)
{
	static char block[4096];

	do
		rest();
	while (read(ends[0], block, sizeof(block)) > 0);
}

static void meet(void)
{
	for (int i = 0; i < times; i++)
		pthread_barrier_wait(&barrier);
}

static void meet_late(void)
{
	for (int i = 0; i < times; i++) {
		rest();
		pthread_barrier_wait(&barrier);
	}
}

static void wait_for_work(void)
{
	pthread_mutex_lock(&lock);
	while (!done)
		pthread_cond_wait(&work_comes, &lock);
	pthread_mutex_unlock(&lock);
}

static void end_work(void)
{
	for (int i = 0; i < times; i++)
		rest();
	pthread_mutex_lock(&lock);
	done = true;
	pthread_cond_broadcast(&work_comes);
	pthread_mutex_unlock(&lock);
}

static void spin(void)
{
	while (!done)
		;
}

static void set_flag(void)
{
	for (int i = 0; i < times; i++)
		rest();
	done = true;
}

/* Threads that see that they are to stop say so, and wait. */
static void mutate(void)
{
	pthread_mutex_lock(&lock);
	while (!done) {
		while (stopping) {
			stopped++;
			pthread_cond_wait(&work_comes, &lock);
			stopped--;
		}
		pthread_mutex_unlock(&lock);
		sched_yield();
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
}

static void collect(void)
{
	for (int i = 0; i < times; i++) {
		pthread_mutex_lock(&lock);
		stopping = true;
		pthread_mutex_unlock(&lock);
		while (stopped < 2)
			sched_yield();
		rest();
		pthread_mutex_lock(&lock);
		stopping = false;
		pthread_cond_broadcast(&work_comes);
		pthread_mutex_unlock(&lock);
		while (stopped)
			sched_yield();
	}
	done = true;
}

static void signal_early(void)
{
	pthread_cond_signal(&work_comes);
}

static void wait_in_vain(void)
{
	struct timespec until;

	rest();
	pthread_mutex_lock(&lock);
	for (int i = 0; i < times; i++) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += STEP_MS * 1000000L;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&work_comes, &lock, &until);
	}
	pthread_mutex_unlock(&lock);
}

/* For so long by the clock of the thread's own time. */
static void burn(int ms)
{
	struct timespec from, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 < ms);
}

/* Both of these share a CPU: the first one that the process may use. */
static void stay_on_one_cpu(void)
{
	cpu_set_t all, one;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(all), &all))
		return;
	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void hold_at_low_priority(void)
{
	stay_on_one_cpu();
	setpriority(PRIO_PROCESS, 0, 19); /* of this thread */
	pthread_mutex_lock(&lock);
	held = true;
	while (!burns)
		;
	burn(2);
	pthread_mutex_unlock(&lock);
}

static void await(const atomic_bool *flag)
{
	const struct timespec step = {0, 100000};

	while (!*flag)
		nanosleep(&step, NULL);
}

static void burn_its_cpu(void)
{
	stay_on_one_cpu();
	await(&wanted);
	burns = true;
	burn(STEP_MS * times);
}

static void want_lock(void)
{
	await(&held);
	wanted = true;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static void write_disk(void)
{
	static char block[4096] __attribute__((aligned(4096)));
	int fd = open("waiting.tmp", O_RDWR | O_CREAT | O_TRUNC | O_DIRECT, 0600);

	unlink("waiting.tmp");
	for (int i = 0; fd >= 0 && i < times; i++)
		if (pwrite(fd, block, sizeof(block), i * 4096L) < 0 || fdatasync(fd))
			break;
	if (fd >= 0)
		close(fd);
}

static struct account account_now(void)
{
	struct account a = {-1, -1};
	FILE *f = fopen("/proc/thread-self/schedstat", "re");

	if (f && fscanf(f, "%lld %lld", &a.cpu, &a.ready) != 2)
		a.cpu = a.ready = -1;
	if (f)
		fclose(f);
	return a;
}

static void *run_worker(void *arg)
{
	struct worker *w = arg;
	struct account before, after;

	pthread_setname_np(pthread_self(), w->name);
	w->begun = now_ns();
	before = account_now();
	w->work();
	after = account_now();
	w->account.cpu = after.cpu < 0 ? -1 : after.cpu - before.cpu;
	w->account.ready = after.cpu < 0 ? -1 : after.ready - before.ready;
	w->ended = now_ns();
	return NULL;
}

static const struct kind {
	const char *name;
	struct worker workers[3];
} kinds[] = {
	{"convoy", {{"first", hold_lock}, {"second", hold_lock}, {"third", hold_lock}}},
	{"consumer", {{"producer", produce}, {"reader", consume}}},
	{"barrier", {{"early", meet}, {"early2", meet}, {"late", meet_late}}},
	{"pool", {{"idle", wait_for_work}, {"idle2", wait_for_work}, {"busy", end_work}}},
	{"spin", {{"spinner", spin}, {"setter", set_flag}}},
	{"stop", {{"mutator", mutate}, {"mutator2", mutate}, {"collector", collect}}},
	{"lost", {{"signaller", signal_early}, {"sleeper", wait_in_vain}}},
	{"inversion",
	 {{"low", hold_at_low_priority}, {"middle", burn_its_cpu}, {"high", want_lock}}},
	{"disk", {{"writer", write_disk}}},
};

int main(int argc, char **argv)
{
	struct kind kind = {0};

	if (argc > 2)
		times = atoi(argv[2]);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (argc > 1 && !strcmp(kinds[i].name, argv[1]))
			kind = kinds[i];
	if (!kind.name || pipe(ends) || pthread_barrier_init(&barrier, NULL, 3))
		return 1;
	fcntl(ends[1], F_SETPIPE_SZ, 4096);
	for (int i = 0; i < 3 && kind.workers[i].name; i++) {
		struct worker *w = &kind.workers[i];

		w->made = now_ns();
		if (pthread_create(&w->thread, NULL, run_worker, w))
			return 1;
	}
	for (int i = 0; i < 3 && kind.workers[i].name; i++) {
		struct worker *w = &kind.workers[i];

		pthread_join(w->thread, NULL);
		w->joined = now_ns();
		printf("%s %lld %lld %lld %lld\n", w->name, w->ended - w->begun,
		       w->joined - w->made, w->account.cpu, w->account.ready);
	}
	return 0;
}
