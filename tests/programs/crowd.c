// SPDX-License-Identifier: MIT
/*
 * crowd threads N [SECONDS]     N threads that sleep, and the first that works
 * crowd heirs MS SECONDS N      threads that work for MS each, one after the other: the last thing
 *                               that one does is to make the next; beside N that sleep, until all
 *                               have had SECONDS of processor time
 * crowd spent PID SECONDS       prints the processor time, in ms, that PID has in so many seconds
 * crowd maps N [SECONDS]        N executable mappings of this program's own file, then work in the
 *                               last of them
 * crowd chain N                 a process that forks its successor and ends, N times; each third
 *                               executes itself, each calls getppid a hundred times
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

static void *sleeper(void *arg)
{
	pause();
	return arg;
}

/* Needs nothing but its own bytes, so that a copy of them works anywhere. */
__attribute__((noinline, aligned(4096))) void busy(volatile unsigned long *to, unsigned long times)
{
	while (times--)
		*to = *to * 2862933555777941757UL + 1;
}

static void work(void (*fn)(volatile unsigned long *, unsigned long), double seconds)
{
	time_t end = time(NULL) + (time_t)seconds + 1;

	while (time(NULL) < end)
		fn(&sink, 1000000);
}

static int sleepers(long n)
{
	pthread_attr_t small;
	pthread_t t;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 16384);
	for (long i = 0; i < n; i++)
		if (pthread_create(&t, &small, sleeper, NULL))
			return 1;
	return 0;
}

static int threads(long n, double seconds)
{
	if (sleepers(n))
		return 1;
	puts("ready");
	fflush(stdout);
	work(busy, seconds);
	return 0;
}

static double heir_works, all_work; /* seconds of processor time */

static double clock_of(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void *heir(void *arg)
{
	pthread_t next;

	pthread_detach(pthread_self());
	while (clock_of(CLOCK_THREAD_CPUTIME_ID) < heir_works)
		busy(&sink, 10000);
	if (clock_of(CLOCK_PROCESS_CPUTIME_ID) >= all_work ||
	    pthread_create(&next, NULL, heir, arg))
		exit(0);
	return NULL;
}

static int heirs(long ms, double seconds, long asleep)
{
	pthread_t first;

	heir_works = (double)ms / 1e3;
	all_work = seconds;
	if (sleepers(asleep) || pthread_create(&first, NULL, heir, NULL))
		return 1;
	for (;;)
		pause();
}

static int spent(pid_t pid, double seconds)
{
	struct timespec pause = {(time_t)seconds,
				 (long)((seconds - (double)(time_t)seconds) * 1e9)};
	clockid_t id;
	double before;

	if (clock_getcpuclockid(pid, &id))
		return 1;
	before = clock_of(id);
	nanosleep(&pause, NULL);
	return printf("%.3f\n", (clock_of(id) - before) * 1e3) < 0;
}

/* Mappings of neighbouring pages of a file would become one: each is of the same page. */
static int maps(long n, double seconds)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	void (*last)(volatile unsigned long *, unsigned long) = busy;
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long start, end, offset = 0;
	char line[512];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3 &&
		    (unsigned long)busy >= start && (unsigned long)busy < end)
			break;
	offset += (unsigned long)busy - start;
	for (long i = 0; i < n; i++) {
		void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, (off_t)offset);

		if (p == MAP_FAILED)
			return 1;
		memcpy(&last, &p, sizeof(p));
	}
	puts("ready");
	fflush(stdout);
	work(last, seconds);
	return 0;
}

/* A link of the chain: works, then becomes its successor or makes it. */
static int chain(long n)
{
	char rest[32];

	for (; n > 0; n--) {
		for (int i = 0; i < 100; i++)
			syscall(SYS_getppid);
		if (n % 3 == 0) {
			snprintf(rest, sizeof(rest), "%ld", n - 1);
			execl("/proc/self/exe", "crowd", "link", rest, (char *)NULL);
			return 1;
		}
		pid_t next = fork();

		if (next)
			return next < 0;
	}
	return 0;
}

/* Waits for the whole chain: all of it holds the other end of a pipe. */
static int wait_for_chain(long n)
{
	int ends[2];
	char c;

	if (pipe(ends))
		return 1;
	if (!fork()) {
		close(ends[0]);
		_exit(chain(n));
	}
	close(ends[1]);
	return read(ends[0], &c, 1) != 0;
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0;
	double seconds = argc > 3 ? atof(argv[3]) : 1;

	if (argc > 1 && !strcmp(argv[1], "threads"))
		return threads(n, seconds);
	if (argc > 1 && !strcmp(argv[1], "heirs"))
		return heirs(n, seconds, argc > 4 ? atol(argv[4]) : 0);
	if (argc > 1 && !strcmp(argv[1], "spent"))
		return spent((pid_t)n, seconds);
	if (argc > 1 && !strcmp(argv[1], "maps"))
		return maps(n, seconds);
	if (argc > 1 && !strcmp(argv[1], "link"))
		return chain(n);
	return wait_for_chain(n);
}
