/* SPDX-License-Identifier: MIT */
/* Output of benchmarks beside their own lines: the spread of repeated runs, and JSON. */
#ifndef VIEW_BENCH_H
#define VIEW_BENCH_H

#include "bench/bench.h"

/* The values of all runs by name, in the order in which the names first occurred. */
struct bench_series {
	VEC(struct bench_samples {
		char name[72];
		VEC(double) v;
	});
};

void bench_series_add(struct bench_series *s, const struct bench *run);
void bench_series_release(struct bench_series *s);
/* A line for each value: median, its interval, least and most. */
void bench_show_spread(struct bench_series *s, struct buf *out);
/* One object, in one line: {"benchmark": "sched/pipe", "values": [{"name": "usecs/op", ...}]}. */
void bench_show_json(struct bench_series *s, const char *benchmark, struct buf *out);

#endif
