// SPDX-License-Identifier: MIT
#include "os/machine/facts.h"

#include "os/machine/cpus.h"
#include "os/machine/topology.h"
#include "os/proc/proc.h"
#include "os/files/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

static const char *const fact_names[FACT_COUNT] = {
	[FACT_HAS_PMEM] = "has_pmem",
	[FACT_NUM_CORES] = "num_cores",
	[FACT_NUM_CPUS] = "num_cpus",
	[FACT_NUM_CPUS_ONLINE] = "num_cpus_online",
	[FACT_NUM_DIES] = "num_dies",
	[FACT_NUM_PACKAGES] = "num_packages",
	[FACT_SLOTS] = "slots",
	[FACT_SMT_ON] = "smt_on",
	[FACT_SYSTEM_TSC_FREQ] = "system_tsc_freq",
};

const char *fact_name(enum fact f)
{
	return fact_names[f];
}

enum fact fact_find(const char *name, size_t n)
{
	for (unsigned int f = 0; f < FACT_COUNT; f++)
		if (strlen(fact_names[f]) == n && !strncasecmp(fact_names[f], name, n))
			return f;
	return FACT_COUNT;
}

/* A number alone on the first line of a file. */
static bool file_number(const char *root, const char *name, uint64_t *v)
{
	char text[64], *end;

	if (!proc_line(root, 0, name, text, sizeof(text)))
		return false;
	errno = 0;
	*v = strtoull(text, &end, 0);
	return end != text && !*end && !errno;
}

static bool cpus_counted(const char *sys_root, const char *which, uint64_t *v)
{
	AUTO_CHAR *dir = mem_printf("%s/devices/system/cpu", sys_root);
	struct cpu_list cpus = {0};
	struct buf text = {0};
	bool good;

	good = !text_read(dir, which, 1 << 20, &text) && !cpus_parse(buf_text(&text), &cpus);
	*v = cpus.n;
	buf_release(&text);
	vec_release(&cpus);
	return good;
}

/* Identifies a core, a die or a socket. A part without a number is the only one of its kind. */
struct part {
	int socket, die, core;
};

static int by_part(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct part));
}

static bool parts_counted(const char *sys_root, enum fact f, uint64_t *v)
{
	struct topology t;
	VEC(struct part) parts = {0};

	topology_read(&t, sys_root);
	for (size_t i = 0; i < t.cpus.n; i++) {
		const struct topology_cpu *c = &t.cpus.at[i];
		struct part p = {c->socket, -1, -1};

		if (!c->online)
			continue;
		if (f != FACT_NUM_PACKAGES)
			p.die = c->die;
		if (f == FACT_NUM_CORES)
			p.core = c->core < 0 ? INT32_MIN + c->cpu : c->core;
		vec_add(&parts, p);
	}
	if (parts.n)
		qsort(parts.at, parts.n, sizeof(*parts.at), by_part);
	*v = 0;
	for (size_t i = 0; i < parts.n; i++)
		*v += !i || by_part(&parts.at[i - 1], &parts.at[i]);
	vec_release(&parts);
	topology_release(&t);
	return *v > 0;
}

static bool smt_on(const char *sys_root, uint64_t *v)
{
	struct topology t;
	uint64_t cpus = 0, cores;

	if (file_number(sys_root, "devices/system/cpu/smt/active", v))
		return true;
	/* Kernels before 4.19 have no file for it: compares the numbers of CPUs and cores. */
	topology_read(&t, sys_root);
	for (size_t i = 0; i < t.cpus.n; i++)
		cpus += t.cpus.at[i].online;
	topology_release(&t);
	if (!parts_counted(sys_root, FACT_NUM_CORES, &cores))
		return false;
	*v = cpus > cores;
	return true;
}

/* Of the first PMU that has the file; 0 means that the CPU does not tell. */
static bool slots(const char *sys_root, uint64_t *v)
{
	AUTO_CHAR *dir = mem_printf("%s/bus/event_source/devices", sys_root);
	struct arena arena = {0};
	struct names names = {0};
	bool got = false;

	if (!text_names(dir, NULL, true, false, &arena, &names))
		for (size_t i = 0; i < names.n && !got; i++) {
			const char *file = arena_printf(&arena, "%s/caps/slots", names.at[i]);

			got = file_number(dir, file, v) && *v;
		}
	vec_release(&names);
	arena_release(&arena);
	return got;
}

