// SPDX-License-Identifier: MIT
/*
 * program [own]: call chains of many kinds, for tests/live/stepping: recursion, alloca, callbacks,
 * tail calls, setjmp, signals (own: on a stack of their own), vfork, threads, coroutines, lazily
 * bound calls into the C library.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define FAR __attribute__((noinline))

static volatile unsigned long sink;

FAR static unsigned long mix(unsigned long a, unsigned long b, unsigned long c, unsigned long d,
			     unsigned long e, unsigned long f, unsigned long g, unsigned long h)
{
	for (int i = 0; i < 4; i++) {
		a = a * 31 + (b ^ c);
		b = b * 17 + (d ^ e);
		c = c * 13 + (f ^ g);
		d += h ^ a;
	}
	sink += a;
	return a + b + c + d;
}

FAR static unsigned long recursive(unsigned int n)
{
	unsigned long below = n ? recursive(n - 1) : sink;

	if (n % 3 == 1)
		below += recursive(n / 3);
	return mix(below, n, 3, below * 7, 5, sink, 7, n * 8ul) + below;
}

FAR static unsigned long with_alloca(unsigned int n)
{
	volatile char *p = alloca(n);

	for (unsigned int i = 0; i < n; i += 16)
		p[i] = (char)i;
	return mix((unsigned long)p[0], n, 1, 2, 3, 4, 5, 6) + (unsigned long)p[n / 2];
}

FAR static int compare(const void *a, const void *b)
{
	sink++;
	return *(const int *)a - *(const int *)b;
}

FAR static unsigned long sorts(void)
{
	int numbers[24];

	for (int i = 0; i < 24; i++)
		numbers[i] = i * 7919 % 101;
	qsort(numbers, 24, sizeof(numbers[0]), compare);
	return (unsigned long)numbers[3];
}

FAR static unsigned long last_of_tail(unsigned long a)
{
	return a * 3 + sink;
}

FAR static unsigned long tail(unsigned long a)
{
	sink += a;
	return last_of_tail(a + 1);
}

static jmp_buf way_out;

FAR static void jumps(int n)
{
	if (!n)
		longjmp(way_out, 1);
	jumps(n - 1);
	sink++;
}

FAR static void set_jump(void)
{
	if (!setjmp(way_out))
		jumps(6);
	sink++;
}

FAR static void texts(void)
{
	char text[128], other[128];

	snprintf(text, sizeof(text), "%d %s %g %lx", (int)sink, "words", sqrt((double)sink + 0.5),
		 (unsigned long)sink);
	memcpy(other, text, sizeof(text));
	sink += strlen(other) + strtoul("123456", NULL, 10) + (strstr(text, "wor") != NULL);
}

static void on_signal(int number)
{
	sink += (unsigned long)number;
	recursive(3);
}

static void on_signal_told(int number, siginfo_t *info, void *context)
{
	(void)info;
	(void)context;
	sink += (unsigned long)number;
	texts();
}

/* Interrupted where the frame is being made and taken down, too: the timer knows no place. */
FAR static void signals(void)
{
	raise(SIGUSR1);
	raise(SIGUSR2);
	recursive(2);
}

FAR static void forks(void)
{
	int status;
	pid_t pid = vfork();

	if (!pid)
		_exit(0);
	waitpid(pid, &status, 0);
}

static void *thread(void *arg)
{
	return arg;
}

FAR static void threads(void)
{
	pthread_t t;

	if (!pthread_create(&t, NULL, thread, NULL))
		pthread_join(t, NULL);
}

static ucontext_t outside, inside;

static void coroutine(void)
{
	for (;;) {
		recursive(3);
		swapcontext(&inside, &outside);
	}
}

/* Stacks with nothing on either side. */
static char *stack_of(size_t n)
{
	char *p = mmap(NULL, n + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(p + 4096, n, PROT_READ | PROT_WRITE);
	return p + 4096;
}

static void own_stack(void)
{
	const stack_t own = {.ss_sp = stack_of(65536), .ss_size = 65536};
	const struct sigaction handler = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

	sigaltstack(&own, NULL);
	sigaction(SIGUSR1, &handler, NULL);
	for (int i = 0; i < 30; i++)
		signals();
}

int main(int argc, char **argv)
{
	const struct sigaction plain = {.sa_handler = on_signal};
	const struct sigaction told = {.sa_sigaction = on_signal_told,
				       .sa_flags = SA_SIGINFO | SA_RESTART};
	unsigned long (*volatile indirect)(unsigned long) = tail;

	(void)argv;
	sigaction(SIGUSR2, &told, NULL);
	if (argc > 1) {
		own_stack();
		return 0;
	}
	sigaction(SIGUSR1, &plain, NULL);
	getcontext(&inside);
	inside.uc_stack = (stack_t){.ss_sp = stack_of(65536), .ss_size = 65536};
	inside.uc_link = &outside;
	makecontext(&inside, coroutine, 0);
	for (unsigned int i = 0; i < 1000; i++) {
		swapcontext(&outside, &inside);
		forks();
		threads();
		signals();
		set_jump();
		with_alloca(100 + i % 50 * 16);
		indirect(i);
		recursive(i % 7);
		sorts();
		texts();
	}
	return 0;
}
