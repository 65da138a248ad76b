// SPDX-License-Identifier: MIT
/* mapping [THREADS [TIMES]]: threads that map, touch and unmap memory, and so wait for the lock of
 * their memory map. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static int times = 3000;

static void *map_often(void *arg)
{
	for (int i = 0; i < times; i++) {
		char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			       0);

		if (p == MAP_FAILED)
			exit(1);
		*p = 1;
		munmap(p, 4096);
	}
	return arg;
}

int main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 4;
	pthread_t threads[64];

	if (argc > 2)
		times = atoi(argv[2]);
	for (int i = 0; i < n && i < 64; i++)
		pthread_create(&threads[i], NULL, map_often, NULL);
	for (int i = 0; i < n && i < 64; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
