/* SPDX-License-Identifier: MIT */
/*
 * Which CPUs there are and how they are arranged, from /sys. sys_root stands for "/sys".
 */
#ifndef OS_CPUS_H
#define OS_CPUS_H

#include "base/mem.h"

#include <stdbool.h>

struct cpu_list {
	VEC(int);
};

/* "0-3,8", behind those that are there: 0, or -1 when it isn't such a list, and *out is as it was.
 * Each once, in the order given. */
int cpus_parse(const char *text, struct cpu_list *out);
bool cpus_has(const struct cpu_list *l, int cpu);
int cpus_online(const char *sys_root, struct cpu_list *out);
/* Those that could be: the size of per-CPU tables. */
int cpus_possible(const char *sys_root);

#endif
