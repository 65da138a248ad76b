// SPDX-License-Identifier: MIT
#include "selftest/workloads.h"

#include "base/mem.h"
#include "base/monotonic.h"
#include "base/options/options.h"
#include "selftest/workload.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int workload_end(int argc, char **argv, uint64_t *end, struct err *err)
{
	uint64_t ns = 1000000000;

	if (argc && (parse_time_ns(argv[0], &ns) || !ns))
		return err_set(err, ERR_USAGE, "'%s': seconds are a number above 0, as in 0.5",
			       argv[0]);
	*end = monotonic_ns() + ns;
	return 0;
}

/* The argument of that number, or the default. */
static int count_of(int argc, char **argv, int number, uint64_t most, uint64_t *n, struct err *err)
{
	if (argc > number && (parse_u64(argv[number], n) || *n > most))
		return err_set(err, ERR_USAGE, "'%s': a number up to %llu is wanted", argv[number],
			       (unsigned long long)most);
	return 0;
}

/* Within the function that uses it, which is to be seen alone: not an inlined one. */
#define LOOP_UNTIL(end)                                                                            \
	do {                                                                                       \
		for (int i = 0; i < 100000; i++)                                                   \
			__asm__ volatile("" : : : "memory");                                       \
	} while (monotonic_ns() < (end))

ALONE static void noploop_turn(void)
{
	for (int i = 0; i < 100000; i++)
		__asm__ volatile("" : : : "memory");
}

ALONE static int noploop(int argc, char **argv, struct err *err)
{
	uint64_t end;

	if (workload_end(argc, argv, &end, err))
		return -1;
	pthread_setname_np(pthread_self(), "perf-noploop");
	while (monotonic_ns() < end)
		noploop_turn();
	return 0;
}

ALONE static void thloop_test_loop(uint64_t end)
{
	LOOP_UNTIL(end);
}

ALONE static void *thloop_thread(void *v)
{
	const uint64_t *end = v;

	thloop_test_loop(*end);
	__asm__ volatile("");
	return NULL;
}

/* Two threads. */
ALONE static int thloop(int argc, char **argv, struct err *err)
{
	uint64_t end;
	pthread_t other;
	int got;

	if (workload_end(argc, argv, &end, err))
		return -1;
	pthread_setname_np(pthread_self(), "perf-thloop");
	got = pthread_create(&other, NULL, thloop_thread, &end);
	if (got)
		return err_sys(err, got, "cannot start a thread");
	thloop_test_loop(end);
	pthread_join(other, NULL);
	return 0;
}

#define NAMED_THREADS 25

struct named_thread {
	pthread_t thread;
	unsigned int number;
	uint64_t loops;
};

/* A function for each thread: their names are what tells them apart in a report. */
#define NAMED(n)                                                                                   \
	ALONE static void *named_threads_thread##n(void *v)                                        \
	{                                                                                          \
		const struct named_thread *t = v;                                                  \
                                                                                                   \
		pthread_setname_np(pthread_self(), "thread" #n);                                   \
		for (uint64_t i = 0; i < t->loops; i++)                                            \
			__asm__ volatile("" : : : "memory");                                       \
		return NULL;                                                                       \
	}
#define NAMED_ALL(DO)                                                                              \
	DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14)   \
		DO(15) DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23) DO(24) DO(25)
#define NAMED_ENTRY(n) named_threads_thread##n,

NAMED_ALL(NAMED)

/* As many threads as the first argument says; each counts up to the second argument. */
ALONE static int named_threads(int argc, char **argv, struct err *err)
{
	static void *(*const functions[])(void *) = {NAMED_ALL(NAMED_ENTRY)};
	struct named_thread threads[NAMED_THREADS];
	uint64_t n = 1, loops = 500, started = 0;
	int got = 0;

	if (count_of(argc, argv, 0, NAMED_THREADS, &n, err) ||
	    count_of(argc, argv, 1, UINT64_MAX, &loops, err))
		return -1;
	for (; started < n && !got; started += !got) {
		threads[started].loops = loops;
		got = pthread_create(&threads[started].thread, NULL, functions[started],
				     &threads[started]);
	}
	while (started)
		pthread_join(threads[--started].thread, NULL);
	return got ? err_sys(err, got, "cannot start a thread") : 0;
}

/* Three functions deep. What stands after a call keeps it from becoming a jump. */
ALONE static void leafloop_leaf(uint64_t end)
{
	/* the loop is here: a function that calls none has no frame, and hides its caller */
	LOOP_UNTIL(end);
}

ALONE static void leafloop_parent(uint64_t end)
{
	leafloop_leaf(end);
	__asm__ volatile("");
}

ALONE static int leafloop(int argc, char **argv, struct err *err)
{
	uint64_t end;

	if (workload_end(argc, argv, &end, err))
		return -1;
	leafloop_parent(end);
	__asm__ volatile("");
	return 0;
}

