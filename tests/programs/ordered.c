// SPDX-License-Identifier: MIT
/*
 * ordered [contended]: locks taken in known orders by threads that never run at the same time, so
 * that nothing waits.
 *
 *   a, b        thread one: a then b, 5 times; thread two: b then a, 3 times: a deadlock in sight
 *   x, y, z     one: x then y; two: y then z; main: z then x: another one
 *   c, d        one: c then d; two: d then c; both while they hold guard: cannot be
 *   e, f        one: e then f, then f then e: only one thread
 *   h, i        one: h then i; two: i, then only tries h: no circle
 *   r, s        one and two, in both orders, as readers only: no circle
 *
 * contended: two threads take left and then right, which main holds until others wait for both;
 * then right and then left. 5 times each.
 */
#include <pthread.h>
#include <string.h>
#include <time.h>

#define MUTEX(name) static pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER

MUTEX(a);
MUTEX(b);
MUTEX(x);
MUTEX(y);
MUTEX(z);
MUTEX(c);
MUTEX(d);
MUTEX(guard);
MUTEX(e);
MUTEX(f);
MUTEX(h);
MUTEX(i);
MUTEX(left);
MUTEX(right);
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER, s = PTHREAD_RWLOCK_INITIALIZER;

static void take_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void read_both(pthread_rwlock_t *first, pthread_rwlock_t *second)
{
	pthread_rwlock_rdlock(first);
	pthread_rwlock_rdlock(second);
	/* given back in the order in which they were taken */
	pthread_rwlock_unlock(first);
	pthread_rwlock_unlock(second);
}

static void take_guarded(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(&guard);
	take_both(first, second);
	pthread_mutex_unlock(&guard);
}

static void *run_one(void *arg)
{
	pthread_setname_np(pthread_self(), "one");
	for (int n = 0; n < 5; n++)
		take_both(&a, &b);
	take_both(&x, &y);
	take_guarded(&c, &d);
	take_both(&e, &f);
	take_both(&f, &e);
	take_both(&h, &i);
	read_both(&r, &s);
	return arg;
}

static void *run_two(void *arg)
{
	pthread_setname_np(pthread_self(), "two");
	for (int n = 0; n < 3; n++)
		take_both(&b, &a);
	take_both(&y, &z);
	take_guarded(&d, &c);
	pthread_mutex_lock(&i);
	if (!pthread_mutex_trylock(&h))
		pthread_mutex_unlock(&h);
	pthread_mutex_unlock(&i);
	read_both(&s, &r);
	return arg;
}

static void rest(void)
{
	const struct timespec t = {0, 1000000};

	nanosleep(&t, NULL);
}

static void *take_left(void *arg)
{
	pthread_setname_np(pthread_self(), "lefts");
	take_both(&left, &right);
	return arg;
}

static void *take_right(void *arg)
{
	pthread_setname_np(pthread_self(), "rights");
	take_both(&right, &left);
	return arg;
}

/* Two threads take two locks in one order, while second is held until both locks have waiters. The
 * value of a glibc mutex with waiters is 2. */
static int run_contended(void *(*run)(void *), const pthread_mutex_t *first,
			 pthread_mutex_t *second)
{
	pthread_t threads[2];

	pthread_mutex_lock(second);
	for (int n = 0; n < 2; n++)
		if (pthread_create(&threads[n], NULL, run, NULL))
			return 1;
	while (*(const volatile int *)first != 2 || *(const volatile int *)second != 2)
		rest();
	for (int n = 0; n < 20; n++)
		rest();
	pthread_mutex_unlock(second);
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc > 1 && !strcmp(argv[1], "contended")) {
		for (int n = 0; n < 5; n++)
			if (run_contended(take_left, &left, &right) ||
			    run_contended(take_right, &right, &left))
				return 1;
		return 0;
	}
	if (pthread_create(&thread, NULL, run_one, NULL))
		return 1;
	pthread_join(thread, NULL);
	if (pthread_create(&thread, NULL, run_two, NULL))
		return 1;
	pthread_join(thread, NULL);
	take_both(&z, &x);
	return 0;
}
