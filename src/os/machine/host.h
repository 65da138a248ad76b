/* SPDX-License-Identifier: MIT */
/*
 * Facts about a machine that its recordings tell. proc_root and sys_root stand for "/proc" and
 * "/sys"; strings go into the arena; what cannot be read is left NULL, 0 or empty.
 */
#ifndef OS_HOST_H
#define OS_HOST_H

#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

struct host {
	const char *hostname, *osrelease, *arch;
	const char *cpudesc, *cpuid;
	uint32_t cpus_online, cpus_possible;
	uint64_t memory_kb;
	/* one entry a distinct list, in order of first sight */
	VEC(const char *) packages, dies, cores; /* CPU lists: "0-3" */
	VEC(struct host_cpu { uint32_t core, package, die; }) cpus; /* by number, all possible */
	VEC(struct host_node {
		uint32_t node;
		uint64_t total_kb, free_kb;
		const char *cpus;
	}) nodes;
	VEC(struct host_cache {
		uint32_t level, line_size, sets, ways;
		const char *type, *size, *cpus;
	}) caches;
	VEC(struct host_pmu { uint32_t type; const char *name; }) pmus;
	uint64_t memory_block;
	VEC(struct host_memory { uint64_t node; VEC(uint64_t) bits; uint64_t n_bits; }) memory;
	struct arena arena;
};

void host_read(struct host *h, const char *proc_root, const char *sys_root);
void host_release(struct host *h);
uint64_t host_memory(const char *proc_root); /* bytes; 0: unknown */

/*
 * The name of the CPU in lists of events: "GenuineIntel-6-55-4" (family decimal, model and stepping
 * hex), the MIDR without variant and revision on arm64; or what PERF_CPUID says. Copied into the
 * arena; "" where it isn't known.
 */
const char *host_cpuid_of_lists(const char *sys_root, struct arena *arena);

/* True for a processor of AMD, whose precise sampling (IBS) cannot exclude guests. */
bool host_is_amd(void);
/* Is this the kernel release that runs here? */
bool host_is_named(const char *hostname);
bool host_runs(const char *osrelease);
/* The clocks at one moment, in ns: CLOCK_REALTIME, CLOCK_MONOTONIC and CLOCK_BOOTTIME. */
struct host_clocks {
	int64_t wall, monotonic, boot;
};
struct host_clocks host_clocks_now(void);
/* The kernel's build-id; the bytes found, 0 when it has none or may not be read. */
uint32_t host_kernel_build_id(const char *sys_root, const char *module, uint8_t id[20]);

/* Where the kernel's text begins and ends, from the first lines of /proc/kallsyms: no more is read
 * than that takes. False when addresses are hidden. */
struct host_kernel {
	uint64_t text; /* _text, or _stext where the kernel doesn't list that */
	uint64_t stext;
	const char *reference; /* the name of the symbol whose address text is */
	uint64_t etext; /* 0: not known */
};
bool host_kernel_text(const char *proc_root, struct host_kernel *k);
/* As host_kernel_text(), without etext. */
bool host_kernel_start(const char *proc_root, struct host_kernel *k);

#endif
