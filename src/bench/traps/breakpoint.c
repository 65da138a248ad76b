// SPDX-License-Identifier: MIT
#include "bench/futex.h"
#include "bench/suites.h"

#include "event/attr.h"
#include "os/perf.h"

#include <pthread.h>
#include <stdint.h>

#define READ_WRITE 3 /* HW_BREAKPOINT_RW of <linux/hw_breakpoint.h> */

struct breakpoint_opts {
	unsigned int breakpoints, parallel, threads; /* thread */
	unsigned int passive, active;		     /* enable */
};

#define AT(field) offsetof(struct breakpoint_opts, field)

const struct opt breakpoint_thread_options[] = {
	{OPT_UINT, 'b', "breakpoints", AT(breakpoints), "n", "Specify amount of breakpoints"},
	{OPT_UINT, 'p', "parallelism", AT(parallel), "n", "Specify amount of parallelism"},
	{OPT_UINT, 't', "threads", AT(threads), "n", "Specify amount of threads"},
	{OPT_END},
};

const struct opt breakpoint_enable_options[] = {
	{OPT_UINT, 'p', "passive", AT(passive), "n", "Specify amount of passive threads"},
	{OPT_UINT, 'a', "active", AT(active), "n", "Specify amount of active threads"},
	{OPT_END},
};

/* On a byte of ours that nobody touches; threads that are born inherit it. */
static int breakpoint_open(const char *watched, struct err *err)
{
	struct attr attr = {.type = TYPE_BREAKPOINT,
			    .size = sizeof(attr),
			    .flags = ATTR_INHERIT | ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV,
			    .bp_type = READ_WRITE,
			    .config1 = (uintptr_t)watched,
			    .config2 = 1};
	uint8_t bytes[sizeof(attr)];
	int fd;

	attr_encode(&attr, bytes);
	fd = perf_open(bytes, 0, -1, -1, 0);
	if (fd >= 0)
		return fd;
	err_sys(err, -fd, "cannot set a breakpoint");
	if (fd == -ENOSPC)
		return err_hint(err, "the processor has no more of them: ask for fewer (-b)");
	return fd == -ENODEV ? err_hint(err, "this machine has no hardware breakpoints") : -1;
}

static void *passive_thread(void *done)
{
	while (!__atomic_load_n((uint32_t *)done, __ATOMIC_RELAXED))
		futex_wait(done, 0, false);
	return NULL;
}

static void *active_thread(void *done)
{
	while (!__atomic_load_n((uint32_t *)done, __ATOMIC_RELAXED))
		;
	return NULL;
}

struct creators {
	const struct breakpoint_opts *o;
	int left; /* batches */
	int failed;
	struct bench_team team;
};

