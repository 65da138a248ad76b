/* SPDX-License-Identifier: MIT */
/*
 * Benchmarks: small programs inside perf that measure what the kernel and the machine cost.
 *
 * A suite is a row (suites.h): names, options, and a function that measures once. The function
 * appends the lines that a user of perf knows to text, and says the numbers in them as values, from
 * which repeated runs get their spread, and other programs their JSON.
 *
 * Suites start threads and processes of their own; they end before the function returns.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/options/options.h"

#include <stdbool.h>
#include <stdint.h>

#define BENCH_REPEAT 10 /* -r, unless it is given */

/* One number of a run. */
struct bench_value {
	char name[72]; /* "usecs/op", "x86-64-movsb GB/sec": unique in a run */
	double v;
};

struct bench {
	struct buf *text;
	bool simple;		/* --format simple: only the numbers */
	unsigned int repeat;	/* -r */
	const char *path;	/* of this program: to start itself */
	const char *words;	/* its options as they were typed, "" when there are none */
	/* Sends the text that has gathered, before a long wait. May be NULL. */
	void (*flush)(void *ctx);
	void *ctx;
	VEC(struct bench_value) values;
};

struct bench_suite {
	const void *defaults;	  /* of the struct that its options fill */
	size_t opts_size;	  /* at most BENCH_OPTS_SIZE */
	bool repeats;		  /* makes its -r runs itself and shows them */
	/* 0, an exit status, or -1 with *err. */
	int (*measure)(struct bench *b, const void *opts, struct err *err);
};
#define BENCH_OPTS_SIZE 256

void bench_value(struct bench *b, double v, const char *name, ...)
	__attribute__((format(printf, 3, 4)));
void bench_flush(struct bench *b);
uint64_t bench_now_ns(void); /* CLOCK_MONOTONIC */
/* "     Total time: 1.234 [sec]" and an empty line, or with --format simple "1.234". */
void bench_total(struct bench *b, uint64_t ns);
/* The same, with the lines for usecs/op and ops/sec behind it. */
void bench_total_per_op(struct bench *b, uint64_t ns, uint64_t ops);
/* Waits; returns early at SIGINT. The signal must be blocked by bench_block() before
 * threads start. */
struct bench_wait {
	int fd;
	unsigned long before[16]; /* room for a sigset_t */
};
int bench_block(struct bench_wait *w, struct err *err);
bool bench_wait(struct bench_wait *w, double seconds); /* false: interrupted */
void bench_unblock(struct bench_wait *w);

/* Mean and its standard error. All zero is empty. */
struct bench_stats {
	uint64_t n;
	double mean, m2;
};
void bench_stats_add(struct bench_stats *s, double v);
double bench_stats_error(const struct bench_stats *s); /* of the mean */
double bench_stats_percent(const struct bench_stats *s);

/* Threads that begin their work together, each bound to a CPU of this process when bind is set. */
struct bench_team {
	struct bench_member {
		struct bench_team *team;
		unsigned int index;
		unsigned long thread; /* a pthread_t */
	} *members;
	unsigned int n, started;
	void (*work)(void *ctx, unsigned int index);
	void *ctx;
	uint32_t ready, go; /* futexes */
	bool stop; /* for work to look at */
};
/* Starts n threads, and returns when all wait for bench_team_go(). -1 with *err: none runs. */
int bench_team_start(struct bench_team *t, unsigned int n, bool bind,
		     void (*work)(void *ctx, unsigned int index), void *ctx, struct err *err);
void bench_team_go(struct bench_team *t);
void bench_team_join(struct bench_team *t);
static inline bool bench_team_stopped(const struct bench_team *t)
{
	return __atomic_load_n(&t->stop, __ATOMIC_RELAXED);
}
static inline void bench_team_stop(struct bench_team *t)
{
	__atomic_store_n(&t->stop, true, __ATOMIC_RELAXED);
}

unsigned int bench_cpus(void); /* this process may run on */
/* Every page stays in memory from now on. */
int bench_lock_memory(struct err *err);

/* What several runs say of one value. */
struct bench_spread {
	double median, low, high; /* low and high: the interval of the median */
	double coverage;	  /* of the interval, in percent */
	double least, most;
	size_t n;
};
/* Sorts v. n > 0. The interval comes from order statistics: no distribution is taken
 * for granted. */
void bench_spread(double *v, size_t n, struct bench_spread *out);

#endif
