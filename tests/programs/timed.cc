// SPDX-License-Identifier: MIT
/*
 * timed KIND: calls whose durations are known, in functions whose names begin with "timed_".
 *
 *   sleeps     timed_mostly 95 times, 5 of them 20 ms and the others 2 ms; timed_outer around all
 *   recursion  timed_down 10 deep, 2 ms at the bottom, then 3 times 4 deep
 *   tail       timed_head, which ends in a jump to timed_tail (2 ms), 5 times
 *   throws     timed_thrower through timed_between, 4 times; a call that returns after each
 *   longjmp    timed_leaver, left by longjmp, 4 times; a call that returns after each
 *   dies       timed_dying in a thread that ends inside of it; 2 threads
 *   burns      timed_burn, 10 ms on a CPU, 3 times
 *   counts     timed_count, some 100 ms in user space alone, 3 times; then prints the CPU time of
 *              the program as timed_cpu
 *   mixed      timed_after 200 times, and 1000 times timed_hot after each
 *   apart      timed_apart, 10 ms of sleep, 20 times with 5 ms outside of it after each; then
 *              timed_often, some us each, without a break for 100 ms
 *   switches   timed_switch, which jumps by a table, 9 times
 *
 * It prints, for each function, its name, how many calls it returned from, and the ns of all of
 * them by the clock around the calls.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdexcept>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEPT __attribute__((noinline, noclone, used))

static jmp_buf back;
static volatile int sink;

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void rest(int ms)
{
	const struct timespec step = {0, ms * 1000000L};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &step, NULL);
}

extern "C" {
KEPT void timed_mostly(int ms)
{
	rest(ms);
	sink++;
}

KEPT void timed_outer(void)
{
	for (int i = 0; i < 95; i++)
		timed_mostly(i % 19 ? 2 : 20);
	sink++;
}

KEPT int timed_down(int depth)
{
	if (!depth) {
		rest(2);
		return 0;
	}
	return timed_down(depth - 1) + sink;
}

KEPT int timed_tail(int ms)
{
	rest(ms);
	return ++sink;
}

KEPT int timed_head(int ms)
{
	sink++;
	return timed_tail(ms * 2);
}

KEPT int timed_thrower(int n)
{
	if (n >= 0)
		throw std::runtime_error("thrown");
	return ++sink;
}

KEPT int timed_between(int n)
{
	char room[64];

	memset(room, n, sizeof(room));
	sink = room[n & 63];
	return timed_thrower(n) + sink;
}

KEPT void timed_leaver(int n)
{
	if (n >= 0)
		longjmp(back, 1);
	sink++;
}

KEPT void timed_after(void)
{
	rest(1);
	sink++;
}

KEPT void timed_dying(void)
{
	rest(1);
	pthread_exit(NULL);
}

KEPT void timed_burn(void)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	while (t.tv_nsec / 10000000 == sink);
	sink = (int)(t.tv_nsec / 10000000);
}

KEPT void timed_apart(void)
{
	rest(10);
	sink++;
}

KEPT void timed_often(void)
{
	for (int i = 0; i < 1000; i++)
		sink++;
}

KEPT void timed_count(void)
{
	for (int i = 0; i < 50000000; i++)
		sink++;
}

KEPT void timed_hot(void)
{
	sink++;
}

KEPT int timed_switch(int n)
{
	switch (n) {
	case 0: return sink + 5;
	case 1: timed_after(); return sink - 3;
	case 2: return sink * 7;
	case 3: timed_after(); return sink ^ 9;
	case 4: return sink | 12;
	case 5: return sink & 6;
	case 6: return sink << 2;
	case 7: return sink >> 3;
	default: return sink % 11;
	}
}
}

static void *die(void *)
{
	timed_dying();
	return NULL;
}

static void throw_once(int n)
{
	try {
		timed_between(n);
	} catch (const std::runtime_error &) {
		sink++;
	}
	timed_after();
}

static void leave_once(int n)
{
	if (!setjmp(back))
		timed_leaver(n);
	timed_after();
}

static void row(const char *name, int calls, long long from)
{
	printf("%s %d %lld\n", name, calls, now_ns() - from);
}

static long long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* The times of calls alone, without what lies between them. */
static void calls_apart(void)
{
	long long spent = 0, from;
	int often = 0;

	for (int i = 0; i < 20; i++) {
		from = now_ns();
		timed_apart();
		spent += now_ns() - from;
		rest(5);
	}
	row("timed_apart", 20, now_ns() - spent);
	from = now_ns();
	for (long long end = cpu_ns() + 100000000; cpu_ns() < end; often++)
		timed_often();
	row("timed_often", often, from);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	const long long from = now_ns();
	pthread_t threads[2];

	if (!strcmp(kind, "sleeps")) {
		timed_outer();
		row("timed_outer", 1, from);
	} else if (!strcmp(kind, "recursion")) {
		timed_down(10);
		for (int i = 0; i < 3; i++)
			timed_down(4);
		row("timed_down", 11 + 3 * 5, from);
	} else if (!strcmp(kind, "tail")) {
		for (int i = 0; i < 5; i++)
			timed_head(1);
		row("timed_tail", 5, from);
	} else if (!strcmp(kind, "throws")) {
		for (int i = 0; i < 4; i++)
			throw_once(i);
		row("timed_after", 4, from);
	} else if (!strcmp(kind, "longjmp")) {
		for (int i = 0; i < 4; i++)
			leave_once(i);
		row("timed_after", 4, from);
	} else if (!strcmp(kind, "dies")) {
		for (int i = 0; i < 2; i++)
			if (pthread_create(&threads[i], NULL, die, NULL))
				return 1;
		for (int i = 0; i < 2; i++)
			pthread_join(threads[i], NULL);
		row("timed_dying", 0, from);
	} else if (!strcmp(kind, "burns")) {
		for (int i = 0; i < 3; i++)
			timed_burn();
		row("timed_burn", 3, from);
	} else if (!strcmp(kind, "mixed")) {
		for (int i = 0; i < 200; i++) {
			timed_after();
			for (int k = 0; k < 1000; k++)
				timed_hot();
		}
		row("timed_hot", 200000, from);
	} else if (!strcmp(kind, "counts")) {
		for (int i = 0; i < 3; i++)
			timed_count();
		row("timed_count", 3, from);
		row("timed_cpu", 3, now_ns() - cpu_ns());
	} else if (!strcmp(kind, "apart")) {
		calls_apart();
	} else if (!strcmp(kind, "switches")) {
		for (int i = 0; i < 9; i++)
			sink = timed_switch(i) & 1;
		row("timed_switch", 9, from);
	} else {
		return 1;
	}
	return 0;
}