/* Intel's brand string ends with the frequency that the counter runs at: "... CPU @ 2.10GHz". */
static bool brand_frequency(const char *proc_root, uint64_t *v)
{
	AUTO_CHAR *path = mem_printf("%s/cpuinfo", proc_root);
	char text[8192], *line, *end, *at;
	double f;

	if (!proc_head(path, text, sizeof(text)))
		return false;
	line = strstr(text, "model name");
	if (!line)
		return false;
	line[strcspn(line, "\n")] = 0;
	at = strrchr(line, '@');
	if (!at)
		return false;
	f = strtod(at + 1, &end);
	if (!strncmp(end, "GHz", 3))
		f *= 1e9;
	else if (!strncmp(end, "MHz", 3))
		f *= 1e6;
	else
		return false;
	if (!(f >= 1e6 && f < 1e12))
		return false;
	*v = (uint64_t)(f + 0.5);
	return true;
}

static bool cpuid_frequency(uint64_t *v)
{
#ifdef __x86_64__
	unsigned int denominator, numerator, crystal, d;

	if (!__get_cpuid(0x15, &denominator, &numerator, &crystal, &d) || !denominator ||
	    !numerator || !crystal)
		return false;
	*v = (uint64_t)crystal * numerator / denominator;
	return true;
#else
	(void)v;
	return false;
#endif
}

static bool tsc_frequency(const char *sys_root, const char *proc_root, uint64_t *v)
{
	uint64_t khz;

	if (!strcmp(proc_root, "/proc") && cpuid_frequency(v))
		return true;
	if (file_number(sys_root, "devices/system/cpu/cpu0/tsc_freq_khz", &khz) && khz &&
	    khz < UINT64_MAX / 1000) {
		*v = khz * 1000;
		return true;
	}
	return brand_frequency(proc_root, v);
}

bool fact_read(const char *sys_root, const char *proc_root, enum fact f, uint64_t *v)
{
	AUTO_CHAR *nfit = NULL;

	switch (f) {
	case FACT_HAS_PMEM:
		nfit = mem_printf("%s/firmware/acpi/tables/NFIT", sys_root);
		*v = !access(nfit, F_OK);
		return true;
	case FACT_NUM_CPUS:
		return cpus_counted(sys_root, "present", v);
	case FACT_NUM_CPUS_ONLINE:
		return cpus_counted(sys_root, "online", v);
	case FACT_NUM_CORES:
	case FACT_NUM_DIES:
	case FACT_NUM_PACKAGES:
		return parts_counted(sys_root, f, v);
	case FACT_SLOTS:
		return slots(sys_root, v);
	case FACT_SMT_ON:
		return smt_on(sys_root, v);
	case FACT_SYSTEM_TSC_FREQ:
		return tsc_frequency(sys_root, proc_root, v);
	case FACT_COUNT:
		break;
	}
	return false;
}

static bool among(const int *cpus, size_t n, int cpu)
{
	for (size_t i = 0; i < n; i++)
		if (cpus[i] == cpu)
			return true;
	return false;
}

static bool siblings(const struct topology_cpu *a, const struct topology_cpu *b)
{
	return a->core >= 0 && a->core == b->core && a->die == b->die && a->socket == b->socket;
}

bool fact_core_wide(const char *sys_root, const int *cpus, size_t n)
{
	struct topology t;
	uint64_t smt;
	bool whole = true;

	if (!n || (smt_on(sys_root, &smt) && !smt))
		return true;
	topology_read(&t, sys_root);
	for (size_t i = 0; i < n && whole; i++) {
		const struct topology_cpu *mine = topology_find(&t, cpus[i]);

		for (size_t k = 0; mine && k < t.cpus.n && whole; k++) {
			const struct topology_cpu *other = &t.cpus.at[k];

			whole = !other->online || !siblings(mine, other) ||
				among(cpus, n, other->cpu);
		}
	}
	topology_release(&t);
	return whole;
}

bool fact_nmi_watchdog(const char *proc_root)
{
	uint64_t v;

	return file_number(proc_root, "sys/kernel/nmi_watchdog", &v) && v;
}
