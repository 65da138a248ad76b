/* SPDX-License-Identifier: MIT */
/*
 * The PMUs of a machine, as /sys/bus/event_source/devices describes them
 * (Documentation/ABI/testing/ sysfs-bus-event_source-devices-*): type, CPUs, terms ("format") and
 * named events.
 *
 * root is the directory of the devices (PMU_ROOT, or a folder of text files in tests).
 */
#ifndef OS_PMU_H
#define OS_PMU_H

#include "base/err.h"
#include "os/files/text.h"

#include <stdbool.h>
#include <stdint.h>

#define PMU_ROOT "/sys/bus/event_source/devices"

/* A term: which bits of which config word a value goes to, lowest bit first. */
struct pmu_format {
	const char *name;
	unsigned int word; /* 0: config, 1: config1, ... */
	uint64_t bits;
};

struct pmu {
	const char *name;
	uint32_t type;
	const char *cpus;		/* the file cpumask or cpus, or NULL: all CPUs */
	bool of_machine;		/* it was cpumask: counts for these CPUs, not for tasks */
	VEC(struct pmu_format) formats; /* in byte order of their names */
};

struct pmu_alias {
	const char *name;
	const char *terms; /* "event=0x3c,umask=0x1" */
	const char *unit;  /* or NULL */
	double scale;	   /* 1 when there is none */
	bool per_package, snapshot;
};

/* The names of all PMUs, in byte order. 0, or -1 with *err. */
int pmu_names(const char *root, struct arena *arena, struct names *out, struct err *err);
/* False when there is no such PMU. Release with pmu_release; the strings are the arena's. */
bool pmu_read(const char *root, const char *name, struct arena *arena, struct pmu *out);
void pmu_release(struct pmu *pmu);
/* True for a PMU of the CPU's cores, all of them or one kind. */
bool pmu_is_core(const char *root, const char *name);
const struct pmu_format *pmu_format_find(const struct pmu *pmu, const char *name); /* or NULL */

/* The first line of a file of the PMU's folder ("caps/mtc"), or NULL. */
const char *pmu_text(const char *root, const char *pmu, const char *file, struct arena *arena);

/* The names of a PMU's events, in byte order; none when it has no list. */
void pmu_alias_names(const char *root, const char *pmu, struct arena *arena, struct names *out);
bool pmu_alias_read(const char *root, const char *pmu, const char *name, struct arena *arena,
		    struct pmu_alias *out);
/* Whether the core PMU's counters stop in system management mode. on: 1 or 0 sets it, -1 only reads
 * it. Returns the setting, 1 or 0, or a negative errno. */
int pmu_freeze_on_smi(const char *sys_root, int on);

#endif
