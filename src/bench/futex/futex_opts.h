/* SPDX-License-Identifier: MIT */
/* The options of all futex suites, each of which has some. */
#ifndef BENCH_FUTEX_OPTS_H
#define BENCH_FUTEX_OPTS_H

#include "bench/futex.h"
#include "bench/suites.h"

struct futex_opts {
	unsigned int threads; /* 0: one a CPU */
	unsigned int runtime; /* seconds */
	unsigned int futexes; /* a thread */
	unsigned int most;    /* at once */
	bool shared, silent, lock_memory, multi, pi, broadcast;
	unsigned int buckets; /* of a table of this process's futexes; 0: that of all processes */
	bool sets_buckets;
};

#define FUTEX_AT(field) offsetof(struct futex_opts, field)
#define FUTEX_THREADS                                                                              \
	{OPT_UINT, 't', "threads", FUTEX_AT(threads), "n", "Specify amount of threads"},           \
		{OPT_BOOL,	   's',	 "silent",                                                 \
		 FUTEX_AT(silent), NULL, "Silent mode: do not display data/details"},              \
		{OPT_UINT,                                                                         \
		 'b',                                                                              \
		 "buckets",                                                                        \
		 FUTEX_AT(buckets),                                                                \
		 "n",                                                                              \
		 "Specify amount of hash buckets of private futexes (0: use the global hash)",     \
		 .given_offset = FUTEX_AT(sets_buckets)},                                          \
		{OPT_BOOL,	   'S',	 "shared",                                                 \
		 FUTEX_AT(shared), NULL, "Use shared futexes instead of private ones"},            \
	{                                                                                          \
		OPT_BOOL, 'm', "mlockall", FUTEX_AT(lock_memory), NULL,                            \
			"Lock all current and future memory"                                       \
	}
#define FUTEX_RUNTIME                                                                              \
	{                                                                                          \
		OPT_UINT, 'r', "runtime", FUTEX_AT(runtime), "n", "Specify runtime (in seconds)"   \
	}

static inline unsigned int futex_threads(const struct futex_opts *o)
{
	return o->threads ? o->threads : bench_cpus();
}
/* What all suites do first: locks memory, and sizes the table of this process's futexes. */
int futex_prepare(const struct futex_opts *o, struct err *err);
/* Adds the size of the table to the summary of a run, where -b has set it. */
void futex_show_table(struct bench *b, const struct futex_opts *o);
static inline const char *futex_kind(const struct futex_opts *o)
{
	return o->shared ? "shared" : "private";
}

#endif
