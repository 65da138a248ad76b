// SPDX-License-Identifier: MIT
/*
 * maps: runs code it has made itself, in anonymous memory described by /tmp/perf-PID.map, as a
 * just-in-time compiler does; unmaps it, maps it again, and calls it from there under another name.
 * With the argument `memfd` the second lies in a memfd, mapped once to write and once to run;
 * with `long` the first runs 50 times.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
/* mov ecx, 200000000; 1: dec ecx; jnz 1b; ret */
static const unsigned char loop[] = {0xb9, 0x00, 0xc2, 0xeb, 0x0b, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
#elif defined(__aarch64__)
/* mov w0, #0xbeb0000; 1: subs w0, w0, #1; b.ne 1b; ret */
static const unsigned char loop[] = {0x60, 0x7d, 0xa1, 0x52, 0x00, 0x04, 0x00, 0x71,
				     0xe1, 0xff, 0xff, 0x54, 0xc0, 0x03, 0x5f, 0xd6};
#else
static const unsigned char loop[1];
#endif

static void *place(size_t offset)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	memcpy(p + offset, loop, sizeof(loop));
	__builtin___clear_cache(p + offset, p + offset + sizeof(loop));
	return p;
}

static void *place_in_file(size_t offset)
{
	int fd = memfd_create("jit", 0);
	char *w, *x;

	if (fd < 0 || ftruncate(fd, 12288))
		return NULL;
	w = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	x = mmap(NULL, 8192, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 4096);
	if (w == MAP_FAILED || x == MAP_FAILED)
		return NULL;
	memcpy(w + 4096 + offset, loop, sizeof(loop));
	__builtin___clear_cache(x + offset, x + offset + sizeof(loop));
	return x;
}

int main(int argc, char **argv)
{
	char path[64], *first, *second;
	FILE *map;

	if (sizeof(loop) < 8)
		return 77;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	first = place(0);
	second = argc > 1 && !strcmp(argv[1], "memfd") ? place_in_file(4096) : place(4096);
	if (!map || !first || !second)
		return 1;
	fprintf(map, "%lx %zx jit::first()\n", (unsigned long)first, sizeof(loop));
	fprintf(map, "%lx %zx jit::second()\n", (unsigned long)second + 4096, sizeof(loop));
	fclose(map);
	for (int i = argc > 1 && !strcmp(argv[1], "long") ? 50 : 1; i; i--)
		((void (*)(void))first)();
	munmap(first, 8192);
	((void (*)(void))(second + 4096))();
	return 0;
}
