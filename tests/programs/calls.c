// SPDX-License-Identifier: MIT
/*
 * calls GETPPID [COMPAT [SLEEPS [PAGES]]]: so many calls of getppid, of the same by the 32-bit way
 * (on x86-64), of nanosleep for 100 us, and so many pages touched for the first time. Begins with a
 * thread that calls getppid ten times, and ends with a child that does the same.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *ten(void *arg)
{
	for (int i = 0; i < 10; i++)
		syscall(SYS_getppid);
	return arg;
}

static void compat(long n)
{
#ifdef __x86_64__
	while (n-- > 0) {
		long number = 64; /* getppid, of 32-bit programs */

		__asm__ volatile("int $0x80" : "+a"(number) : : "memory", "r8", "r9", "r10", "r11");
	}
#else
	(void)n;
#endif
}

int main(int argc, char **argv)
{
	long n[4] = {0}, page = sysconf(_SC_PAGESIZE);
	const struct timespec nap = {.tv_nsec = 100000};
	pthread_t thread;
	char *memory;
	pid_t child;

	for (int i = 0; i < 4 && i + 1 < argc; i++)
		n[i] = atol(argv[i + 1]);
	if (pthread_create(&thread, NULL, ten, NULL) || pthread_join(thread, NULL))
		return 1;
	for (long i = 0; i < n[0]; i++)
		syscall(SYS_getppid);
	compat(n[1]);
	for (long i = 0; i < n[2]; i++)
		nanosleep(&nap, NULL);
	if (n[3]) {
		memory = mmap(NULL, (size_t)(n[3] * page), PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return 1;
		madvise(memory, (size_t)(n[3] * page), MADV_NOHUGEPAGE);
		for (long i = 0; i < n[3]; i++)
			memory[i * page] = 1;
	}
	child = fork();
	if (!child) {
		ten(NULL);
		_exit(0);
	}
	return child < 0 || waitpid(child, NULL, 0) != child;
}
