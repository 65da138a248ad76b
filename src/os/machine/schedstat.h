/* SPDX-License-Identifier: MIT */
/*
 * The scheduler's statistics: /proc/schedstat at one moment.
 *
 * The file has a line of numbers for each CPU, and after it one for each of its scheduling domains.
 * What the numbers mean depends on the version in the first line. Source: the kernel's
 * Documentation/scheduler/sched-stats.rst.
 */
#ifndef OS_SCHEDSTAT_H
#define OS_SCHEDSTAT_H

#include "base/err.h"
#include "base/mem.h"

#include <stdbool.h>

#define SCHEDSTAT_CPU_VALUES 9	/* of a CPU, in every known version */
#define SCHEDSTAT_VALUES     45 /* of a domain in version 17; no line has more */

/* A line of the file. Unused values are 0. */
struct schedstat_row {
	uint32_t cpu;
	int domain; /* its number; -1: the CPU's own line */
	uint64_t values[SCHEDSTAT_VALUES];
};
/* A scheduling domain of a CPU. */
struct schedstat_domain {
	uint32_t cpu, domain;
	const char *name; /* from version 17 on, else NULL */
	const char *mask; /* of its CPUs, as the kernel prints it: "00000000,00000003" */
	const char *list; /* of its CPUs: "0-1" */
};
struct schedstat_domains {
	VEC(struct schedstat_domain);
};

/* All zero is valid and empty. */
struct schedstat {
	uint32_t version; /* 15, 16 or 17 */
	uint64_t jiffies;
	VEC(struct schedstat_row) rows; /* each CPU's own, then its domains' */
	struct schedstat_domains domains;
	struct arena arena;
};

/* How many numbers a domain's line has; 0: the version is not known. */
size_t schedstat_domain_values(uint32_t version);
/* Reads PROC_ROOT/schedstat. 0, or -1 with *err: there is none, or its version is not known.
 * schedstat_release() also after an error. */
int schedstat_read(struct schedstat *s, const char *proc_root, struct err *err);
void schedstat_release(struct schedstat *s);

/* Turns the statistics of domains and wake-ups on (sysctl kernel.sched_schedstats). *changed: they
 * were off. A kernel without the switch counts always. 0, or -1 with *err. */
int schedstat_switch_on(const char *proc_root, bool *changed, struct err *err);
int schedstat_switch_off(const char *proc_root, struct err *err);

#endif