ALONE static double sqrtloop_turn(double from)
{
	volatile double sum = 0;

	for (int i = 0; i < 10000; i++)
		sum = sum + sqrt(from + i);
	return sum;
}

/* In a process of its own, so that counters must be inherited to see it. */
ALONE static int sqrtloop(int argc, char **argv, struct err *err)
{
	uint64_t end;
	double sum = 0;
	int status = 0;
	pid_t pid;

	if (workload_end(argc, argv, &end, err))
		return -1;
	pid = fork();
	if (pid < 0)
		return err_sys(err, errno, "cannot start a process");
	if (!pid) {
		while (monotonic_ns() < end)
			sum += sqrtloop_turn(sum > 1e9 ? 0 : sum);
		_exit(sum < 0);
	}
	return waitpid(pid, &status, 0) == pid && !status ? 0 : 1;
}

ALONE static unsigned int brstack_bar(unsigned int v)
{
	return v + 1;
}

ALONE static unsigned int brstack_foo(unsigned int v)
{
	return brstack_bar(v) ^ 1;
}

/* Two calls, a conditional branch and an indirect call. */
ALONE static unsigned int brstack_bench(unsigned int v)
{
	unsigned int (*indirect)(unsigned int) = brstack_foo;

	__asm__ volatile("" : "+r"(indirect));
	if (v % 3)
		v = brstack_foo(v);
	return indirect(brstack_bar(v));
}

/* Calls, returns and branches, a number of times (first argument). */
ALONE static int brstack(int argc, char **argv, struct err *err)
{
	uint64_t turns = 999999;
	unsigned int v = 0;

	if (count_of(argc, argv, 0, UINT64_MAX, &turns, err))
		return -1;
	for (uint64_t i = 0; i < turns; i++)
		v = brstack_bench(v);
	__asm__ volatile("" : : "r"(v));
	return 0;
}

/* What datasym writes to. It is a variable of the program for its name: the symbol that the
 * addresses of the accesses must get. */
struct datasym_words {
	_Alignas(64) char data1, reserved[55], data2;
};
static volatile struct datasym_words datasym_buf1 = {.reserved = {1}};

/* Reads and writes two bytes of one cache line. */
ALONE static int datasym(int argc, char **argv, struct err *err)
{
	uint64_t end;

	if (workload_end(argc, argv, &end, err))
		return -1;
	while (monotonic_ns() < end)
		for (int i = 0; i < 100000; i++) {
			datasym_buf1.data1 = (char)(datasym_buf1.data1 + 1);
			datasym_buf1.data2 = (char)(datasym_buf1.data2 + datasym_buf1.data1);
		}
	return 0;
}

#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 445
#endif

/* Two system calls with an argument of an enumeration type. They fail: their descriptors are no
 * rule sets. */
ALONE static int landlock(int argc, char **argv, struct err *err)
{
	const struct {
		uint64_t allowed;
		int32_t folder;
	} __attribute__((packed)) beneath = {.allowed = 1 << 2 /* read files */, .folder = 14};
	const struct {
		uint64_t allowed, port;
	} net = {.allowed = 1 << 1 /* connect */, .port = 19};

	(void)argc;
	(void)argv;
	(void)err;
	syscall(SYS_landlock_add_rule, 11, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &beneath, 45);
	syscall(SYS_landlock_add_rule, 11, 2 /* LANDLOCK_RULE_NET_PORT */, &net, 45);
	return 0;
}

/* Enters the kernel without a system call, where the processor has an instruction for that. */
ALONE static void traploop_trap(void)
{
#ifdef __aarch64__
	uint64_t value;

	/* Linux reads the register for programs */
	__asm__ volatile("mrs %0, ID_AA64ISAR0_EL1" : "=r"(value));
#else
	__asm__ volatile("");
#endif
}

ALONE static int traploop(int argc, char **argv, struct err *err)
{
	uint64_t turns = 999999;

	if (count_of(argc, argv, 0, UINT64_MAX, &turns, err))
		return -1;
	for (uint64_t i = 0; i < turns; i++)
		traploop_trap();
	return 0;
}

static inline __attribute__((always_inline)) void inlineloop_leaf(uint64_t end)
{
	LOOP_UNTIL(end);
}

static inline __attribute__((always_inline)) void inlineloop_middle(uint64_t end)
{
	inlineloop_leaf(end);
}

ALONE static void inlineloop_parent(uint64_t end)
{
	inlineloop_middle(end);
}

/* A loop in functions that exist in the debug information only. */
ALONE static int inlineloop(int argc, char **argv, struct err *err)
{
	uint64_t end;

	if (workload_end(argc, argv, &end, err))
		return -1;
	pthread_setname_np(pthread_self(), "perf-inlineloop");
	inlineloop_parent(end);
	__asm__ volatile("");
	return 0;
}

/* Takes part in a number of turns: waits for the other process's byte, then sends one; the first
 * one sends before it waits. */
