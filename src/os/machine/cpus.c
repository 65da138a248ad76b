// SPDX-License-Identifier: MIT
#include "os/machine/cpus.h"

#include "os/proc/proc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPU_LIMIT 65536

bool cpus_has(const struct cpu_list *l, int cpu)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->at[i] == cpu)
			return true;
	return false;
}

/* Appends the CPUs of a list that are not marked in known, and marks them. */
static int machine_cpus_parse(const char *p, uint8_t *known, struct cpu_list *out)
{
	while (*p && *p != '\n') {
		char *end;
		long first = strtol(p, &end, 10), last = first;

		if (end == p || first < 0)
			return -1;
		if (*end == '-') {
			p = end + 1;
			last = strtol(p, &end, 10);
			if (end == p)
				return -1;
		}
		if (last < first || last >= CPU_LIMIT)
			return -1;
		for (long c = first; c <= last; c++)
			if (!(known[c / 8] & 1 << c % 8)) {
				known[c / 8] |= (uint8_t)(1 << c % 8);
				vec_add(out, (int)c);
			}
		if (*end == ',')
			end++;
		else if (*end && *end != '\n')
			return -1;
		p = end;
	}
	return out->n ? 0 : -1;
}

int cpus_parse(const char *text, struct cpu_list *out)
{
	uint8_t known[CPU_LIMIT / 8] = {0};
	size_t before = out->n;

	for (size_t i = 0; i < out->n; i++)
		if (out->at[i] < CPU_LIMIT)
			known[out->at[i] / 8] |= (uint8_t)(1 << out->at[i] % 8);
	if (!machine_cpus_parse(text, known, out))
		return 0;
	out->n = before;
	if (!before)
		vec_release(out);
	return -1;
}

int cpus_online(const char *sys_root, struct cpu_list *out)
{
	char text[4096];

	if (proc_line(sys_root, 0, "devices/system/cpu/online", text, sizeof(text)) &&
	    !cpus_parse(text, out))
		return 0;
	/* Without sysfs: assumes that the online CPUs are numbered from 0 on. */
	vec_clear(out);
	for (long c = 0, n = sysconf(_SC_NPROCESSORS_ONLN); c < n; c++)
		vec_add(out, (int)c);
	return out->n ? 0 : -1;
}

int cpus_possible(const char *sys_root)
{
	struct cpu_list all = {0};
	char text[4096];
	int n = (int)sysconf(_SC_NPROCESSORS_CONF);

	if (proc_line(sys_root, 0, "devices/system/cpu/possible", text, sizeof(text)) &&
	    !cpus_parse(text, &all))
		n = *vec_last(&all) + 1;
	vec_release(&all);
	return n;
}
