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

/* Appends the CPUs of a list such as "0-3,8", each once, in the order given. 0, or -1 when text is
 * no such list: *out is then unchanged. */
int cpus_parse(const char *text, struct cpu_list *out);
bool cpus_has(const struct cpu_list *l, int cpu);
int cpus_online(const char *sys_root, struct cpu_list *out);
/* The highest number of a possible CPU, plus 1: the size of per-CPU tables. */
int cpus_possible(const char *sys_root);

#endif