ALONE static int context_switch_loop_proc(uint64_t turns, int from, int to, bool first)
{
	char byte = 0;

	for (uint64_t i = 0; i < turns; i++)
		if ((first && write(to, &byte, 1) != 1) || read(from, &byte, 1) != 1 ||
		    (!first && write(to, &byte, 1) != 1))
			return 1;
	return 0;
}

/* Two processes that run in turns. */
ALONE static int context_switch_loop(int argc, char **argv, struct err *err)
{
	uint64_t turns = 100;
	int there[2], back[2], status, other = 0;
	pid_t pid;

	if (count_of(argc, argv, 0, UINT64_MAX, &turns, err))
		return -1;
	if (pipe(there) || pipe(back))
		return err_sys(err, errno, "cannot make a pipe");
	pid = fork();
	if (pid < 0)
		return err_sys(err, errno, "cannot start a process");
	if (!pid) {
		close(there[1]);
		pthread_setname_np(pthread_self(), "proc1");
		_exit(context_switch_loop_proc(turns, there[0], back[1], false));
	}
	close(there[0]);
	close(back[1]);
	pthread_setname_np(pthread_self(), "proc2");
	status = context_switch_loop_proc(turns, back[0], there[1], true);
	close(there[1]);
	return waitpid(pid, &other, 0) == pid && !other ? status : 1;
}

/* Three additions each: the number of instructions is the same in every run. */
#define DETERMINISTIC_WORK(v)                                                                      \
	do {                                                                                       \
		for (int i = 0; i < 3; i++)                                                        \
			*(v) += 7;                                                                 \
	} while (0)

ALONE static void deterministic_function1(volatile int *work)
{
	DETERMINISTIC_WORK(work);
}

ALONE static void deterministic_function2(volatile int *work)
{
	DETERMINISTIC_WORK(work);
	__asm__ volatile("");
}

ALONE static int deterministic(int argc, char **argv, struct err *err)
{
	volatile int work = 1234;

	(void)argc;
	(void)argv;
	(void)err;
	DETERMINISTIC_WORK(&work);
	deterministic_function1(&work);
	DETERMINISTIC_WORK(&work);
	deterministic_function2(&work);
	return work == 1234 + 12 * 7 ? 0 : 1;
}

ALONE static void callchain_do_syscall(void)
{
	syscall(SYS_gettid);
	__asm__ volatile("");
}

ALONE static void callchain_foo(void)
{
	callchain_do_syscall();
	__asm__ volatile("");
}

/* One system call, three functions deep. */
ALONE static int callchain(int argc, char **argv, struct err *err)
{
	(void)argc;
	(void)argv;
	(void)err;
	callchain_foo();
	__asm__ volatile("");
	return 0;
}

struct code_with_type_buf {
	uint64_t data1;
	const char *data2;
	uint64_t data3;
};

ALONE static void code_with_type_turn(volatile struct code_with_type_buf *b, uint64_t loops)
{
	for (uint64_t i = 1; i < loops; i++) {
		b->data1 = b->data1 + 1;
		if (b->data1 == 123)
			b->data1 = b->data1 + 1;
		b->data3 = b->data3 + b->data1;
	}
}

/* Accesses to members of a structure. */
ALONE static int code_with_type(int argc, char **argv, struct err *err)
{
	struct code_with_type_buf b = {.data2 = "data"};
	uint64_t end, loops = 100;

	if (workload_end(argc, argv, &end, err) || count_of(argc, argv, 1, UINT64_MAX, &loops, err))
		return -1;
	pthread_setname_np(pthread_self(), "perf-code-with");
	while (monotonic_ns() < end)
		code_with_type_turn(&b, loops);
	return 0;
}

const struct workload workloads[] = {
	{"noploop", "a loop that does nothing [seconds]", noploop},
	{"thloop", "two threads that loop [seconds]", thloop},
	{"named_threads", "threads with names, up to 25 [threads] [turns]", named_threads},
	{"leafloop", "a loop three calls deep [seconds]", leafloop},
	{"sqrtloop", "square roots, in a child [seconds]", sqrtloop},
	{"brstack", "calls and branches [turns]", brstack},
	{"datasym", "reads and writes of one variable [seconds]", datasym},
	{"landlock", "system calls with an enumeration", landlock},
	{"traploop", "entries to the kernel, on aarch64 [turns]", traploop},
	{"inlineloop", "a loop in inlined functions [seconds]", inlineloop},
	{"jitdump", "code made at run time, with a dump [seconds]", workload_jitdump},
	{"context_switch_loop", "two processes in turns [turns]", context_switch_loop},
	{"deterministic", "the same instructions in each run", deterministic},
	{"callchain", "a system call three calls deep", callchain},
	{"code_with_type", "accesses to members [seconds] [turns]", code_with_type},
	{0},
};

const struct workload *workload_find(const char *name)
{
	for (const struct workload *w = workloads; w->name; w++)
		if (!strcmp(w->name, name))
			return w;
	return NULL;
}
