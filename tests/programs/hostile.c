// SPDX-License-Identifier: MIT
/*
 * hostile SECONDS [--cut] FILE...: maps the files as code and pretends to be called from random
 * places in them, so that a profiler that unwinds it looks into them again and again. --cut: cuts
 * them short at random moments, too, and makes them whole again in place.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST_FILES  4096
#define MOST_MAPPED (16u << 20)

static struct file {
	int fd;
	size_t n;
	uint8_t *map, *copy;
} files[MOST_FILES];
static int n_files;
static volatile uint64_t sink;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint32_t any(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33);
}

/* Works for a moment with another return address. */
__attribute__((noinline)) static void called_from(uintptr_t address)
{
	uintptr_t *frame = __builtin_frame_address(0), real = frame[1];
	volatile uintptr_t *slot = &frame[1];

	*slot = address;
	for (int i = 0; i < 100000; i++)
		sink += (uint64_t)i;
	*slot = real;
}

static void *cut(void *arg)
{
	uint64_t seed = now();

	(void)arg;
	for (;;) {
		struct file *f = &files[any(&seed) % (uint32_t)n_files];

		if (ftruncate(f->fd, (off_t)(any(&seed) % f->n)))
			_exit(1);
		usleep(any(&seed) % 3000);
		if (pwrite(f->fd, f->copy, f->n, 0) != (ssize_t)f->n)
			_exit(1);
		usleep(any(&seed) % 3000);
	}
	return NULL;
}

static bool take(const char *path, bool cutting)
{
	struct file *f = &files[n_files];
	struct stat st;

	f->fd = open(path, cutting ? O_RDWR : O_RDONLY);
	if (f->fd < 0 || fstat(f->fd, &st) || !st.st_size || n_files == MOST_FILES - 1)
		return false;
	f->n = st.st_size < MOST_MAPPED ? (size_t)st.st_size : MOST_MAPPED;
	f->map = mmap(NULL, f->n, PROT_READ | PROT_EXEC, MAP_PRIVATE, f->fd, 0);
	if (f->map == MAP_FAILED)
		return false;
	if (cutting) {
		f->copy = malloc(f->n);
		if (!f->copy || pread(f->fd, f->copy, f->n, 0) != (ssize_t)f->n)
			return false;
	} else {
		close(f->fd);
	}
	n_files++;
	return true;
}

int main(int argc, char **argv)
{
	const bool cutting = argc > 2 && !strcmp(argv[2], "--cut");
	uint64_t seed, end;
	pthread_t thread;

	for (int i = 2 + cutting; i < argc; i++)
		if (!take(argv[i], cutting))
			return 1;
	if (!n_files)
		return 2;
	seed = now();
	end = seed + (uint64_t)(atof(argv[1]) * 1e9);
	if (cutting && pthread_create(&thread, NULL, cut, NULL))
		return 1;
	for (int turn = 0; now() < end; turn++) {
		const struct file *f = &files[turn % n_files];

		called_from((uintptr_t)f->map + any(&seed) % f->n);
	}
	return 0;
}
