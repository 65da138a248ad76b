// SPDX-License-Identifier: MIT
/*
 * deadlock: two threads, "one" and "other", that each hold a lock and wait for the other's; a third
 * sleeps. Main waits for "one". Ends by itself after a minute.
 */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t both;

static void *lock_two(void *arg)
{
	const int first = arg != NULL;

	pthread_setname_np(pthread_self(), first ? "other" : "one");
	pthread_mutex_lock(&locks[first]);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(&locks[!first]);
	return NULL;
}

static void *sleep_long(void *arg)
{
	sleep(60);
	return arg;
}

int main(void)
{
	pthread_t threads[3];

	alarm(60);
	if (pthread_barrier_init(&both, NULL, 2) ||
	    pthread_create(&threads[0], NULL, lock_two, NULL) ||
	    pthread_create(&threads[1], NULL, lock_two, &both) ||
	    pthread_create(&threads[2], NULL, sleep_long, NULL))
		return 1;
	pthread_join(threads[0], NULL);
	return 0;
}
