// SPDX-License-Identifier: MIT
/*
 * What the kernel's text files tell of a machine and its processes: a line is the path of a file
 * below "sys" or "proc", a blank, and the file's text (\n in it is a line's end), as in
 * tests/data/machines. Made as a folder, and read by everything that reads such files.
 */
#include "base/buf.h"
#include "driver.h"
#include "event/parse.h"
#include "os/machine/cgroup.h"
#include "os/machine/cpus.h"
#include "os/machine/host.h"
#include "os/machine/kallsyms.h"
#include "os/machine/modules.h"
#include "os/machine/pmu.h"
#include "os/machine/topology.h"
#include "os/proc/proc.h"
#include "os/rights/rights.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PMUS "sys/bus/event_source/devices"

static int gone(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

/* Stays inside: no "..", no empty name, not too deep. */
static bool harmless(const char *path)
{
	int depth = 0;

	for (const char *p = path; *p; p++) {
		if (*p == '/' && (p[1] == '/' || !p[1] || ++depth > 12))
			return false;
		if (*p == '.' && p[1] == '.')
			return false;
	}
	return strlen(path) < 200 && (!strncmp(path, "sys/", 4) || !strncmp(path, "proc/", 5));
}

static void make_file(const char *path, const char *text)
{
	AUTO_CHAR *copy = mem_strdup(path);
	FILE *f;

	for (char *p = copy; (p = strchr(p, '/')); *p++ = '/') {
		*p = 0;
		mkdir(copy, 0700);
	}
	f = fopen(path, "w");
	if (!f)
		return;
	for (const char *p = text; *p; p++) {
		if (*p == '\\' && p[1] == 'n') {
			fputc('\n', f);
			p++;
		} else {
			fputc(*p, f);
		}
	}
	fputc('\n', f);
	fclose(f);
}

static bool take(void *ctx, const struct proc_map *m)
{
	uint64_t *sum = ctx;

	if (m->end < m->start || strlen(m->name) > 1 << 20)
		abort();
	*sum += m->start;
	return true;
}

static void read_cpus(void)
{
	struct topology topology = {0};
	struct cpu_list list = {0};
	struct host host = {0};

	topology_read(&topology, "sys");
	topology_read_caches(&topology, "sys");
	topology_release(&topology);
	cpus_online("sys", &list);
	vec_release(&list);
	cpus_possible("sys");
	host_read(&host, "proc", "sys");
	host_release(&host);
}

static void read_pmus(void)
{
	struct event_host here = {.pmu_root = PMUS};
	struct arena arena = {0};
	struct names pmus = {0};

	pmu_names(PMUS, &arena, &pmus, NULL);
	for (size_t i = 0; i < pmus.n; i++) {
		struct names aliases = {0};
		struct pmu pmu = {0};

		if (pmu_read(PMUS, pmus.at[i], &arena, &pmu))
			pmu_format_find(&pmu, "event");
		pmu_release(&pmu);
		pmu_is_core(PMUS, pmus.at[i]);
		pmu_alias_names(PMUS, pmus.at[i], &arena, &aliases);
		for (size_t a = 0; a < aliases.n; a++) {
			AUTO_CHAR *text = mem_printf("%s/%s/", pmus.at[i], aliases.at[a]);
			struct event_set set = {0};
			struct pmu_alias alias;

			pmu_alias_read(PMUS, pmus.at[i], aliases.at[a], &arena, &alias);
			event_parse(&set, text, &here, NULL);
			event_set_release(&set);
		}
		vec_release(&aliases);
	}
	vec_release(&pmus);
	arena_release(&arena);
}

static void read_processes(void)
{
	struct proc_maps_options how = {.data = true, .text_only = true};
	struct kernel_modules modules = {0};
	struct proc_status status;
	struct proc_times times;
	struct host_kernel kernel;
	struct kallsyms symbols = {0};
	uint64_t sum = 0;
	char line[64];

	proc_maps("proc", 7, &how, take, &sum);
	proc_status("proc", 7, 7, &status);
	proc_line("proc", 7, "comm", line, sizeof(line));
	proc_times("proc", 7, &times);
	proc_times("proc", 0, &times);
	host_kernel_text("proc", &kernel);
	kernel_modules_read(&modules, "proc");
	kernel_modules_release(&modules);
	kallsyms_read(&symbols, "proc/kallsyms", NULL);
	kallsyms_release(&symbols);
	rights_perfmon("proc");
	rights_paranoid("proc");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char box[] = "/dev/shm/fuzz-machine-XXXXXX";
	AUTO_CHAR *text = mem_strndup((const char *)data, size);
	char *rest = text, *line;
	int left = 100, before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (before < 0 || !mkdtemp(box) || chdir(box))
		abort();
	while (left-- && (line = strsep(&rest, "\n"))) {
		char *blank = strchr(line, ' ');

		if (!blank || *line == '#')
			continue;
		*blank = 0;
		if (harmless(line))
			make_file(line, blank + 1);
	}
	read_cpus();
	read_pmus();
	read_processes();
	if (fchdir(before) || nftw(box, gone, 8, FTW_DEPTH | FTW_PHYS))
		abort();
	close(before);
	return 0;
}
