// SPDX-License-Identifier: MIT
#include "os/rights/rights.h"

#include "os/proc/proc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long status_number(const char *proc_root, const char *name, int base)
{
	char path[256];
	AUTO_CHAR *text = NULL;
	const char *p;

	snprintf(path, sizeof(path), "%s/self/status", proc_root);
	text = proc_file(path, NULL);
	p = text ? strstr(text, name) : NULL;
	return p ? strtoull(p + strlen(name), NULL, base) : 0;
}

/* The capabilities asked for here count in the first user namespace only: root of another namespace
 * does not have them. */
static bool in_first_namespace(const char *proc_root)
{
	unsigned long first, outside, n;
	char text[128];

	return !proc_line(proc_root, 0, "self/uid_map", text, sizeof(text)) ||
	       (sscanf(text, "%lu %lu %lu", &first, &outside, &n) == 3 && !first && !outside &&
		n == UINT32_MAX);
}

static unsigned long long capabilities(const char *proc_root)
{
	return in_first_namespace(proc_root) ? status_number(proc_root, "\nCapEff:", 16) : 0;
}

bool rights_has(const char *proc_root, int capability)
{
	return capabilities(proc_root) >> capability & 1;
}

long rights_sysctl(const char *proc_root, const char *name, long other)
{
	char file[128], text[64], *end;
	long v;

	snprintf(file, sizeof(file), "sys/kernel/%s", name);
	if (!proc_line(proc_root, 0, file, text, sizeof(text)))
		return other;
	v = strtol(text, &end, 10);
	return end == text ? other : v;
}

int rights_paranoid(const char *proc_root)
{
	return (int)rights_sysctl(proc_root, "perf_event_paranoid", 2);
}

int rights_kptr_restrict(const char *proc_root)
{
	return (int)rights_sysctl(proc_root, "kptr_restrict", 0);
}

void rights_kernel_unseen(const char *proc_root, char *text, size_t n)
{
	const int restricted = rights_kptr_restrict(proc_root);
	char first[64];

	if (!proc_mounted(proc_root))
		snprintf(text, n, "unknown (there is no %s here)", proc_root);
	else if (!proc_line(proc_root, 0, "kallsyms", first, sizeof(first)))
		snprintf(text, n, "unknown (%s/kallsyms is not there)", proc_root);
	else if (restricted > 1)
		snprintf(text, n, "hidden (kptr_restrict is %d, which hides them from everybody)",
			 restricted);
	else
		snprintf(text, n, "hidden (kptr_restrict is %d; CAP_SYSLOG would see them)",
			 restricted);
}

bool rights_perfmon(const char *proc_root)
{
	unsigned long long caps = capabilities(proc_root);

	return caps >> RIGHT_PERFMON & 1 || caps >> RIGHT_SYS_ADMIN & 1;
}

bool rights_whole_machine(const char *proc_root)
{
	return rights_perfmon(proc_root) || rights_paranoid(proc_root) <= 0;
}

bool rights_lock_memory(const char *proc_root)
{
	return rights_has(proc_root, RIGHT_IPC_LOCK) || rights_paranoid(proc_root) < 0;
}

bool rights_confined(const char *proc_root)
{
	return status_number(proc_root, "\nSeccomp:", 10) == 2;
}
