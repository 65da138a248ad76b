// SPDX-License-Identifier: MIT
#include "selftest/workloads.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noinline, noclone))
#endif

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The first argument in seconds, or one. */
static double seconds_of(int argc, char **argv)
{
	double s = argc ? atof(argv[0]) : 1;

	return s > 0 ? s : 1;
}

ALONE static void noploop_turn(void)
{
	for (int i = 0; i < 100000; i++)
		__asm__ volatile("" : : : "memory");
}

ALONE static int noploop(int argc, char **argv, struct err *err)
{
	double end = now() + seconds_of(argc, argv);

	(void)err;
	while (now() < end)
		noploop_turn();
	return 0;
}

struct thloop_end {
	double at;
};

ALONE static void *thloop_thread(void *v)
{
	const struct thloop_end *end = v;

	while (now() < end->at)
		noploop_turn();
	__asm__ volatile("");
	return NULL;
}

/* Two threads. */
ALONE static int thloop(int argc, char **argv, struct err *err)
{
	struct thloop_end end = {now() + seconds_of(argc, argv)};
	pthread_t other;
	int got = pthread_create(&other, NULL, thloop_thread, &end);

	if (got)
		return err_sys(err, got, "cannot start a thread");
	thloop_thread(&end);
	pthread_join(other, NULL);
	return 0;
}

/* Three functions deep. What stands after a call keeps it from becoming a jump. */
ALONE static void leafloop_leaf(double end)
{
	/* the loop is here: a function that calls none has no frame, and hides its caller */
	while (now() < end)
		for (int i = 0; i < 100000; i++)
			__asm__ volatile("" : : : "memory");
}

ALONE static void leafloop_parent(double end)
{
	leafloop_leaf(end);
	__asm__ volatile("");
}

ALONE static int leafloop(int argc, char **argv, struct err *err)
{
	(void)err;
	leafloop_parent(now() + seconds_of(argc, argv));
	return 0;
}

ALONE static double sqrtloop_turn(double from)
{
	volatile double sum = 0;

	for (int i = 0; i < 10000; i++)
		sum = sum + sqrt(from + i);
	return sum;
}

ALONE static int sqrtloop(int argc, char **argv, struct err *err)
{
	double end = now() + seconds_of(argc, argv), sum = 0;

	(void)err;
	while (now() < end)
		sum += sqrtloop_turn(sum > 1e9 ? 0 : sum);
	return sum < 0;
}

ALONE static unsigned int brstack_bar(unsigned int v)
{
	return v + 1;
}

ALONE static unsigned int brstack_foo(unsigned int v)
{
	return brstack_bar(v) ^ 1;
}

/* Calls, returns and conditional branches, a number of times (first argument). */
ALONE static int brstack(int argc, char **argv, struct err *err)
{
	long turns = argc ? atol(argv[0]) : 999999;
	unsigned int v = 0;

	(void)err;
	for (long i = 0; i < turns; i++)
		v = v & 1 ? brstack_foo(v) : brstack_bar(v);
	__asm__ volatile("" : : "r"(v));
	return 0;
}

struct datasym_words {
	_Alignas(64) char first, reserved[63], second;
};

/* Reads and writes two bytes of one cache line and the next. */
ALONE static int datasym(int argc, char **argv, struct err *err)
{
	struct datasym_words words = {.first = 1};
	volatile struct datasym_words *w = &words;
	double end = now() + seconds_of(argc, argv);

	(void)err;
	while (now() < end)
		for (int i = 0; i < 100000; i++) {
			w->first = (char)(w->first + 1);
			w->second = (char)(w->second + w->first);
		}
	return 0;
}

const struct workload workloads[] = {
	{"noploop", "a loop that does nothing [seconds]", noploop},
	{"thloop", "two threads that loop [seconds]", thloop},
	{"leafloop", "a loop three calls deep [seconds]", leafloop},
	{"sqrtloop", "square roots [seconds]", sqrtloop},
	{"brstack", "calls and branches [turns]", brstack},
	{"datasym", "reads and writes of one place [seconds]", datasym},
	{0},
};

const struct workload *workload_find(const char *name)
{
	for (const struct workload *w = workloads; w->name; w++)
		if (!strcmp(w->name, name))
			return w;
	return NULL;
}
