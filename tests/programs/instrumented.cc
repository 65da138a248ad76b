// SPDX-License-Identifier: MIT
/*
 * instrumented [COUNT]: calls whose number and durations are known, for a compiler that inserts calls
 * at entries and exits (-finstrument-functions). Prints the ns of all that main does.
 *
 *   sleeper    10 times, 3 ms each, in a thread of its own 5 more
 *   down       recursion: 11 calls, 2 ms at the bottom
 *   leaver     left by longjmp, 4 times, with "around" around it
 *   dying      in a thread that ends inside of it, 2 threads
 *   child      a child of fork: sleeper once more, and it ends without exit handlers
 *   hot        COUNT calls (1000), which do nothing
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KEPT  __attribute__((noinline, noclone, used))
#define APART __attribute__((no_instrument_function))

static jmp_buf back;
static volatile int sink;

APART static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

extern "C" {
KEPT void sleeper(int ms)
{
	const struct timespec step = {0, ms * 1000000L};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &step, NULL);
}

KEPT int down(int depth)
{
	if (!depth) {
		sleeper(2);
		return 0;
	}
	return down(depth - 1) + sink;
}

KEPT void leaver(void)
{
	sink++;
	longjmp(back, 1);
}

KEPT void around(void)
{
	sink++;
	leaver();
	sink++;
}

KEPT void hot(void)
{
	sink++;
}

KEPT void dying(void)
{
	sink++;
	pthread_exit(NULL);
}
}

static void *die(void *)
{
	dying();
	return NULL;
}

static void *sleep_often(void *)
{
	for (int i = 0; i < 5; i++)
		sleeper(3);
	return NULL;
}

APART static void in_thread(void *(*function)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, NULL))
		exit(2);
	pthread_join(thread, NULL);
}

APART static void leave_once(void)
{
	if (!setjmp(back))
		around();
}

APART static void in_child(void)
{
	const pid_t child = fork();

	if (!child) {
		sleeper(3);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	const int count = argc > 1 ? atoi(argv[1]) : 1000;
	const long long from = now_ns();

	for (int i = 0; i < 10; i++)
		sleeper(3);
	down(10);
	for (int i = 0; i < 4; i++)
		leave_once();
	in_thread(sleep_often);
	in_thread(die);
	in_thread(die);
	in_child();
	const long long begin = now_ns();
	for (int i = 0; i < count; i++)
		hot();
	const long long end = now_ns();
	printf("%lld %lld\n", end - from, end - begin);
	return 7;
}
