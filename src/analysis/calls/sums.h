/* SPDX-License-Identifier: MIT */
/* How many system calls of each kind the threads made, how many failed, and how long they took. */
#ifndef ANALYSIS_CALLS_SUMS_H
#define ANALYSIS_CALLS_SUMS_H

#include "analysis/calls/call.h"
#include "base/hash.h"

struct call_sum {
	enum call_abi abi;
	int number;
	const struct call_desc *desc;
	uint64_t calls, errors;
	double sum, squares; /* of ns */
	uint64_t min_ns, max_ns;
	VEC(struct call_error {
		int number;
		uint64_t times;
	})
	by_error;
};
/* The calls of a thread, a control group or (call_sums_total()) all threads. */
struct call_thread {
	uint32_t pid, tid;
	char comm[64];	 /* its last one */
	char *group;	 /* of call_sums_group(): its path; else NULL */
	uint64_t events; /* beginnings and ends, page faults */
	uint64_t major_faults, minor_faults;
	uint64_t runtime_ns; /* on CPUs, as far as the scheduler told */
	VEC(struct call_sum) calls;
	struct idmap by_number;
};
struct call_sums {
	VEC(struct call_thread *) threads;
	struct idmap by_tid;
	uint64_t events;
};
void call_sums_release(struct call_sums *s);
/* The row of a thread, made when it is new. */
struct call_thread *call_sums_thread(struct call_sums *s, uint32_t pid, uint32_t tid,
				     const char *comm);
/* The row of a control group, made when it is new; tasks of all kinds are in it. path NULL: its
 * path is not known. */
struct call_thread *call_sums_group(struct call_sums *s, uint64_t id, const char *path);
struct call_sum *call_thread_sum(struct call_thread *t, enum call_abi abi, int number);
/* Adds a call that has returned, or (.entered only) one that never will. */
void call_sums_add(struct call_sums *s, const struct call *c);
void call_sum_add_error(struct call_sum *s, int number, uint64_t times);
/* Puts rows in order: threads by their events, calls by their time, errors by their number. */
void call_sums_sort(struct call_sums *s);
/* Replaces the rows by one for all threads. */
void call_sums_total(struct call_sums *s);
double call_sum_mean(const struct call_sum *s);
/* The standard error of the mean, in percent of it. */
double call_sum_deviation(const struct call_sum *s);

#endif
