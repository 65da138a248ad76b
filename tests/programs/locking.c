// SPDX-License-Identifier: MIT
/*
 * locking: locks of each kind, taken a known number of times by two threads and a child of fork.
 *
 *   mutex      take_mutex, 1000 times by each thread; 10 more by the child
 *   recursive  take_recursive, 100 times by each thread, twice at a time
 *   rwlock     read_rwlock 500 times, write_rwlock 50 times by each thread
 *   spin       take_spin, 300 times by each thread
 *   slow       hold_slow holds it for 30 ms once, meanwhile wait_slow waits for it, and try_slow
 * fails 5 times wake       wait_condition takes it once, and gives it back for 30 ms in
 * pthread_cond_wait
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, slow = PTHREAD_MUTEX_INITIALIZER,
		       wake = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static atomic_int held, waits;

static void rest(int ms)
{
	const struct timespec t = {0, ms * 1000000L};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static void take_mutex(int n)
{
	while (n--) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}

static void take_recursive(int n)
{
	while (n--) {
		pthread_mutex_lock(&recursive);
		pthread_mutex_lock(&recursive);
		pthread_mutex_unlock(&recursive);
		pthread_mutex_unlock(&recursive);
	}
}

static void read_rwlock(int n)
{
	while (n--) {
		pthread_rwlock_rdlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
	}
}

static void write_rwlock(int n)
{
	while (n--) {
		pthread_rwlock_wrlock(&rwlock);
		pthread_rwlock_unlock(&rwlock);
	}
}

static void take_spin(int n)
{
	while (n--) {
		pthread_spin_lock(&spin);
		pthread_spin_unlock(&spin);
	}
}

static void *use_all(void *arg)
{
	take_mutex(1000);
	take_recursive(100);
	read_rwlock(500);
	write_rwlock(50);
	take_spin(300);
	return arg;
}

static void *hold_slow(void *arg)
{
	pthread_setname_np(pthread_self(), "holder");
	pthread_mutex_lock(&slow);
	held = 1;
	while (!waits)
		rest(1);
	rest(30);
	pthread_mutex_unlock(&slow);
	return arg;
}

static void try_slow(void)
{
	for (int i = 0; i < 5; i++)
		if (!pthread_mutex_trylock(&slow))
			pthread_mutex_unlock(&slow);
}

static void wait_slow(void)
{
	while (!held)
		rest(1);
	try_slow();
	waits = 1;
	pthread_mutex_lock(&slow);
	pthread_mutex_unlock(&slow);
}

static void *wait_condition(void *arg)
{
	pthread_mutex_lock(&wake);
	held = 2;
	while (held == 2)
		pthread_cond_wait(&woken, &wake);
	pthread_mutex_unlock(&wake);
	return arg;
}

static void signal_condition(void)
{
	while (held != 2)
		rest(1);
	rest(30);
	pthread_mutex_lock(&wake);
	held = 3;
	pthread_cond_signal(&woken);
	pthread_mutex_unlock(&wake);
}

int main(void)
{
	pthread_mutexattr_t attr;
	pthread_t threads[2];
	pid_t child;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	if (pthread_mutex_init(&recursive, &attr) || pthread_spin_init(&spin, 0))
		return 1;
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, use_all, NULL))
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (pthread_create(&threads[0], NULL, hold_slow, NULL))
		return 1;
	wait_slow();
	pthread_join(threads[0], NULL);
	if (pthread_create(&threads[0], NULL, wait_condition, NULL))
		return 1;
	signal_condition();
	pthread_join(threads[0], NULL);
	child = fork();
	if (!child) {
		take_mutex(10);
		_exit(0);
	}
	return child < 0 || waitpid(child, NULL, 0) != child;
}
