/* SPDX-License-Identifier: MIT */
/*
 * Events and metrics of a CPU from its vendor's JSON files, in a directory that the user names
 * (--events-dir, perfconfig events.dir). None of them is compiled in, and none is read without that
 * option.
 *
 * The directory is laid out as Intel's perfmon repository (github.com/intel/perfmon): mapfile.csv
 * says which files are about which CPU, PLATFORM/events/X.json hold events and
 * PLATFORM/metrics/X.json metrics; or as the kernel's tools/perf/pmu-events/arch:
 * [ARCH/]mapfile.csv names a folder of files for each CPU. Without a mapfile, all JSON files of the
 * directory and of its folders events and metrics are read.
 */
#ifndef EVENT_VENDOR_VENDOR_H
#define EVENT_VENDOR_VENDOR_H

#include "base/err.h"
#include "base/mem.h"

#include <stdbool.h>

struct vendor_event {
	const char *name; /* lower case */
	const char *pmu; /* "uncore_imc", "cpu_atom": a PMU, or the beginning of its instances'
			  * names; NULL: the core PMU */
	const char *terms; /* "event=0x51,period=2000003,umask=0x1" */
	const char *unit;  /* or NULL */
	double scale;
	bool per_package, deprecated;
	const char *topic; /* the section of lists: "cache", "uncore memory"; never NULL */
	const char *desc, *long_desc; /* or NULL; without a full stop at the end */
	const char *metric, *metric_expr; /* a metric that the event's own row defines; or NULL */
};

/* A metric as written in the file; event/metric interprets it. */
struct vendor_metric {
	const char *name;
	const char *expr;	      /* in perf's metric language */
	const char *threshold;	      /* an expression in it, or NULL */
	const char *scale_unit;	      /* "100%", "1GHz", or NULL */
	const char *groups;	      /* "TopdownL1;tma_L1_group"; "" without any */
	const char *desc, *long_desc; /* or NULL */
	const char *pmu;	      /* "cpu_core": one kind of cores, or NULL */
	const char *constraint;	      /* "NO_NMI_WATCHDOG", "NO_GROUP_EVENTS", ..., or NULL */
	const char *default_group;    /* DefaultMetricgroupName, or NULL */
	const char *no_group_in;      /* MetricgroupNoGroup: "TopdownL1;Default", or NULL */
};

struct vendor_group {
	const char *name, *desc;
};

struct vendor {
	struct arena arena;
	VEC(struct vendor_event) events;   /* by name, then PMU; each pair once */
	VEC(struct vendor_metric) metrics; /* by name, then PMU; each pair once */
	VEC(struct vendor_group) groups;   /* descriptions of metric groups */
	unsigned int files;		   /* number of files read */
};

/*
 * Reads the directory's files for this CPU ("GenuineIntel-6-55-4": host_cpuid_of_lists()). All zero
 * is valid and empty. 0, or -1 with *err: no such directory, no file for that CPU, or a file that
 * cannot be parsed.
 */
int vendor_load(struct vendor *v, const char *dir, const char *cpuid, struct err *err);
void vendor_release(struct vendor *v);

/* Finds the events of that name, ignoring case. Returns their number, 0: none; *first is the first
 * one, in v->events. */
size_t vendor_find(const struct vendor *v, const char *name, const struct vendor_event **first);

#endif
