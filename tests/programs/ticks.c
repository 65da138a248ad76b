// SPDX-License-Identifier: MIT
/*
 * ticks LOG [MILLISECONDS [MICROSECONDS]]: every so many microseconds (1000) touches a page for the
 * first time, so that a page fault at a known address is due, until so much time (60000) has
 * passed. What it did is in LOG, also when it or its recorder is killed: the number of ticks (then
 * the last one may still have been about to come), and of each the time (CLOCK_MONOTONIC, ns) just
 * before. Tick N is at TICKS_BASE + N % TICKS_PAGES pages of 4096.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define TICKS_BASE 0x100000000000UL
#define TICKS_PAGES 16384UL
#define MOST 1000000UL

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(int argc, char **argv)
{
	uint64_t end = now() + 1000000u * (uint64_t)(argc > 2 ? atol(argv[2]) : 60000);
	struct timespec pause = {.tv_nsec = 1000 * (argc > 3 ? atol(argv[3]) : 1000)};
	size_t size = 8 * (MOST + 1);
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT, 0644) : -1;
	volatile uint64_t *log;
	volatile char *pages;

	if (fd < 0 || ftruncate(fd, (off_t)size))
		return 1;
	log = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
	pages = mmap((void *)TICKS_BASE, 4096 * TICKS_PAGES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (log == MAP_FAILED || pages == MAP_FAILED)
		return 1;
	madvise((void *)pages, 4096 * TICKS_PAGES, MADV_NOHUGEPAGE);
	for (uint64_t n = 0; n < MOST && now() < end; n++) {
		uint64_t at = n % TICKS_PAGES;

		if (!at)
			madvise((void *)pages, 4096 * TICKS_PAGES, MADV_DONTNEED);
		log[1 + n] = now();
		log[0] = n + 1; /* first: the recorder may end, and this with it, before the fault
				   has returned */
		pages[4096 * at] = 1;
		if (pause.tv_nsec)
			nanosleep(&pause, NULL);
	}
	return 0;
}