static int create_batch(const struct breakpoint_opts *o, pthread_t *threads)
{
	uint32_t done = 0;
	unsigned int n = 0;
	int got = 0;

	for (; n < o->threads && !got; n += !got)
		got = pthread_create(&threads[n], NULL, passive_thread, &done);
	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	futex_wake(&done, (int)n, false);
	for (unsigned int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return got;
}

static void creator_work(void *v, unsigned int index)
{
	struct creators *c = v;
	pthread_t *threads = mem_zero(MAX(c->o->threads, 1u) * sizeof(*threads));

	(void)index;
	while (__atomic_fetch_sub(&c->left, 1, __ATOMIC_RELAXED) > 0) {
		int got = create_batch(c->o, threads);

		if (got)
			__atomic_store_n(&c->failed, got, __ATOMIC_RELAXED);
	}
	free(threads);
}

static int create_all(struct bench *b, struct creators *c, uint64_t *ns, struct err *err)
{
	c->left = (int)b->repeat;
	if (bench_team_start(&c->team, c->o->parallel, false, creator_work, c, err))
		return -1;
	*ns = bench_now_ns();
	bench_team_go(&c->team);
	bench_team_join(&c->team);
	*ns = bench_now_ns() - *ns;
	return c->failed ? err_sys(err, c->failed, "cannot start a thread") : 0;
}

static int measure_thread(struct bench *b, const void *v, struct err *err)
{
	const struct breakpoint_opts *o = v;
	struct creators c = {.o = o};
	char *watched = mem_zero(MAX(o->breakpoints, 1u) * 64);
	int *fds = mem_zero(MAX(o->breakpoints, 1u) * sizeof(*fds)), got = 0;
	unsigned int n = 0;
	uint64_t ns = 0;
	double each;

	if (!o->parallel || !o->threads)
		got = err_set(err, ERR_USAGE, "there must be a thread at least");
	for (; n < o->breakpoints && !got; n += !got) {
		fds[n] = breakpoint_open(watched + (size_t)n * 64, err);
		got = fds[n] < 0 ? -1 : 0;
	}
	if (!got)
		got = create_all(b, &c, &ns, err);
	for (unsigned int i = 0; i < n; i++)
		close(fds[i]);
	free(fds);
	free(watched);
	if (got)
		return -1;
	each = (double)ns / 1000 / b->repeat / o->threads;
	if (!b->simple)
		buf_printf(b->text,
			   "# Created/joined %u threads with %u breakpoints and %u parallelism\n",
			   b->repeat, o->breakpoints, o->parallel);
	bench_total(b, ns);
	bench_value(b, each, "usecs/op");
	if (!b->simple)
		buf_printf(b->text, " %14f usecs/op\n %14f usecs/op/cpu\n", each,
			   each * o->parallel);
	return 0;
}

static int toggle(int fd, unsigned int times, uint64_t *ns)
{
	int got = 0;

	*ns = bench_now_ns();
	for (unsigned int i = 0; i < times && !got; i++) {
		got = perf_disable(fd);
		if (!got)
			got = perf_enable(fd);
	}
	*ns = bench_now_ns() - *ns;
	return got;
}

static int measure_enable(struct bench *b, const void *v, struct err *err)
{
	const struct breakpoint_opts *o = v;
	unsigned int wanted = o->passive + o->active, n = 0;
	pthread_t *threads = mem_zero(MAX(wanted, 1u) * sizeof(*threads));
	char watched = 0;
	uint32_t done = 0;
	uint64_t ns = 0;
	int fd = breakpoint_open(&watched, err), got = fd < 0 ? -1 : 0;

	for (; n < wanted && !got; n += !got) {
		got = pthread_create(&threads[n], NULL,
				     n < o->passive ? passive_thread : active_thread, &done);
		if (got)
			got = err_sys(err, got, "cannot start a thread");
	}
	if (!got) {
		usleep(10000); /* the passive ones fall asleep */
		got = toggle(fd, b->repeat, &ns);
		if (got)
			got = err_sys(err, -got, "cannot switch a breakpoint");
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	futex_wake(&done, (int)n, false);
	for (unsigned int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	if (fd >= 0)
		close(fd);
	if (got)
		return -1;
	if (!b->simple)
		buf_printf(b->text,
			   "# Enabled/disabled breakpoint %u time with %u passive and %u active "
			   "threads\n",
			   b->repeat, o->passive, o->active);
	bench_total(b, ns);
	bench_value(b, (double)ns / 1000 / b->repeat, "usecs/op");
	if (!b->simple)
		buf_printf(b->text, " %14f usecs/op\n", (double)ns / 1000 / b->repeat);
	return 0;
}

const struct bench_suite bench_breakpoint_thread = {
	.defaults = &(const struct breakpoint_opts){.breakpoints = 1, .parallel = 1, .threads = 1},
	.opts_size = sizeof(struct breakpoint_opts),
	.repeats = true,
	.measure = measure_thread,
};

const struct bench_suite bench_breakpoint_enable = {
	.defaults = &(const struct breakpoint_opts){0},
	.opts_size = sizeof(struct breakpoint_opts),
	.repeats = true,
	.measure = measure_enable,
};
