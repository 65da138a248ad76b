/* SPDX-License-Identifier: MIT */
/*
 * Numbers that say what kind of machine this is: the tool events and metric literals of those
 * names.
 *
 * Sources: Documentation/ABI/testing/sysfs-devices-system-cpu, sysfs-bus-event_source-devices-caps,
 * the ACPI specification (NFIT), Intel's manual on CPUID leaf 0x15. sys_root and proc_root stand
 * for "/sys" and "/proc".
 */
#ifndef OS_MACHINE_FACTS_H
#define OS_MACHINE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fact {
	FACT_HAS_PMEM,	/* 1: there is persistent memory */
	FACT_NUM_CORES, /* that have a CPU online; SMT siblings are one */
	FACT_NUM_CPUS,	/* present, online or not */
	FACT_NUM_CPUS_ONLINE,
	FACT_NUM_DIES,
	FACT_NUM_PACKAGES,    /* sockets */
	FACT_SLOTS,	      /* operations that a core can issue in a cycle (arm64) */
	FACT_SMT_ON,	      /* 1: cores run more than one thread */
	FACT_SYSTEM_TSC_FREQ, /* Hz */
	FACT_COUNT
};

/* "has_pmem", "num_cores", ... */
const char *fact_name(enum fact f);
/* The fact of that name, in any case; FACT_COUNT when there is none. */
enum fact fact_find(const char *name, size_t n);

/*
 * False when the machine doesn't tell. The frequency comes from the CPU itself only when proc_root
 * is "/proc", else from the files there.
 */
bool fact_read(const char *sys_root, const char *proc_root, enum fact f, uint64_t *v);

/*
 * True when a count of these CPUs, whatever runs there, covers all threads of each of their cores.
 * n 0: all CPUs. A count of tasks never does.
 */
bool fact_core_wide(const char *sys_root, const int *cpus, size_t n);
/* True when the NMI watchdog occupies a counter of each CPU. */
bool fact_nmi_watchdog(const char *proc_root);

#endif
