/* SPDX-License-Identifier: MIT */
/* Runs a suite -r times, and shows its results. */
#ifndef CMD_BENCH_RUN_H
#define CMD_BENCH_RUN_H

#include "bench/suites.h"
#include "cmd/cmd.h"

#define BENCH_SLOT(id, collection, name, summary, options) SLOT_##id,
enum bench_slot { BENCH_SUITES(BENCH_SLOT) BENCH_SLOTS };

struct bench_opts {
	const char *format; /* NULL: default format */
	unsigned int repeat;
	bool repeat_given;
	/* The options of each suite. */
	struct bench_slot_opts {
		uint64_t room[BENCH_OPTS_SIZE / 8];
	} slots[BENCH_SLOTS];
};

struct bench_row {
	const struct bench_suite *suite;
	const char *collection, *name, *summary;
};
extern const struct bench_row bench_rows[BENCH_SLOTS];

/* Runs a suite. among: it is one of several, for which perf prints another heading. Returns the
 * exit status, or -1 with *err. */
int bench_run(struct env *env, const struct bench_opts *o, enum bench_slot slot, bool among,
	      struct err *err);
/* Runs all suites of a collection, or all suites (NULL). Prints the error of a failed suite and
 * goes on. Returns the exit status. */
int bench_run_all(struct env *env, const struct bench_opts *o, const char *collection);

#endif
