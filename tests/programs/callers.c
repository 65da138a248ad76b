// SPDX-License-Identifier: MIT
/*
 * Makes system calls from two ways that take turns: close(-1000 - i) of even i is called by
 * even_inner() and even_outer(), of odd i by odd_outer(). callers N [THREADS]: each thread makes N
 * calls. At the end it sleeps in sleep_outer() for 10 ms.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int calls;
static volatile int sink;

void even_inner(int i)
{
	sink = close(-1000 - i);
	sink++;
}

void even_outer(int i)
{
	even_inner(i);
	sink++;
}

void odd_outer(int i)
{
	sink = close(-1000 - i);
	sink++;
}

void sleep_outer(void)
{
	struct timespec t = {.tv_nsec = 10000000};

	nanosleep(&t, NULL);
	sink++;
}

void *make_calls(void *unused)
{
	for (int i = 0; i < calls; i++)
		if (i & 1)
			odd_outer(i);
		else
			even_outer(i);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[16];
	int n = argc > 2 ? atoi(argv[2]) : 0;

	calls = argc > 1 ? atoi(argv[1]) : 100;
	n = n > 16 ? 16 : n;
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, make_calls, NULL);
	make_calls(NULL);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	sleep_outer();
	return 0;
}
