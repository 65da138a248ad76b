// SPDX-License-Identifier: MIT
#include "bench/bench.h"

#include "os/process/signals.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

void bench_value(struct bench *b, double v, const char *name, ...)
{
	struct bench_value value = {.v = v};
	va_list args;

	va_start(args, name);
	vsnprintf(value.name, sizeof(value.name), name, args);
	va_end(args);
	vec_add(&b->values, value);
}

void bench_flush(struct bench *b)
{
	if (b->flush)
		b->flush(b->ctx);
}

uint64_t bench_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void bench_total(struct bench *b, uint64_t ns)
{
	bench_value(b, (double)ns / 1e9, "sec");
	buf_printf(b->text, b->simple ? "%llu.%03llu\n" : "     Total time: %llu.%03llu [sec]\n\n",
		   (unsigned long long)(ns / 1000000000),
		   (unsigned long long)(ns / 1000000 % 1000));
}

void bench_total_per_op(struct bench *b, uint64_t ns, uint64_t ops)
{
	double each = ops ? (double)ns / 1000 / (double)ops : 0;
	double rate = ns ? (double)ops * 1e9 / (double)ns : 0;

	bench_total(b, ns);
	bench_value(b, each, "usecs/op");
	bench_value(b, rate, "ops/sec");
	if (!b->simple)
		buf_printf(b->text, " %14f usecs/op\n %14llu ops/sec\n", each,
			   (unsigned long long)rate);
}

_Static_assert(sizeof(sigset_t) <= sizeof(((struct bench_wait *)0)->before), "room for it");

int bench_block(struct bench_wait *w, struct err *err)
{
	static const int list[] = {SIGINT, SIGTERM, 0};
	struct signals s = {0};

	if (signals_open(&s, list, err))
		return -1;
	w->fd = s.fd;
	memcpy(w->before, &s.before, sizeof(s.before));
	return 0;
}

bool bench_wait(struct bench_wait *w, double seconds)
{
	uint64_t end = bench_now_ns() + (uint64_t)(seconds * 1e9);
	struct pollfd p = {.fd = w->fd, .events = POLLIN};

	for (;;) {
		uint64_t now = bench_now_ns();
		struct timespec left = {0};

		if (now >= end)
			return true;
		left.tv_sec = (time_t)((end - now) / 1000000000);
		left.tv_nsec = (long)((end - now) % 1000000000);
		if (ppoll(&p, 1, &left, NULL) > 0)
			return false;
	}
}

void bench_unblock(struct bench_wait *w)
{
	struct signals s = {.fd = w->fd};

	memcpy(&s.before, w->before, sizeof(s.before));
	signals_close(&s);
	w->fd = -1;
}

void bench_stats_add(struct bench_stats *s, double v)
{
	double delta = v - s->mean;

	s->n++;
	s->mean += delta / (double)s->n;
	s->m2 += delta * (v - s->mean);
}

double bench_stats_error(const struct bench_stats *s)
{
	return s->n < 2 ? 0 : sqrt(s->m2 / (double)(s->n - 1) / (double)s->n);
}

double bench_stats_percent(const struct bench_stats *s)
{
	return s->mean > 0 ? 100 * bench_stats_error(s) / s->mean : 0;
}

unsigned int bench_cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (unsigned int)CPU_COUNT(&set);
}

int bench_lock_memory(struct err *err)
{
	if (!mlockall(MCL_CURRENT | MCL_FUTURE))
		return 0;
	err_sys(err, errno, "cannot lock memory");
	return err_hint(err, "raise the limit ('ulimit -l'), or run as root");
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * The median lies between the k-th smallest and the k-th largest of n values, unless fewer than k
 * of them fell on one side of it: the chance of that is a sum of the binomial distribution for 1/2.
 * k is the largest with 95 %.
 */
void bench_spread(double *v, size_t n, struct bench_spread *out)
{
	double chance = pow(0.5, (double)n), below = chance, last = below;
	size_t k = 1;

	qsort(v, n, sizeof(*v), by_size);
	while (2 * k < n) {
		chance = chance * (double)(n - k + 1) / (double)k;
		if (below + chance > 0.025)
			break;
		below += chance;
		last = below;
		k++;
	}
	*out = (struct bench_spread){
		.median = n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2,
		.low = v[k - 1],
		.high = v[n - k],
		.coverage = n < 2 ? 0 : 100 * (1 - 2 * last),
		.least = v[0],
		.most = v[n - 1],
		.n = n,
	};
}
