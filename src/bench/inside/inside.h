/* SPDX-License-Identifier: MIT */
/* Options of the suites that measure parts of perf itself; each has some. */
#ifndef BENCH_INSIDE_H
#define BENCH_INSIDE_H

#include "bench/suites.h"
#include "capture/open/target.h"

struct inside_opts {
	unsigned int iterations;
	unsigned int many_iterations, min_threads, max_threads; /* synthesize */
	bool one_thread, many_threads;
	unsigned int maps, samples; /* inject-build-id */
	bool verbose;
	unsigned int events; /* evlist-open-close */
	const char *event;
	struct target_options target;
};

#define INSIDE_AT(field) offsetof(struct inside_opts, field)

#endif
